"""Details that a rewriting of a text must not lose, and must not make up: names, acronyms, numbers."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from nacre.text import sentences
from nacre.text.languages import detect
from nacre.text.letters import MARKS
from nacre.text.stems import lexicon
from nacre.text.stopwords import STOPWORDS
from nacre.text.words import words

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+")
_TOKEN = re.compile(rf"[^\W_](?:[\w{MARKS}'’.+#&-]*[\w{MARKS}+#])?")
_POSSESSIVE = re.compile(r"['’]s\Z")
# After these a capital may only mean that a sentence begins.
_OPENING = re.compile(r"[:\"“”«»(\[‘—–*•>-]\s*\Z|(?:^|\s)['’]\Z")
_MIXED = re.compile(r"[^\W\d_]\d|\w_\w")
# A first word before one of these is what the sentence is about, so its capital may be a name's.
_PREDICATE = re.compile(
    r"\s+(?:is|was|are|were|has|had|will|can|could|would|should|must|may|might|and\s+[A-Z]|[a-z]+(?<!s)(?:s|ed)\b)|['’]s\b"
)
_COMMON = """
    also always anyone anything ask avoid everyone everything finally first last maybe never next nobody nothing
    please remember someone something sometimes soon then today tomorrow tonight usually yesterday
"""
_NEVER_NAMES = frozenset(_COMMON.split()).union(*STOPWORDS.values())


def specifics(text: str) -> list[str]:
    """The names, acronyms, identifiers and numbers of two digits or more in a text, in order, each once."""
    plain = unicodedata.normalize("NFKC", text)
    return list(dict.fromkeys([*_names(plain), *_numbers(plain)]))


def lost(text: str, rewritings: Iterable[str]) -> list[str]:
    """The specifics of `text` that none of the texts `rewritings` has; case, inflection and separators do not
    matter.
    """
    plain = [unicodedata.normalize("NFKC", each) for each in rewritings]
    language = detect(text)
    stems = {stem for each in plain for stem in _stems(each, language)}
    tokens = {_bare(token) for each in plain for token in _TOKEN.findall(each)}
    numbers = {number for each in plain for number in _numbers(each, digits=1)}

    def is_there(each: str) -> bool:
        if each.isdecimal():
            return each in numbers
        return _bare(each) in tokens or stems.issuperset(_stems(each, language) or [each])

    return [each for each in specifics(text) if not is_there(each)]


def _numbers(text: str, *, digits: int = 2) -> Iterator[str]:
    """Whole numbers without separators and leading zeros: `2026-05-03` is 2026, and 5 and 3 where these count."""
    for found in _NUMBER.findall(text):
        number = found.replace(",", "").lstrip("0") or "0"
        if len(number) >= digits:
            yield number


def _names(text: str) -> Iterator[str]:
    for start, end in sentences.split(text):
        sentence = text[start:end]
        for found in _TOKEN.finditer(sentence):
            if _is_name(found, sentence):
                yield _POSSESSIVE.sub("", found[0])


def _is_name(match: re.Match[str], sentence: str) -> bool:
    token = match[0]
    if _MIXED.search(token):
        return True
    if not any(letter.isupper() for letter in token) or _is_first_person(token):
        return False
    if sum(letter.isupper() for letter in token) > 1:
        return True
    if not token[0].isupper():
        return True  # iPhone
    begins = match.start() == 0 or _OPENING.search(sentence[: match.start()]) is not None
    return not begins or _is_subject(token, sentence[match.end() :])


def _is_subject(token: str, rest: str) -> bool:
    """Whether a sentence's first word may be a name: nothing but its place says otherwise."""
    if token.casefold() in _NEVER_NAMES:
        return False
    return bool(re.match(r"\s+[A-Z]", rest) or _PREDICATE.match(rest) or token.endswith(("'s", "’s")))


def _bare(token: str) -> str:
    return _POSSESSIVE.sub("", token).casefold()


def _is_first_person(token: str) -> bool:
    return re.match(r"I(?:['’]|\Z)", token) is not None


def _stems(text: str, language: str) -> list[str]:
    known = lexicon(language)
    return [known[word].text for word in words(text)]
