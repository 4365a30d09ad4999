"""Rows as they were at a moment: the log keeps each before and after, and the way back leads through what came since.

A row that nobody changed since is as it is now, so no history of its own is kept for any row.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from sqlalchemy import and_, or_, select

from nacre.domain.audits import AuditRecord, Image, JournalEntry
from nacre.domain.entities import Entity
from nacre.domain.memories import Memory, Status
from nacre.store.base import audits, journals
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories as stored_memories
from nacre.store.graph import entities as stored_entities
from nacre.store.tables.schema import aliases, entities, memories, memory_tags, passages
from nacre.text import names

TOGETHER = 500


def memories_at(tx: Transaction, ids: Collection[UUID], moment: datetime) -> dict[UUID, Memory]:
    """Entries as they were at a moment, in force or not; those that were not there yet are left out."""
    memories_by_id: dict[UUID, Memory] = {}
    every = sorted(set(ids))
    for start in range(0, len(every), TOGETHER):
        some = every[start : start + TOGETHER]
        states = _entries(tx, some)
        for _, changes in audits.since(tx, [f"{memories.name}/{key}" for key in some], moment):
            for change in reversed(changes):
                _roll_back(states, change)
        then = {key: states[key].memory() for key in some if key in states}
        memories_by_id |= {key: memory for key, memory in then.items() if memory}
    return memories_by_id


def memory_steps(tx: Transaction, key: UUID) -> list[tuple[AuditRecord, Memory | None]]:
    """What each operation left of an entry, the last first."""
    states = _entries(tx, [key])
    steps = []
    for record, changes in audits.since(tx, [f"{memories.name}/{key}"], None):
        steps.append((record, states[key].memory() if key in states else None))
        for change in reversed(changes):
            _roll_back(states, change)
    return steps


def believed(tx: Transaction, moment: datetime) -> dict[int, UUID]:
    """The entries that were in force at a moment, by their passage then."""
    then = and_(
        passages.c.kind == "memory",
        passages.c.at <= moment,
        or_(passages.c.ended_at.is_(None), passages.c.ended_at > moment),
    )
    rows = tx.execute(select(passages.c.seq, passages.c.item_id).where(passages.c.scope_id == tx.scope_id, then))
    return {row.seq: row.item_id for row in rows}


class _Entry:
    """An entry on its way back in time."""

    def __init__(self, image: Image | None = None, memory: Memory | None = None) -> None:
        self.image = image
        self.tags = {tag: place for place, tag in enumerate(memory.tags)} if memory else {}
        self.known = memory

    def memory(self) -> Memory | None:
        if self.known or self.image is None:
            return self.known
        row = SimpleNamespace(**{**stored_memories.BEFORE, **journals.decoded(memories, self.image)})
        return stored_memories.to_memory(row, tuple(sorted(self.tags, key=lambda tag: self.tags[tag])))


def _entries(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, _Entry]:
    known = stored_memories.by_id(tx, ids)
    return {key: _Entry(image, known[key]) for key, image in journals.rows_of(tx, memories, ids).items()}


def _roll_back(states: dict[UUID, _Entry], change: JournalEntry) -> None:
    image = change.after or change.before or {}
    if change.table == memories.name:
        entry = states.setdefault(UUID(str(image["id"])), _Entry())
        entry.known, entry.image = None, journals.earlier(entry.image, change)
    elif change.table == memory_tags.name:
        entry = states.setdefault(UUID(str(image["memory_id"])), _Entry())
        entry.tags.pop(str(image["tag"]), None)
        if change.before:
            entry.tags[str(change.before["tag"])] = int(str(change.before["position"]))


def entities_at(tx: Transaction, known_entities: Iterable[Entity], moment: datetime) -> dict[UUID, Entity]:
    """Entities in force at a moment, as they were then; the names they go by are those of today."""
    entities_by_id: dict[UUID, Entity] = {entity.id: entity for entity in known_entities}
    gone: set[UUID] = set()
    for key, row in images(tx, sorted(entities_by_id), moment).items():
        if row is None:
            gone.add(key)
        else:
            entities_by_id[key] = stored_entities.to_entity(
                row, (entities_by_id[key].name, *entities_by_id[key].aliases)
            )
    return {
        key: entity
        for key, entity in entities_by_id.items()
        if key not in gone and entity.created_at <= moment and entity.status is Status.ACTIVE
    }


def images(tx: Transaction, ids: Sequence[UUID], moment: datetime) -> dict[UUID, Any]:
    """The rows of those entities that were changed since a moment, as they were then; None for those not there yet."""
    wanted, found = set(map(str, ids)), dict[UUID, Image | None]()
    for start in range(0, len(ids), TOGETHER):
        some = ids[start : start + TOGETHER]
        done = audits.since(tx, [f"{entities.name}/{key}" for key in some], moment)
        now = journals.rows_of(tx, entities, some) if done else {}
        for change in (change for _, changes in done for change in reversed(changes)):
            key = str((change.after or change.before or {}).get("id"))
            if change.table == entities.name and key in wanted:
                found[UUID(key)] = journals.earlier(found.get(UUID(key), now.get(UUID(key))), change)
    return {key: image and SimpleNamespace(**journals.decoded(entities, image)) for key, image in found.items()}


def named(tx: Transaction, name: str) -> list[Entity]:
    """The entities that go by a name, in force or not, most mentioned first."""
    keyed = select(aliases.c.entity_id).where(aliases.c.scope_id == tx.scope_id, aliases.c.key == names.match_key(name))
    found = stored_entities.load(tx, entities.c.id.in_(keyed))
    return sorted(found, key=lambda entity: (-entity.mentions, entity.created_at))
