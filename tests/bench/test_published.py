"""The benchmark page says what was measured, and the measured figures are those that were promised."""

import re

import pytest

from bench import pages, reports, results, tables

PAGE = pages.PAGE.read_text(encoding="utf-8")
README = (pages.PAGE.parents[1] / "README.md").read_text(encoding="utf-8")
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


def published(section):
    begin, end = pages.markers(section)
    return PAGE[PAGE.index(begin) + len(begin) : PAGE.index(end)].strip()


def measured(section):
    """The result that the page was written from."""
    found = re.search(r"at `(\w+)`", published(section))
    assert found
    return results.read(results.FOLDER / f"{found[1]}-{section}.json")


@pytest.mark.spec("N6")
@pytest.mark.parametrize("section", ["quality", "rerank", "ablation"])
def test_no_figure_of_a_section_was_written_by_hand(section):
    document = measured(section)
    shown = reports.TABLES.get(section, tables.quality)(document)

    assert published(section) == tables.section(section.capitalize(), document, shown).strip()


@pytest.mark.spec("N6")
def test_recall_finds_as_much_as_promised_without_a_language_model():
    sets = measured("quality")["sets"]

    assert {key: sets[key[0]]["total"][key[1]] for key in FLOORS if sets[key[0]]["total"][key[1]] < FLOORS[key]} == {}


@pytest.mark.spec("N6")
def test_with_a_reranker_it_finds_as_much_as_promised():
    sets = measured("rerank")["sets"]
    fast = {key: sets[key[0]]["total"]["fast"][key[1]] for key in RERANKED}

    assert {key: value for key, value in fast.items() if value < RERANKED[key]} == {}


@pytest.mark.spec("N6")
def test_the_first_page_tells_of_others_what_was_measured():
    found = measured("peers")
    small, large = found["sizes"]["10000"], found["sizes"]["100000"]
    rows = {
        system["title"]: [
            tables.share("R@10", found["quality"][name]["R@10"]),
            tables.number(small[name]["recall_p50_ms"]),
            tables.number(large[name]["recall_p50_ms"]) + ("" if large[name]["finished"] else " *"),
            tables.number(small[name]["single_per_s"]),
        ]
        for name, system in found["systems"].items()
    }
    table = README[README.index("## Beside others") : README.index("## Four doors")]
    shown = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:1] == "|"]

    assert {title: cells for title, *cells in shown[2:]} == rows
