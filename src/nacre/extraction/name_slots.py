"""Slots of a sentence that say what stands in them: whom a name names there, and whether it is spoken to."""

import re

from nacre.domain.entities import EntityType
from nacre.extraction.gazetteers import common_words, given_names
from nacre.text.relations import ANIMALS, RELATION_WORDS
from nacre.text.stopwords import STOPWORDS

_REL = "|".join(re.escape(word) for word in sorted(RELATION_WORDS, key=len, reverse=True))
_ANIMAL = "|".join(re.escape(word) for word in sorted(ANIMALS, key=len, reverse=True))
_MINE = (
    rf"(?:my|our|his|her|their|mi|nuestr[oa]|su)\s+(?:(?:\w+er|\w+est|big|little|old|new|best|good|dear|late|ex|mejor"
    rf"|mayor|menor)\s+)?(?:{_REL})"
)
# Here a name follows, however it is spelled.
_CALLED = re.compile(
    r"\b(?:my\s+(?:(?:full|real|first|nick)\s*)?name(?:['’]?s|\s+is)|(?:please|just|everyone|everybody|people|they"
    r"|friends|all|can|you)\s+calls?\s+me|^call\s+me|i(?:['’]m|\s+am)\s+called|i\s+go\s+by|me\s+llamo|me\s+llaman"
    rf"|mi\s+nombre\s+es|ll[aá]m[ae]me|{_MINE}(?:['’]s\s+name\s+is|\s+is\s+called|\s+named|\s+se\s+llama))\s+",
    re.IGNORECASE,
)
# Here one may follow.
_PERHAPS = re.compile(
    rf"(?:\bi(?:['’]?m|\s+am)|^(?:(?:hi|hey|hello|hola),?\s+)?(?:this\s+is|it(?:['’]?s|\s+is)|soy)|\b{_MINE},?)\s+",
    re.IGNORECASE,
)
# Cheap: without one of these the others are not tried.
_TRIGGER = re.compile(
    r"\b(?:my|our|his|her|their|mi|su|nuestr[oa]|call|calls|i['’]?m|i am|this is|it['’]?s|it is|soy|ll[aá]m|go by)",
    re.IGNORECASE,
)
_NO_NAME = (
    STOPWORDS["en"] | STOPWORDS["es"] | frozenset({"back", "later", "when", "again", "soon", "crazy", "old", "not"})
)
_MONTHS = frozenset({"may", "june", "april", "august"})
_HOME = re.compile(
    r"\b(?:live[sd]?|living|move[sd]?|moving|relocat\w+|based|born|grew\s+up|grow\w*\s+up|raised|settled|stationed"
    r"|studied|vivo|vive|vivimos|viviendo|vivía|nac[ií]\w*|crec[ií]\w*|mud\w+)\s+(?:(?:back|over|down|up|out|here)\s+)?"
    r"(?:in|to|en|a)\s+\Z",
    re.IGNORECASE,
)
_EMPLOYER = re.compile(r"\b(?:work(?:s|ed|ing)?|job|intern(?:s|ed|ing)?|employed|hired)\s+at\s+\Z", re.IGNORECASE)
_KIN = re.compile(rf"\b{_MINE}(?:,|\s+is|\s+named|\s+called|\s+es|\s+se\s+llama)?\s+\Z", re.IGNORECASE)
_PET = re.compile(
    rf"\b(?:my|our|his|her|their|mi|nuestr[oa]|su)\s+(?:\w+\s+)?(?:{_ANIMAL})(?:,|\s+named|\s+called)?\s+\Z",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\s+(?:said|says|told|thinks|thought|wants|wanted|knows|knew|asked|cried|laughed|smiled|texted|dijo|dice|cree"
    r"|quiere|preguntó|and\s+(?:I|me)\b)"
)
_QUOTES = ('"', "“", "«", " '", "‘")
_TITLE = re.compile(
    r"(?:[\"“«]|(?<!\w)['‘])(?P<title>[A-Z][\w'’-]{0,40}(?:\s+(?:(?:of|the|and|a|an|in|to|for|de|la|el|del|y)\s+){0,2}[A-Z][\w'’-]{0,40})"
    r"{1,6})[,.!]?(?:[\"”»]|['’](?!\w))"
)
_PLACES = (EntityType.LOCATION, EntityType.PLACE)


def titles(sentence: str) -> list[tuple[int, int]]:
    """Where titles of works stand: capitals in quotes, and no person's name."""
    if not any(mark in sentence for mark in _QUOTES):
        return []
    found = [match.span("title") for match in _TITLE.finditer(sentence)]
    return [(start, end) for start, end in found if not _is_full_name(sentence[start:end])]


def _is_full_name(title: str) -> bool:
    parts = title.split()
    given = given_names().get(parts[0].casefold())
    return len(parts) == 2 and given is not None and not given[1]


def expected(sentence: str) -> dict[int, bool]:
    """Where a name is expected: its first letter, and whether any word will do there that is no everyday one."""
    if not _TRIGGER.search(sentence):
        return {}
    perhaps = {found.end(): False for found in _PERHAPS.finditer(sentence)}
    return perhaps | {found.end(): True for found in _CALLED.finditer(sentence)}


def is_name(word: str, *, any_word: bool, acts: bool = False) -> bool:
    """Whether a word in such a place is a name: a known one, or where any will do, one that is no everyday word.

    What `acts` is a name though it is an everyday word, too: "my brother mark is ill".
    """
    key = word.casefold().replace("’", "'")
    given = given_names().get(key)
    if given:
        return any_word or acts or not given[1]
    # A capital makes a name of a month: "call me May".
    everyday = key in common_words() or key in _NO_NAME
    return any_word and len(key) > 1 and key.isalpha() and (not everyday or key in _MONTHS)


def kind_in_slot(sentence: str, start: int, end: int, kind: EntityType) -> EntityType:
    """What a name names where it stands; `kind` where its place does not say."""
    rest = sentence[end:]
    if rest.startswith(("'s ", "’s ")):
        return kind
    if kind is EntityType.PERSON and " " not in sentence[start:end]:
        if _HOME.search(sentence, 0, start):
            return EntityType.LOCATION
        return EntityType.ORGANIZATION if _EMPLOYER.search(sentence, 0, start) else kind
    if kind in _PLACES and _PET.search(sentence, 0, start):
        return EntityType.UNKNOWN
    named = sentence[start:end].casefold()
    if kind in _PLACES and (_KIN.search(sentence, 0, start) or (named in given_names() and _SAYS.match(rest))):
        return EntityType.PERSON
    return kind


_GREETING = re.compile(
    r"(?:^|[\s,.!(])(?:hey|hi|hello|thanks|thank you|wow|whoa|woah|yeah|yep|yup|yes|no|nope|ok|okay|bye|congrats"
    r"|congratulations|sorry|dear|oh"
    r"|cool|sure|nice|great|awesome|absolutely|definitely|totally|agreed|exactly|well|so|right|morning|hola"
    r"|gracias|oye|sí|adiós|buenas"
    r"|vale|claro|querid[oa]),?\s*\Z",
    re.IGNORECASE,
)
_APPOSITION = re.compile(
    r",\s+(?:my|our|his|her|their|the|a|an|who|which|whose|mi|nuestr[oa]|su|el|la|un|una|que|quien)\b", re.IGNORECASE
)


def is_addressed(sentence: str, start: int, end: int, kind: EntityType) -> bool:
    """Whether the name at a place in a sentence calls somebody: after a greeting, or set off by commas."""
    before, after = sentence[:start], sentence[end:]
    ends = not after.strip(" \"'”’)") or after[0] in ",.!?…" or after.startswith((" -", " –", " —"))
    if not ends or _APPOSITION.match(after):
        return False
    if _GREETING.search(before):
        return True
    person = kind is EntityType.PERSON
    if not before.strip("\"'“‘¿¡ "):
        return person and after[:1] in (",", "!")
    return person and before.endswith(", ") and after[:1] in (".", "!", "?") and "," not in before[:-2]
