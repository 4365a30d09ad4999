"""The fit of the constants of relevance."""

import math
import random

import numpy as np

from bench.models import relevance as fitting
from bench.models.relevance import RankedHit, Sample
from nacre import Nacre, Settings
from nacre.recall import relevance
from nacre.recall.relevance import Strength


def strength(nearness: float, *, passages: int = 100, names: bool = False) -> Strength:
    return Strength(nearness=nearness, coverage=0.5, words=4, passages=passages, names=names)


def test_newton_steps_find_the_coefficients_that_the_data_was_drawn_with():
    draw = np.random.default_rng(3)
    features = draw.normal(size=(20_000, 2))
    chances = 1 / (1 + np.exp(-(features @ [2.0, -1.0] + 0.5)))
    truth = (draw.random(20_000) < chances).astype(float)

    fitted = fitting.fit_logistic(features, truth, np.ones(20_000))

    assert np.allclose(fitted, [2.0, -1.0, 0.5], atol=0.1)


def test_a_feature_that_never_varies_does_not_stop_the_fit():
    features = np.array([[0.1, 0.0], [0.9, 0.0], [0.2, 0.0], [0.4, 0.0]])

    fitted = fitting.fit_logistic(features, np.array([0.0, 1.0, 1.0, 0.0]), np.ones(4))

    assert all(map(math.isfinite, fitted))
    assert fitted[1] == 0.0


def test_every_group_counts_the_same():
    weights = fitting.balance(["a", "b", "b", "b"])

    assert np.isclose(weights[0], weights[1:].sum())
    assert np.isclose(weights.mean(), 1.0)


def test_the_constants_that_made_the_samples_are_found_again():
    """Questions drawn with the constants in use, each with hits drawn likewise."""
    draw = random.Random(5)
    samples = []
    for _ in range(6_000):
        given = strength(draw.uniform(-0.2, 0.6), passages=draw.choice([100, 3_000]), names=draw.random() < 0.5)
        related = draw.random() < relevance.relatedness(given)
        hits = [(place, draw.uniform(0.2, 1.0)) for place in range(4)]
        ranked = tuple(
            RankedHit(place=place, beside_best=beside, is_evidence=draw.random() < relevance.placement(beside, place))
            for place, beside in hits
        )
        samples.append(Sample(family="made", is_related=related, strength=given, hits=ranked))

    fitted = {**fitting.fit_relatedness(samples), **fitting.fit_placement(samples)}

    # Both kinds of question weigh the same, so where the chances are even shifts a little.
    for name, tolerance in {"_STEEP": 2.0, "_CROWD": 0.02, "_NAMED": 0.3, "_BESIDE": 0.5, "_PLACE": 0.2}.items():
        assert abs(fitted[name] - fitting.shipped([name])[name]) < tolerance, name


def test_recall_hands_out_what_relevance_is_worked_out_from():
    with Nacre(":memory:", settings=Settings(rerank="off", worker="off")) as nacre:
        scope = nacre.scope("assistant", user="ana")
        scope.observe("user", "Grandmother keeps bees in a blue hive")
        scope.observe("user", "The hive needs paint")
        usual = scope.recall("Which hive holds the bees?")
        with fitting.recording() as strengths:
            raw = scope.recall("Which hive holds the bees?")

    worked_out = [
        round(relevance.relatedness(strengths[0]) * relevance.placement(hit.score, place), 4)
        for place, hit in enumerate(raw)
    ]
    assert raw[0].score == 1.0
    assert np.allclose(worked_out, [hit.score for hit in usual], atol=2e-4)


def test_conversations_come_in_order_with_the_questions_that_have_evidence(tmp_path):
    (tmp_path / "reader").mkdir()
    (tmp_path / fitting.CONVERSATIONS).write_text(
        '{"id": "b", "at": "2025-02-01", "turns": [{"speaker": "Assistant", "text": "Hello."}]}\n'
        '{"id": "a", "at": "2025-01-01", "turns": [{"speaker": "Ana", "text": "I paint."}]}\n',
        encoding="utf-8",
    )
    (tmp_path / fitting.QUESTIONS).write_text(
        '{"conv": "a", "q": "Who paints?", "evidence": [0], "kind": "single"}\n'
        '{"conv": "b", "q": "Who sings?", "evidence": [], "kind": "none"}\n',
        encoding="utf-8",
    )

    (pool,) = fitting.load_reader(tmp_path).pools

    assert [(turn.ref, turn.role, turn.speaker) for turn in pool.turns] == [
        ("a:0", "user", "Ana"),
        ("b:0", "assistant", None),
    ]
    assert [question.evidence for question in pool.questions] == [{"a:0"}]
