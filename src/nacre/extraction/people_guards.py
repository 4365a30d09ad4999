"""People guards: what the words around a name say when what is told is of somebody else: a partner, a family, a job."""

import re

from nacre.extraction.reader_words import clause, overlaps, relation_before, relation_in
from nacre.models.readings import FactReading
from nacre.text.word_blocks import word_set

_NAME = r"[^\W\d_][\w'’-]{0,30}"
_PAIR = re.compile(rf"\b(?P<one>{_NAME}) (?:and|&|n|y|e|und|et) (?P<two>{_NAME})")
# Of a pair with one of these the other may well be the speaker's.
_OURS = word_set("i me my myself our we us the a an yo mi mis nosotros ich mir mein meine moi mon ma eu")
_MINE = re.compile(r"\b(?:my|our|mi|nuestr[oa]) [\w'’-]{1,30} \Z", re.IGNORECASE)
_COUPLED = re.compile(
    r"\b(?:marr(?:y|ied|ying)|engaged|wedding|tying the knot|tied the knot|eloped|dating|(?:getting|got) together"
    r"|split|broke up|divorc\w+|separat\w+|cas(?:an|aron|arán|ado|ados|ar|arse)|prometid\w+|prometieron|boda|novi[oa]s"
    r"|juntos|rompieron|separaron)\b",
    re.IGNORECASE,
)
# Right after a name of which something is told that one tells of anybody.
_TOLD_OF = re.compile(
    r"(?:['’]s| is| isn['’]?t|s scared| hates?| loves?| likes?| eats?| (?:can|won|doesn)['’]?t| es| odia| no come)"
    r" (?!\d|(?:my|our|mi|nuestr[oa])\b)",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:my|our|mi|mis|nuestr[oa]s?|kids?|lads?|boys?|girls?|twins?|(?:young|old|eld)(?:er|est)|famil\w+|hij[oa]s?"
    r"|niñ[oa]s?|peques?|chic[oa]s)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
# "Teo got a job", "ana ha encontrado curro": what follows without a verb is of them.
_HIRED = re.compile(
    r"(?:\A|[.!?…;,] |\b(?:and|y) )(?!(?:finally|just|already|now|also|so|ok|still|ya|por fin|hoy|today)\b)"
    r"(?P<who>[^\W\d_][\w'’ -]{0,30}?)"
    r"(?: (?:finally|just|already|now|also|has|ha|ya|por fin|s[ií])){0,3}"
    r" (?:got|found|has|landed|starts?|started|tiene|encontrado|encontró|conseguido|consiguió)"
    r" (?:(?:an?|the|his|her|their|un|su|el) )?(?:\w+ )?"
    r"(?:job|work|gig|post|position|apprenticeship|trabajo|curro|empleo|puesto)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(
    r"\b(?:i|i['’]\w+|im|ive|we|we['’]\w+|my|me|yo|mi|soy|estoy|trabajo en|nos)\b", re.IGNORECASE
)


def is_of_others(text: str, reading: FactReading, sentence: tuple[int, int]) -> bool:
    """Whether words that the reader takes for the speaker's partner, kin or job tell of others alone."""
    match reading.predicate:
        case "partner":
            return is_of_a_couple(text, reading, sentence)
        case "family":
            return is_only_spoken_of(text, reading, sentence)
        case "role" | "works_at":
            return hired_before(text, (reading.object.start, reading.object.end)) is not None
    return False


def is_of_a_couple(text: str, reading: FactReading, sentence: tuple[int, int]) -> bool:
    """Whether two others are said to be a couple: "Tom and Kate are getting married" tells of no partner of mine."""
    pairs = (each for each in _PAIR.finditer(text, *sentence) if overlaps(reading.object, each.span()))
    pair = next(pairs, None)
    if pair is None or {pair["one"].casefold(), pair["two"].casefold()} & _OURS:
        return False
    mine = _MINE.search(text, sentence[0], reading.object.start) or relation_before(text, reading.object)
    return not mine and _COUPLED.search(text, *sentence) is not None


def is_only_spoken_of(text: str, reading: FactReading, sentence: tuple[int, int]) -> bool:
    """Whether a name only begins a clause that tells how somebody is, and no word of the turn tells of kin."""
    said = reading.object
    begin, _ = clause(text, sentence, said)
    if text[begin : said.start].strip() or not _TOLD_OF.match(text, said.end) or relation_in(said.text.casefold()):
        return False
    return _OWN.search(text) is None and not any(relation_in(word.casefold()) for word in _WORD.findall(text))


def hired_before(text: str, words: tuple[int, int]) -> str | None:
    """Who is told to have got a job before some words of a text, if that is not the speaker."""
    hired = next(_HIRED.finditer(text, 0, words[0]), None)
    told = hired is not None and _FIRST_PERSON.search(text, hired.start(), words[1]) is None
    return hired["who"] if hired and told else None
