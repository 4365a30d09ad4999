"""Reads what an export or another system wrote into a scope."""

from contextlib import nullcontext
from pathlib import Path

from nacre.domain import ids
from nacre.domain.errors import Invalid
from nacre.domain.scopes import Scope
from nacre.domain.transfers import Format, Transfer
from nacre.models.embedders import Embedder
from nacre.store.databases import Database
from nacre.transfer import files, mcp, mem0, rockbot, scopes
from nacre.transfer.records import MAX_RECORD, Parsed
from nacre.transfer.taking_in import Clean, Intake, Tell

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
    dry_run: bool,
    tell: Tell,
) -> Transfer:
    """Bring in what another system remembers, as operations of one batch."""
    batch = ids.new(database.clock())
    intake = Intake(database=database, embedder=embedder, scope=scope, format=of, batch=batch, clean=clean)
    return intake.take_in(_parsed(database, scope, of, source), dry_run=dry_run, tell=tell)


def _parsed(database: Database, scope: Scope, of: Format, source: Path | bytes) -> Parsed:
    if of is Format.ROCKBOT:
        if not isinstance(source, Path) or not source.is_dir():
            raise Invalid("path", "must be a folder with the files of RockBot")
        return rockbot.parse(source)
    data = files.whole(source, MAX_WHOLE)
    return mcp.parse(data.splitlines()) if of is Format.MCP else mem0.parse(data, user=scope.user, now=database.clock())
