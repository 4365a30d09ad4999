"""The measurements of a small graph; what matters here is that they measure the right thing."""

from bench import knowledge
from bench.progress import Silent


def test_every_figure_is_measured_beside_a_plain_query(monkeypatch):
    monkeypatch.setattr(knowledge, "_ROUNDS", 3)
    monkeypatch.setattr(knowledge, "MEMORIES", 20)
    figures = knowledge.measure(300, None, Silent())

    (table,) = knowledge.tables({"figures": figures, "options": {"entities": 300}})
    assert len(table.rows) == len(figures)
    assert all(figure["ms"] > 0 and figure["plain_ms"] > 0 for figure in figures.values())
