"""Guess the language of a text from its small words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import NamedTuple

from nacre.text.stopwords import ENGLISH_LOOKALIKES, STOPWORDS
from nacre.text.words import words

UNDETERMINED = "und"
SUPPORTED = tuple(STOPWORDS)

_HEAD = 1_000
_VOTING = 200
_REMEMBERED = 50_000
_MEMORABLE = 32
# Running text in a language is nearly half small words; one in eight is still that language, less is chance.
_SHARE = 8
# So many different small words are more than chance, or slang, brings together.
_ENOUGH = 3
# The bits of a ballot; what is above them counts words.
_COUNTED = 8 * len(SUPPORTED)
# Letters of the other Cyrillic alphabets: Ukrainian, Belarusian, Serbian, Macedonian.
_NOT_RUSSIAN = re.compile("[ґєіїўђјљњћџѓќѕ]")


def _ballots() -> dict[str, int]:
    """Each voting word's ballot: a number with one byte per language, 1 where the word belongs to it.

    Ballots add up in one pass, and the 200 words that may vote cannot overflow a byte.
    """
    ballots: dict[str, int] = {}
    for place, language in enumerate(SUPPORTED):
        electorate = STOPWORDS[language] | ENGLISH_LOOKALIKES if language == "en" else STOPWORDS[language]
        for word in electorate:
            ballots[word] = ballots.get(word, 0) | 1 << 8 * place
    return ballots


_BALLOTS = _ballots()


class _RunVotes(dict[str, int]):
    """The ballots of the words in a run of plain letters without spaces, and above them how many words they are.

    Looking a run up is faster than cutting it into words. Emptied when full, like a lexicon.
    """

    def __missing__(self, run: str) -> int:
        cut = words(run)
        votes = sum(map(_BALLOTS.get, cut, repeat(0))) + (len(cut) << _COUNTED)
        if len(run) <= _MEMORABLE:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[run] = votes
        return votes


_RUN_VOTES = _RunVotes()


def detect(text: str) -> str:
    """The ISO code of the text's language, or `und` when its small words do not settle it.

    Only the head of the text is read. Callers apply English rules to `und`, so a tie costs little.
    """
    head = text[:_HEAD]
    if head.isascii():
        # No word of plain letters goes beyond a space. With too many of them, only the first may vote.
        total = sum(map(_RUN_VOTES.__getitem__, head.split()))
        count = total >> _COUNTED
        if count <= _VOTING:
            place = _most_voted(total - (count << _COUNTED), count)
            return UNDETERMINED if place is None else SUPPORTED[place]
    return detect_words(words(head))


def detect_words(words: Sequence[str]) -> str:
    """As `detect`, for a text already cut into words."""
    place = _winner(words[:_VOTING])
    return UNDETERMINED if place is None else SUPPORTED[place]


class Guess(NamedTuple):
    """A language, and whether enough different small words speak for it that no few words of another could."""

    language: str
    sure: bool


def guess_words(words: Sequence[str]) -> Guess:
    """As `detect_words`, and how sure that is: "ya" alone makes no turn Spanish among English ones."""
    voting = words[:_VOTING]
    place = _winner(voting)
    if place is None:
        return Guess(UNDETERMINED, False)
    voters = {word for word in voting if _BALLOTS.get(word, 0) >> 8 * place & 1}
    return Guess(SUPPORTED[place], len(voters) >= _ENOUGH)


def _winner(voting: Sequence[str]) -> int | None:
    """The place of the language that words vote for; None where they do not settle it."""
    place = _most_voted(sum(map(_BALLOTS.get, voting, repeat(0))), len(voting))
    if place is not None and SUPPORTED[place] == "ru" and any(map(_NOT_RUSSIAN.search, voting)):
        return None
    return place


def _most_voted(total: int, count: int) -> int | None:
    """The place of the language that has most of the ballots of so many words, if it has enough of them."""
    if not total:
        return None
    votes = total.to_bytes(len(SUPPORTED), "little")
    most = max(votes)
    return None if most * _SHARE < count or votes.count(most) > 1 else votes.index(most)


def most_spoken(guesses: Iterable[str]) -> str | None:
    """The language of most texts; None where none of them has one."""
    counted = Counter(language for language in guesses if language != UNDETERMINED)
    return min(counted, key=lambda language: (-counted[language], language)) if counted else None
