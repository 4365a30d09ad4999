"""Words of the reader: names, relations and clauses in the spans that it marks."""

import re

from nacre.domain.entities import EntityType
from nacre.domain.facts import NamedEntity
from nacre.extraction import guards
from nacre.extraction.gazetteers import given_names
from nacre.extraction.reader_forms import Form
from nacre.extraction.vocabulary import RELATIONS, plain_relation, word_set
from nacre.models.readings import TextSpan

_LED = re.compile(
    r"(?:(?:my|our|your|his|her|their|its|the|an?|this|that|these|those|some|another|mi|mis|tu|su|sus|nuestr[oa]s?"
    r"|el|la|los|las|un|una|mein|meine[nr]?|unser[ae]?n?|der|die|das|den|ein|eine[nmr]?|mon|ma|mes|le|les|une|des|du"
    r"|meus?|minhas?|os?|as|uma?)\s+|l['’])+",
    re.IGNORECASE,
)
POINTING = word_set("""
    it its her him his them they he she there here this that these those us we me i you one ones same so another too
    both everything something anything nothing everyone someone anyone everybody somebody anybody nobody people
    mine yours ours things stuff
    lo la ella él ellos ellas eso esto allí aquí ahí es sie er dort hier elle il eux y ça cela isso isto ele lá ali
""")
_OPEN = word_set("to of for with at from by and or than as because that which who de para con por und oder et ou e")
# What these mean stands elsewhere, and the rest says little without it.
_POINTED = word_set("""
    it its this that these those them there her him one ones something anything lo eso esto isso isto ça cela das es
""")
# Name a kind of fact and nothing of that kind.
_KINDS = word_set("""
    pet pets other_pets allergies allergy job jobs work hobby hobbies goal goals plan plans price birthday book books
    diet habit habits skill skills friend friends family decision event events
""")
# Longer ones are addresses and noise.
_LONGEST_WORD = 60
# Words joined by dots, slashes and the like: "staging.harbor-nl.dev", "ana@example.org", "3.11".
_ADDRESS = re.compile(r"(?<![\w./@:-])[\w+-]++(?:(?:[.@/:]|://)[\w+~%?=&#-]++)++")
# What tells them from two sentences without a space between.
_HOST = re.compile(r"[@/:\d-]|\..*\.|\.(?:com|org|net|io|dev|app|ai|co|eu|uk|de|es|fr|nl|us|me|info)\Z", re.IGNORECASE)
EDGES = ' \t\n,.;:!?…"“”«»()[]*_-–—'
_CLAUSE_END = re.compile(
    r"[;–—]|:(?!\d)|, | - | (?:but|because|although|though|pero|porque|aunque|aber|weil|mais|mas) "
)


def says_something(words: str, form: Form) -> bool:
    """Whether an object tells anything out of its sentence: "watched it" does not."""
    parts = [part.strip(EDGES).casefold() for part in words.split()]
    if not parts or parts[-1] in _OPEN or parts[0] in _OPEN or max(map(len, parts)) > _LONGEST_WORD:
        return False
    if form.type is EntityType.PERSON and relation_in(words.casefold()):
        return True
    if words.casefold() in _KINDS:
        return False
    told = [part for part in parts if part not in POINTING and not guards.says_nothing(part)]
    return bool(told) and _POINTED.isdisjoint(parts)


def overlaps(span: TextSpan, other: tuple[int, int]) -> bool:
    """Whether two places of a text share a letter."""
    return span.start < other[1] and other[0] < span.end


def whole(text: str, span: TextSpan) -> TextSpan:
    """The words of a span, with the rest of an address, a host or a version that it cuts in two."""
    start, end = span.start, span.end
    for found in _ADDRESS.finditer(text, max(0, start - _LONGEST_WORD), end + _LONGEST_WORD):
        if found.start() < end and start < found.end() and _HOST.search(found[0]):
            start, end = min(start, found.start()), max(end, found.end())
    return TextSpan(span.turn, start, end, text[start:end])


def bare(words: str) -> str:
    """The words without what leads and follows them."""
    plain = " ".join(words.split()).strip(EDGES)
    led = _LED.match(plain)
    return plain[led.end() :] if led else plain


def proper_name(words: str) -> str | None:
    """The name at the end of some words: "my sister Ana" is Ana; None where no word is written as a name."""
    parts = bare(words).removesuffix("'s").removesuffix("’s").split()
    kept_words: list[str] = []
    for part in reversed(parts):
        if part[:1].isupper() or (
            kept_words and part.casefold() in ("de", "van", "von", "der", "da", "dos", "del", "la")
        ):
            kept_words.insert(0, part)
        else:
            break
    while kept_words and not kept_words[0][:1].isupper():
        kept_words.pop(0)
    name = " ".join(kept_words)
    return name if name and not guards.names_nothing(name) and relation_in(name.casefold()) is None else None


def given_name(words: str) -> str | None:
    """A given name that was typed without its capital: "andy" is Andy, "will" may be anything."""
    plain = bare(words)
    _, everyday = given_names().get(plain, ("", True))
    return None if everyday else plain.title()


def relation_in(words: str) -> str | None:
    """The relation that words end in: "older sister" is a sister."""
    parts = words.split()
    for begin in range(len(parts)):
        if (word := " ".join(parts[begin:])) in RELATIONS:
            return plain_relation(word)
    return None


def relation_before(span: TextSpan) -> str | None:
    """The relation beside a name in the same words: "my sister Ana"."""
    name = proper_name(span.text)
    rest = bare(span.text).removesuffix(name or "").strip(EDGES).casefold()
    return relation_in(rest) if rest else None


def named_by(name: str, kind: EntityType, span: TextSpan, confidence: float) -> NamedEntity:
    """An entity by its name; people and places are written with capitals, however they were typed."""
    known = kind in (EntityType.PERSON, EntityType.LOCATION) and name == name.lower()
    written = name.title() if known else name
    return NamedEntity(name=written, type=kind, start=span.start, end=span.end, confidence=confidence)


def clause(text: str, sentence: tuple[int, int], span: TextSpan) -> tuple[int, int]:
    """The part of a sentence that holds some words."""
    start, end = sentence
    for found in _CLAUSE_END.finditer(text, start, end):
        if found.end() <= span.start:
            start = found.end()
        elif found.start() >= span.end:
            end = found.start()
            break
    return start, end
