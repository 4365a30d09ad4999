"""Tokens: the words of a sentence, as names are made of them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from nacre.extraction.gazetteers import gazetteer

_MARK = "\u0300-\u036f"
_TOKEN = re.compile(rf"(?:(?<!\w)\.(?=NET\b))?[^\W_][\w{_MARK}]*(?:[.'’&-][^\W_][\w{_MARK}]*)*(?:\+\+|\#(?!\w))?")
_ENCLITIC = re.compile(r"(?:['’](?:s|ll|d|re|ve|m|t))\Z", re.IGNORECASE)


class NameToken(NamedTuple):
    """A word and its place; one is made for every word that is learned from."""

    start: int
    end: int
    word: str

    @property
    def key(self) -> str:
        return self.word.casefold().replace("’", "'").rstrip(".")


def tokens_of(sentence: str) -> Iterator[NameToken]:
    """The words of a sentence, without what is contracted with them."""
    for found in _TOKEN.finditer(sentence):
        word = found[0]
        contracted = ("'" in word or "’" in word) and word not in gazetteer().entries
        if contracted and (clitic := _ENCLITIC.search(word)):
            word = word[: clitic.start()]
        yield NameToken(found.start(), found.start() + len(word), word)
