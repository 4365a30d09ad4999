import platform
from typing import Any

import pytest

from bench import results, speed, tables
from bench.compare import difference, figures
from bench.errors import BadResult, BadSizes

Json = dict[str, Any]

MACHINE = {"cores": 2, "cpu": "Some CPU", "arch": "aarch64", "python": "3.11", "sqlite": "3.40", "load": 1.0}
SCORES = {"questions": 4, "R@10": 0.7345, "MRR": 0.5}


def document(section: str = "quality", **changes: Any) -> Json:
    about = {"section": section, "date": "2025-01-01", "commit": "abc1234", "version": "0.1", "machine": MACHINE}
    return {**about, "options": {"database": "sqlite", "questions": None}, **changes}


def quality(**changes: Any) -> Json:
    figures = {
        "title": "LoCoMo",
        "unit": "turn",
        "turns": 1200,
        "total": SCORES,
        "by": {"temporal": SCORES, "multi-hop": SCORES},
        "turns_per_s": 812.34,
        "recall_p50_ms": 1.234,
        "recall_p95_ms": 12.34,
        "notes": {},
        "commit": "abc1234",
        "rerank": "fast",
    }
    return document(sets={"locomo": {**figures, **changes}})


SPEED_FIGURES = {
    "observe_per_s": 500.0,
    "bare_insert_per_s": 1000.0,
    "observe_many_learned_per_s": 500.0,
    "remember_p50_ms": 5.0,
    "observe_many_per_s": 4000.0,
    "bare_insert_many_per_s": 8000.0,
    "recall_p50_ms": 3.0,
    "bare_scan_p50_ms": 2.0,
    "recall_p95_ms": 5.0,
    "recall_after_observe_p50_ms": 4.0,
    "context_p50_ms": 8.0,
    "first_recall_ms": 80.0,
    "cold_load_ms": 100.0,
    "resident_mb": 90.0,
    "start_mb": 60.0,
    "bytes": 3_000_000,
    "bare_bytes": 1_500_000,
}


def test_a_result_is_read_back_as_it_was_written(tmp_path):
    path = results.write(quality(), tmp_path)

    assert path.name == "abc1234-quality.json"
    assert results.read(path) == quality()


def test_a_page_has_one_file_whatever_the_commit(tmp_path):
    results.publish(document(commit="abc1234"), tmp_path)
    path = results.publish(document(commit="def5678"), tmp_path)

    assert [each.name for each in tmp_path.iterdir()] == [path.name] == ["quality.json"]
    assert results.read(path)["commit"] == "def5678"


@pytest.mark.parametrize("content", ["", "[]", "{}", "not json"])
def test_what_is_no_result_is_refused(tmp_path, content):
    path = tmp_path / "other.json"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(BadResult):
        results.read(path)


def test_a_result_says_nothing_about_the_host():
    text = results.as_text(results.result("quality", {}, {"sets": {}}))

    assert str(results.FOLDER) not in text
    assert platform.node() not in text


def test_scores_are_shown_in_percent_and_ranks_as_fractions():
    scores, times = tables.quality(quality())

    assert scores.columns == ("questions", "n", "R@10", "MRR")
    assert scores.rows[0] == ("all", "4", "73.5", "0.500")
    assert [row[0] for row in scores.rows] == ["all", "temporal", "multi-hop"]
    assert times.rows == (("LoCoMo", "1,200", "812", "1.23", "12.3", "fast", "`abc1234`"),)


def test_agreement_with_a_second_database_is_noted():
    same = {"database": "postgresql", "identical": 3, "questions": 4, "different": ["q1"]}

    assert "postgresql: 3 of 4" in tables.quality(quality(same=same))[0].note


def test_what_recall_noted_is_shown():
    assert "2 recalls noted: No vectors yet." in tables.quality(quality(notes={"No vectors yet.": 2}))[0].note


def test_a_section_is_markdown_with_its_machine_and_options():
    text = tables.section("Quality", quality(), tables.quality(quality()))

    assert "2 cores of Some CPU (aarch64)" in text
    assert "Options: database sqlite." in text
    assert "| all | 4 | 73.5 | 0.500 |" in text


def test_speed_is_shown_with_growth_and_with_its_cost_over_bare():
    grown = {**SPEED_FIGURES, "recall_p50_ms": 6.0}

    growth, by_size, over_bare = speed.tables(document("speed", sizes={"1000": SPEED_FIGURES, "100000": grown}))

    assert ("context p50, ms", "8.00", "8.00", "× 1.00", "flat") in growth.rows
    assert ("recall p50, ms", "3.00", "6.00", "× 2.00") in by_size.rows
    assert ("database file, MB", "3.00", "3.00", "× 1.00") in by_size.rows
    assert {row[0]: row[1:] for row in over_bare.rows} == {
        "observe": ("2.00", "2.00"),
        "observe_many": ("2.00", "2.00"),
        "recall p50": ("1.50", "3.00"),
        "database file": ("2.00", "2.00"),
    }


def test_sizes_are_read_smallest_first():
    assert speed.parse_sizes("10000,1_000") == [1000, 10000]


@pytest.mark.parametrize("written", ["", "ten", "5", "1000,-1"])
def test_sizes_that_cannot_be_measured_are_refused(written):
    with pytest.raises(BadSizes):
        speed.parse_sizes(written)


def test_a_comparison_shows_what_changed_and_by_how_much():
    faster = quality(recall_p50_ms=0.617)

    table = difference(quality(), faster)

    assert table.rows == (("locomo / recall_p50_ms", "1.234", "0.617", "-0.617", "0.50"),)
    assert table.note == ""


def test_a_comparison_can_show_everything_and_what_only_one_side_has():
    other = quality(extra=1)

    rows = difference(quality(), other, everything=True).rows

    assert ("locomo / extra", "–", "1", "–", "–") in rows
    assert ("locomo / total / R@10", "0.7345", "0.7345", "+0", "1.00") in rows


def test_another_machine_or_another_kind_of_result_is_pointed_out():
    elsewhere = {**quality(), "machine": {**MACHINE, "cpu": "Other CPU"}}

    assert "different machines" in difference(quality(), elsewhere).note
    assert "A holds quality, B holds speed" in difference(quality(), document("speed", sizes={})).note


def test_what_a_result_was_measured_on_is_no_figure():
    assert not any("load" in name or "cores" in name for name, _ in figures(quality()))


def test_how_far_other_questions_may_lie_is_shown_below_all():
    scores, _ = tables.quality(quality(interval={"R@10": [0.7, 0.8], "MRR": [0.4, 0.6]}))

    assert scores.rows[1] == ("95 % between", "", "70.0–80.0", "0.400–0.600")
