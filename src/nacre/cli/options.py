"""The arguments, options and groups of the commands, and how their text is read."""

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from nacre.domain import checks
from nacre.domain.contexts import Block
from nacre.domain.contexts import SeenPolicy as SeenName
from nacre.domain.errors import Invalid
from nacre.domain.hits import Kind
from nacre.domain.questions import Rerank
from nacre.domain.turns import Role as RoleName

STDIN = "-"
# The largest file that a command reads whole.
MAX_FILE = 64 * 2**20


def read(value: str | None) -> str | None:
    """`value`, or what standard input holds where it is `-`."""
    if value != STDIN:
        return value
    stdin = typer.get_binary_stream("stdin")
    if stdin.isatty():
        typer.echo("Type the text; end it with Ctrl-D on a line of its own.", err=True)
    # Four bytes are the most that a character takes: what is longer is refused without being read whole.
    data = stdin.read(4 * checks.MAX_TEXT + 1)
    if len(data) > 4 * checks.MAX_TEXT:
        raise Invalid("text", f"is longer than {checks.MAX_TEXT:,} characters")
    return _decoded("text", data).rstrip("\r\n")


def content(file: str) -> str:
    """The text of a file in UTF-8, or of standard input where it is `-`."""
    return _decoded("file", data(file))


def data(file: str) -> bytes:
    """The bytes of a file, or of standard input where it is `-`."""
    try:
        if file == STDIN:
            held = typer.get_binary_stream("stdin").read(MAX_FILE + 1)
        else:
            with Path(file).open("rb") as stream:
                held = stream.read(MAX_FILE + 1)
    except OSError as error:
        raise Invalid("file", f"cannot be read: {file}: {os.strerror(error.errno or 0)}") from error
    if len(held) > MAX_FILE:
        raise Invalid("file", f"is longer than {MAX_FILE // 2**20} MB")
    return held


def when(value: str) -> datetime:
    """A time as a person writes it; without a time zone, this machine's is meant."""
    try:
        moment = datetime.fromisoformat(value)
        return moment if moment.tzinfo else moment.astimezone()
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter(f"{value!r} is not a time such as 2026-05-03 or 2026-05-03T10:00:00Z.") from error


def _decoded(field: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Invalid(field, f"is not UTF-8: byte {error.start} cannot be read") from error


def pairs(field: str, values: Iterable[str]) -> dict[str, str]:
    """`name=value` texts as a mapping."""
    split = [value.partition("=") for value in values]
    if not all(equals for _, equals, _ in split):
        raise Invalid(field, "must be written name=value")
    return {name: value for name, _, value in split}


Database = Annotated[
    str | None, typer.Option(help="A file, :memory: or postgresql://…; else NACRE_DATABASE, else nacre.db.")
]
Agent = Annotated[str | None, typer.Option(help="Whose memory; else NACRE_AGENT, else assistant.")]
User = Annotated[str | None, typer.Option(help="Keep to this user's memory; else NACRE_USER.")]
Chat = Annotated[str | None, typer.Option(help="Keep to this chat's memory; else NACRE_CHAT.")]
Config = Annotated[Path | None, typer.Option(help="A file of settings in TOML; else NACRE_CONFIG, else nacre.toml.")]
Version = Annotated[bool, typer.Option("--version", help="Print the version.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

Text = Annotated[
    str, typer.Argument(callback=read, show_default=False, help="The text; - or nothing reads it from stdin.")
]
Query = Annotated[str, typer.Argument(callback=read, help="The text; - reads it from stdin.")]

Role = Annotated[RoleName, typer.Option(help="Who speaks.")]
Speaker = Annotated[str | None, typer.Option(help="Who speaks, by name.")]
Session = Annotated[str | None, typer.Option(help="The conversation it belongs to.")]
Ref = Annotated[str | None, typer.Option(help="Your own id for the message.")]
At = Annotated[datetime | None, typer.Option(parser=when, metavar="TIME", help="When it was said; now if left out.")]

Category = Annotated[str, typer.Option(help="A path such as project/launch.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A tag. Repeatable.")]
Metadata = Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="Anything else to keep. Repeatable.")]

Limit = Annotated[int, typer.Option(help="How many hits at most.")]
Kinds = Annotated[list[Kind] | None, typer.Option("--kind", help="Only this kind. Repeatable.")]
Categories = Annotated[
    list[str] | None, typer.Option("--category", help="Only memories in this category or below it. Repeatable.")
]
MinScore = Annotated[
    float | None, typer.Option(metavar="SCORE", help="Leave out what is less likely to bear on it, from 0 to 1.")
]
OnlySession = Annotated[str | None, typer.Option("--session", help="Only what was said in this conversation.")]
AsOf = Annotated[datetime | None, typer.Option(parser=when, metavar="TIME", help="Only what was known at this time.")]
AskedAt = Annotated[
    datetime | None, typer.Option(parser=when, metavar="TIME", help="When it is asked: `last week` counts from there.")
]
Since = Annotated[datetime | None, typer.Option(parser=when, metavar="TIME", help="Only what was said since.")]
Until = Annotated[datetime | None, typer.Option(parser=when, metavar="TIME", help="Only what was said until.")]
Explain = Annotated[bool, typer.Option("--explain", help="Show what each channel found.")]
Reranked = Annotated[
    Rerank | None, typer.Option("--rerank", help="Whether the best hits are read once more; the settings if left out.")
]
Budget = Annotated[int, typer.Option(help="How many tokens at most.")]
Profile = Annotated[
    bool, typer.Option("--profile/--no-profile", help="Whether a session begins with what is known of the user.")
]
Seen = Annotated[SeenName, typer.Option(help="What becomes of what the session was shown before.")]
Ids = Annotated[bool, typer.Option("--ids", help="Show the ids of what is said.")]
Blocks = Annotated[
    list[Block] | None, typer.Option("--block", help="Only this part; the usual ones if left out. Repeatable.")
]

Most = Annotated[int, typer.Option("--limit", help="How many at most.")]
Offset = Annotated[int, typer.Option(help="How many to leave out first.")]
Entity = Annotated[str, typer.Argument(help="An entity: its id, slug or name.")]
Type = Annotated[str | None, typer.Option(help="A type such as person, project or place.")]
File = Annotated[str, typer.Argument(metavar="FILE", show_default=False, help="A file in UTF-8; - is stdin.")]

Host = Annotated[str | None, typer.Option(help="A loopback address to listen on; else NACRE_HOST, else 127.0.0.1.")]
Port = Annotated[
    int | None, typer.Option(min=0, max=65_535, help="The port, 0 picks a free one; else NACRE_PORT, else 8765.")
]
Workers = Annotated[int | None, typer.Option(min=1, max=256, help="How many processes answer; else NACRE_WORKERS.")]


def group(summary: str, *examples: str) -> typer.Typer:
    """A group whose help ends in examples; without a command it shows that help."""
    shown = "\n".join(["\b", "Examples:", *(f"  {each}" for each in examples)]) if examples else None
    return typer.Typer(help=summary, epilog=shown, callback=_or_help, invoke_without_command=True)


def _or_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
