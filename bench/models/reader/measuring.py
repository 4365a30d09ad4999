"""Measuring: what networks read in labelled conversations, and how their confidence is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from bench.models.reader import losses
from bench.models.reader.batches import Batch, batch
from bench.models.reader.examples import Example, SpannedConversation
from bench.models.reader.network import ReaderNetwork, Spans
from bench.models.reader.scores import Figures, PlacedFact, Verdict, figures, recall_at, verdicts
from bench.models.reader.training import half
from nacre.models import reader_decoding
from nacre.models.local_reader import LocalReader, WindowSpans
from nacre.models.reader_decoding import SpanFact, SpanScores
from nacre.models.reader_windows import Window
from nacre.models.readings import MODES, PREDICATES, Conversation, SubjectKind

Array = NDArray[np.float64]
KINDS = tuple(SubjectKind)


def read(
    models: Sequence[ReaderNetwork], some: Sequence[SpannedConversation], device: str
) -> list[tuple[PlacedFact, SpanFact]]:
    """Facts that the models find together; the confidence is the plain chance of the object."""
    found = []
    for each in some:
        for example in each.examples():
            for fact in _facts(models, example, device):
                found.append((placed(each, example.window, fact), fact))
    return found


def shipped(
    reader: LocalReader, some: Sequence[SpannedConversation]
) -> Iterator[tuple[SpannedConversation, WindowSpans]]:
    """What the reader as it ships finds, before it is called a fact."""
    for number, spans in reader.scan([Conversation(each.turns) for each in some]):
        yield some[number], spans


def _facts(models: Sequence[ReaderNetwork], example: Example, device: str) -> list[SpanFact]:
    made = batch([example]).to(device)
    with torch.inference_mode(), half(device):
        states = [model.to(device).eval()(made.ids, made.cases, made.types, made.mask) for model in models]
        chances = torch.stack(
            [model.objects(x).float().sigmoid() for model, x in zip(models, states, strict=True)]
        ).mean(dim=0)
    allowed = (chances * made.allowed)[0].cpu().numpy()
    return reader_decoding.facts(example.window, allowed, _classifier(models, states, made, device))


def _classifier(
    models: Sequence[ReaderNetwork], states: Sequence[torch.Tensor], made: Batch, device: str
) -> Callable[[Sequence[tuple[int, int]]], SpanScores]:
    def classify(spans: Sequence[tuple[int, int]]) -> SpanScores:
        first, last = torch.tensor(spans, device=device).T
        places = Spans(torch.zeros_like(first), first, last)
        with torch.inference_mode(), half(device):
            said = [model.meanings(x, places) for model, x in zip(models, states, strict=True)]
            pointers = [losses.masked_pointers(each, places, made).softmax(dim=-1) for each in said]
        subject_first, subject_last, time_first, time_last = _mean(pointers).swapaxes(0, 1)
        return SpanScores(
            _mean([each.predicate.float().softmax(dim=-1) for each in said]),
            _mean([each.mode.float().softmax(dim=-1) for each in said]),
            _mean([each.kind.float().softmax(dim=-1) for each in said]),
            (subject_first, subject_last),
            (time_first, time_last),
        )

    return classify


def _mean(each: Sequence[torch.Tensor]) -> NDArray[np.float32]:
    mean: NDArray[np.float32] = torch.stack(list(each)).mean(dim=0).cpu().numpy()
    return mean


def placed(conversation: SpannedConversation, window: Window, fact: SpanFact) -> PlacedFact:
    """A fact as it is compared, with the plain chance of its object as confidence."""
    turn = int(window.turns[fact.first])
    start, end = int(window.starts[fact.first]), int(window.ends[fact.last])
    words = conversation.turns[turn].text[start:end]
    chance = float(1 / (1 + np.exp(-fact.features[0])))
    named = PREDICATES[fact.predicate], MODES[fact.mode]
    return PlacedFact((conversation.label.id, turn), KINDS[fact.kind], words, start, *named, chance)


# Confidence


def calibrated(rows: Array, right: NDArray[np.bool_], strength: float = 1.0) -> Array:
    """Weights of a logistic regression, the constant last, by Newton's steps."""
    inputs = np.column_stack([rows, np.ones(len(rows))])
    weights = np.zeros(inputs.shape[1])
    # Log odds that are right as they are cost nothing; all else must earn its weight.
    prior = np.array([1.0] + [0.0] * (inputs.shape[1] - 1))
    for _ in range(30):
        chances = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (right - chances) - strength * (weights - prior)
        curve = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + strength * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


def confidence(features: Sequence[float], weights: Array) -> float:
    """Calibrated confidence of a fact."""
    return float(1 / (1 + np.exp(-(np.dot(features, weights[:-1]) + weights[-1]))))


def weighed(fact: PlacedFact, spans: SpanFact, weights: Array) -> PlacedFact:
    """The fact with its calibrated confidence."""
    return replace(fact, confidence=confidence(spans.features, weights))


def calibrate(found: Sequence[tuple[PlacedFact, SpanFact]], labels: Sequence[PlacedFact]) -> Array:
    """Weights that make the features of facts a confidence."""
    matched = {id(each.fact) for each in verdicts([fact for fact, _ in found], labels) if each.match}
    rows = np.array([fact.features for _, fact in found])
    return calibrated(rows, np.array([id(fact) in matched for fact, _ in found]))


def calibrate_entities(found: Sequence[tuple[SpannedConversation, WindowSpans]]) -> Array:
    """Weights for entities. Labels name only those that facts are about, so that they come out too unsure."""
    rows, right = [], []
    for conversation, spans in found:
        window = spans.window
        for entity in spans.entities:
            place = int(window.turns[entity.first]), int(window.starts[entity.first]), int(window.ends[entity.last])
            rows.append(entity.features)
            right.append(conversation.entities.get(place) == entity.kind)
    return calibrated(np.array(rows), np.array(right))


def summary(judged: Sequence[Verdict], count: int) -> Iterator[tuple[str, float]]:
    """A few figures that tell models apart: recall at some precisions, and heads at the precision of 70 %."""
    for precision in (0.6, 0.65, 0.7, 0.75, 0.8, 0.85):
        yield f"R@P{precision:.0%}", recall_at(judged, count, precision)
    right = round(recall_at(judged, count, 0.7) * count)
    some, seen = [], 0
    for each in judged:
        seen += each.match is not None
        some.append(each)
        if seen >= right:
            break
    at = figures(some, count)
    yield "predicate", at.predicate_right
    yield "mode", at.mode_right
    best = max(2 * f.precision * f.recall / max(1e-9, f.precision + f.recall) for f in _prefixes(judged, count))
    yield "best F1", best


def _prefixes(judged: Sequence[Verdict], count: int) -> Iterator[Figures]:
    for end in range(20, len(judged) + 1, 20):
        yield figures(judged[:end], count)
