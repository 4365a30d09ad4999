"""The graph's measurements at the smallest size; what matters here is that they measure the right thing."""

import random

import pytest

from bench import graph, rivals
from bench.progress import Silent
from nacre.domain.scopes import Scope
from nacre.graph.identity import matching
from nacre.store.base.databases import Database


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    monkeypatch.setattr(graph, "_ROUNDS", 3)


def test_every_figure_is_measured_and_shown():
    figures = graph.measure([400], Silent())["400"]

    (table,) = graph.tables({"sizes": {"400": figures}})
    absent = rivals.missing()
    assert all(value > 0 for value in figures.values() if value is not None)
    assert {name for name, value in figures.items() if value is None} == {f"{name}_p50_ms" for name in absent}
    assert {name for _, name in graph._ROWS} == set(figures)
    assert len(table.rows) == len(figures)
    assert ("Not installed" in table.note) == bool(absent)


def test_search_and_scan_stop_growing_where_the_table_says(monkeypatch):
    monkeypatch.setattr(graph, "SEARCHED", 400)
    monkeypatch.setattr(graph, "SCANNED", 400)

    small, large = graph.measure([400, 800], Silent()).values()

    assert small["scan_s"] == large["scan_s"]
    assert small["search_name_p50_ms"] == large["search_name_p50_ms"]
    assert small["walk_p50_ms"] != large["walk_p50_ms"]


def test_one_name_in_a_hundred_is_misspelled():
    assert graph.person_name(201) == graph.person_name(200) + graph.person_name(200)[-1]
    assert len({graph.person_name(index) for index in range(1_000)}) == 1_000


def test_a_message_of_sixty_words_names_entities_that_are_there(tmp_path):
    database = Database(tmp_path / "graph.db", lambda: graph._AT)
    graph.fill(database, 1_000)
    text = graph.message(1_000, random.Random(1))

    with database.read(Scope(agent="bench", user="graph")) as tx:
        assert len(matching.find(tx, text)) == 5
    database.close()
    assert len(text.split()) == graph.MESSAGE_WORDS


def test_the_hub_has_one_of_twenty_links_and_at_most_fifty_thousand(monkeypatch):
    few = list(graph.edges(1_000))
    assert (len(few), sum(edge.source == 0 for edge in few), graph.HUB) == (1_000, 50, 50_000)

    monkeypatch.setattr(graph, "HUB", 100)
    many = list(graph.edges(4_000))

    assert (len(many), sum(edge.source == 0 for edge in many)) == (4_000, 100)
