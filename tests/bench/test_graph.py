"""The graph's measurements at the smallest size; what matters here is that they measure the right thing."""

import random

import pytest

from bench import graph
from bench.progress import Silent
from nacre.domain.scopes import Scope
from nacre.graph import matching
from nacre.store.databases import Database


def test_every_figure_is_measured_and_shown():
    figures = graph.measure([1_000], Silent())["1000"]

    (table,) = graph.tables({"sizes": {"1000": figures}})
    assert all(value > 0 for name, value in figures.items() if name != "networkx_p50_ms")
    assert {name for _, name in graph._ROWS} == set(figures)
    assert len(table.rows) == len(figures)


def test_a_message_of_sixty_words_names_entities_that_are_there(tmp_path):
    database = Database(tmp_path / "graph.db", lambda: graph._AT)
    graph.fill(database, 1_000)
    text = graph.message(1_000, random.Random(1))

    with database.read(Scope(agent="bench", user="graph")) as tx:
        assert len(matching.find(tx, text)) == 5
    database.close()
    assert len(text.split()) == graph.MESSAGE_WORDS


@pytest.mark.parametrize(("size", "hub"), [(1_000, 500), (200_000, 50_000)])
def test_the_hub_has_half_of_the_links_or_fifty_thousand(size, hub):
    drawn = list(graph.edges(size))

    assert len(drawn) == size
    assert sum(edge.source == 0 for edge in drawn) == hub
