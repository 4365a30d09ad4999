"""Scores worked out by hand."""

import math

import pytest

from bench.metrics import first_appearances, mean, percentile, score

RANKING = ["x", "a", "y", "b", "z"]


@pytest.mark.parametrize(
    ("metric", "evidence", "expected"),
    [
        ("R@1", {"a", "b"}, 0.0),
        ("R@2", {"a", "b"}, 0.5),
        ("R@5", {"a", "b", "missing"}, 2 / 3),
        ("hit@1", {"a"}, 0.0),
        ("hit@2", {"a", "missing"}, 1.0),
        ("any@2", {"a", "missing"}, 1.0),
        ("all@3", {"a", "b"}, 0.0),
        ("all@4", {"a", "b"}, 1.0),
        ("MRR", {"b", "a"}, 0.5),
        ("MRR", {"missing"}, 0.0),
        ("NDCG@1", {"x"}, 1.0),
        ("NDCG@10", {"missing"}, 0.0),
    ],
)
def test_a_ranking_scores_as_worked_out_by_hand(metric, evidence, expected):
    assert score(metric, RANKING, evidence) == pytest.approx(expected)


def test_ndcg_discounts_by_place_against_the_best_possible_order():
    gained = 1 / math.log2(3) + 1 / math.log2(5)
    possible = 1 / math.log2(2) + 1 / math.log2(3)

    assert score("NDCG@10", RANKING, {"a", "b"}) == pytest.approx(gained / possible)


def test_the_best_possible_ndcg_is_limited_by_the_cut():
    assert score("NDCG@1", ["a"], {"a", "b", "c"}) == 1.0


def test_evidence_found_twice_counts_once():
    assert score("R@2", ["a", "a"], {"a", "b"}) == 0.5
    assert score("NDCG@2", ["a", "a"], {"a"}) == 1.0


def test_a_shorter_ranking_than_the_cut_is_no_error():
    assert score("R@10", ["a"], {"a"}) == 1.0
    assert score("all@10", [], {"a"}) == 0.0


def test_hits_without_an_id_take_a_place_and_match_nothing():
    assert score("MRR", [None, "a"], {"a"}) == 0.5
    assert first_appearances([None, "a", "b", "a"]) == {"a": 2, "b": 3}


def test_percentiles_are_values_that_were_measured():
    values = [5.0, 1.0, 3.0, 2.0, 4.0]

    assert (percentile(values, 50), percentile(values, 95), percentile([7.0], 50)) == (3.0, 5.0, 7.0)


def test_nothing_measured_is_zero():
    assert (mean([]), percentile([], 50)) == (0.0, 0.0)
