"""Needed words: sets of words, of each of which every match of a pattern holds one.

Where one is missing the pattern finds nothing, and looking for a word takes a tenth of the time that trying it does.
"""

from collections.abc import Collection, Iterable, Iterator
from re import _constants as op
from re import _parser
from typing import Any

# Looking for more words than these takes as long as trying the pattern.
MOST = 40

NeededWords = tuple[tuple[str, ...], ...]
# The parts of a pattern, each with what it is and what it is made of, as the module `re` takes it apart.
Parts = Iterable[tuple[Any, Any]]

_GROUPS = (op.SUBPATTERN, op.ATOMIC_GROUP)
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


def needed_words(pattern: str) -> NeededWords:
    """The words that a pattern needs, which minds the case of letters: the sets that are fewest first."""
    found = {tuple(sorted(words)) for words in _needed(_parser.parse(pattern))}
    return tuple(sorted(found, key=lambda words: (len(words), words)))


def holds_needed(text: str, needed: NeededWords) -> bool:
    """Whether a text holds a word of each set."""
    for words in needed:
        for word in words:
            if word in text:
                break
        else:
            return False
    return True


def _needed(parts: Parts) -> Iterator[set[str]]:
    """What a row of parts needs, where those that can be spelled out are taken together."""
    spelled = {""}
    for kind, inner in parts:
        words = _spelled(kind, inner)
        if words is not None and len(spelled) * len(words) <= MOST:
            spelled = {before + word for before in spelled for word in words}
            continue
        if _tells(spelled):
            yield spelled
        spelled = words or {""}
        if words is None:
            yield from _needed_inside(kind, inner)
    if _tells(spelled):
        yield spelled


def _needed_inside(kind: Any, inner: Any) -> Iterator[set[str]]:
    """What one part needs that cannot be spelled out."""
    if kind in _GROUPS or kind is op.ASSERT or (kind in _REPEATS and inner[0] > 0):
        yield from _needed(_parts_of(kind, inner))
    elif kind is op.BRANCH:
        either = set[str]()
        for choice in inner[1]:
            either |= max(_needed(choice), key=_rarity, default={""})
        if _tells(either):
            yield either


def _spelled(kind: Any, inner: Any) -> set[str] | None:
    """All that a part can stand for; None where that is too much to spell out."""
    words: set[str] | None = None
    if kind is op.LITERAL:
        words = {chr(inner)}
    elif kind is op.AT:
        words = {""}
    elif kind is op.IN and all(each is op.LITERAL for each, _ in inner):
        words = {chr(letter) for _, letter in inner}
    elif kind is op.BRANCH:
        choices = [_spelled_row(choice) for choice in inner[1]]
        words = None if None in choices else {word for some in choices if some for word in some}
    elif kind in _GROUPS or (kind in _REPEATS and inner[1] == 1):
        words = _spelled_row(_parts_of(kind, inner))
        if words is not None and kind in _REPEATS and inner[0] == 0:
            words = words | {""}
    return words


def _parts_of(kind: Any, inner: Any) -> Parts:
    """What a group, a condition or a repetition is made of."""
    place = {op.SUBPATTERN: 3, op.ASSERT: 1}.get(kind, 2)
    parts: Parts = inner if kind is op.ATOMIC_GROUP else inner[place]
    return parts


def _spelled_row(parts: Parts) -> set[str] | None:
    row = {""}
    for kind, inner in parts:
        words = _spelled(kind, inner)
        if words is None or len(row) * len(words) > MOST:
            return None
        row = {before + word for before in row for word in words}
    return row


def _tells(words: Collection[str]) -> bool:
    """Whether words are worth looking for: few, and no lone letter of the alphabet, which most texts hold."""
    return len(words) <= MOST and not any(_is_common(word) for word in words)


def _is_common(word: str) -> bool:
    return len(word.strip()) < 2 and (word.isascii() or word.isalpha())


def _rarity(words: Collection[str]) -> tuple[int, int]:
    """More for words that are rarer: none is short, and there are few of them."""
    return min(map(len, words)), -len(words)
