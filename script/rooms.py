"""The rooms of the house and their imports as they are, as a table of docs/architecture.md; `--check` only compares."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src/nacre"
PAGE = ROOT / "docs/architecture.md"
BEGIN, END = "<!-- Written by script/rooms.py. -->\n", "<!-- End. -->\n"
# What is no room: the front of the package, which hands out names of the rooms below.
LEFT_OUT = ("__init__", "__main__")
# Statements alone are parsed, not what stands between them.
IMPORT = re.compile(r"^ *(?:import nacre|from nacre)\b(?:[^(\n]*\([^)]*\)|[^\n]*)", re.MULTILINE)


def order() -> list[str]:
    """The rooms, from the top of the house down: as the first contract of `pyproject.toml` lists them."""
    contract = re.search(r"^layers = \[\n(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.MULTILINE | re.DOTALL)
    return re.findall(r'"(\w+)"', contract[1]) if contract else []


def room_of(path: Path) -> str:
    """The room that a file stands in."""
    return path.relative_to(SOURCES).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """The rooms that a file imports from, wherever in it the import stands."""
    for line in IMPORT.findall(path.read_text()):
        (node,) = ast.parse(line.strip()).body
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{each.name}" for each in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("nacre."))


def table() -> str:
    """A line for each room: the rooms that it imports from."""
    rooms = order()
    found: dict[str, set[str]] = {room: set() for room in rooms}
    for path in SOURCES.rglob("*.py"):
        if (room := room_of(path)) not in LEFT_OUT:
            found[room] |= {*imported(path)} - {room}
    lines = (f"| `{room}` | {', '.join(each for each in rooms if each in found[room])} |\n" for room in rooms)
    return "| room | imports from |\n|---|---|\n" + "".join(lines)


def page() -> str:
    """The page with the table as it should be."""
    before, rest = PAGE.read_text().split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.read_text() == page() else "docs/architecture.md is out of date: run script/rooms.py")
    PAGE.write_text(page())
