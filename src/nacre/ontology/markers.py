"""What a sentence says about a value besides the value: that it is new, wrong, over, one more, or only for a while.

English and Spanish words are matched whole, so that "knows" is not "now"; Chinese, Japanese and Korean ones wherever
they stand. Of a sentence with several clauses only the one that names the value counts, so that "used to work at Acme,
but now works at Globex" says one thing of Acme and another of Globex.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from nacre.ontology import values

_APOSTROPHES = str.maketrans("’ʼ", "''")


def _phrases(spaced: str, unspaced: str) -> re.Pattern[str]:
    """Any of these phrases, one a line or parted by bars; spaced ones as whole words."""
    whole = "|".join(phrase.strip() for phrase in spaced.replace("\n", "|").split("|") if phrase.strip())
    return re.compile(rf"(?<![\w'-])(?:{whole})(?![\w-])|{unspaced}", re.IGNORECASE)


_NEGATIONS = _phrases(
    r"no longer|not(?! only| just)|never|\w+n't|cannot|no(?! solo| sólo| doubt)|nunca|ya no|jamás|tampoco",
    "不再|没有|不(?!同|过|错|久)|もう使|なくな|더 이상",
)
_DROPPED = _phrases(
    """left|quit|stopped|gave up|given up|dropped|cancelled|canceled|removed|abandoned|ditched|expired|gone off
    got rid of|sold|unsubscribed from|uninstalled|dejó|dejé|dejamos|abandonó|canceló|cancelé|vendió|quitamos""",
    "停用|放弃|辞め|やめ|그만",
)
_PAST = _phrases(
    r"""used to|formerly|previously|was called|were called|was named|once was|before(?=\W*\Z)|back then|in the past
    antes|solía|solían|anteriormente|se llamaba|llamado antes""",
    "以前|曾经|曾|かつて|예전",
)
_SWITCHED = _phrases(
    r"""switched|moved|migrated|replaced|renamed|changed|swapped|instead|became|turned into|goes by|took the name
    cambió|cambiamos|cambié|mudó|mudé|mudamos|migramos|pasó a|pasamos a|reemplazó|sustituyó|renombró
    en lugar de|en vez de""",
    "改为|改成|改名|改用|搬到|换成|に変更|引っ越|바꿨|이사",
)
_NOW = _phrases(
    r"""(?<!for )(?<!right )(?<!just )(?<!until )now|currently|nowadays|these days|as of|from now on|starting|joined
    promoted|upgraded|new|(?<!por )ahora|actualmente|hoy en día|a partir de|desde ahora|ya es""",
    "现在|目前|如今|今は|現在|이제|현재",
)
_CORRECTED = _phrases(
    r"""actually|i meant|i mean|correction|sorry|typo|mistake|mistaken|misspoke|wrong|in fact|swapped the
    \A\s*no(?=,)|\A\s*no wait|en realidad|perdón|corrijo|corrección|quise decir|me equivoqué|mejor dicho""",
    "其实|不对|更正|実は|訂正|사실은|정정",
)
_ADDED = _phrases(
    r"""also|too(?=\W*\Z)|as well|another|other|additionally|in addition|besides|plus|both|one of
    también|además|otro|otra|uno de|una de""",
    "也|还|又|も(?!う)|또한",
)
_LASTING = _phrases(
    r"for good|permanently|for ever|forever|moved|became|joined|started|starting|from|mudó|mudé|para siempre|desde", "搬到"
)
_PASSING = _phrases(
    r"""today|tonight|tomorrow|this (?:week|weekend|month|morning|afternoon|evening)|until(?! now)|till|temporarily
    for now|for the time being|for the moment|at the moment|right now|for the next|for (?:a|an|\w+) (?:day|week|month)s?
    for (?:january|february|march|april|may|june|july|august|september|october|november|december)
    during|while|covering for|acting|on holiday|on vacation
    hoy(?! en día)|(?<!la )mañana|esta (?:semana|noche|tarde)|este (?:mes|fin de semana)|hasta|temporalmente|por ahora
    de momento|por el momento|en este momento|estos días|mientras|durante|de vacaciones""",
    "今天|今晚|明天|这周|本周|这个月|暂时|今日|今週|今月|一時的|오늘|이번 주|잠시",
)
# Come right before a value that is turned down.
_AGAINST = re.compile(
    r"(?:\b(?:not|no es|no era|no|instead of|rather than|from|replaced|dropped|left|said|wasn't|isn't|aren't|is not|en vez de"
    r"|en lugar de|de|reemplaz\w+|sustitu\w+|renamed)|不是)\s*(?:(?:a|an|the|el|la|los|las|un|una)\s+)?\Z",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,;.!?。！？，；—–]+(?:\s+|\Z)|[。！？，；]|\s+(?=(?:but|pero|sino)\s)", re.IGNORECASE)
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
# Further words between a verb such as "left" and what was left make it another's verb.
_REACH = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What is said of a value. `against` holds the other values that the sentence says are not, or no longer, so."""

    denied: bool = False
    past: bool = False
    switched: bool = False
    now: bool = False
    corrected: bool = False
    added: bool = False
    passing: bool = False
    against: frozenset[str] = frozenset()

    @property
    def changed(self) -> bool:
        """Whether it speaks of a change."""
        return self.switched or self.now


def read(said: str, value: str, others: Iterable[str]) -> Saying:
    """What a sentence says of a value, and against the others."""
    text, against = said.translate(_APOSTROPHES), set()
    for other in others:
        rest = None if values.same(other, value) else _turned_down(text, other)
        if rest is not None:
            against.add(other)
            text = rest
    clause, start, end = _clause(text, value)
    around = f"{clause[:start]} {'…' * (end > start)} {clause[end:]}"
    return Saying(
        denied=_denies(clause, start, end),
        past=bool(_PAST.search(around)),
        switched=bool(_SWITCHED.search(around)),
        now=bool(_NOW.search(around)),
        corrected=bool(_CORRECTED.search(text)),
        added=bool(_ADDED.search(around)),
        passing=bool(_PASSING.search(around)) and not _LASTING.search(around),
        against=frozenset(against),
    )


def end(said: str, at: datetime) -> datetime | None:
    """When a passing state ends, by days of `at`; None where the words do not tell."""
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if found := _UNTIL.search(said):
        return day + timedelta(days=(_DAYS[found[1].casefold()] - day.weekday()) % 7 + 1)
    if found := _FOR.search(said):
        many = next((token for token in values.tokens(found[1]) if token.number), None)
        length = 7 if found[2].casefold() == "week" else 1
        return at + timedelta(days=length * int(many.key)) if many and len(many.key) < 4 and many.key.isdecimal() else None
    if _TODAY.search(said):
        return day + timedelta(days=1)
    if _TOMORROW.search(said):
        return day + timedelta(days=2)
    if _THIS_WEEK.search(said):
        return day + timedelta(days=7 - day.weekday())
    if _THIS_MONTH.search(said):
        return (day.replace(day=28) + timedelta(days=4)).replace(day=1)
    return None


def ends(value: str) -> bool:
    """Whether a value that is a statement says that something is over: `no longer uses Redis`."""
    return values.is_denied(value) or bool(_DROPPED.search(value))


def _turned_down(text: str, other: str) -> str | None:
    """The text without its words against the other value; None where it has none."""
    found = values.mentions(text, other)
    before = _AGAINST.search(text[: found[0]]) if found else None
    return text[: before.start()] + text[found[1] :] if found and before else None


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
    if start <= verb[0] < end or end == 0:
        return False
    between = clause[verb[1] : start] if verb[0] < start else clause[end : verb[0]]
    return len(between.split()) < _REACH and not re.search(r"\b(?:for|to|por|para)\b", between)
