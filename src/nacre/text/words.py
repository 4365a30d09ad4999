"""Cut text into words.

A word is a run of letters and digits, casefolded. `_` and `.` separate, so `save_memory` and `node.js` are found by
their parts. `c++`, `c#` and `.net` keep their signs. Text written without spaces gives overlapping pairs of
characters. Emoji and punctuation give nothing. A word longer than 64 characters (base64, a hash) is cut there.
"""

import re
import unicodedata
from collections.abc import Iterator

from nacre.domain.short_calls import CALLS
from nacre.text.letters import MARKS, UNSPACED

_LONGEST = 64
# A pattern lets no other thread run until it has read what it was given, so a long text is given to it in slices.
SLICE = 5_000

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_ASCII_SIGNED = re.compile(
    r"(?<!\.)\.net(?![a-z0-9])"  # .net, asp.net
    r"|[a-z0-9]+\+\+"  # c++, notepad++
    r"|(?<![a-z0-9])[a-z]#(?![a-z0-9])"  # c#, f#, but not issue#12
    r"|[a-z0-9]+"
)
_WORD = re.compile(
    rf"[^\W_]++(?:[{MARKS}]++[^\W_]*+)*+(?:\+\+|#(?!\w)(?<!\w\w#))?"
    r"|\.net(?!\w)(?<!\.\.net)"
)
_UNSPACED_RUN = re.compile(f"([{UNSPACED}]+)")
_POSSESSIVE = re.compile(r"'s(?!\w)(?<=\w's)")
# Invisible inside a word: soft hyphen, joiners, variation selectors. The other apostrophes are apostrophes.
_INVISIBLE = re.compile("[\u00ad\u200c\u200d\u2060\ufe00-\ufe0f\ufeff]")
_APOSTROPHES = re.compile("[\u2019\u02bc]")
_BLANK = re.compile("[ \\n]")


def words(text: str) -> list[str]:
    """The text's words in order, none left out."""
    if len(text) <= SLICE:
        return _words(text)
    return [word for piece in _slices(text) for word in _words(piece)]


def find_word(word: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a word stands in a text, with no letter, digit or `_` beside it: a pattern would be compiled for each."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        alone = not any(each.isalnum() or each == "_" for each in (*text[start - 1 : start], *text[end : end + 1]))
        if alone:
            yield start, end
        start = text.find(word, end if alone else start + 1)


def _slices(text: str) -> Iterator[str]:
    """Pieces of a long text, cut behind blanks, where no word goes on."""
    start = 0
    while blank := _BLANK.search(text, start + SLICE):
        CALLS.give_way()
        yield text[start : blank.end()]
        start = blank.end()
    yield text[start:]


def _words(text: str) -> list[str]:
    found = _ascii_words(text) if text.isascii() else _unicode_words(text)
    if max(map(len, found), default=0) > _LONGEST:
        return [word[:_LONGEST] for word in found]
    return found


def _ascii_words(text: str) -> list[str]:
    text = text.lower()
    signed = "+" in text or "#" in text or ".net" in text
    return (_ASCII_SIGNED if signed else _ASCII_WORD).findall(_without_possessive(text))


def _unicode_words(text: str) -> list[str]:
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    text = _APOSTROPHES.sub("'", unicodedata.normalize("NFKC", text))
    pieces: list[str] = _WORD.findall(_without_possessive(text))
    if not _UNSPACED_RUN.search(text):
        return pieces
    return [piece for word in pieces for run in _UNSPACED_RUN.split(word) for piece in _pairs(run)]


def _without_possessive(text: str) -> str:
    return _POSSESSIVE.sub("", text) if "'s" in text else text


def _pairs(run: str) -> list[str]:
    """Overlapping pairs of an unspaced run; any other run as it is."""
    if len(run) < 2 or not _UNSPACED_RUN.match(run):
        return [run] if run else []
    return [run[at : at + 2] for at in range(len(run) - 1)]
