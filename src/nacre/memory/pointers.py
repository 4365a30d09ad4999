"""Pointers between memories, mended before some of them are removed for good."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from nacre.domain.memories import Memory, Status
from nacre.domain.replacements import (
    REPLACED,
    ReplaceMemory,
    successors,
    traces,
    with_successors,
    with_traces,
    without_traces,
)
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.evidence import evidence_references, memories
from nacre.store.graph import proposals


def mend_pointers(tx: Transaction, gone: Collection[UUID]) -> list[UUID]:
    """Let nothing point at entries that are about to go; those whose passages must be made anew.

    What one of them replaced is replaced by what replaced that one, or holds again. Nothing of it is written down: the
    log keeps no line about what is purged.
    """
    leaving = _load(tx, gone)
    around = _around(tx, leaving)
    mended = {key: _without(memory, leaving) for key, memory in around.items()}
    for trace in [trace for memory in leaving.values() for trace in traces(memory.metadata) if trace.id in mended]:
        for taker in (key for key in successors(mended[trace.id].metadata) if key in mended):
            mended[taker] = replace(mended[taker], metadata=with_traces(mended[taker].metadata, [trace]))
    changed = {key: memory for key, memory in mended.items() if memory != around[key]}
    journal = Journal(tx, "")
    for memory in changed.values():
        memories.save(journal, memory)
    return [key for key, memory in changed.items() if _is_found_otherwise(memory, around[key])]


def _around(tx: Transaction, leaving: Mapping[UUID, Memory]) -> dict[UUID, Memory]:
    """The entries that stay and have to do with those that go: what these replaced, and where they went."""
    found = dict(leaving)
    replaced = {trace.id for memory in leaving.values() for trace in traces(memory.metadata)}
    missing = (replaced | _doubting(tx, leaving)).union(*(successors(each.metadata) for each in leaving.values()))
    while missing := missing - found.keys():
        more = _load(tx, missing)
        found |= more
        # What a trace was copied to on the way.
        missing = set().union(*(successors(each.metadata) for each in more.values())) if more else set()
    return {key: memory for key, memory in found.items() if key not in leaving}


def _doubting(tx: Transaction, leaving: Collection[UUID]) -> set[UUID]:
    """The entries that may replace, or were to replace, one of those that go."""
    asked = [
        proposals.naming(tx, ReplaceMemory.operation, ("older",), some, decided=True)
        for some in evidence_references.portions(leaving)
    ]
    return {UUID(str(each.payload["newer"])) for some in asked for each in some}


def _load(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, Memory]:
    memories_by_id: dict[UUID, Memory] = {}
    for some in evidence_references.portions(ids):
        memories_by_id |= memories.by_id(tx, some)
    return memories_by_id


def _without(memory: Memory, leaving: Mapping[UUID, Memory]) -> Memory:
    bare = replace(memory, metadata=without_traces(memory.metadata, leaving))
    takers = successors(memory.metadata)
    if leaving.keys().isdisjoint(takers):
        return bare
    kept = _followed(takers, leaving)
    bare = replace(bare, metadata=with_successors(bare.metadata, kept))
    if kept or memory.archive_reason != REPLACED:
        return bare
    return replace(bare, status=Status.ACTIVE, archived_at=None, archive_reason=None)


def _followed(takers: Sequence[UUID], leaving: Mapping[UUID, Memory]) -> list[UUID]:
    """Where an entry went, as far as that stays."""
    memory_ids: list[UUID] = []
    waiting, seen = list(takers), set[UUID]()
    while waiting:
        key = waiting.pop(0)
        if key not in leaving:
            memory_ids.append(key)
        elif key not in seen:
            seen.add(key)
            waiting += successors(leaving[key].metadata)
    return memory_ids


def _is_found_otherwise(now: Memory, before: Memory) -> bool:
    return (now.status, now.searchable) != (before.status, before.searchable)
