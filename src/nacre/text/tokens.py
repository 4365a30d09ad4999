"""The terms under which a text is indexed and searched."""

import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from nacre.text.languages import detect_words
from nacre.text.stems import lexicon, term_key
from nacre.text.words import words

__all__ = ["Packed", "content_words", "pack", "query_terms", "term_key", "terms", "words"]

_MOST = 255


@dataclass(frozen=True, slots=True)
class Packed:
    """A text's index terms as bytes, to be stored beside its row.

    `keys` holds the distinct term keys as little-endian uint64 in order of first occurrence, `counts` one byte for
    each (at most 255), `length` the number of terms with their repeats.
    """

    keys: bytes
    counts: bytes
    length: int
    language: str

    def items(self) -> list[tuple[int, int]]:
        """The term keys with their counts."""
        return list(zip(_little_endian(array("Q", self.keys)), self.counts, strict=True))


def terms(text: str, language: str | None = None) -> list[str]:
    """The terms a text is indexed under: the stems of its words, without stop words.

    A text of stop words alone keeps them, so that "The Who" can still be found.
    """
    found = words(text)
    entries = list(map(lexicon(language or detect_words(found)).__getitem__, found))
    return [entry.text for entry in entries if not entry.stop] or [entry.text for entry in entries]


def content_words(text: str) -> list[str]:
    """The words of a text that are not stop words; none for a text of stop words alone."""
    found = words(text)
    own = lexicon(detect_words(found))
    return [word for word in found if not own[word].stop]


def query_terms(text: str, languages: Iterable[str]) -> list[str]:
    """The distinct terms to look for in documents written in `languages`.

    Each content word is stemmed as the query's language would and as each document language would: a document's
    rules decided the term it is indexed under, whatever language the word comes from.
    """
    found = words(text)
    own = lexicon(detect_words(found))
    lexicons = [own, *map(lexicon, languages)]
    content = [word for word in found if not own[word].stop] or found
    return list(dict.fromkeys(each[word].text for word in content for each in lexicons))


def pack(text: str, language: str | None = None) -> Packed:
    """The terms of a text in the form the index stores."""
    found = words(text)
    language = language or detect_words(found)
    entries = list(map(lexicon(language).__getitem__, found))
    kept = [key for stop, _, key in entries if not stop] or [key for _, _, key in entries]
    counts: dict[int, int] = {}
    for key in kept:
        counts[key] = counts.get(key, 0) + 1
    return Packed(_little_endian(array("Q", counts)).tobytes(), _capped(counts.values()), len(kept), language)


def _capped(counts: Iterable[int]) -> bytes:
    try:
        return bytes(counts)
    except ValueError:
        return bytes(min(count, _MOST) for count in counts)


def _little_endian(numbers: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
