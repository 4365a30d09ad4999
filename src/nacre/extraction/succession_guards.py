"""Guards of the succession model: what it takes for a change and is none, and whose words are outdated."""

import re
from dataclasses import replace

from nacre.extraction import people_guards
from nacre.memory import cues
from nacre.memory.pairs import Update
from nacre.models.local_succession import SuccessionReading
from nacre.text import amounts, relations
from nacre.text.instructions import find_instructions
from nacre.text.medicines import medicine_in
from nacre.text.tokens import content_words, terms

# What each shared word adds to a chance.
SHARED = 0.01
# A day or an amount.
_MEASURED = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december|lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b",
    re.IGNORECASE,
)
# Says that something goes on, or has begun as it was to.
_CONFIRMS = re.compile(
    r"\b(?:still|thing again|as (?:planned|ever|always|before|usual)|so far|(?:day|week|month) (?:one|two|three|\d+)"
    r"|first (?:day|week|month|shift|class|lesson)|settled|settling|loving|enjoying|confirmed|going (?:well|strong)"
    r"|ke(?:eps?|pt)(?: (?:me|us|him|her|them|on))? \w+ing|continu(?:e[sd]?|ing))\b",
    re.IGNORECASE,
)
# Where somebody is, and what leads to a place.
_PLACED = re.compile(r"(?:in|at|under) (?:my|our|his|her|their|the) ", re.IGNORECASE)
_LED_TO_PLACE = re.compile(
    r"\b(?:in|at|near|from|to|on|with|lives?|rents?|renting)(?: (?:the|an?|my|our))? \Z", re.IGNORECASE
)
_COUPLE = re.compile(
    r"\b(?:married|engaged|husband|wife|boyfriend|girlfriend|partner|dating|casad[oa]|novi[oa])\b", re.IGNORECASE
)
_THEY = re.compile(r"\b(?:s?he|s?hes|s?he['’]s|they|they['’]?re|él|ella)\b", re.IGNORECASE)
_I = re.compile(r"\b(?:i|im|i['’]\w+|ive|me|my|we|we['’]\w+|our|us|mi|yo|nos)\b", re.IGNORECASE)
_SELF = re.compile(r"\b(?:i|we|yo|nosotr[oa]s)\b", re.IGNORECASE)
# Comes before those whom news are told of beside somebody: "gone to Hannah and little Theo".
_BESIDE = r"\b(?:to|with|for|and|a|con|para|y) (?:little |our |my |mi )?"
_LEFT = re.compile(
    r"\b(?:ex|died|dead|passed|broke|split|ended|dumped|gone|left|leav(?:es|ing)|buried|retire[sd]?|retiring|retirement"
    r"|murió|muert[oa]|falleci\w+|dejad[oa]|ido|fue|jubil\w+)\b",
    re.IGNORECASE,
)
# What people do of their own life: "quit Google", "moved to Aalst", "cancelled the gym".
_OWN_DOING = re.compile(
    r"(?:['’]s |has |have |had |is |are |just |already |finally |now |also |ha |ya |se )*"
    r"(?:quits?|quitting|left|leaves|leaving|cancel\w*|mov(?:es?|ed|ing)|switch\w*|join\w*|dropped|ditched|gave up"
    r"|stopped|resign\w*|retir\w+|sold|works?|goes|got|starts?|started|dejó|dejado|deja|canceló|mudó|mudado|cambió"
    r"|empezó|trabaja)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:(?:so|and|but|oh|btw|ok|well|heads up|y|pues|hoy|today|apparently|sadly|funny) )*"
    r"(?:(?:my|our|mi|nuestr[oa]) (?P<kin>[\w-]+(?: [\w-]+)??)(?: [A-ZÀ-Þ][\w'’-]*)?"
    r"|(?P<name>(?!I\b)[A-ZÀ-Þ][\w'’-]*)) ",
)
_SPEAKER = re.compile(
    r"(?:i|im|ive|i['’]\w+|we|weve|we['’]\w+|yo|nosotr[oa]s|trabaj[oa]|viv[oe]|voy|vamos)\b", re.IGNORECASE
)
_OURS = re.compile(r"(?:my|our|mi|nuestr[oa]) (?P<thing>[\w-]+)", re.IGNORECASE)
_STAYS = re.compile(
    r"\b(?:stay(?:s|ing)?|stick(?:ing)?|keep(?:ing)?|seguimos|sigo|quedamos|quedo) (?:on|with|w/?|con|en)"
    r" (?:the |our |my )?(?P<what>[\w.]+)",
    re.IGNORECASE,
)
_DECLINES = re.compile(
    r"\b(?:won['’]?t|will not|not going to|not gonna|(?:are|is|am|['’]re|['’]m|were|im) not|aren['’]?t|no plans? to"
    r"|refuse to|no vamos a|no voy a)"
    r" (?:be )?(?:upgrad\w+|switch\w*|mov(?:e|ing)|migrat\w+|chang(?:e|ing)|touching|cambiar|actualizar)",
    re.IGNORECASE,
)
# Right before a value that is denied, or was so before: "not 9023", "the old code was 1122".
_DENIED = re.compile(
    r"(?:\b(?:not|isn['’]?t|wasn['’]?t|used to be|no es)"
    r"|\b(?:old|previous|former|antigu[oa])\b[^.,;!?]{0,25} (?:is|was|era))"
    r"(?: an?| the| at)? [€$£]?\Z",
    re.IGNORECASE,
)
_WRONG = re.compile(r"\b(?:that['’]?s (?:wrong|not right|a typo|a mistake)|was a (?:typo|mistake))", re.IGNORECASE)
_OWNER = re.compile(r"(?P<who>[A-ZÀ-Þ][\w-]*)(?:['’]s| has| got) (?:an? |the |his |her )?new ")
# What a code or the like is of: "gate code", "wifi password".
_OF_WHAT = re.compile(
    r"\b(?P<of>[^\W\d_]{1,30})(?: (?P<more>[^\W\d_]{1,30}))? (?P<what>code|password|passcode|pin|combination)\b",
    re.IGNORECASE,
)
_ANY_CODE = frozenset({"new", "old", "the", "my", "our", "its", "that", "this", "a", "same", "current"})
_POSSESSIVES = frozenset({"my", "our", "mi", "nuestro", "nuestra"})
_STOP = re.compile(r"[.,;!?] ")
_CAPITAL, _WORD = re.compile(r"\b[A-ZÀ-Þ]\w+"), re.compile(r"[^\W_]+")


def is_of_another(older: str, newer: str, found: SuccessionReading) -> bool:
    """Whether words that were are told of somebody else than the newer text: "Rhys 11", where Owen turned 15.

    They are told of the name that they begin with, or of their speaker: "va al colegio San Telmo" is of no San Telmo.
    """
    was = older[slice(*found.was)]
    inside = _names(was)
    begin = max((end.end() for end in _STOP.finditer(older, 0, found.was[0])), default=0)
    if inside.isdisjoint(_WORD.findall(was.casefold())[:1]) and not _SELF.search(older, begin, found.was[0]):
        return False
    said = set(_WORD.findall(newer.casefold()))
    others = _names(older) - inside
    alone = not _WORD.search(_CAPITAL.sub("", was))
    # "Perpetua's bach in Wānaka" is meant by "a pipe burst at Perpetua's so no bach".
    if not (set(content_words(was)) - inside).isdisjoint(content_words(newer[slice(*found.now)])):
        return False
    return bool(inside) and not alone and said.isdisjoint(inside) and not said.isdisjoint(others)


def _names(text: str) -> set[str]:
    """The words of a text that may be names: neither "My" nor "April", though they begin with a capital."""
    words = {word.casefold() for word in _CAPITAL.findall(text) if not _MEASURED.search(word)}
    return words.intersection(content_words(text))


def is_of_another_couple(older: str, newer: str, found: SuccessionReading) -> bool:
    """Whether somebody else's wedding would end one's own: "married to Declan", where Fergal rang and "hes engaged"."""
    if not _COUPLE.search(older, *found.was):
        return False
    begin = max((end.end() for end in _STOP.finditer(newer, 0, found.now[0])), default=0)
    return bool(_THEY.search(newer, begin, found.now[1])) and not _I.search(newer, begin, found.now[1])


def is_of_another_job(older: str, newer: str, found: SuccessionReading) -> bool:
    """Whether the job of somebody whom the older text does not name would end another: "teo got a job!! bus driver"."""
    hired = people_guards.hired_before(newer, found.now)
    return hired is not None and not _says(hired, older)


def is_refused(older: str, newer: str, update: Update) -> bool:
    """Whether the newer sentence of an update tells of somebody else's doing, or turns the change down."""
    was, now = older[slice(*update.quote)], newer[slice(*update.newer_quote)]
    if is_anothers_doing(was, now) or is_declined(was, now) or is_denied(update.value, update.new_value, now):
        return True
    return is_anothers_own(was, now) or (any(map(str.isdigit, update.value)) and is_of_another_code(was, now))


def is_anothers_doing(older: str, newer: str) -> bool:
    """Whether what somebody else did would end what the speaker does: "my brother quit Google", "i work at Google".

    Both are sentences; what touches the speaker as well, or somebody whom the older one speaks of, is their news.
    """
    subject = _SUBJECT.match(newer)
    if not subject or not _OWN_DOING.match(newer, subject.end()) or _I.search(newer, subject.end()):
        return False
    kin, name = (subject["kin"] or "").casefold(), subject["name"]
    if relations.RELATION_WORDS.isdisjoint((kin, *kin.split()[:1])) and not (name and content_words(name)):
        return False
    mine = _OURS.match(older)
    own = mine["thing"].casefold() not in relations.RELATION_WORDS if mine else _SPEAKER.match(older) is not None
    return own and not any(
        _says(word, older) for word in _WORD.findall(subject[0]) if word.casefold() not in _POSSESSIVES
    )


def is_denied(value: str, new_value: str, newer: str) -> bool:
    """Whether the newer sentence says that the new value is not so, or was so before: "it's not 9023", "old code"."""
    numbers = [each for each in re.findall(r"\d[\w.,]*", new_value) if each not in value]
    place = newer.find(numbers[0]) if numbers else -1
    return place >= 0 and bool(_DENIED.search(newer, 0, place) or _WRONG.search(newer, place))


def is_anothers_own(older: str, newer: str) -> bool:
    """Whether what somebody else has would take the place of the speaker's own: "Mum's new gate code"."""
    owner = _OWNER.match(newer)
    if owner is None or not content_words(owner["who"]) or not (_OURS.match(older) or _SPEAKER.match(older)):
        return False
    return not _I.search(newer, owner.end("who")) and not _says(owner["who"], older)


def is_of_another_code(older: str, newer: str) -> bool:
    """Whether codes of two things are told: "new alarm code", "the gate code"."""
    ones, others = (
        {word for each in _OF_WHAT.finditer(text) for word in (each["of"], each["more"]) if word}
        for text in (older, newer)
    )
    was, now = (set(content_words(" ".join(some))) - _ANY_CODE for some in (ones, others))
    return bool(was and now) and was.isdisjoint(now)


def is_declined(older: str, newer: str) -> bool:
    """Whether a newer sentence turns the change down that it speaks of: "Node 22 looks good but we stay on 18"."""
    stays = _STAYS.search(newer)
    kept = content_words(stays["what"]) if stays else ()
    return any(_says(word, older) for word in kept) or _DECLINES.search(newer) is not None


def is_news_of_somebody(older: str, newer: str, update: Update) -> bool:
    """Whether the newer words tell news of somebody whom the older text names, and nothing else in its place.

    "Our cat Biscuit" stays when he got a friend, and who proposed is as scared of heights as before.
    """
    kin = relations.NAMED_KIN.fullmatch(update.value)
    if kin and _says(kin["name"], newer):
        return not (_LEFT.search(newer) or cues.is_over(newer) or cues.is_changed(newer) or cues.is_elsewhere(newer))
    if _CAPITAL.fullmatch(update.value):
        beside = re.search(_BESIDE + re.escape(update.value), update.new_value)
        return beside is not None and not cues.is_over(update.new_value)
    subject = _WORD.match(update.new_value)
    told = set(content_words(subject[0])) if subject else ()
    return is_unanswered_harm(update) and any(_says(each, older) for each in told)


def is_unanswered_harm(update: Update) -> bool:
    """Whether what does harm if it is forgotten would give way to words that say nothing of it."""
    harm = cues.harm_of(update.value)
    return bool(harm) and not cues.is_eased(update.new_value) and set(terms(harm)).isdisjoint(terms(update.new_value))


def _says(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None


def is_out_of_place(older: str, newer: str, found: SuccessionReading) -> bool:
    """Whether where somebody is would take the place of who or what somebody is: "hes in our spare room now"."""
    if not _PLACED.match(newer, *found.now):
        return False
    return _LED_TO_PLACE.search(older, 0, found.was[0]) is None and not _PLACED.match(older, *found.was)


def is_no_change(newer: str, update: Update) -> bool:
    """Whether the newer words only say the same again, or give no amount where one was: "week one of days"."""
    was, now = (set(content_words(each)) for each in (update.value, update.new_value))
    if was and was == now and not cues.is_over(update.new_value):
        return True
    was, now = (set(terms(each)) for each in (update.value, update.new_value))
    if was and was <= now:
        return _CONFIRMS.search(newer[slice(*update.newer_quote)]) is not None
    priced = any(amounts.find_money(update.value)) and not any(map(str.isdigit, update.new_value))
    return priced and not cues.is_over(update.new_value)


def right_medicine(newer: str, update: Update) -> Update:
    """The update, with the medicine that the newer text names where the model took its doctor for the new one."""
    was = medicine_in(update.value)
    if was is None or medicine_in(update.new_value):
        return update
    others = {word for word in _WORD.findall(newer) if (named := medicine_in(word)) and named != was}
    return replace(update, new_value=others.pop()) if len(others) == 1 else update


def right_wish(newer: str, update: Update) -> Update:
    """The update, of the one wish on replies that the newer text says otherwise: of "tutéame, respuestas cortas" the
    length.
    """
    wishes, kinds = list(find_instructions(update.value)), {each.kind for each in find_instructions(newer)}
    meant = [each.text for each in wishes if each.kind in kinds]
    return replace(update, value=meant[0]) if len(wishes) > 1 and len(meant) == 1 else update


def shared_worth(older: str, newer: str) -> float:
    """What it adds to a chance that two texts share words: little, since the model has read them."""
    return SHARED * len(set(content_words(older)).intersection(content_words(newer)))


def is_same_value(one: str, other: str) -> bool:
    """Whether two values are one, or share a word that says something."""
    return one == other or not set(content_words(one)).isdisjoint(content_words(other))
