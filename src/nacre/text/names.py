"""Bring the spellings of a name together: keys and slugs."""

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b

from nacre.domain.entities import MIN_MATCHED
from nacre.text.letters import MARKS, fold
from nacre.text.words import words

_LONGEST_SLUG = 80
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "‹": "›", "「": "」", "『": "』", "【": "】"}
_QUOTES = "\"'`´„“”‚‘’"
# `+ # @ $` may begin or end a name (C++, @ana) and a full stop may begin one (.NET), so these are not trimmed there.
_LEADING = _QUOTES + ",;:!?¿¡*_~|/\\- "
_TRAILING = _LEADING + ".…。、"

# Typed in many ways for one sign.
_ALIKE = str.maketrans({**dict.fromkeys("‘’ʼ′´`", "'"), **dict.fromkeys("“”„″", '"'), **dict.fromkeys("‐‑‒–—−", "-")})
# Space, controls and halves of surrogate pairs; then format characters, which cannot be seen.
_GAP = re.compile("[\\s\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")

_TWO_CJK = re.compile(
    "[\u3005-\u3007\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff]{2}"
)

_APOSTROPHES = re.compile("['’ʼ]")
_NOT_WORD = re.compile(rf"(?:[^\w{MARKS}]|_)+")
_SPELLED = (
    (re.compile(r"\+"), " plus "),
    (re.compile(r"(?<=\w)#(?!\w)"), " sharp "),
    (re.compile(r"(?<![\w.])\.(?=\w)"), " dot "),
    (re.compile("&"), " and "),
)


def canonical(name: str) -> str:
    """The key of a name: two spellings with the same key are the same name.

    Case, width, white space, kinds of quote and dash, and the punctuation around the name do not matter.
    """
    key = name
    while (plainer := _plainer(key)) != key:
        key = plainer
    return key


# A text names few, and each is compared with all the others; a purge clears what is kept.
@lru_cache(maxsize=8_192)
def match_key(name: str) -> str:
    """The key under which a name is found in running text: its words, as texts are cut into words."""
    return " ".join(words(name)) or canonical(name)


def is_matched(name: str) -> bool:
    """Whether a name is long enough to be looked for in running text.

    That takes three characters, as shorter ones are words of many languages. Two are a whole name in Han, Hangul and
    katakana; in hiragana they are as often an ending.
    """
    return len(name) >= MIN_MATCHED or _TWO_CJK.fullmatch(name) is not None


def slug(name: str) -> str:
    """The name as part of an address: lower case, hyphens, no accents; other alphabets are kept.

    Signs that make a name are spelled (`c-plus-plus`, `c-sharp`). A name without letters gets a stable digest.
    """
    text = _casefolded(name)
    for sign, spelled in _SPELLED:
        text = sign.sub(spelled, text)
    whole = _NOT_WORD.sub("-", fold(_APOSTROPHES.sub("", text))).strip("-")
    if not whole:
        return "n-" + _digest(name)
    if len(whole) <= _LONGEST_SLUG:
        return whole
    digest = _digest(whole)
    return f"{whole[: _LONGEST_SLUG - len(digest) - 1].strip('-')}-{digest}"


def _plainer(name: str) -> str:
    text = _GAP.sub(" ", _UNSEEN.sub("", _casefolded(name).translate(_ALIKE))).strip()
    return _trimmed(text) or text


def _casefolded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _trimmed(text: str) -> str:
    """Without the punctuation around it; a bracket is dropped only with its partner, or when it has none."""
    inner = _unbracketed(text.lstrip(_LEADING).rstrip(_TRAILING))
    while inner != text:
        text, inner = inner, _unbracketed(inner.lstrip(_LEADING).rstrip(_TRAILING))
    return text


def _unbracketed(text: str) -> str:
    if text[:1] in _BRACKETS and _BRACKETS[text[0]] not in text[1:-1]:
        return text[1:].removesuffix(_BRACKETS[text[0]])
    if text[-1:] in _BRACKETS.values() and not any(opener in text for opener in _BRACKETS):
        return text[:-1]
    return text


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
