"""Windows of a conversation, as the reader sees it: some turns to read, after the end of what was said before."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer, models, normalizers, pre_tokenizers

from nacre.models.readings import SpokenTurn
from nacre.text import sentences

Ints = NDArray[np.int64]

CLS, SEP, COLON = 101, 102, 1024
# Tokens of turns to read in one window, of one turn before them, and how many of those are shown.
TARGET, BEFORE, TURNS_BEFORE = 96, 24, 3
SPEAKER = 3
# No window is longer.
LENGTH = 192
# Of either turn of a pair no more is read, so that both fit into the longest window.
PAIRED = 90
# Of a question no more is read.
QUESTION = 40
# Words that tell nothing by themselves: no vector is kept of them.
_SILENT = (
    "a an the this that it its i you we he she they me my your our his her their is are was were be been am do did does"
    " have has had will would can could to of in on at for and or but so with just as if not really very too also then"
    " there here what s t m re ve ll d"
)
# No object, mention or time is longer, in tokens.
LONGEST_SPAN = 24
LOWER, TITLE, UPPER, MIXED = range(4)
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class TokenPiece:
    """One token of a turn: its id, characters, case and sentence, and whether a word begins or ends with it."""

    id: int
    start: int
    end: int
    case: int
    sentence: int
    first: bool
    last: bool


@dataclass(frozen=True, slots=True)
class Segment:
    """A turn, or a part of a long one, with the tokens of its speaker's name."""

    turn: int
    speaker: tuple[int, ...]
    pieces: tuple[TokenPiece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Token arrays of equal length. `turns` and `sentences` are -1 where no turn's own words stand."""

    ids: Ints
    cases: Ints
    types: Ints
    turns: Ints
    sentences: Ints
    starts: Ints
    ends: Ints
    first: NDArray[np.bool_]
    last: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.ids)

    def targets(self) -> NDArray[np.bool_]:
        """Tokens that facts may be taken from."""
        targets: NDArray[np.bool_] = (self.types == 1) & (self.turns >= 0)
        return targets

    def token_span(self, turn: int, start: int, end: int) -> tuple[int, int] | None:
        """First and last token of some characters of a turn, if the window shows all of them."""
        inside = (self.turns == turn) & (self.starts < end) & (self.ends > start)
        places = np.flatnonzero(inside)
        if not len(places) or self.starts[places[0]] > start or self.ends[places[-1]] < end:
            return None
        return int(places[0]), int(places[-1])


class TurnTokenizer:
    """WordPiece tokens with their characters; the vocabulary is the embedder's."""

    def __init__(self, vocabulary: Path) -> None:
        self._tokenizer = Tokenizer(models.WordPiece.from_file(str(vocabulary), unk_token="[UNK]"))  # noqa: S106
        self._tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        self._tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        self._speakers: dict[str, tuple[int, ...]] = {}

    @cached_property
    def silent(self) -> NDArray[np.int64]:
        """The tokens that tell nothing: marks, and little words."""
        words = self._tokenizer.get_vocab(with_added_tokens=False)
        quiet = {number for word, number in words.items() if len(word) == 1 and not word.isalnum()}
        return np.array(sorted(quiet | {words[word] for word in _SILENT.split()} - {SEP}))

    def telling(self, window: Window) -> NDArray[np.bool_]:
        """Tokens of the turns to read that tell something, and the end of each."""
        telling: NDArray[np.bool_] = (window.types == 1) & ~np.isin(window.ids, self.silent)
        return telling

    def segments(self, turns: Sequence[SpokenTurn], offset: int = 0) -> list[Segment]:
        """The turns in order, long ones cut after a sentence; `offset` is the number of the first."""
        encodings = self._tokenizer.encode_batch([_encodable(turn.text) for turn in turns])
        return [
            Segment(offset + number, self._speaker(turn.speaker), some)
            for number, (turn, encoding) in enumerate(zip(turns, encodings, strict=True))
            for some in _parts(_pieces(turn.text, encoding))
        ]

    def _speaker(self, name: str) -> tuple[int, ...]:
        if name not in self._speakers:
            if len(self._speakers) >= 1_000:
                self._speakers = {}
            self._speakers[name] = tuple(self._tokenizer.encode(_encodable(name)).ids[:SPEAKER])
        return self._speakers[name]


def windows(segments: Sequence[Segment], first: int = 0, budgets: Iterable[int] = repeat(TARGET)) -> Iterator[Window]:
    """Windows over the turns from `first` on; each holds as many as its budget of tokens, and at least one."""
    place = next((number for number, segment in enumerate(segments) if segment.turn >= first), len(segments))
    for budget in budgets:
        if place >= len(segments):
            return
        end, size = place + 1, _size(segments[place])
        while end < len(segments) and size + _size(segments[end]) <= budget:
            size += _size(segments[end])
            end += 1
        yield _window(segments[max(0, place - TURNS_BEFORE) : place], segments[place:end])
        place = end


def question_window(tokenizer: TurnTokenizer, text: str) -> Window:
    """A question alone; nothing in it is to be read as a turn, and case is hidden, since people ask as they like."""
    (segment, *_) = tokenizer.segments([SpokenTurn("", text)])
    ids = np.array([CLS, *(piece.id for piece in segment.pieces[:QUESTION]), SEP], np.int64)
    none = np.zeros_like(ids)
    return Window(
        ids=ids,
        cases=none,
        types=none,
        turns=none - 1,
        sentences=none - 1,
        starts=none,
        ends=none,
        first=none == 1,
        last=none == 1,
    )


def pair_window(older: Segment, newer: Segment) -> Window:
    """Two turns, or parts of them, as the succession model reads them: 0 is the older one and 1 the newer."""
    rows: list[tuple[int, ...]] = [(CLS, 0, 0, -1, -1, 0, 0, 0, 0)]
    for kind, segment in enumerate((older, newer)):
        rows += _rows(segment, segment.pieces[:PAIRED], kind, kind)
    return _arrays(rows)


def _size(segment: Segment) -> int:
    return len(segment.pieces) + len(segment.speaker) + 2


def _window(before: Sequence[Segment], targets: Sequence[Segment]) -> Window:
    rows: list[tuple[int, ...]] = [(CLS, 0, 0, -1, -1, 0, 0, 0, 0)]
    for kind, some in enumerate((before, targets)):
        for segment in some:
            # Of what was said before, the end matters most.
            rows += _rows(segment, segment.pieces if kind else segment.pieces[-BEFORE:], kind, segment.turn)
    return _arrays(rows)


def _rows(segment: Segment, pieces: Sequence[TokenPiece], kind: int, turn: int) -> Iterator[tuple[int, ...]]:
    yield from ((each, 0, kind, -1, -1, 0, 0, 0, 0) for each in (*segment.speaker, COLON))
    for piece in pieces:
        flags = int(piece.first), int(piece.last)
        yield piece.id, piece.case, kind, turn, piece.sentence, piece.start, piece.end, *flags
    yield SEP, 0, kind, -1, -1, 0, 0, 0, 0


def _arrays(rows: Sequence[tuple[int, ...]]) -> Window:
    ids, cases, types, turns, sentence, starts, ends, first, last = np.array(rows[:LENGTH], np.int64).T.copy()
    return Window(
        ids=ids,
        cases=cases,
        types=types,
        turns=turns,
        sentences=sentence,
        starts=starts,
        ends=ends,
        first=first == 1,
        last=last == 1,
    )


def _pieces(text: str, encoding: Encoding) -> list[TokenPiece]:
    words = encoding.word_ids
    ends = [end for _, end in sentences.split(text)] or [len(text)]
    sentence, pieces = 0, []
    case = LOWER
    for place, (number, (start, end), word) in enumerate(zip(encoding.ids, encoding.offsets, words, strict=True)):
        while sentence < len(ends) - 1 and start >= ends[sentence]:
            sentence += 1
        first = place == 0 or words[place - 1] != word
        last = place == len(words) - 1 or words[place + 1] != word
        if first:
            case = _case(_word(text, encoding, place))
        pieces.append(TokenPiece(number, start, end, case, sentence, first, last))
    return pieces


def _word(text: str, encoding: Encoding, place: int) -> str:
    span = encoding.token_to_word(place)
    characters = encoding.word_to_chars(span) if span is not None else None
    return text[characters[0] : characters[1]] if characters else ""


def _case(word: str) -> int:
    if word == word.lower():
        return LOWER
    if len(word) > 1 and word == word.upper():
        return UPPER
    return TITLE if word[:1].isupper() and word[1:] == word[1:].lower() else MIXED


def _parts(pieces: Sequence[TokenPiece]) -> Iterator[tuple[TokenPiece, ...]]:
    """The pieces in parts of at most `TARGET`, cut after a sentence where one ends in time."""
    rest = tuple(pieces)
    while len(rest) > TARGET:
        borders = [place for place in range(1, TARGET + 1) if rest[place].sentence != rest[place - 1].sentence]
        cut = borders[-1] if borders else TARGET
        yield rest[:cut]
        rest = rest[cut:]
    yield rest


def _encodable(text: str) -> str:
    """The text, with lone surrogates, which the tokenizer cannot take, replaced one for one."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
