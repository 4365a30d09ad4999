"""What commands show: one renderer for people, one for programs."""

import json
import re
from collections.abc import Iterator

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nacre.cli.addresses import Address
from nacre.cli.upkeep import dream_lines, extraction_lines
from nacre.domain.contexts import Context
from nacre.domain.dreams import Dream
from nacre.domain.extractions import Extraction
from nacre.domain.hits import Hit, Recall
from nacre.domain.jobs import Job
from nacre.domain.memories import Remembered
from nacre.domain.plain import plain
from nacre.domain.turns import Observation

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def show(value: object, *, as_json: bool) -> None:
    """Print a result: as JSON, as a table on a terminal, or as bare lines into a pipe."""
    if as_json:
        typer.echo(json.dumps(plain(value), ensure_ascii=False, indent=2))
    elif isinstance(value, Recall):
        _show_hits(value)
    elif isinstance(value, list):
        for each in value:
            typer.echo(_sentence(each))
    else:
        typer.echo(_sentence(value))


def fail(message: str, code: int) -> int:
    """Print one line about a failure; `code` is the exit code it is worth."""
    typer.echo(f"error: {_line(message)}", err=True)
    return code


def _sentence(value: object) -> str:  # noqa: PLR0911 - one for each kind of result
    match value:
        case Observation():
            return f"Observed {value.id}."
        case Remembered():
            return f"{value.outcome.value.capitalize()} {value.memory.short} in {value.memory.category}."
        case Context():
            return _safe(value.text)
        case Address():
            return "\n".join(_welcome(value))
        case Extraction():
            return _safe("\n".join(extraction_lines(value)))
        case Dream():
            return _safe("\n".join(dream_lines(value)))
        case Job():
            reason = _line(value.error or "")
            told = [str(value.id), value.status, str(value.attempts), str(plain(value.run_at)), value.kind, reason]
            return "\t".join(told)
        case dict():
            return " ".join(map(str, value.values()))
        case _:
            raise TypeError(f"{type(value).__name__} has no words.")


def _show_hits(recall: Recall) -> None:
    for note in recall.notes:
        typer.echo(f"note: {_line(note)}", err=True)
    if not recall:
        typer.echo("Nothing found.", err=True)
        return
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(_table(recall))
    else:
        for hit in recall:
            typer.echo("\t".join([f"{hit.score:.3f}", str(plain(hit.at)), hit.kind, _who(hit), _line(hit.text)]))


def _table(recall: Recall) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name, style in (("score", "cyan"), ("when", "dim"), ("who", "green"), ("what", "")):
        table.add_column(name, style=style, no_wrap=name != "what", overflow="fold")
    for hit in recall:
        when = f"{hit.at.astimezone():%Y-%m-%d %H:%M}"
        table.add_row(f"{hit.score:.3f}", when, Text(_who(hit)), Text("\n".join(_told(hit))))
    return table


def _told(hit: Hit) -> Iterator[str]:
    yield _safe(hit.text)
    if hit.channels:
        yield ", ".join(f"{name} {score:.3f}" for name, score in hit.channels.items())


def _who(hit: Hit) -> str:
    return _line(hit.source.speaker or hit.source.role or hit.kind)


def _welcome(address: Address) -> Iterator[str]:
    yield f"Nacre answers at {address.url}; stop it with Ctrl-C."
    yield ""
    yield f"Open {address.url}/health or {address.url}/openapi.json, or try:"
    yield ""
    yield "  " + address.curl("observe", role="user", text="I drink my tea without sugar.")
    yield "  " + address.curl("recall", query="What does the user drink?")
    yield "  " + address.curl("context", message="Get me something to drink.")
    yield ""


def _line(text: str) -> str:
    return _safe(" ".join(text.split()))


def _safe(text: str) -> str:
    # What was once observed must not move the cursor or recolour the terminal of whoever recalls it.
    return _CONTROL.sub("�", text)
