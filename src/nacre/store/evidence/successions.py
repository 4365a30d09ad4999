"""Which memories took the place of which: where one went, and what one replaced."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from sqlalchemy import select

from nacre.domain import replacements
from nacre.domain.memories import MERGED_FROM, Memory, Status
from nacre.domain.proposals import ProposalStatus
from nacre.domain.replacements import REPLACED, Doubt, ReplacedMemory, Trace
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories
from nacre.store.tables.schema import memories as table
from nacre.store.tables.schema import proposals

# A chain of replacements is followed as far back as this.
_LONGEST = 50


def follow_memory(tx: Transaction, memory: Memory) -> Memory:
    """The entry with where it went, also where it was split or merged before such pointers were kept."""
    if memory.status is Status.ACTIVE or memory.replaced_by:
        return memory
    into = table.c.metadata[MERGED_FROM].as_string().contains(str(memory.id))
    rows = tx.execute(select(table.c.id).where(table.c.scope_id == tx.scope_id, into)).scalars()
    parts = [each.id for each in memories.expanded_from(tx, [memory])]
    found = sorted({*parts, *rows} - {memory.id})
    return replace(memory, metadata=replacements.with_successors(memory.metadata, found)) if found else memory


def find_replaced(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, list[ReplacedMemory]]:
    """What entries replaced, themselves or through a chain of others, the last ended first.

    Those that replaced nothing are left out. It takes a statement for each link of the longest chain.
    """
    known = memories.by_id(tx, list(ids))
    before = {key: replacements.traces(memory.metadata) for key, memory in known.items()}
    missing = {trace.id for some in before.values() for trace in some} - known.keys()
    for _ in range(_LONGEST):
        if not missing:
            break
        known |= memories.by_id(tx, list(missing))
        before |= {key: replacements.traces(known[key].metadata) for key in missing if key in known}
        missing = {trace.id for key in missing for trace in before.get(key, ())} - known.keys()
    chains = {key: _chain(key, before, known) for key in ids}
    return {key: chain for key, chain in chains.items() if chain}


def _chain(
    key: UUID, before: Mapping[UUID, Sequence[Trace]], memories_by_id: Mapping[UUID, Memory]
) -> list[ReplacedMemory]:
    replaced_memories_by_id: dict[UUID, ReplacedMemory] = {}
    waiting = list(before.get(key, ()))
    while waiting:
        trace = waiting.pop()
        memory = memories_by_id.get(trace.id)
        if (
            trace.id in replaced_memories_by_id
            or memory is None
            or memory.archived_at is None
            or memory.archive_reason != REPLACED
        ):
            continue
        replaced_memories_by_id[trace.id] = ReplacedMemory(
            id=trace.id, content=memory.content, value=trace.value or None, ended_at=memory.archived_at
        )
        waiting += before.get(trace.id, ())
    return sorted(replaced_memories_by_id.values(), key=lambda each: (each.ended_at, each.id), reverse=True)


def find_doubted(tx: Transaction, doubts: Mapping[UUID, Iterable[Doubt]]) -> list[tuple[UUID, UUID]]:
    """Pairs of an entry and an older one that it may replace, as long as somebody has to decide."""
    pairs = [(key, each) for key, some in doubts.items() for each in some]
    if not pairs:
        return []
    mine = (proposals.c.scope_id == tx.scope_id, proposals.c.id.in_([each.proposal for _, each in pairs]))
    waits = proposals.c.status == ProposalStatus.PENDING.value
    waiting = set(tx.execute(select(proposals.c.id).where(*mine, waits)).scalars())
    return [(key, each.id) for key, each in pairs if each.proposal in waiting]
