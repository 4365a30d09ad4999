"""Markers of a value: what a sentence says besides it, as that it is new, wrong, over, one more, or only for a while.

English and Spanish words are matched whole, so that "knows" is not "now"; Chinese, Japanese and Korean ones wherever
they stand. Of a sentence with several clauses only the one that names the value counts, so that "used to work at Acme,
but now works at Globex" says one thing of Acme and another of Globex.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from nacre.domain.clocks import month_end, shifted
from nacre.graph.beliefs import values
from nacre.graph.beliefs.cardinality import BEGUN_KEYS, LASTING_KEYS
from nacre.text.caseless_patterns import CaselessPattern, caseless
from nacre.text.clauses import NEW_START
from nacre.text.times import SINCE

# As much of a text as is read for a sentence.
_LONGEST = 1_000
_APOSTROPHES = str.maketrans("’ʼ", "''")


def _phrases(spaced: str, unspaced: str) -> CaselessPattern:
    """Any of these phrases, one a line or parted by bars; spaced ones as whole words."""
    whole = "|".join(phrase.strip() for phrase in spaced.replace("\n", "|").split("|") if phrase.strip())
    return caseless(rf"(?<![\w'-])(?:{whole})(?![\w-])|{unspaced}")


_NEGATIONS = _phrases(
    r"no longer|not(?! only| just)|never|\w+n't|cannot|no(?! solo| sólo| doubt)|nunca|ya no|jamás|tampoco",
    "不再|没有|不(?!同|过|错|久)|もう使|なくな|더 이상",
)
_DROPPED = _phrases(
    r"""left|quit|stopped|gave up|given up|dropped|cancelled|canceled|removed|abandoned|ditched|expired|gone off
    got rid of|sold|unsubscribed from|uninstalled|broke up|split up|divorced|took \w+ off|taken off|came off|
    dejó|dejé|dejamos|abandonó|canceló|cancelé|vendió|quitamos""",
    "停用|放弃|辞め|やめ|그만",
)
_PAST = _phrases(
    r"""used to|formerly|previously|was called|were called|was named|once was|before(?=\W*\Z)|back then|in the past
    antes|solía|solían|anteriormente|se llamaba|llamado antes""",
    "以前|曾经|曾|かつて|예전",
)
_SWITCHED = _phrases(
    r"""switched|transferred|traded|moved|relocated|migrated|replaced|renamed|changed|swapped|instead|became|turned into
    in its place|postponed?|rescheduled?|pushed(?: back)?
    to (?:move|push|change|delay|shift)|brought forward|delayed|rebooked|shifted|went (?:up|down)|rose|risen
    dropped to|fell to|raised|increased|lowered|reduced|aplaz\w+|pospuso|pospuest\w+|subió|bajó
    goes by|took the name|cambió|cambiaron|cambiado|cambiamos|cambié
    mudó|mudé|mudamos|mudado|mudaron|migramos|pasó a|pasamos a
    reemplazó|sustituyó|renombró
    en lugar de|en vez de""",
    "改为|改成|改名|改用|搬到|换成|に変更|引っ越|바꿨|이사",
)
_NOW = _phrases(
    r"""(?<!for )(?<!right )(?<!just )(?<!until )now|currently|nowadays|these days|as of|from now on|starting|joined
    promoted|upgraded|new (?:job|employer|company|position|role|post|gig|home|boss|manager)
    took me on|taken me on|(?:weeks|months|years) into (?:the|my|this)
    first (?:day|morning|shift|week) (?:at|with)|started(?: working)? (?:at|for|with)|hired|primer (?:día|turno) en
    empecé|empezó|comencé|comenzó|entré|entró|me incorporé|se incorporó
    (?<!por )ahora|actualmente|hoy en día|a partir de|desde ahora|ya es""",
    "现在|目前|如今|今は|現在|이제|현재",
)
# What these tell of begins on the day that is told, and is not over with it.
_BEGINS = _phrases(
    r"""(?:mov|relocat)(?:e|es|ing)|start(?:s|ing)?|begin(?:s|ning)?|join(?:s|ing)?
    me mudo|se muda|nos mudamos|se mudan|empiezo|empieza|empezamos|comienzo|comienza|me incorporo""",
    "搬到",
)
# What is said to end, or to last for so long, does not go on after that.
_BOUNDED = _phrases(
    r"""until(?! now)|till|temporarily|for now|for the time being|for the moment
    for (?:the next )?(?:a|an|\w+) (?:day|night|week|weekend|month|summer|winter)s?|for the (?:weekend|summer|winter)
    hasta|temporalmente|por ahora|de momento|por (?:el|un|una|dos|tres) \w+""",
    "暂时|一時的|잠시",
)
_CORRECTED = _phrases(
    r"""actually|i meant|i mean|correction|sorry|typo|mistake|mistaken|misspoke|wrong|in fact|swapped the|mixed up
    \A\s*no(?=,)|\A\s*no wait|en realidad|perdón|corrijo|corrección|quise decir|me equivoqué|mejor dicho""",
    "其实|不对|更正|実は|訂正|사실은|정정",
)
_ADDED = _phrases(
    r"""also|too(?=\W*\Z)|as well|another|other|additionally|in addition|besides|plus|both|one of
    también|además|otro|otra|uno de|una de""",
    "也|还|又|も(?!う)|또한",
)
_LASTING = _phrases(
    r"""for good|permanently|for ever|forever|moved|relocated|became|joined|started|starting|(?:has|have|'ve) been
    \w{1,20}ed .{0,80} since|from (?:now|today|tomorrow|next|\w+day)|first (?:day|week|shift)
    (?:gone|went|turned)(?:\s+(?:full|fully|completely|totally|properly))?\s+…
    mudó|mudé|mudamos|mudado|mudaron|para siempre|desde (?:hoy|ahora|el)|lleva|llevan""",
    "搬到|永久",
)
# What holds from a day or a month on is not over with it.
_NOT_SINCE = "".join(rf"(?<!{lead} )" for lead in SINCE)
_PASSING = _phrases(
    rf"""{_NOT_SINCE}(?:today|tonight|tomorrow|this (?:week|weekend|month|morning|afternoon|evening))
    until(?! now)|till|temporarily
    for now|for the time being|for the moment|at the moment|right now|for the next|for (?:a|an|\w+) (?:day|week|month)s?
    for (?:january|february|march|april|may|june|july|august|september|october|november|december)(?! \d)
    during|while|covering for|acting|on holiday|on vacation|(?:bank|public) holiday
    {_NOT_SINCE}(?:hoy(?! en día)|(?<!la )mañana|esta (?:semana|noche|tarde)|este (?:mes|fin de semana))
    hasta|temporalmente|por ahora
    de momento|por el momento|en este momento|estos días|mientras|durante|de vacaciones""",
    "今天|今晚|明天|这周|本周|这个月|暂时|今日|今週|今月|一時的|오늘|이번 주|잠시",
)
# Come right before a value that is turned down.
_ARTICLE = r"\s*(?:(?:a|an|the|el|la|los|las|un|una)\s+)?\Z"
_AGAINST_WORDS = (
    r"(?:\b(?:not|no|no es|no era|is not|isn't|aren't|wasn't|instead of|rather than|replaced|dropped|left|renamed"
    r"|i said|en vez de|en lugar de|reemplaz\w+|sustitu\w+)|不是)"
)
_AGAINST = re.compile(f"{_AGAINST_WORDS}{_ARTICLE}", re.IGNORECASE)
# Come right after it.
_REFUTED = re.compile(
    r"(?<!\s)\s*(?:isn't|is not|wasn't|was not|no es|no era|is wrong|was wrong|不是)(?=\W*\Z|\s*[,;.])", re.IGNORECASE
)
# Come before it, but only in a sentence that speaks of a switch.
_AWAY_WORDS = r"(?:\b(?:from|de)|从)"
_AWAY = re.compile(f"{_AWAY_WORDS}{_ARTICLE}", re.IGNORECASE)
_AGAINST_SOMEWHERE, _AWAY_SOMEWHERE = (re.compile(words, re.IGNORECASE) for words in (_AGAINST_WORDS, _AWAY_WORDS))
_CLAUSES = re.compile(
    r"(?<![,;.!?。！？，；—–])[,;.!?。！？，；—–]++(?:\s+|\Z)|[。！？，；]|(?<!\s)\s++(?=(?:but|pero|sino|because|porque"
    r"|(?:so|así que)\s+(?:no|i|we|he|she|they|it|please|don['’]?t|do|can['’]?t)"
    rf"|{NEW_START})(?:\s|['’]))",
    re.IGNORECASE,
)
_DAYS = {
    name: day
    for block in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "lunes martes miércoles jueves viernes sábado domingo",
    )
    for day, name in enumerate(block.split())
}
_UNTIL = re.compile(rf"\b(?:until|till|hasta)\s+(?:el\s+|next\s+|this\s+)?({'|'.join(_DAYS)})\b", re.IGNORECASE)
_FOR = re.compile(r"\bfor (?:the next )?(\w+) (day|week)s?\b", re.IGNORECASE)
_TODAY = _phrases(r"today|tonight|this (?:morning|afternoon|evening)|hoy|esta (?:noche|tarde)", "今天|今晚|今日|오늘")
_TOMORROW = _phrases("tomorrow|mañana", "明天")
_THIS_WEEK = _phrases("this week|this weekend|esta semana|este fin de semana", "这周|本周|今週|이번 주")
_THIS_MONTH = _phrases("this month|este mes", "这个月|今月")
# Stand for a value that is not named. A "not" in a sentence without either is about something else.
_PRONOUNS = _phrases("it|that|them|there|this|lo|la|los|las|eso|allí", "它|那里|それ|그것")
# Further words between a verb such as "left" and what was left make it another's verb, and so do these.
_REACH = 4
_ELSEWHERE = re.compile(
    r"\b(?:for|to|por|para|(?:and|y) (?:\w+ )?(?:joined|joining|started|moved|works?|working|went|got|took|lives?"
    r"|settled|trabaj\w+|entr[éó]|emp\w+|comen\w+|me|se|nos|viv\w+|estoy|está))\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueMarkers:
    """What is said of a value. `against` holds the other values that the sentence says are not, or no longer, so."""

    denied: bool = False
    past: bool = False
    switched: bool = False
    now: bool = False
    corrected: bool = False
    added: bool = False
    passing: bool = False
    begins: bool = False
    against: frozenset[str] = frozenset()

    @property
    def changed(self) -> bool:
        """Whether it speaks of a change."""
        return self.switched or self.now

    def passes(self, key: str) -> bool:
        """Whether what is said of a claim key or predicate holds for a while only.

        A home does not that somebody moves to tomorrow.
        """
        return self.passing and key not in LASTING_KEYS and not (self.begins and key in BEGUN_KEYS)


def read(said: str | None, value: str, others: Iterable[str]) -> ValueMarkers:
    """What a sentence says of a value, and against the others. Without a sentence, what a long value says of itself."""
    if said is None:
        return ValueMarkers() if values.is_short(value) else tone(value[:_LONGEST].translate(_APOSTROPHES))
    text, against = _sentence(said), set()
    for other in others:
        rest = None if values.same(other, value) else _turned_down(text, other)
        if rest is not None:
            against.add(other)
            text = rest
    clause, start, end = _clause(text, value)
    named = end > 0 or bool(_PRONOUNS.search(text))
    around = f"{clause[:start]} … {clause[end:]}" if end else clause
    return replace(
        tone(around),
        denied=named and _denies(clause, start, end),
        past=named and bool(_PAST.search(around)),
        corrected=bool(_CORRECTED.search(text)),
        against=frozenset(against),
    )


def turned_down(said: str) -> str | None:
    """The part of a sentence that may name values which it turns down; None where it turns nothing down."""
    text = _sentence(said)
    away = _AWAY_SOMEWHERE.search(text) and _SWITCHED.search(text)
    return text if away or _AGAINST_SOMEWHERE.search(text) or _REFUTED.search(text) else None


def _sentence(said: str) -> str:
    return said[:_LONGEST].translate(_APOSTROPHES)


def end(said: str, at: datetime) -> datetime | None:
    """When a passing state ends, by days of `at`; None where the words do not tell, or the calendar ends first."""
    over = _end(said, at)
    return over if over is None or over > at else None


def _end(said: str, at: datetime) -> datetime | None:
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if found := _UNTIL.search(said):
        return shifted(day, timedelta(days=(_DAYS[found[1].casefold()] - day.weekday()) % 7 + 1))
    if found := _FOR.search(said):
        return _after(at, *found.groups())
    if _THIS_MONTH.search(said):
        return month_end(day)
    lengths = ((_TODAY, 1), (_TOMORROW, 2), (_THIS_WEEK, 7 - day.weekday()))
    days = next((days for words, days in lengths if words.search(said)), None)
    return None if days is None else shifted(day, timedelta(days=days))


def _after(at: datetime, many: str, unit: str) -> datetime | None:
    number = values.tokens(many)[0].key
    if not number.isdecimal() or len(number) > 3:
        return None
    return shifted(at, timedelta(days=int(number) * (7 if unit.casefold() == "week" else 1)))


def tone(text: str) -> ValueMarkers:
    """What a text says of whatever value it gives: that it is new, wrong, one more, or only for a while."""
    return ValueMarkers(
        switched=bool(_SWITCHED.search(text)),
        now=bool(_NOW.search(text)),
        corrected=bool(_CORRECTED.search(text)),
        added=bool(_ADDED.search(text)),
        passing=bool(_PASSING.search(text)) and not _LASTING.search(text),
        begins=bool(_BEGINS.search(text)) and not _BOUNDED.search(text),
    )


def _turned_down(text: str, other: str) -> str | None:
    """The text without its words against the other value; None where it has none."""
    found = values.mentions(text, other)
    if not found:
        return None
    head, tail = text[: found[0]], text[found[1] :]
    before = _AGAINST.search(head) or (_AWAY.search(head) if _SWITCHED.search(text) else None)
    after = _REFUTED.match(tail)
    if not before and not after:
        return None
    head, tail = head[: before.start() if before else None], tail[after.end() if after else 0 :]
    # What stood on either side of it does not become one word.
    return f"{head} {tail}" if head and tail and not (head[-1].isspace() or tail[0].isspace()) else head + tail


def _clause(text: str, value: str) -> tuple[str, int, int]:
    """The clause that names the value and where it does; all of the text where none does."""
    for clause in _CLAUSES.split(text):
        if found := values.mentions(clause, value):
            return clause, *found
    return text, 0, 0


def _denies(clause: str, start: int, end: int) -> bool:
    negated = any(not start <= found.start() < end for found in _NEGATIONS.finditer(clause))
    dropped = any(_touches(clause, found.span(), start, end) for found in _DROPPED.finditer(clause))
    return negated != dropped


def _touches(clause: str, verb: tuple[int, int], start: int, end: int) -> bool:
    """Whether a verb is about the value: few words lie between, and none that leads elsewhere."""
    if end == 0:
        return True
    if start <= verb[0] < end:
        return False
    between = clause[verb[1] : start] if verb[0] < start else clause[end : verb[0]]
    return len(between.split()) < _REACH and not _ELSEWHERE.search(between)
