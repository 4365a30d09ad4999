"""Names of kin: what a text calls somebody whom it speaks of as "my girlfriend", wherever it does so.

"My gf hates roses, her name's Maeve" tells of Maeve. Whoever is named so is no nameless relation any more.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nacre.domain.entities import EntityType
from nacre.domain.facts import Fact, NamedEntity, Voice
from nacre.extraction import guards
from nacre.extraction.mentions import Mention
from nacre.text.letters import small_letters
from nacre.text.relations import RELATIONS, plain_relation
from nacre.text.times import any_of

CONFIDENCE = 0.85
_UNSTATED = (guards.asks, guards.supposes, guards.tells_a_story, guards.breaks_off)
# Somebody else who is named in between: "la perrita de mi amiga Ximena se llama Frida".
_ANOTHER = re.compile(r"(?<![.!?] )\b[A-ZÀ-Þ][a-zà-þ]")
# So many characters before "her name is" may tell whose it is.
_NEAR = 200
_WORDS = {re.sub(r"[_-]", " ", word): word for word in RELATIONS}
_REL = rf"(?P<rel>{any_of(word.replace(' ', '[ -]') for word in _WORDS)})"
_NO_MORE = r"(?:and|or|late|ex|former|difunt[oa]|antigu[oa])"
_OWN = rf"(?<!\w)(?:my|our|mi|nuestr[oa]) (?:(?!{_NO_MORE} )[\w-]{{1,20}} ){{0,2}}?{_REL}"
_TITLE = r"(?:(?:mr|mrs|ms|dr|prof(?:essor)?|sr|sra|don|doña)\.? )?\Z"
# Right before a name: "my mum's name is", "my best friend since school is called", "my boss is".
_CALLED = re.compile(
    rf"{_OWN}(?:['’]?s (?:first |full )?name(?:['’]s| is| was)"
    rf"|(?:,[^.!?;:,]{{1,50}},| (?:since|from|at|in|of) [\w'’ -]{{1,30}}?)? (?:is|was) (?:called|named)"
    rf"| (?:que )?se llama(?:ba)?|,? (?:is|es)|[,:(]{{0,2}}) {_TITLE}",
    re.IGNORECASE,
)
# And where only a pronoun says whose it is.
_NAME_IS = re.compile(
    rf"(?<!\w)(?:(?:his|her|their|su) (?:first |full )?(?:name|nombre)(?:['’]s| is| was| es| era)"
    rf"|(?:,|and|he['’]s|she['’]s) name['’]?s|(?:que )?se llama) {_TITLE}",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    rf"{_OWN}(?!\w)|(?<!\w)(?:a|an|un|una) (?:[\w-]{{1,20}} )?{_REL.replace('rel', 'one')}(?!\w)"
    r"|(?<!\w)(?P<partner>married to|engaged to|(?:seeing|dating|going out with) (?:someone|somebody|this \w+|a \w+))",
    re.IGNORECASE,
)
# Right after a name: "Peter from accounting is my cousin", "Ines, who's my roommate".
_IS_MINE = re.compile(
    rf"(?: from [a-z]{{1,20}})?(?:['’]s| is|,? who['’]?s|,? who is|, es|,) (?:also )?{_OWN}"
    r"(?=[,.!?;:)]|$| and | by the| who)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NamedKin:
    """Somebody of the speaker's with the name that a text gives them, and the words that say so."""

    relation: str
    person: NamedEntity
    quote: tuple[int, int]


def find_named_kin(text: str, sentences: Sequence[tuple[tuple[int, int], Sequence[Mention]]]) -> list[NamedKin]:
    """Everybody of the speaker's whom sentences name; nobody whom they only ask or suppose to be called so."""
    return [
        kin
        for span, mentions in sentences
        for each in mentions
        if each.type in (EntityType.PERSON, EntityType.UNKNOWN) and not each.addressed
        for kin in _named(text, span, each)
        if not _is_unstated(text[slice(*span)])
    ]


def by_relation(kin: Sequence[NamedKin]) -> dict[str, NamedEntity]:
    """The one person of each relation; nobody where a text names two."""
    people: dict[str, dict[str, NamedEntity]] = {}
    for each in kin:
        plain = plain_relation(each.relation)
        # A best friend is spoken of as a friend.
        for relation in {plain, plain.rpartition(" ")[2]}:
            people.setdefault(relation, {})[each.person.name] = each.person
    return {relation: next(iter(some.values())) for relation, some in people.items() if len(some) == 1}


def facts(kin: Sequence[NamedKin], voice: Voice, speaker: str | None) -> Iterator[Fact]:
    """What each is to the speaker."""
    for each in kin:
        yield Fact(
            subject=voice,
            predicate=RELATIONS[each.relation],
            object=each.person,
            detail=each.relation.replace("_", " "),
            quote=each.quote,
            confidence=CONFIDENCE,
            rule="people.named_kin",
            speaker=speaker,
        )


def _is_unstated(sentence: str) -> bool:
    shadow = sentence.casefold()
    return any(guard(shadow, sentence) for guard in _UNSTATED)


def _named(text: str, span: tuple[int, int], mention: Mention) -> Iterator[NamedKin]:
    before = text[max(0, mention.start - _NEAR) : mention.start]
    begin = mention.start - len(before)
    if called := _CALLED.search(text[span[0] : mention.start]):
        yield _kin(called["rel"], mention, (span[0] + called.start(), mention.end))
    elif name_is := _NAME_IS.search(before):
        somebody = [*_SOMEBODY.finditer(before, 0, name_is.start())]
        if somebody and not _ANOTHER.search(before, somebody[-1].end(), name_is.start()):
            last = somebody[-1]
            relation = "partner" if last["partner"] else last["rel"] or last["one"]
            yield _kin(relation, mention, (begin + name_is.start(), mention.end))
    elif (mine := _IS_MINE.match(text, mention.end, span[1])) and not guards.orders(text[slice(*span)].casefold(), ""):
        yield _kin(mine["rel"], mention, (mention.start, mine.end()))


def _kin(relation: str, mention: Mention, quote: tuple[int, int]) -> NamedKin:
    person = NamedEntity(
        name=mention.name,
        type=EntityType.PERSON,
        start=mention.start,
        end=mention.end,
        confidence=max(mention.confidence, CONFIDENCE),
    )
    return NamedKin(_WORDS[small_letters(relation).replace("-", " ")], person, quote)
