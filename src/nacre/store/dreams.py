"""What each night's work came to, and what its passes last read."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, exists, insert, or_, select

from nacre.domain.plain import Json
from nacre.domain.scopes import Scope
from nacre.store import scopes
from nacre.store.databases import AllScopes, Transaction
from nacre.store.schema import dreams, gates
from nacre.store.schema import scopes as scopes_table

# Others keep gates of their own beside those of the passes.
_GATE = "dream/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A cycle as it was written down."""

    id: UUID
    trigger: str
    status: str
    report: Mapping[str, Json]
    started_at: datetime
    finished_at: datetime | None


def add(tx: Transaction, kept: Kept) -> None:
    """Write down a cycle."""
    scopes.ensure(tx)
    tx.execute(
        insert(dreams),
        {
            "scope_id": tx.scope_id,
            "id": kept.id,
            "trigger": kept.trigger,
            "status": kept.status,
            "report": dict(kept.report),
            "started_at": kept.started_at,
            "finished_at": kept.finished_at,
        },
    )


def newest(tx: Transaction, limit: int, offset: int = 0) -> list[Kept]:
    """The last cycles, the last one first."""
    mine = select(dreams).where(dreams.c.scope_id == tx.scope_id)
    rows = tx.execute(mine.order_by(dreams.c.started_at.desc(), dreams.c.id.desc()).limit(limit).offset(offset))
    return [
        Kept(
            id=row.id,
            trigger=row.trigger,
            status=row.status,
            report=row.report,
            started_at=row.started_at,
            finished_at=row.finished_at,
        )
        for row in rows
    ]


def fingerprint(tx: Transaction, name: str) -> str | None:
    """What a pass last read."""
    mine = (gates.c.scope_id == tx.scope_id, gates.c["pass"] == _GATE + name)
    found: str | None = tx.execute(select(gates.c.fingerprint).where(*mine)).scalar_one_or_none()
    return found


def note_fingerprint(tx: Transaction, name: str, fingerprint: str) -> None:
    """Note what a pass has read, so that it is skipped until that changes."""
    scopes.ensure(tx)
    tx.execute(delete(gates).where(gates.c.scope_id == tx.scope_id, gates.c["pass"] == _GATE + name))
    row = {"scope_id": tx.scope_id, "pass": _GATE + name, "fingerprint": fingerprint, "at": tx.now}
    tx.execute(insert(gates), row)


def last_run(tx: Transaction, name: str) -> datetime | None:
    """When a pass was last done."""
    mine = (gates.c.scope_id == tx.scope_id, gates.c["pass"] == _GATE + name)
    found: datetime | None = tx.execute(select(gates.c.at).where(*mine)).scalar_one_or_none()
    return found


def due(tx: AllScopes, *, every: timedelta, quiet: timedelta) -> list[Scope]:
    """The scopes that have changed since they last dreamed, `every` ago or longer, and are quiet now."""
    recent = or_(dreams.c.finished_at > tx.now - every, dreams.c.finished_at >= scopes_table.c.changed_at)
    dreamed = exists().where(dreams.c.scope_id == scopes_table.c.scope_id, recent)
    rows = tx.execute(
        select(*scopes.NAMES)
        .where(scopes_table.c.changed_at <= tx.now - quiet, ~dreamed)
        .execution_options(all_scopes=True)
    )
    return [scopes.named(row) for row in rows]
