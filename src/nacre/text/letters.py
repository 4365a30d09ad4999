"""Letters by writing system, for regular expressions, and letters without their accents."""

import re
import unicodedata

# Written without spaces between words: Han, kana, Hangul, Thai, Lao, Khmer, Burmese. Hangul has spaces, but its
# words carry particles, so it is cut like the others. Ranges for the inside of a character class.
UNSPACED = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\U00020000-\U0003ffff"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17dd"
)


def _marks() -> str:
    """Combining marks that belong to the letter before them; `\\w` alone would break words at each.

    Beyond U+1AFF only the general accents and the kana voicing marks matter to running text.
    """
    ranges: list[list[int]] = []
    for code in range(0x0300, 0x1B00):
        if unicodedata.category(chr(code)) not in {"Mn", "Mc"}:
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "\u1dc0-\u1dff\u3099\u309a\ufe20-\ufe2f"


MARKS = _marks()

# Marks are dropped only after Latin and Greek letters: in other systems they change the letter.
_ACCENTED = re.compile("([a-zA-Zα-ωΑ-Ω])[\u0300-\u036f]+")
_UNDIVIDED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ё": "е"}
)

# Letters that a pattern which minds no case takes for an i, an s or a k, and `str.lower` does not.
_LIKE_OTHERS = (("İ", "i"), ("ı", "i"), ("ſ", "s"), ("\u212a", "k"))


def small_letters(text: str) -> str:
    """The text in small letters, as long as it is itself."""
    if not text.isascii():
        for letter, plain in _LIKE_OTHERS:
            text = text.replace(letter, plain)
    return text.lower()


def fold(text: str) -> str:
    """Lower-case text without its accents: `café` and `cafe` are the same, `й` stays `й`."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text.translate(_UNDIVIDED))
    return unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", unicodedata.normalize("NFD", text)))


def is_cyrillic(letter: str) -> bool:
    return "\u0400" <= letter <= "\u052f"


def is_latin(letter: str) -> bool:
    return letter < "\u0250" or "\u1e00" <= letter <= "\u1eff"


def is_within(one: str, other: str) -> bool:
    """Whether one of two texts holds the other; case and accents do not count, and nothing holds an empty one."""
    ours, theirs = (fold(each.casefold()) for each in (one, other))
    return bool(ours and theirs) and (ours in theirs or theirs in ours)
