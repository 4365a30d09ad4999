"""Comparison of a memory with what was said and kept before it: a model tells in the background what it makes outdated.

Rules do so in the transaction that keeps it; a model would hold that up.
"""

from collections.abc import Callable
from functools import partial

from nacre.domain.ids import MemoryId
from nacre.domain.memories import Status
from nacre.domain.scopes import Scope
from nacre.extraction import speeches, successions
from nacre.extraction.successions import Succession
from nacre.models.local_succession import LocalSuccession
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import memories


def compare(
    database: Database, scope: Scope, memory: MemoryId, model: LocalSuccession | None
) -> Callable[[Transaction], None] | None:
    """Find what a memory makes outdated; what comes back marks it. None where the memory is gone or states nothing."""
    with database.read(scope) as tx:
        held = memories.by_id(tx, [memory]).get(memory)
        speech = speeches.speech_of_memory(held) if held and held.status is Status.ACTIVE else None
        if speech is None:
            return None
        comparisons = successions.load_comparisons(tx, [speech], widely=model is not None)
    return partial(_apply, memory, successions.find_succession(comparisons, model))


def _apply(memory: MemoryId, succession: Succession, tx: Transaction) -> None:
    held = memories.by_id(tx, [memory]).get(memory)
    if held is not None and held.status is Status.ACTIVE:
        successions.apply_succession(tx, succession, {})
