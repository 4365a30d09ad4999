"""Dream records: how each night's work ended, how far its passes have read, what they saw, and which are paused."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, exists, insert, or_, select

from nacre.domain.dreams import DreamRecord
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.tables.schema import dreams, gates, settings
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


_TOGETHER = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """How something was when it was last looked at, and when that was."""

    mark: str
    at: datetime


def review_marks(tx: Transaction, about: str) -> dict[str, Review]:
    """Every review of one kind, such as `consolidation/entry`, by what was looked at."""
    kind = gates.c["pass"].startswith(f"{about}/", autoescape=True)
    rows = tx.execute(select(gates).where(gates.c.scope_id == tx.scope_id, kind))
    named = {row._mapping["pass"].removeprefix(f"{about}/"): row for row in rows}  # noqa: SLF001
    return {key: Review(mark=row.fingerprint, at=row.at) for key, row in named.items()}


def note_reviews(tx: Transaction, about: str, marks: Mapping[str, str]) -> None:
    """Note how things were, just now."""
    if marks:
        scopes.ensure(tx)
        drop_reviews(tx, about, marks.keys())
        tx.execute(
            insert(gates),
            [
                {"scope_id": tx.scope_id, "pass": f"{about}/{key}", "fingerprint": mark, "at": tx.now}
                for key, mark in marks.items()
            ],
        )


def drop_reviews(tx: Transaction, about: str, keys: Collection[str]) -> None:
    """Forget that things were looked at."""
    named = [f"{about}/{key}" for key in keys]
    for start in range(0, len(named), _TOGETHER):
        some = gates.c["pass"].in_(named[start : start + _TOGETHER])
        tx.execute(delete(gates).where(gates.c.scope_id == tx.scope_id, some))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBreaker:
    """Why a pass was stopped, and since when."""

    why: str
    at: datetime


def breaker_of(tx: Transaction, name: str) -> OpenBreaker | None:
    """What stopped a pass; None while it may work."""
    mine = select(settings.c.value).where(settings.c.scope_id == tx.scope_id, settings.c.name == _key(name))
    value = tx.execute(mine).scalar_one_or_none()
    return None if value is None else OpenBreaker(why=value["why"], at=datetime.fromisoformat(value["at"]))


def trip_breaker(tx: Transaction, name: str, why: str) -> None:
    """Stop a pass. The first reason stands."""
    scopes.ensure(tx)
    value = {"why": why, "at": tx.now.isoformat()}
    tx.insert_missing(settings, [{"scope_id": tx.scope_id, "name": _key(name), "value": value}])


def reset_breaker(tx: Transaction, name: str) -> bool:
    """Let a pass work again; whether it was stopped."""
    mine = delete(settings).where(settings.c.scope_id == tx.scope_id, settings.c.name == _key(name))
    return tx.execute(mine).rowcount > 0


def _key(name: str) -> str:
    return f"breaker/{name}"
