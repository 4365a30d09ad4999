"""Figures as tables of text, for the terminal and for the benchmark page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
NONE = "–"


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def markdown(table: Table) -> str:
    lines = [f"### {table.title}", ""]
    lines += [_line(table.columns), _line("---" if place == 0 else "---:" for place in range(len(table.columns)))]
    lines += [_line(row) for row in table.rows]
    return "\n".join([*lines, "", table.note] if table.note else lines)


def section(heading: str, document: Json, tables: Iterable[Table]) -> str:
    """A section of the benchmark page."""
    return "\n\n".join([f"## {heading}", measured_on(document), *map(markdown, tables)])


def measured_on(document: Json) -> str:
    """One sentence on when and on what."""
    machine = document["machine"]
    sentence = (
        f"Measured {document['date']} at `{document['commit']}` on {machine['cores']} cores of {machine['cpu']} "
        f"({machine['arch']}), Python {machine['python']}, SQLite {machine['sqlite']}."
    )
    options = [f"{name} {value}" for name, value in document["options"].items() if value is not None]
    return f"{sentence} Options: {', '.join(options)}." if options else sentence


def quality(document: Json) -> list[Table]:
    """A table a set with its kinds of question, then the times of all sets."""
    sets: Json = document["sets"]
    return [*(_scores(figures) for figures in sets.values()), _times(list(sets.values()))]


def number(value: float | None, digits: int | None = None) -> str:
    """Few digits for small numbers, none for large ones."""
    if value is None:
        return NONE
    if digits is None:
        digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"


def share(name: str, value: float) -> str:
    """Counting metrics read as percent, ranking metrics as a fraction, as is usual for each."""
    return number(value, 3) if name.startswith(("MRR", "NDCG")) else number(value * 100, 1)


def _scores(figures: Json) -> Table:
    metrics = [name for name in figures["total"] if name != "questions"]
    rows = [_score_row("all", figures["total"], metrics), *_interval_row(figures, metrics)]
    if len(figures["by"]) > 1:
        rows += [_score_row(kind, scores, metrics) for kind, scores in figures["by"].items()]
    return Table(figures["title"], ("questions", "n", *metrics), tuple(rows), _remarks(figures))


def _score_row(kind: str, scores: Json, metrics: Sequence[str]) -> tuple[str, ...]:
    return (kind, str(scores["questions"]), *(share(name, scores[name]) for name in metrics))


def _interval_row(figures: Json, metrics: Sequence[str]) -> list[tuple[str, ...]]:
    if not (interval := figures.get("interval")):
        return []
    return [("95 % between", "", *("–".join(share(name, end) for end in interval[name]) for name in metrics))]


def _remarks(figures: Json) -> str:
    """How a second database agreed, and what recall itself said went wrong."""
    remarks = [f"{count} recalls noted: {note}" for note, count in figures["notes"].items()]
    if same := figures.get("same"):
        remarks.append(
            f"Same first ten hits on {same['database']}: {same['identical']} of {same['questions']} questions."
        )
    return " ".join(remarks)


def _times(sets: Sequence[Json]) -> Table:
    rows = (
        (
            figures["title"],
            number(figures["turns"], 0),
            number(figures["turns_per_s"]),
            number(figures["recall_p50_ms"]),
            number(figures["recall_p95_ms"]),
            figures["rerank"],
            f"`{figures['commit']}`",
        )
        for figures in sets
    )
    columns = ("set", "turns", "observed turns/s", "recall p50 ms", "recall p95 ms", "rerank", "measured at")
    return Table("Times of these runs", columns, tuple(rows))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
