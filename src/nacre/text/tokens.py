"""The terms under which a text is indexed and searched."""

import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nacre.text import irregulars
from nacre.text.languages import SUPPORTED, UNDETERMINED, detect_words, guess_words, most_spoken
from nacre.text.stems import lexicon, term_key
from nacre.text.words import words

__all__ = ["Packed", "content_words", "pack", "query_terms", "query_words", "term_key", "terms", "words"]

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


def query_words(text: str, languages: Iterable[str]) -> list[tuple[str, ...]]:
    """The words to look for in documents written in `languages`, each as the terms that it may be indexed under.

    Each content word is stemmed as the query's language would and as each document language would: a document's
    rules decided the term it is indexed under, whatever language the word comes from. Its irregular forms are the
    same word, too. No term belongs to two words.
    """
    found = words(text)
    language = detect_words(found)
    own = lexicon(language)
    lexicons = [own, *map(lexicon, languages)]
    content = [word for word in found if not own[word].stop] or found
    taken: set[str] = set()
    variants: list[tuple[str, ...]] = []
    for word in dict.fromkeys(content):
        forms = irregulars.forms(word, language)
        terms = dict.fromkeys(each[form].text for form in forms for each in lexicons)
        if fresh := tuple(term for term in terms if term not in taken):
            taken.update(fresh)
            variants.append(fresh)
    return variants


def query_terms(text: str, languages: Iterable[str]) -> list[str]:
    """All terms of `query_words`."""
    return [term for word in query_words(text, languages) for term in word]


def pack(text: str, language: str | None = None) -> Packed:
    """The terms of a text in the form the index stores."""
    found = words(text)
    return _pack(found, language or detect_words(found))


def pack_all(texts: Sequence[str], sessions: Sequence[str | None], spoken: Mapping[str, str]) -> list[Packed]:
    """Texts packed, where one of few words takes the language of its session: `spoken`, or that of the others."""
    found = list(map(words, texts))
    guesses = list(map(guess_words, found))
    sure: dict[str, list[str]] = {}
    for guess, session in zip(guesses, sessions, strict=True):
        if guess.sure and session is not None:
            sure.setdefault(session, []).append(guess.language)
    usual = {session: language for session, some in sure.items() if (language := most_spoken(some))} | dict(spoken)
    return [
        _pack(each, guess.language if guess.sure else usual.get(session or "", guess.language))
        for each, guess, session in zip(found, guesses, sessions, strict=True)
    ]


def packs(text: str, packed: Packed) -> bool:
    """Whether a text may be packed so: one of few words is in the language of its session, which it cannot tell."""
    found = words(text)
    guess = guess_words(found)
    known = packed.language in (*SUPPORTED, UNDETERMINED) if not guess.sure else packed.language == guess.language
    return known and _pack(found, packed.language) == packed


def is_unsure(text: str) -> bool:
    """Whether a text has too few small words to tell its language."""
    return not guess_words(words(text)).sure


def _pack(found: Sequence[str], language: str) -> Packed:
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
