"""The terms under which a text is indexed and searched."""

import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from nacre.domain.short_calls import CALLS
from nacre.text import irregulars
from nacre.text.languages import SUPPORTED, UNDETERMINED, detect_words, guess_words, most_spoken
from nacre.text.stems import lexicon, term_key
from nacre.text.words import words

__all__ = ["PackedTerms", "content_words", "pack", "query_terms", "query_words", "term_key", "terms", "words"]

_MOST = 255
# So many words are looked up in about two milliseconds.
_PORTION = 5_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PackedTerms:
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


def pack(text: str, language: str | None = None) -> PackedTerms:
    """The terms of a text in the form the index stores."""
    found = words(text)
    return _pack(found, language or detect_words(found))


@dataclass(frozen=True, slots=True)
class PackedTexts:
    """Texts packed together, and what those of few words need to be packed in the language of their session.

    `unsure` are such texts by session, as their places and words, of sessions that do not begin with one that tells.
    """

    packed: Sequence[PackedTerms]
    unsure: Mapping[str, Sequence[tuple[int, Sequence[str]]]]

    def spoken(self, languages: Mapping[str, str]) -> "PackedTexts":
        """The texts, where sessions that go on are known to be in a language."""
        packed = list(self.packed)
        for session, language in languages.items():
            for place, found in self.unsure.get(session, ()):
                if packed[place].language != language:
                    packed[place] = _pack(found, language)
        return PackedTexts(packed, {})


def pack_all(texts: Sequence[str], sessions: Sequence[str | None]) -> PackedTexts:
    """Texts packed, where one of few words takes the language of the others of its session."""
    found = list(map(words, texts))
    guesses = list(map(guess_words, found))
    sure: dict[str, list[str]] = {}
    unsure: dict[str, list[tuple[int, Sequence[str]]]] = {}
    for place, (guess, session) in enumerate(zip(guesses, sessions, strict=True)):
        if session is None:
            continue
        if guess.sure:
            sure.setdefault(session, []).append(guess.language)
        # A session that begins with a text which tells has its language from this and those after it.
        elif session in unsure or session not in sure:
            unsure.setdefault(session, []).append((place, found[place]))
    usual = {session: language for session, some in sure.items() if (language := most_spoken(some))}
    packed = [
        _pack(each, guess.language if guess.sure else usual.get(session or "", guess.language))
        for each, guess, session in zip(found, guesses, sessions, strict=True)
    ]
    return PackedTexts(packed, unsure)


def packs(text: str, packed: PackedTerms) -> bool:
    """Whether a text may be packed so: one of few words is in the language of its session, which it cannot tell."""
    found = words(text)
    guess = guess_words(found)
    known = packed.language in (*SUPPORTED, UNDETERMINED) if not guess.sure else packed.language == guess.language
    return known and _pack(found, packed.language) == packed


def _pack(words: Sequence[str], language: str) -> PackedTerms:
    own = lexicon(language)
    # No `map`: it would let no other thread run until it has gone through a long text.
    entries = [own[word] for some in _portions(words) for word in some]
    kept = [key for some in _portions(entries) for stop, _, key in some if not stop]
    kept = kept or [key for some in _portions(entries) for _, _, key in some]
    counts: dict[int, int] = {}
    for some in _portions(kept):
        for key in some:
            counts[key] = counts.get(key, 0) + 1
    return PackedTerms(_little_endian(array("Q", counts)).tobytes(), _capped(counts.values()), len(kept), language)


def _portions(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Parts of a sequence, so that calls come in between those of a long one."""
    if len(items) <= _PORTION:
        yield items
        return
    for start in range(0, len(items), _PORTION):
        CALLS.give_way()
        yield items[start : start + _PORTION]


def _capped(counts: Iterable[int]) -> bytes:
    try:
        return bytes(counts)
    except ValueError:
        return bytes(min(count, _MOST) for count in counts)


def _little_endian(numbers: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
