"""Memories that newer ones replace: the handler, and what is proposed where it is not sure."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from nacre.domain.errors import Conflict, NotFound
from nacre.domain.memories import Memory, Status
from nacre.domain.operation_results import Effect
from nacre.domain.replacements import REPLACED, ReplaceMemory, Trace, with_traces
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.evidence import memories

_SHOWN = 60


def _replace_memory(journal: Journal, operation: ReplaceMemory) -> Effect:
    older, newer = (_memory(journal.tx, key) for key in (operation.older, operation.newer))
    if older.status is not Status.ACTIVE:
        raise Conflict(f"Memory `{older.id}` is not in force: {older.archive_reason or 'archived'}.")
    if newer.status is not Status.ACTIVE and not newer.replaced_by:
        raise Conflict(f"Memory `{newer.id}` is not in force: {newer.archive_reason or 'archived'}.")
    memories.archive(journal, [older.id], REPLACED, by=[newer.id])
    traced = with_traces(newer.metadata, [Trace(id=older.id, value=operation.value or "")])
    if traced != newer.metadata:
        memories.save(journal, replace(newer, metadata=traced))
    return Effect(summary=f"{_brief(newer)} takes the place of {_brief(older)}.")


def _memory(tx: Transaction, key: UUID) -> Memory:
    found = memories.by_id(tx, [key]).get(key)
    if found is None:
        raise NotFound("memory", str(key))
    return found


def _brief(memory: Memory) -> str:
    line = " ".join(memory.content.split())
    return f"“{line if len(line) <= _SHOWN else f'{line[: _SHOWN - 1]}…'}”"


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {ReplaceMemory: _replace_memory}
