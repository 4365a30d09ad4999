"""Preferences by rules: the same wish, said often enough for its tone."""

from collections.abc import Sequence
from dataclasses import dataclass

from nacre.domain.memories import Memory, Note
from nacre.domain.turns import StoredTurn
from nacre.text import details, tokens
from nacre.text.instructions import Wish, find_wishes
from nacre.text.sentiments import Sentiment

# So large a part of two wishes' words must be the same for them to be one; less where one has all of the other's.
ALIKE = 0.5
ALIKE_CONTAINED = 1 / 3
ASKED = "The user asked: "

_TONES = {
    Sentiment.VERY_IRRITATED: "very irritated",
    Sentiment.MILDLY_FRUSTRATED: "mildly frustrated",
    Sentiment.MINOR: "in passing",
}
_POLITE = """
    please always never stop quit avoid not don't dont do can could would you i want like prefer rather more again
    now told said ask asked time times from on going forward future already seriously
    por favor siempre nunca deja de no quiero prefiero ya te dije he dicho otra vez ahora adelante partir
    ugh hi hello hola
"""
_SAYS_LITTLE = frozenset(_POLITE.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class InferredPreference:
    """A preference, and the turns that show it with the place of the words in each."""

    content: str
    sentiment: Sentiment
    turns: tuple[StoredTurn, ...]
    spans: tuple[tuple[int, int], ...]
    tags: tuple[str, ...] = ()
    sensitive: bool = False

    @property
    def quotes(self) -> list[str]:
        """The words that show it."""
        return [said.turn.text[slice(*span)] for said, span in zip(self.turns, self.spans, strict=True)]

    @property
    def why(self) -> str:
        """Why it is believed."""
        times = "once" if len(self.turns) == 1 else f"{len(self.turns)} times"
        return f"The user said so {times}, {_TONES[self.sentiment]}."


@dataclass(frozen=True, slots=True)
class _WishMention:
    turn: StoredTurn
    wish: Wish
    words: frozenset[str]


def infer_by_rules(turns: Sequence[StoredTurn], read: int) -> list[InferredPreference]:
    """The wishes that were said often enough, and at least once after place `read`; the most irritated first."""
    groups: list[list[_WishMention]] = []
    for turn in turns:
        for wish in find_wishes(turn.turn.text):
            said = _WishMention(turn, wish, words_of(wish.text))
            group = next((each for each in groups if _is_same(each[0], said)), None)
            if not said.words:
                continue
            if group is None:
                groups.append([said])
            elif all(each.turn.id != turn.id for each in group):
                group.append(said)
    enough = [(strength(_tones(group)), group) for group in groups if any(each.turn.seq > read for each in group)]
    found = [_inferred(group, tone) for tone, group in enough if tone is not None]
    return sorted(found, key=lambda each: (each.sentiment, -len(each.turns)))


def strength(tones: Sequence[Sentiment]) -> Sentiment | None:
    """In what tone a wish counts: once if irritated, twice if frustrated, three times in passing. None if not yet."""
    return next((tone for tone in Sentiment if sum(each <= tone for each in tones) >= tone.value), None)


def words_of(text: str) -> frozenset[str]:
    """What a wish is about, without the words that wishes are wrapped in."""
    telling = [word for word in tokens.words(text) if word not in _SAYS_LITTLE]
    return frozenset(tokens.terms(" ".join(telling)))


def same_preference(note: Note, memory: Memory) -> bool:
    """Whether a memory holds a preference already."""
    ours, theirs = note.text.removeprefix(ASKED), memory.content.removeprefix(ASKED)
    if ours == theirs:
        return True
    return _unwanted(ours) == _unwanted(theirs) and _alike(words_of(ours), words_of(theirs), ours, theirs)


def _is_same(one: _WishMention, other: _WishMention) -> bool:
    if one.wish.unwanted != other.wish.unwanted:
        return False
    return _alike(one.words, other.words, one.wish.text, other.wish.text)


def _alike(ours: frozenset[str], theirs: frozenset[str], one: str, other: str) -> bool:
    """Whether two wishes are about the same: most of their words, and every number and name."""
    if not ours or not theirs or _numbers(one) != _numbers(other):
        return False
    if details.lost(one, [other]) or details.lost(other, [one]):
        return False
    contained = ours <= theirs or theirs <= ours
    return len(ours & theirs) / len(ours | theirs) >= (ALIKE_CONTAINED if contained else ALIKE)


def _numbers(text: str) -> set[str]:
    return {word for word in tokens.words(text) if word.isdecimal()}


def _unwanted(text: str) -> bool:
    return any(wish.unwanted for wish in find_wishes(text))


def _tones(group: Sequence[_WishMention]) -> list[Sentiment]:
    return [each.wish.sentiment for each in group]


def _inferred(group: Sequence[_WishMention], tone: Sentiment) -> InferredPreference:
    clearest = min(group, key=lambda each: (each.wish.sentiment, -each.turn.seq))
    return InferredPreference(
        content=f"{ASKED}{clearest.wish.text}",
        sentiment=tone,
        turns=tuple(each.turn for each in group),
        spans=tuple(each.wish.span for each in group),
    )
