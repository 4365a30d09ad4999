"""Watches: subjects that somebody asked to have watched, and how reading went for everything that is."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, Select, delete, exists, func, insert, or_, select, update

from nacre.domain.claims import ClaimStatus
from nacre.domain.entities import Entity, EntityType
from nacre.domain.links import HAS_PRICE
from nacre.domain.memories import Status
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.graph import entities as stored_entities
from nacre.store.tables.schema import attributes, entities, gates, links, watches
from nacre.store.tables.schema import scopes as scopes_table

PRICE = "price"
_ACTIVE = Status.ACTIVE.value
_GATE = "perceive"
MAX_REASON = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchRow:
    """A row: what was asked for, and how reading went."""

    key: str
    subject: str
    symbol: str | None = None
    source: str | None = None
    threshold: float | None = None
    asked: bool = False
    muted: bool = False
    read_at: datetime | None = None
    failed_at: datetime | None = None
    error: str | None = None


def every(tx: Transaction) -> dict[str, WatchRow]:
    """All rows of the scope, by key."""
    rows = tx.execute(select(watches).where(watches.c.scope_id == tx.scope_id).order_by(watches.c.key))
    return {row.key: _to_kept(row._mapping) for row in rows}  # noqa: SLF001


def count(tx: Transaction) -> int:
    """How many subjects somebody asked for."""
    held = select(func.count()).select_from(watches)
    return int(tx.execute(held.where(watches.c.scope_id == tx.scope_id, watches.c.asked)).scalar_one())


def put(tx: Transaction, key: str, subject: str, values: Mapping[str, Any]) -> None:
    """Have a row for a subject, with these values in it."""
    scopes.ensure(tx)
    fresh = {"scope_id": tx.scope_id, "key": key, "subject": subject, "created_at": tx.now}
    tx.insert_missing(watches, [{**fresh, "asked": False, "muted": False}])
    mine = (watches.c.scope_id == tx.scope_id, watches.c.key == key)
    tx.execute(update(watches).where(*mine).values(subject=subject, **values))


def read(tx: Transaction, key: str, subject: str) -> None:
    """Note that a subject was read just now."""
    put(tx, key, subject, {"read_at": tx.now, "failed_at": None, "error": None})


def failed(tx: Transaction, key: str, subject: str, reason: str) -> None:
    """Note that a subject could not be read just now, and why."""
    put(tx, key, subject, {"failed_at": tx.now, "error": reason[:MAX_REASON]})


def remove(tx: Transaction, keys: Collection[str]) -> None:
    """Forget what was asked of subjects."""
    tx.execute(delete(watches).where(watches.c.scope_id == tx.scope_id, watches.c.key.in_(keys)))


def mark(tx: Transaction) -> None:
    """Note that the scope looked at the world just now."""
    scopes.ensure(tx)
    tx.execute(delete(gates).where(gates.c.scope_id == tx.scope_id, gates.c["pass"] == _GATE))
    tx.execute(insert(gates), [{"scope_id": tx.scope_id, "pass": _GATE, "fingerprint": "", "at": tx.now}])


def due(tx: AllScopes, every: timedelta) -> list[Scope]:
    """The scopes with something to watch that have not looked at the world for so long.

    A look in the future was taken by a clock that has been set right since.
    """
    looked = select(gates.c.scope_id).where(*_lately(tx.now, every))
    asked = exists().where(watches.c.scope_id == scopes_table.c.scope_id, watches.c.asked, ~watches.c.muted)
    rows = tx.execute(
        select(*scopes.NAMES)
        .where(scopes_table.c.team.is_(None), scopes_table.c.scope_id.not_in(looked))
        .where(or_(asked, scopes_table.c.scope_id.in_(priced(entities.c.scope_id))))
        .order_by(scopes_table.c.scope_id)
        .execution_options(all_scopes=True)
    )
    return [scopes.named(row) for row in rows]


def looked(tx: Transaction, every: timedelta) -> bool:
    """Whether the scope looked at the world within so long."""
    mine = select(gates.c.at).where(gates.c.scope_id == tx.scope_id, *_lately(tx.now, every))
    return tx.execute(mine).first() is not None


def priced(column: ColumnElement[UUID], *conditions: ColumnElement[bool]) -> Select[Any]:
    """A column of the entities in force that are assets, or that somebody gave a price."""
    owner = (links.c.scope_id == entities.c.scope_id, links.c.source_entity == entities.c.id)
    linked = exists().where(*owner, links.c.predicate == HAS_PRICE, links.c.status == _ACTIVE)
    said = (attributes.c.scope_id == entities.c.scope_id, attributes.c.entity_id == entities.c.id)
    claimed = exists().where(*said, attributes.c.claim_key == PRICE, attributes.c.status == ClaimStatus.ACTIVE.value)
    worth = or_(entities.c.type == EntityType.ASSET.value, linked, claimed)
    return select(column).where(entities.c.status == _ACTIVE, worth, *conditions)


def subjects(tx: Transaction, limit: int) -> list[Entity]:
    """The entities of the scope's graph that have a price, the last spoken of or changed first."""
    spoken = func.coalesce(entities.c.last_referenced_at, entities.c.updated_at)
    mine = priced(entities.c.id, entities.c.scope_id == tx.scope_id)
    found = list(tx.execute(mine.order_by(spoken.desc(), entities.c.id).limit(limit)).scalars())
    known = stored_entities.by_id(tx, found)
    return [known[key] for key in found]


def _lately(now: datetime, every: timedelta) -> tuple[ColumnElement[bool], ...]:
    return gates.c["pass"] == _GATE, gates.c.at > now - every, gates.c.at <= now


def _to_kept(row: RowMapping) -> WatchRow:
    return WatchRow(**{field.name: row[field.name] for field in fields(WatchRow)})
