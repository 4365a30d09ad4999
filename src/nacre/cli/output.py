"""Output of commands: one renderer for people, one for programs.

What a value looks like is said beside the commands that show it: as a `table` where there are several, in `words`
where it has its own. All else is shown as names and values.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, TypeVar

import typer

from nacre import environment
from nacre.domain.plain import Json, plain

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

# The terminal of somebody else, for whom a command runs in this process: its width, and whether it has colours.
_screen: ContextVar[tuple[int, bool] | None] = ContextVar("screen", default=None)

T = TypeVar("T")
Read = Callable[[Any], object]
Lines = Callable[[T], Iterable[str]]

_TABLES: dict[type, Mapping[str, Read]] = {}
_WORDS: dict[type, Lines[Any]] = {}
_ITEMS: dict[type, Read] = {}
_ASIDES: dict[type, Lines[Any]] = {}
_FAILURES: dict[type, Callable[[Any], bool]] = {}


@dataclass(frozen=True, slots=True)
class ShortResult:
    """A result of few words: what a person reads, and what a program does."""

    text: str
    data: Mapping[str, Json]


def table(kind: type, /, **columns: str | Read) -> None:
    """Say which columns several values of a kind are shown in: by the name of an attribute, or by a function."""
    _TABLES[kind] = {name: attrgetter(read) if isinstance(read, str) else read for name, read in columns.items()}


def words(kind: type[T]) -> Callable[[Lines[T]], Lines[T]]:
    """Have a function say what a value of a kind is in lines."""

    def keep(lines: Lines[T]) -> Lines[T]:
        _WORDS[kind] = lines
        return lines

    return keep


def items(kind: type, attribute: str) -> None:
    """Show a value of a kind as a table of what one of its attributes holds, and its notes aside."""
    _ITEMS[kind] = attrgetter(attribute)
    _ASIDES[kind] = notes


def aside(kind: type[T]) -> Callable[[Lines[T]], Lines[T]]:
    """Have a function say what a person is told of a value of a kind beside the result itself."""

    def keep(lines: Lines[T]) -> Lines[T]:
        _ASIDES[kind] = lines
        return lines

    return keep


def notes(value: object) -> Iterable[str]:
    """The notes of a value, where it has any."""
    return (f"note: {each}" for each in getattr(value, "notes", ()))


def failing(kind: type[T], failed: Callable[[T], bool]) -> None:
    """Say which values of a kind are reports of a failure."""
    _FAILURES[kind] = failed


def show(value: object, *, as_json: bool) -> None:
    """Print a result: as JSON, as a table on a terminal, or as bare lines into a pipe.

    The report of a failure ends the command with exit code 1.
    """
    _print(value, as_json=as_json)
    if type(value) in _FAILURES and _FAILURES[type(value)](value):
        raise typer.Exit(1)


def _print(value: object, *, as_json: bool) -> None:
    try:
        if as_json:
            data = value.data if isinstance(value, ShortResult) else value
            typer.echo(json.dumps(plain(data), ensure_ascii=False, indent=2))
        else:
            _show(value)
    except BrokenPipeError:
        # Whoever read it has had enough. What is still to be flushed when the process ends goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str, code: int) -> int:
    """Print one line about a failure; `code` is the exit code it is worth."""
    typer.echo(f"error: {line(message)}", err=True)
    return code


def note(message: str) -> None:
    """Tell a person something that is not part of the result."""
    typer.echo(line(message), err=True)


def line(text: str) -> str:
    """`text` on one line, unable to steer a terminal."""
    return safe(" ".join(text.split()))


def safe(text: str) -> str:
    """`text` without control characters: what was once observed must not move the cursor of whoever recalls it."""
    return _CONTROL.sub("�", text)


def _show(value: object) -> None:
    for each in _ASIDES[type(value)](value) if type(value) in _ASIDES else ():
        note(each)
    if type(value) in _ITEMS:
        value = list(_ITEMS[type(value)](value))  # type: ignore[call-overload]
    if isinstance(value, ShortResult):
        typer.echo(safe(value.text))
    elif type(value) in _WORDS:
        for each in _WORDS[type(value)](value):
            typer.echo(safe(each))
    elif isinstance(value, str):
        typer.echo(safe(value))
    elif isinstance(value, Sequence):
        _show_several(value)
    else:
        _show_rows(["name", "value"], list(_flat(plain(value))), titled=False)


def _show_several(values: Sequence[object]) -> None:
    if not values:
        note("Nothing found.")
    elif columns := _TABLES.get(type(values[0])):
        _show_rows(list(columns), [[read(value) for read in columns.values()] for value in values])
    else:
        for each in values:
            _show(each)


def _show_rows(names: Sequence[str], rows: Sequence[Sequence[object]], *, titled: bool = True) -> None:
    if _screen.get() or sys.stdout.isatty() or environment.variable("FORCE_COLOR"):
        from nacre.cli import grids  # noqa: PLC0415 - rich, for people alone

        grids.show(
            names, [[safe(cell(value, person=True)) for value in row] for row in rows], _screen.get(), titled=titled
        )
    else:
        for row in rows:
            typer.echo("\t".join(line(cell(value)) for value in row))


@contextmanager
def shown_on(columns: int | None, *, coloured: bool) -> Iterator[None]:
    """Lay tables out for a terminal that is not this process's own; no columns mean that it is none."""
    token = _screen.set(None if columns is None else (columns, coloured))
    try:
        yield
    finally:
        _screen.reset(token)


def cell(value: object, *, person: bool = False) -> str:
    """A value as it stands in a table; a person reads times in their own time zone."""
    match value:
        case None:
            shown = ""
        case bool():
            shown = "yes" if value else "no"
        case float():
            shown = f"{value:.3f}"
        case datetime() if person:
            shown = f"{value.astimezone():%Y-%m-%d %H:%M}"
        case list() | tuple():
            shown = ", ".join(cell(each) for each in value)
        case Mapping():
            held = {name: each for name, each in value.items() if each not in (None, [], {})}
            shown = ", ".join(f"{name}={cell(each)}" for name, each in held.items())
        case _:
            shown = str(plain(value))
    return shown


def _flat(value: Json, name: str = "") -> Iterator[tuple[str, object]]:
    """Every value that an object holds, under the path to it; what is not there is left out."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _flat(each, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        for place, each in enumerate(value):
            yield from _flat(each, f"{name}.{place}")
    elif value not in (None, []):
        yield name, value
