"""Count LLM tokens without a tokeniser, and cut text to a number of them.

Text is cut into the pieces that byte-pair tokenisers start from; each piece then costs what such pieces cost on
average in cl100k_base, the dearer of the two common vocabularies, with a little added. English has tokens for most of
its words, other languages need several, so the language of each stretch decides which prices apply.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from nacre.text.languages import SUPPORTED, UNDETERMINED, detect
from nacre.text.letters import MARKS, UNSPACED

_STRETCH = 1_000
_REMEMBERED = 50_000
_MEMORABLE = 32
_HUNDREDTHS = 100
_ELLIPSIS = "…"
# Stands for a new line that is indented where a text is cut at its spaces; no printable text has it.
_INDENT = "\n\0"
# An undetermined language without accents: code, lists of names, a few words of English.
_PLAIN = "plain"

_CONTRACTION = re.compile("['’](?:ll|re|ve|[dmst])")
_PIECE = re.compile(
    rf"{_CONTRACTION.pattern}(?![^\W\d_])"  # the tail of a contraction
    r"|(?:[^\w\r\n]|_)?[^\W\d_]+"  # a word with the sign or space before it
    r"|\ ?\d{1,3}"
    r"|\ ?(?:[^\w\s]|_)+[\r\n]*"
    r"|\s*[\r\n]+"
    r"|\s+"
)
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SPACE = re.compile(r"\s")
_ACCENTED = re.compile("[À-ɏ]")
_WORD_END = re.compile(rf"\S(?=\s)|[{UNSPACED}](?![{MARKS}])")

# Tokens for a lower-case English word by its length; the last price is for the first length beyond the table.
_ENGLISH = (0.0, 1.0, 1.0, 1.0, 1.03, 1.08, 1.13, 1.22, 1.26, 1.34, 1.36, 1.4, 1.55, 1.65, 1.9)
# Tokens for each letter of a word after the third. Capitals in English are mostly names, known less well than words.
_NAME = 0.28
_PER_LETTER = {"es": 0.27, "fr": 0.24, "de": 0.27, "it": 0.33, "pt": 0.29, "nl": 0.34, "sv": 0.4}
_UNKNOWN = 0.42
_ACCENT, _RARE_ACCENT = 0.5, 0.9
# Tokens for one character outside ASCII, by the last code point of its range.
_CHARACTERS = {
    0x02FF: 1.1,  # Latin signs
    0x03FF: 1.08,  # Greek
    0x044F: 0.6,  # Russian
    0x052F: 1.8,  # other Cyrillic
    0x05FF: 1.25,  # Hebrew
    0x08FF: 0.98,  # Arabic
    0x097F: 1.35,  # Devanagari
    0x0DFF: 2.0,
    0x0E7F: 1.05,  # Thai
    0x1FFF: 2.0,
    0x206F: 1.1,  # quotation marks, dashes, joiners
    0x2FFF: 2.0,
    0x30FF: 1.08,  # kana
    0x9FFF: 1.5,  # Han
    0xD7FF: 1.4,  # Hangul
    0xFDFF: 2.5,
    0xFFFF: 1.2,  # full-width signs
    0x10FFFF: 2.6,  # emoji
}
_RANGE_ENDS, _RANGE_PRICES = tuple(_CHARACTERS), tuple(_CHARACTERS.values())


class _Prices(dict[str, int]):
    """What each piece costs in one language, in hundredths of a token so that sums are exact.

    Filled as pieces are met and emptied when full, like a lexicon.
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        self._english = language in {"en", _PLAIN}
        self._per_letter = _PER_LETTER.get(language, _UNKNOWN)
        self._per_name_letter = _NAME if language == "en" else self._per_letter

    def __missing__(self, piece: str) -> int:
        price = round(_HUNDREDTHS * self._price(piece))
        if len(piece) <= _MEMORABLE:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[piece] = price
        return price

    def _price(self, piece: str) -> float:
        if _CONTRACTION.fullmatch(piece):
            return 0.8 if piece.isascii() else 1.6
        if piece[-1].isalpha():
            word = piece if piece[0].isalpha() else piece[1:]
            return _prefix_price(piece[: -len(word)]) + self._word_price(word)
        if piece[-1].isdecimal():
            return 1.0 + (piece[0] == " ")
        return 1.0 + len(piece) // 16 if piece.isspace() else _signs_price(piece.strip())

    def _word_price(self, word: str) -> float:
        if not word.isascii():
            return self._accented_price(word)
        humps = _HUMP.findall(word)
        if len(humps) * 3 > len(word) > 5:
            return 0.8 * len(word)  # case changes every other letter: base64
        return sum(map(self._hump_price, humps))

    def _hump_price(self, word: str) -> float:
        beyond = max(0, len(word) - 3)
        if not self._english or (beyond and word.isupper()):
            return 1.0 + self._per_letter * beyond
        if word[0].isupper():
            return 1.0 + self._per_name_letter * beyond
        return _ENGLISH[len(word)] if len(word) < len(_ENGLISH) else _ENGLISH[-1] + 0.3 * (len(word) - len(_ENGLISH))

    def _accented_price(self, word: str) -> float:
        others = [letter for letter in word if not letter.isascii()]
        if max(others) > "\u024f":
            return max(1.0, sum(map(_character_price, others)) + (len(word) - len(others)) / 2)
        return (
            1.0
            + self._per_letter * max(0, len(word) - 3)
            + sum(_ACCENT if letter <= "ÿ" else _RARE_ACCENT for letter in others)
        )


def _prefix_price(sign: str) -> float:
    """The sign before a word: a space is part of the word's token, and so, often, are the joints of identifiers."""
    if sign in {"", " "}:
        return 0.0
    return 0.7 if sign in {"_", "."} else _signs_price(sign)


def _signs_price(signs: str) -> float:
    others = [sign for sign in signs if not sign.isascii()]
    return max(1.0, (len(signs) - len(others)) / 2.5 + sum(map(_character_price, others)))


def _character_price(character: str) -> float:
    return _RANGE_PRICES[bisect_left(_RANGE_ENDS, ord(character))]


_PRICES = {language: _Prices(language) for language in (UNDETERMINED, _PLAIN, *SUPPORTED)}


class _SpacedPrices(dict[str, int]):
    """What a space and what stands between it and the next one cost: looking that up is faster than cutting it."""

    def __init__(self, prices: _Prices) -> None:
        super().__init__()
        self._prices = prices

    def __missing__(self, spaced: str) -> int:
        price = sum(map(self._prices.__getitem__, _PIECE.findall(f" {spaced}".replace(_INDENT, "\n  "))))
        if len(spaced) <= _MEMORABLE:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[spaced] = price
        return price


_SPACED_PRICES = {language: _SpacedPrices(prices) for language, prices in _PRICES.items()}


def _price_of(text: str, language: str) -> int:
    # A piece begins with a space or has none, unless it is made of white space. Lines may be indented by two.
    marked = text.replace("\n  ", _INDENT)
    odd = "   " in text or "  " in marked or " \n" in text or not text.replace("\n", "").isprintable()
    if odd:
        return sum(map(_PRICES[language].__getitem__, _PIECE.findall(text)))
    first, *spaced = marked.split(" ")
    begins = sum(map(_PRICES[language].__getitem__, _PIECE.findall(first.replace(_INDENT, "\n  "))))
    return begins + sum(map(_SPACED_PRICES[language].__getitem__, spaced))


class _Mark(NamedTuple):
    """A place in a text: what the text costs up to there, and the language it was in."""

    at: int
    spent: int
    language: str


_START = _Mark(0, 0, UNDETERMINED)


def count_tokens(text: str) -> int:
    """About how many tokens a language model reads in the text; a little too many rather than too few."""
    if len(text) > _STRETCH:
        return _whole(_spent(text, _START))
    # A context counts scores of lines, each of one stretch.
    return _whole(_price_of(text, _priced_as(text, detect(text))))


def fit(text: str, budget: int) -> str:
    """The longest beginning of the text that counts at most `budget` tokens, cut after a word and marked with `…`.

    Reads no further than the budget reaches. Empty when not even one word fits.
    """
    before = here = _START
    for mark in _marks(text, _START):
        if _whole(mark.spent) > budget:
            # From the mark before this stretch's start: the ellipsis may need the room of a word there.
            return _cut(text, before, mark.at, budget)
        before, here = here, mark
    return text


def _cut(text: str, start: _Mark, end: int, budget: int) -> str:
    cuts = [match.end() for match in _WORD_END.finditer(text, start.at, end + 1)]
    too_long = bisect_left(cuts, True, key=lambda cut: _whole(_spent(text[:cut] + _ELLIPSIS, start)) > budget)
    return text[: cuts[too_long - 1]] + _ELLIPSIS if too_long else ""


def _whole(hundredths: int) -> int:
    return -(-hundredths // _HUNDREDTHS)


def _spent(text: str, start: _Mark) -> int:
    """What the whole text costs, given what it costs up to `start`."""
    spent = start.spent
    for mark in _marks(text, start):
        spent = mark.spent
    return spent


def _marks(text: str, mark: _Mark) -> Iterator[_Mark]:
    """A mark after each stretch of about a thousand characters.

    Where a stretch ends depends only on what comes before, so a text and its beginning are cut alike. A stretch
    that does not tell its language is taken for that of the one before.
    """
    while mark.at < len(text):
        end = _stretch_end(text, mark.at)
        stretch = text[mark.at : end]
        spoken = detect(stretch)
        language = mark.language if spoken == UNDETERMINED else spoken
        mark = _Mark(end, mark.spent + _price_of(stretch, _priced_as(stretch, language)), language)
        yield mark


def _priced_as(text: str, language: str) -> str:
    plain = language == UNDETERMINED and (text.isascii() or not _ACCENTED.search(text))
    return _PLAIN if plain else language


def _stretch_end(text: str, start: int) -> int:
    space = _SPACE.search(text, start + _STRETCH, start + 2 * _STRETCH)
    return space.start() if space else min(len(text), start + 2 * _STRETCH)
