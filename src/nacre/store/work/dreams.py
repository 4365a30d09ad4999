"""Dream records: how each night's work ended, and how far its passes have read."""

from datetime import datetime, timedelta

from sqlalchemy import delete, exists, insert, or_, select

from nacre.domain.dreams import DreamRecord
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.tables.schema import dreams, gates
from nacre.store.tables.schema import scopes as scopes_table

# Others keep gates of their own beside those of the passes.
_GATE = "dream/"


def add(tx: Transaction, dream_record: DreamRecord) -> None:
    """Write down a cycle."""
    scopes.ensure(tx)
    tx.execute(
        insert(dreams),
        {
            "scope_id": tx.scope_id,
            "id": dream_record.id,
            "trigger": dream_record.trigger,
            "status": dream_record.status,
            "report": dict(dream_record.report),
            "started_at": dream_record.started_at,
            "finished_at": dream_record.finished_at,
        },
    )


def newest(tx: Transaction, limit: int, offset: int = 0) -> list[DreamRecord]:
    """The last cycles, the last one first."""
    mine = select(dreams).where(dreams.c.scope_id == tx.scope_id)
    rows = tx.execute(mine.order_by(dreams.c.started_at.desc(), dreams.c.id.desc()).limit(limit).offset(offset))
    return [
        DreamRecord(
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
    text: str | None = tx.execute(select(gates.c.fingerprint).where(*mine)).scalar_one_or_none()
    return text


def note_fingerprint(tx: Transaction, name: str, fingerprint: str) -> None:
    """Note what a pass has read, so that it is skipped until that changes."""
    scopes.ensure(tx)
    tx.execute(delete(gates).where(gates.c.scope_id == tx.scope_id, gates.c["pass"] == _GATE + name))
    row = {"scope_id": tx.scope_id, "pass": _GATE + name, "fingerprint": fingerprint, "at": tx.now}
    tx.execute(insert(gates), row)


def last_run(tx: Transaction, name: str) -> datetime | None:
    """When a pass was last done."""
    mine = (gates.c.scope_id == tx.scope_id, gates.c["pass"] == _GATE + name)
    moment: datetime | None = tx.execute(select(gates.c.at).where(*mine)).scalar_one_or_none()
    return moment


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
