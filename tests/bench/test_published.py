"""The benchmark page says what was measured, and the measured figures are those that were promised."""

import pytest

from bench import pages, reports, summaries, tables

PAGE = pages.PAGE.read_text(encoding="utf-8")
README = summaries.README.read_text(encoding="utf-8")
# The floors of the design, as (set, score): without a reranker, and with the fast one.
FLOORS = {
    ("locomo", "R@10"): 0.73,
    ("locomo", "hit@10"): 0.80,
    ("longmemeval", "all@10"): 0.75,
    ("longmemeval", "any@5"): 0.86,
    ("musique", "all@10"): 0.27,
    ("wikihop", "all@10"): 0.54,
}
RERANKED = {
    ("locomo", "R@10"): 0.78,
    ("locomo", "hit@10"): 0.85,
    ("longmemeval", "all@10"): 0.77,
    ("longmemeval", "any@5"): 0.88,
    ("longmemeval-48", "all@5"): 0.89,
}


def published(section, page=PAGE):
    begin, end = pages.markers(section)
    return page[page.index(begin) + len(begin) : page.index(end)].strip()


@pytest.mark.spec("N6")
@pytest.mark.parametrize("section", ["quality", "rerank", "ablation"])
def test_no_figure_of_a_section_was_written_by_hand(section):
    document = summaries.measured(section)
    shown = reports.TABLES.get(section, tables.quality)(document)

    assert published(section) == pages.fitted(tables.section(section.capitalize(), document, shown).strip())


@pytest.mark.spec("N6")
def test_recall_finds_as_much_as_promised_without_a_language_model():
    sets = summaries.measured("quality")["sets"]

    assert {key: sets[key[0]]["total"][key[1]] for key in FLOORS if sets[key[0]]["total"][key[1]] < FLOORS[key]} == {}


@pytest.mark.spec("N6")
def test_with_a_reranker_it_finds_as_much_as_promised():
    sets = summaries.measured("rerank")["sets"]
    fast = {key: sets[key[0]]["total"]["fast"][key[1]] for key in RERANKED}

    assert {key: value for key, value in fast.items() if value < RERANKED[key]} == {}


@pytest.mark.spec("N6")
@pytest.mark.parametrize(
    ("page", "section", "written"),
    [
        (PAGE, "summary", summaries.summary),
        (README, "learned", summaries.learned),
        (README, "beside", summaries.beside),
    ],
)
def test_no_figure_of_a_summary_was_written_by_hand(page, section, written):
    """`python -m bench summary` writes them anew."""
    assert published(section, page) == written()
