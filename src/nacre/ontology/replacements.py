"""Memories that newer ones replace: what the operation does, and what is proposed where it is not sure."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from nacre.domain.errors import Conflict, NotFound
from nacre.domain.memories import Memory, Status
from nacre.domain.replacements import REPLACED, ReplaceMemory, Trace, with_traces
from nacre.graph.handlers import Outcome
from nacre.store import memories
from nacre.store.databases import Transaction
from nacre.store.journals import Journal

_SHOWN = 60


def _replace_memory(journal: Journal, operation: ReplaceMemory) -> Outcome:
    older, newer = (_memory(journal.tx, key) for key in (operation.older, operation.newer))
    if older.status is not Status.ACTIVE:
        raise Conflict(f"Memory `{older.id}` is not in force: {older.archive_reason or 'archived'}.")
    if newer.status is not Status.ACTIVE and not newer.replaced_by:
        raise Conflict(f"Memory `{newer.id}` is not in force: {newer.archive_reason or 'archived'}.")
    memories.archive(journal, [older.id], REPLACED, by=[newer.id])
    traced = with_traces(newer.metadata, [Trace(id=older.id, value=operation.value or "")])
    if traced != newer.metadata:
        memories.save(journal, replace(newer, metadata=traced))
    return Outcome(summary=f"{_brief(newer)} takes the place of {_brief(older)}.")


def _memory(tx: Transaction, key: UUID) -> Memory:
    found = memories.by_id(tx, [key]).get(key)
    if found is None:
        raise NotFound("memory", str(key))
    return found


def _brief(memory: Memory) -> str:
    line = " ".join(memory.content.split())
    return f"“{line if len(line) <= _SHOWN else f'{line[: _SHOWN - 1]}…'}”"


HANDLERS: Mapping[type, Callable[[Journal, Any], Outcome]] = {ReplaceMemory: _replace_memory}
