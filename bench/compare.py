"""The difference between two result files."""

from collections.abc import Iterator
from typing import Any

from bench.tables import NONE, Table

Json = dict[str, Any]

_ABOUT = frozenset({"date", "commit", "version", "machine", "options", "section"})


def difference(first: Json, second: Json, *, everything: bool = False) -> Table:
    """The figures that differ, or all of them, each with its change."""
    before, after = dict(figures(first)), dict(figures(second))
    names = [*before, *(name for name in after if name not in before)]
    shown = (name for name in names if everything or before.get(name) != after.get(name))
    rows = tuple(_row(name, before.get(name), after.get(name)) for name in shown)
    columns = ("figure", f"A ({first['commit']})", f"B ({second['commit']})", "change", "B ÷ A")
    return Table("Difference", columns, rows, _note(first, second))


def figures(document: Json) -> Iterator[tuple[str, float]]:
    """Every number of a result by its path, what it was measured on left out."""
    for name, value in document.items():
        if name not in _ABOUT:
            yield from _numbers(name, value)


def _numbers(path: str, value: object) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _numbers(f"{path} / {name}", inner)
    elif isinstance(value, int | float):
        yield path.partition(" / ")[2], value


def _row(name: str, before: float | None, after: float | None) -> tuple[str, ...]:
    if before is None or after is None:
        return (name, _plain(before), _plain(after), NONE, NONE)
    ratio = f"{after / before:.2f}" if before else NONE
    return (name, _plain(before), _plain(after), f"{after - before:+.4g}", ratio)


def _plain(value: float | None) -> str:
    return NONE if value is None else f"{value:.6g}"


def _note(first: Json, second: Json) -> str:
    if first["section"] != second["section"]:
        return f"A holds {first['section']}, B holds {second['section']}: only what both have can be compared."
    alike = {**first["machine"], "load": 0} == {**second["machine"], "load": 0}
    return "" if alike else "Measured on different machines: compare scores, not times."
