"""Entries of the long-term memory: found as callers name them, looked back on, and set."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from nacre.domain import ids
from nacre.domain.errors import Invalid, NotFound
from nacre.domain.hits import Evidence
from nacre.domain.memories import PINNED, YES, Memory, MemoryChange, MemoryFilter
from nacre.domain.plain import Json
from nacre.memory.changing import SET_IMPORTANCE, SET_PINNED, Changes
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories, successions
from nacre.store.graph import row_history
from nacre.store.reads import hit_rows

SHORT = 12


def find(tx: Transaction, memory: UUID | str) -> Memory:
    """The entry that a caller named: by its id, or by the characters that contexts show."""
    if isinstance(memory, str) and len(memory) == SHORT:
        found = memories.by_short(tx, memory.lower())
        if len(found) > 1:
            raise Invalid("memory", f"`{memory}` names {len(found)} entries; use the whole id")
    else:
        found = list(memories.by_id(tx, [ids.parse("memory", memory)]).values())
    if not found:
        raise NotFound("memory", str(memory))
    return found[0]


def _key(tx: Transaction, memory: UUID | str) -> UUID:
    """The id of an entry that may be gone by now."""
    short = isinstance(memory, str) and len(memory) == SHORT
    return find(tx, memory).id if short else ids.parse("memory", memory)


def newest(tx: Transaction, wanted: MemoryFilter, limit: int, offset: int) -> list[Memory]:
    """Entries in force, the last seen first."""
    return memories.newest(tx, wanted, limit, offset)


def get(tx: Transaction, memory: UUID | str, as_of: datetime | None) -> Memory:
    """One entry, in force or not, with where it went; or as it was at a moment."""
    if as_of is None:
        return successions.follow_memory(tx, find(tx, memory))
    key = _key(tx, memory)
    then = row_history.memories_at(tx, [key], as_of).get(key)
    if then is None:
        raise NotFound("memory at that time", str(memory))
    return then


def history(tx: Transaction, memory: UUID | str) -> list[MemoryChange]:
    """Everything that happened to an entry, the last change first."""
    steps = row_history.memory_steps(tx, _key(tx, memory))
    if not steps:
        raise NotFound("memory", str(memory))
    return [MemoryChange(record=record, memory=left) for record, left in steps]


def evidence(tx: Transaction, memory: UUID | str) -> list[Evidence]:
    """Every source an entry rests on, with the exact words, first said first."""
    return hit_rows.evidence_of(tx, find(tx, memory).id)


def categories(tx: Transaction) -> dict[str, int]:
    """How many entries in force each category holds."""
    return memories.categories(tx)


def set_importance(tx: Transaction, memory: UUID | str, importance: float, actor: str) -> Memory:
    """Say how much an entry matters."""
    scopes.lock(tx)
    changed = replace(find(tx, memory), importance=importance)
    _save(tx, changed, SET_IMPORTANCE, {"importance": importance}, actor)
    return changed


def set_pinned(tx: Transaction, memory: UUID | str, actor: str, *, pinned: bool) -> Memory:
    """Keep an entry from fading and from being pruned, or let it age as any other."""
    scopes.lock(tx)
    known = find(tx, memory)
    kept = {name: value for name, value in known.metadata.items() if name != PINNED}
    changed = replace(known, metadata={**kept, PINNED: YES} if pinned else kept)
    if changed != known:
        _save(tx, changed, SET_PINNED, {"pinned": pinned}, actor)
    return changed


def _save(tx: Transaction, memory: Memory, operation: str, payload: Mapping[str, Json], actor: str) -> None:
    changes = Changes(tx, actor)
    changes.save(memory)
    changes.written(operation, {"memory_id": str(memory.id), **payload})
