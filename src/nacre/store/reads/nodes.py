"""Entities with the links at them, out of the cache where it holds them as the database does.

What is kept names the version of its scope. Every write of the graph moves that on in its own transaction, and a
reader uses what is kept only where its own transaction sees the same version. So nothing has to be delivered to
anyone for an old value to go out of use, and a value that is kept too late is never used at all.
"""

from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cache
from uuid import UUID
from zlib import crc32

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import bindparam, or_, select

from nacre.domain.entities import Entity, Node
from nacre.domain.ids import ScopeId
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.store.base.cache import Cache
from nacre.store.base.databases import Transaction
from nacre.store.base.migrating import HEAD
from nacre.store.graph import entities, links
from nacre.store.tables.schema import entities as entities_table
from nacre.store.tables.schema import links as links_table
from nacre.store.tables.schema import scopes

# An entity with more links is read from the database: half a megabyte is no quicker to read from elsewhere.
MAX_LINKS = 1_000

# What another release keeps is not read: it may know other fields.
_SHAPE = f"{HEAD}-{crc32(repr([each.name for kind in (Entity, Link) for each in fields(kind)]).encode()):08x}"
# When an entity was last spoken of or summed up is noted without a new version, so it comes from its row.
_NOW = (
    select(
        scopes.c.revision,
        scopes.c.changed_at,
        entities_table.c.last_referenced_at,
        entities_table.c.last_synthesized_at,
    )
    .join_from(scopes, entities_table, scopes.c.scope_id == entities_table.c.scope_id)
    .where(
        scopes.c.scope_id == bindparam("the_scope_id"),
        entities_table.c.scope_id == bindparam("the_scope_id"),
        entities_table.c.id == bindparam("the_id"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CachedNode:
    """What is kept of a node: all its links that were not archived, since which of them hold is a matter of time."""

    version: str
    entity: Entity
    links: tuple[Link, ...]


def read(tx: Transaction, key: UUID, shelf: Cache, limit: int | None = None) -> Node | None:
    """The entity stored under an id, in force or not, and the links in force at it: all, or so many."""
    now = tx.execute(_NOW, {"the_scope_id": tx.scope_id, "the_id": key}).one_or_none()
    if now is None:
        return None
    version = _version(tx.scope_id, now.revision, now.changed_at)
    held = _decoded(shelf.get(_key(key)), version)
    if held is None:
        held = _loaded(tx, key, version)
        if len(held.links) <= MAX_LINKS:
            shelf.put(_key(key), _adapter().dump_json(held, warnings=False), group(tx.scope_id))
    noted = {"last_referenced_at": now.last_referenced_at, "last_synthesized_at": now.last_synthesized_at}
    return Node(entity=replace(held.entity, **noted), links=_in_force(tx, held, limit))


def group(scope: ScopeId) -> str:
    """What the kept nodes of a scope are noted under."""
    return f"kg:scope:{scope}"


def _key(entity: UUID) -> str:
    return f"kg:node:{entity}"


def _version(scope: ScopeId, revision: int, changed_at: datetime | None) -> str:
    # The moment tells apart databases that were copied, or set back to a backup, and then counted on alike.
    return f"{_SHAPE}/{scope}/{revision}/{changed_at.isoformat() if changed_at else ''}"


def _loaded(tx: Transaction, key: UUID, version: str) -> _CachedNode:
    at_it = or_(links_table.c.source_entity == key, links_table.c.target_entity == key)
    active = links_table.c.status == Status.ACTIVE.value
    found = links.load(tx, at_it, active, limit=MAX_LINKS + 1)
    return _CachedNode(version=version, entity=entities.by_id(tx, [key])[key], links=tuple(found))


def _in_force(tx: Transaction, cached_node: _CachedNode, limit: int | None) -> tuple[Link, ...]:
    shown = [link for link in cached_node.links if link.holds_at(tx.now)][:limit]
    if len(cached_node.links) > MAX_LINKS and (limit is None or len(shown) < limit):
        return tuple(links.at_entities(tx, [cached_node.entity.id], limit=limit))
    return tuple(shown)


@cache
def _adapter() -> TypeAdapter[_CachedNode]:
    return TypeAdapter(_CachedNode)


def _decoded(kept: bytes | None, version: str) -> _CachedNode | None:
    """What is kept, if it is of this version; nothing else is even read."""
    if kept is None or not kept.startswith(f'{{"version":"{version}"'.encode()):
        return None
    try:
        return _adapter().validate_json(kept)
    except ValidationError:
        return None
