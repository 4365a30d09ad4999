"""Rows of a graph, written straight into the tables: for tests of what only reads."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from nacre.domain import ids
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import aliases, entities, links
from nacre.text import names


def add_entity(tx: Transaction, name: str, *, kind: str = "person", also: Iterable[str] = (), **columns: Any) -> UUID:
    """An entity in force with its names; returns its id."""
    scopes.ensure(tx)
    key = ids.new(tx.now)
    row: dict[str, Any] = {
        "scope_id": tx.scope_id,
        "id": key,
        "name": name,
        "slug": names.slug(name),
        "type": kind,
        "description": None,
        "properties": {},
        "confidence": 1.0,
        "mentions": 0,
        "status": "active",
        "created_at": tx.now,
        "updated_at": tx.now,
    }
    tx.execute(insert(entities).values({**row, **columns}))
    for each in {names.match_key(each): each for each in (*also, name)}.items():
        tx.execute(insert(aliases).values(scope_id=tx.scope_id, key=each[0], entity_id=key, name=each[1]))
    return key


def add_link(
    tx: Transaction, source: UUID, predicate: str, target: UUID | None = None, value: str | None = None, **columns: Any
) -> UUID:
    """A link in force; returns its id."""
    key = ids.new(tx.now)
    row: dict[str, Any] = {
        "scope_id": tx.scope_id,
        "id": key,
        "source_entity": source,
        "predicate": predicate,
        "target_entity": target,
        "value": value,
        "confidence": 1.0,
        "strength": 1.0,
        "properties": {},
        "status": "active",
        "created_at": tx.now,
        "updated_at": tx.now,
    }
    tx.execute(insert(links).values({**row, **columns}))
    return key


def graph(
    tx: Transaction, people: Iterable[str], edges: Iterable[tuple[str, str, str]], **columns: Any
) -> Mapping[str, UUID]:
    """Entities by name, and links between them."""
    found = {name: add_entity(tx, name) for name in people}
    for source, predicate, target in edges:
        add_link(tx, found[source], predicate, found[target], **columns)
    return found


def at(moment: datetime) -> dict[str, datetime]:
    """Columns of a row that was written at a moment."""
    return {"created_at": moment, "updated_at": moment}
