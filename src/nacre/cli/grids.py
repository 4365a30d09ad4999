"""Tables for people at a terminal."""

from collections.abc import Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

# A cell that says how something is, in the colour of that.
_COLOURS = {
    **dict.fromkeys(("ok", "active", "applied", "done"), "green"),
    **dict.fromkeys(("warn", "pending", "waiting", "running"), "yellow"),
    **dict.fromkeys(("broken", "dead", "failed", "deleted"), "red"),
    **dict.fromkeys(("archived", "superseded", "rejected"), "dim"),
}


def show(names: Sequence[str], rows: Sequence[Sequence[str]], screen: tuple[int, bool] | None, *, titled: bool) -> None:
    """Print a table, on this process's terminal or for another one: its width, and whether it has colours."""
    console = Console(highlight=False)
    if screen:
        columns, coloured = screen
        colours: Literal["standard"] | None = "standard" if coloured else None
        console = Console(highlight=False, force_terminal=True, width=columns, color_system=colours)
    console.print(_grid(names, rows, titled=titled))


def _grid(names: Sequence[str], rows: Sequence[Sequence[str]], *, titled: bool) -> Table:
    grid = Table(box=None, pad_edge=False, header_style="dim", show_header=titled)
    for place, name in enumerate(names):
        # The last column is the one that holds text.
        last = place == len(names) - 1
        grid.add_column(name, style="" if last else "cyan" if place == 0 else "", no_wrap=not last, overflow="fold")
    for row in rows:
        grid.add_row(*(Text(shown, style=_COLOURS.get(shown, "")) for shown in row))
    return grid
