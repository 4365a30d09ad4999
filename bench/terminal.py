"""Everything the terminal shows. Figures go to standard output, progress and notices to standard error."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from bench.errors import BenchError
from bench.progress import Advance
from bench.progress import Progress as Reporting
from bench.tables import Table
from nacre import NacreError

# A log or a pipe has no width of its own; the widest table fits in this one.
WIDTH = 120

_out = Console(width=None if sys.stdout.isatty() else WIDTH)
_err = Console(stderr=True, width=None if sys.stderr.isatty() else WIDTH)


def show(tables: Iterable[Table]) -> None:
    for table in tables:
        _out.print(_rich(table))
        if table.note:
            say(table.note)


def say(text: str) -> None:
    """Text on standard output, exactly as given."""
    _out.print(text, markup=False, highlight=False, soft_wrap=True, end="" if text.endswith("\n") else "\n")


def notice(text: str) -> None:
    _err.print(text, markup=False, highlight=False, soft_wrap=True)


def progress() -> Reporting:
    return Bars() if _err.is_terminal else Lines()


class Bars:
    """A moving bar for every piece of work."""

    @contextmanager
    def track(self, label: str, total: int) -> Iterator[Advance]:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=_err) as bars:
            task = bars.add_task(label, total=total)
            yield lambda steps: bars.advance(task, steps)


class Lines:
    """One line when a piece of work is done, for logs."""

    @contextmanager
    def track(self, label: str, total: int) -> Iterator[Advance]:
        started = perf_counter()
        yield lambda steps: None  # noqa: ARG005
        notice(f"{label}: {total} steps in {perf_counter() - started:.1f} s")


def _rich(table: Table) -> RichTable:
    shown = RichTable(title=table.title, title_justify="left", title_style="bold")
    for place, column in enumerate(table.columns):
        shown.add_column(column, justify="left" if place == 0 else "right")
    for row in table.rows:
        shown.add_row(*row)
    return shown


@contextmanager
def clear_errors() -> Iterator[None]:
    """One sentence instead of a traceback, and exit code 2."""
    try:
        yield
    except (BenchError, NacreError) as error:
        notice(str(error))
        raise typer.Exit(2) from None
