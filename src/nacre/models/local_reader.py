"""The reader that ships in the package: a small network that finds facts in talk, on the CPU with onnxruntime."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path

import numpy as np

from nacre.models import reader_decoding, static_embedder
from nacre.models.reader_decoding import Floats, SpanEntity, SpanFact
from nacre.models.reader_heads import ReaderHeads
from nacre.models.reader_windows import TURNS_BEFORE, TurnTokenizer, Window, windows
from nacre.models.readings import (
    MODES,
    PREDICATES,
    Conversation,
    EntityKind,
    EntityReading,
    FactReading,
    SubjectKind,
    TextSpan,
    TurnReading,
)
from nacre.models.talk_encoder import THREADS, TalkEncoder

DATA = Path(__file__).parent / "reading"


_KINDS = tuple(SubjectKind)
_ENTITIES = tuple(EntityKind)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights that make a confidence of what the heads say, the constant last, and the thresholds in use."""

    fact: tuple[float, ...]
    entity: tuple[float, ...]
    fact_threshold: float
    entity_threshold: float

    @classmethod
    def of(cls, path: Path) -> "Calibration":
        """Read from the file beside the network."""
        held = json.loads(path.read_text(encoding="utf-8"))
        return cls(tuple(held["fact"]), tuple(held["entity"]), held["fact_threshold"], held["entity_threshold"])


@dataclass(frozen=True, slots=True)
class WindowSpans:
    """Spans of one window that may be facts or entities, however unlikely."""

    window: Window
    facts: list[SpanFact]
    entities: list[SpanEntity]


def installed() -> bool:
    """Whether what the reader runs on is here; some machines have no wheel of it."""
    return find_spec("onnxruntime") is not None


@cache
def load() -> "LocalReader":
    """The reader; one a process, whoever asks."""
    return LocalReader()


class LocalReader:
    """Reads conversations. Nothing is loaded before the first one comes."""

    def __init__(self, data: Path = DATA, threads: int = THREADS) -> None:
        self._data = data
        self._encoder = TalkEncoder(data / "reader.onnx", threads)

    @property
    def threshold(self) -> float:
        """The least confidence of a fact that `read` returns by default."""
        return self._calibration.fact_threshold

    def read(self, conversations: Sequence[Conversation], threshold: float | None = None) -> list[list[TurnReading]]:
        """For each conversation the readings of its turns from `first` on, facts at least as sure as `threshold`."""
        least = self.threshold if threshold is None else threshold
        facts: dict[tuple[int, int], list[FactReading]] = defaultdict(list)
        entities: dict[tuple[int, int], list[EntityReading]] = defaultdict(list)
        for number, spans in self.scan(conversations):
            said = conversations[number]
            for fact in self._fact_readings(said, spans, least):
                facts[number, fact.object.turn].append(fact)
            for entity in self._entity_readings(said, spans):
                entities[number, entity.span.turn].append(entity)
        return [
            [
                _turn_reading(turn, facts[number, turn], entities[number, turn])
                for turn in range(said.first, len(said.turns))
            ]
            for number, said in enumerate(conversations)
        ]

    def scan(self, conversations: Sequence[Conversation]) -> Iterator[tuple[int, WindowSpans]]:
        """All that might be a fact or an entity, with the place of its conversation; confidence is made of it."""
        for number, each in enumerate(conversations):
            for window in _windows(self._tokenizer, each):
                yield number, self._spans(window, self._encoder.states(window))

    @cached_property
    def _tokenizer(self) -> TurnTokenizer:
        return TurnTokenizer(static_embedder.DATA / "vocab.txt")

    @cached_property
    def _calibration(self) -> Calibration:
        return Calibration.of(self._data / "model.json")

    @cached_property
    def _heads(self) -> ReaderHeads:
        with np.load(self._data / "heads.npz") as held:
            return ReaderHeads({name: held[name] for name in held.files})

    def _spans(self, window: Window, x: Floats) -> WindowSpans:
        heads, allowed = self._heads, reader_decoding.candidates(window)
        # Facts are taken from the turn at the end; what was said before is context.
        begin = int(np.argmax(window.types == 1))
        objects, entities = np.zeros(allowed.shape, np.float32), np.zeros(allowed.shape, np.float32)
        objects[begin:, begin:] = heads.objects(x[begin:]) * allowed[begin:, begin:]
        entities[begin:, begin:] = heads.entities(x[begin:]) * allowed[begin:, begin:]
        return WindowSpans(
            window,
            reader_decoding.facts(window, objects, lambda spans: heads.meanings(x, window, spans)),
            reader_decoding.entities(entities, lambda spans: heads.entity_kinds(x, spans)),
        )

    def _fact_readings(self, conversation: Conversation, spans: WindowSpans, threshold: float) -> Iterator[FactReading]:
        for fact in spans.facts:
            confidence = _confidence(fact.features, self._calibration.fact)
            if confidence >= threshold:
                yield _fact_reading(conversation, spans.window, fact, confidence)

    def _entity_readings(self, conversation: Conversation, spans: WindowSpans) -> Iterator[EntityReading]:
        for entity in spans.entities:
            confidence = _confidence(entity.features, self._calibration.entity)
            if entity.kind < len(_ENTITIES) and confidence >= self._calibration.entity_threshold:
                yield _entity_reading(conversation, spans.window, entity, confidence)


def _windows(tokenizer: TurnTokenizer, conversation: Conversation) -> Iterator[Window]:
    """A window for each turn to read, so that it reads the same whatever is said after it.

    What windows cannot show is not tokenised.
    """
    earliest = max(0, conversation.first - TURNS_BEFORE)
    return windows(tokenizer.segments(conversation.turns[earliest:], earliest), conversation.first, repeat(0))


def _turn_reading(turn: int, facts: list[FactReading], entities: list[EntityReading]) -> TurnReading:
    return TurnReading(
        turn,
        tuple(sorted(facts, key=lambda fact: fact.object.start)),
        tuple(sorted(entities, key=lambda entity: entity.span.start)),
    )


def _confidence(features: Sequence[float], weights: Sequence[float]) -> float:
    odds = sum(feature * weight for feature, weight in zip(features, weights[:-1], strict=True)) + weights[-1]
    return float(1 / (1 + np.exp(-odds)))


def _fact_reading(conversation: Conversation, window: Window, fact: SpanFact, confidence: float) -> FactReading:
    return FactReading(
        object=_text_span(conversation, window, (fact.first, fact.last)),
        predicate=PREDICATES[fact.predicate],
        subject=_KINDS[fact.kind],
        mention=_text_span(conversation, window, fact.mention) if fact.mention else None,
        mode=MODES[fact.mode],
        time=_text_span(conversation, window, fact.time) if fact.time else None,
        confidence=confidence,
        predicate_confidence=fact.predicate_chance,
    )


def _entity_reading(conversation: Conversation, window: Window, entity: SpanEntity, confidence: float) -> EntityReading:
    span = _text_span(conversation, window, (entity.first, entity.last))
    return EntityReading(span=span, kind=_ENTITIES[entity.kind], confidence=confidence)


def _text_span(conversation: Conversation, window: Window, place: tuple[int, int]) -> TextSpan:
    turn = int(window.turns[place[0]])
    start, end = int(window.starts[place[0]]), int(window.ends[place[1]])
    return TextSpan(turn, start, end, conversation.turns[turn].text[start:end])
