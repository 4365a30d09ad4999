"""Statements of a text: its value frames and its short sentences, and the keys under which they are found again."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from nacre.graph.beliefs import markers
from nacre.memory import cues, tones, value_frames
from nacre.memory.value_frames import ValueFrame
from nacre.text import languages, sentences

# Longer texts hold more than statements, and longer sentences more than one.
MAX_TEXT, MAX_SENTENCES, MAX_WORDS = 8_000, 40, 25
# So many keys of one text are kept, and so many are looked up.
MAX_KEYS, MAX_SOUGHT = 60, 32
_SENTENCE, ANY = "text", "*"
# The key of all that is said.
LATEST = f"{_SENTENCE} {ANY}"
# Say nothing of what follows them.
_OPENING = re.compile(
    r"(?:(?:by the way|oh|also|and|so|well|anyway|ok(?:ay)?|btw|fyi|por cierto|ah|bueno)[,\s]+)+", re.IGNORECASE
)
_DEFINITE = re.compile(
    r"(?:the|my|our|his|her|their|el|la|los|las|mi|mis|nuestr[oa]s?|su|sus)\s|[A-Z][\w'’-]*['’]s\s", re.IGNORECASE
)
_FROM_TO = re.compile(r"\b(?:from|de|del)\s.{1,200}\s(?:to|a|al)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedSentence:
    """A sentence, which may be a short one that states something; a telling one speaks of a change or gives a value."""

    text: str
    quote: tuple[int, int]
    words: Mapping[str, str]
    is_stated: bool
    is_change: bool
    is_telling: bool

    @property
    def stems(self) -> frozenset[str]:
        """What its words are compared by."""
        return frozenset(self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStatements:
    """What a text states, as it was said at a moment."""

    text: str
    at: datetime
    frames: tuple[ValueFrame, ...]
    # Also those that ask or wish.
    every: tuple[StatedSentence, ...]

    @property
    def sentences(self) -> tuple[StatedSentence, ...]:
        """The short sentences that state something."""
        return tuple(each for each in self.every if each.is_stated)

    @property
    def keys(self) -> list[str]:
        """The keys under which they are found again."""
        framed = [f"{each.family} {stem}" for each in self.frames for stem in sorted(each.topic | each.unit | each.far)]
        return _distinct([*self.general, *framed, *_sentence_keys(self.every)], MAX_KEYS)

    @property
    def general(self) -> list[str]:
        """The keys of all that give a value of the same kind, whatever it is a value of, and of all that is said."""
        return _distinct([*(f"{each.family} {ANY}" for each in self.frames), LATEST], MAX_KEYS)

    @property
    def sought_in_general(self) -> list[str]:
        """Of the general keys those under which the last ones may be meant: all of them where nothing is named."""
        unnamed = cues.is_mistaken(self.text) or cues.is_whole(self.text)
        return self.general if unnamed else self.general[:-1]

    @property
    def sought(self) -> list[str]:
        """The keys under which others are that they may have to do with."""
        framed = [f"{each.family} {stem}" for each in self.frames for stem in sorted(each.own | each.unit)]
        wider = [f"{each.family} {stem}" for each in self.frames for stem in sorted(each.topic)]
        telling = _sentence_keys([each for each in self.every if each.is_telling or _may_end(each.text)])
        return _distinct([*framed, *telling, *wider], MAX_SOUGHT)

    @property
    def sought_widely(self) -> list[str]:
        """The keys of all its words: a model tells change from talk, and change is seldom said as such."""
        return _distinct([*self.sought, *_sentence_keys(self.every)], MAX_KEYS)


def _may_end(sentence: str) -> bool:
    """Whether a sentence may say that something else is over, wrong or otherwise."""
    return any(told(sentence) for told in (cues.is_over, cues.is_changed, cues.is_corrected, cues.feeling))


def _sentence_keys(some: Sequence[StatedSentence]) -> list[str]:
    return [f"{_SENTENCE} {stem}" for each in some for stem in sorted(each.stems)]


def _distinct(keys: list[str], most: int) -> list[str]:
    return list(dict.fromkeys(keys))[:most]


@lru_cache(maxsize=2_000)
def read_statements(text: str, at: datetime) -> TextStatements:
    """The statements of a text that was said at a moment; none of a long one."""
    spans = sentences.split(text) if len(text) <= MAX_TEXT else []
    if not 0 < len(spans) <= MAX_SENTENCES:
        return TextStatements(text=text, at=at, frames=(), every=())
    language = languages.detect(text)
    return TextStatements(
        text=text,
        at=at,
        frames=tuple(value_frames.read_frames(text, at, spans, language)),
        every=tuple(_read_sentences(text, spans, language)),
    )


def _read_sentences(text: str, spans: Sequence[tuple[int, int]], language: str) -> Iterator[StatedSentence]:
    for start, end in spans:
        opening = _OPENING.match(text, start, end)
        said = text[opening.end() if opening else start : end]
        words = value_frames.topic_words(said, language) if end - start <= value_frames.MAX_SENTENCE else {}
        if not words:
            continue
        asks = said.endswith(("?", "？"))
        stated = len(said.split()) <= MAX_WORDS and not asks and value_frames.is_stated(said, asks=False)
        change = stated and _is_change(said)
        yield StatedSentence(
            text=said,
            quote=(start, end),
            words=words,
            is_stated=stated,
            is_change=change,
            is_telling=stated and (change or value_frames.may_give_value(said)),
        )


def _is_change(sentence: str) -> bool:
    """Whether a sentence says of one definite thing that it changed, or from what to what somebody changed."""
    if not (_DEFINITE.match(sentence) or _FROM_TO.search(sentence)):
        return False
    tone = markers.tone(sentence)
    return tones.is_switched(sentence) or tones.is_renewed(sentence) or tone.now or tone.corrected
