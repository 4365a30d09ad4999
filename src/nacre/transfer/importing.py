"""Reads what an export or another system wrote into a scope."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from nacre.domain import ids
from nacre.domain.errors import Invalid
from nacre.domain.scopes import Scope
from nacre.domain.transfers import Format, Transfer
from nacre.models.embedders import Embedder
from nacre.store.base.databases import Database
from nacre.transfer import (
    basic_memory,
    chatgpt,
    claude,
    claude_code,
    codex,
    files,
    graphiti,
    langgraph,
    letta,
    mcp,
    mem0,
    rockbot,
    scopes,
)
from nacre.transfer.intake import Intake, Tell
from nacre.transfer.records import MAX_RECORD, Clean, FileRecords

# A file of another system is read whole.
MAX_WHOLE = 32 * MAX_RECORD


def restore(database: Database, scope: Scope, source: Path | bytes, *, dry_run: bool) -> Transfer:
    """Bring an exported scope back, all of it or nothing."""
    with (
        files.lines_of(source, scopes.MAX_LINE + 1) as lines,
        database.write(scope) as tx,
        tx.tried() if dry_run else nullcontext(),
    ):
        counts = scopes.restore(tx, lines)
    return Transfer(format=Format.JSONL, counts=counts, dry_run=dry_run)


def take_in(
    database: Database,
    embedder: Embedder | None,
    scope: Scope,
    of: Format,
    source: Path | bytes,
    *,
    clean: Clean,
    learns: bool,
    dry_run: bool,
    tell: Tell,
) -> Transfer:
    """Bring in what another system remembers: operations of one batch, and turns where it holds conversations."""
    batch = ids.new(database.clock())
    intake = Intake(
        database=database, embedder=embedder, scope=scope, format=of, batch=batch, clean=clean, learns=learns
    )
    return intake.take_in(_parsed(database, scope, of, source), dry_run=dry_run, tell=tell)


def _parsed(database: Database, scope: Scope, of: Format, source: Path | bytes) -> FileRecords:
    if of in _STREAMED:
        return _STREAMED[of](source)
    if of in _FOLDERS:
        if not isinstance(source, Path) or not source.is_dir():
            raise Invalid("path", f"must be a folder with the files of {of.value}")
        return _FOLDERS[of](source)
    data = files.whole(source, MAX_WHOLE)
    if of is Format.MCP:
        return mcp.parse(data.splitlines())
    read = _WHOLE.get(of, partial(mem0.parse, user=scope.user))
    return read(data, now=database.clock())


# What is read a piece at a time, however large it is.
_STREAMED: Mapping[Format, Callable[[Path | bytes], FileRecords]] = {
    Format.CLAUDE_CODE: claude_code.parse,
    Format.CODEX: codex.parse,
    Format.CHATGPT: chatgpt.parse,
    Format.CLAUDE: claude.parse,
    Format.LANGGRAPH: langgraph.parse,
}
_WHOLE: Mapping[Format, Callable[..., FileRecords]] = {Format.LETTA: letta.parse, Format.GRAPHITI: graphiti.parse}
_FOLDERS: Mapping[Format, Callable[[Path], FileRecords]] = {
    Format.ROCKBOT: rockbot.parse,
    Format.BASIC_MEMORY: basic_memory.parse,
}
