"""People guards: what the words around a name say when nobody is the speaker's partner or family."""

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
