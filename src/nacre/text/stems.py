"""A word's index term in each language: its stem, its key, and whether it is a stop word.

Every word is worked out once per language and remembered, because the same few thousand words make up most text.
"""

from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

import Stemmer

from nacre.text.letters import fold, is_cyrillic, is_latin
from nacre.text.stopwords import STOPWORDS

_ALGORITHMS = {
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "de": "german",
    "it": "italian",
    "pt": "portuguese",
    "nl": "dutch",
    "ru": "russian",
    "sv": "swedish",
}


class Term(NamedTuple):
    """What a word becomes in the index."""

    stop: bool
    text: str
    key: int


def term_key(term: str) -> int:
    """An unsigned 64-bit key for a term, the same in every process and on every platform."""
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class Lexicon(dict[str, Term]):
    """One language's words, filled as they are met; safe to share between threads.

    Reads take no lock. A miss does, because a Snowball stemmer holds state. A full lexicon is emptied
    rather than trimmed: the common words are back within a few texts.
    """

    def __init__(self, language: str, *, room: int = 200_000) -> None:
        super().__init__()
        self._language = language
        self._room = room
        self._stopwords = STOPWORDS[language]
        # The lexicon remembers already; a second memory inside the stemmer only costs.
        self._stemmer = Stemmer.Stemmer(_ALGORITHMS[language], 0)
        self._lock = Lock()

    def __missing__(self, word: str) -> Term:
        home = self._home(word)
        term = self._derive(word) if home == self._language else _LEXICONS[home][word]
        if len(self) >= self._room:
            self.clear()
        self[word] = term
        return term

    def _home(self, word: str) -> str:
        """The language whose rules the word follows: a Russian name in English text is still declined."""
        if is_cyrillic(word[:1]):
            return "ru"
        return "en" if self._language == "ru" else self._language

    def _derive(self, word: str) -> Term:
        stem = word
        if word.isalpha() and (is_latin(word[0]) or is_cyrillic(word[0])):
            with self._lock:
                stem = self._stemmer.stemWord(word)
        text = fold(stem)
        return Term(word in self._stopwords, text, term_key(text))


_LEXICONS = {language: Lexicon(language) for language in STOPWORDS}


def lexicon(language: str) -> Lexicon:
    """The words of a language; English where the language is undetermined or not supported."""
    return _LEXICONS.get(language, _LEXICONS["en"])
