"""Long-term memories: a text that an agent is told to keep becomes an entry, or adds to the one that says it
already.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from nacre.domain import ids
from nacre.domain.errors import Busy
from nacre.domain.hits import Kind
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.memories import (
    HINTS,
    MAX_IMPORTANCE,
    Memory,
    Note,
    Outcome,
    RememberReport,
    StructureReport,
    with_hints,
)
from nacre.domain.scopes import Scope
from nacre.memory import duplicates, replacements, takeovers
from nacre.memory.changing import REMEMBER, Changes
from nacre.memory.duplicates import Neighbourhood
from nacre.memory.passage_drafts import draft, prepare
from nacre.memory.replacements import Replacement
from nacre.models.embedders import Embedder
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import memories, passages, sources
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.text import injections

# Memories that may say what a text says, nearest first; handed in, because finding them is recall's work.
Neighbours = Callable[[Scope, Note], Neighbourhood]
# What follows a new entry, in its transaction.
Then = Callable[[Transaction, Memory], None]
# What is learned from a text that was kept, in its transaction; returns the batch of the log that it became.
Heard = Callable[[Transaction, SourceRow, Memory], UUID | None]
# A text is read before its transaction.
Hear = Callable[[str, datetime], Heard]
# What a caller knows of the entry beside its words, written in the entry's transaction or not at all.
Structuring = Callable[[Transaction, Memory, SourceRow], StructureReport]

REINFORCEMENT = 0.05
TRIES = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """An entry as it is to be, as it was where there was one, the source that says so, and what a new one replaces.

    It was made at a revision of the scope.
    """

    memory: Memory
    before: Memory | None
    outcome: Outcome
    source: SourceRow
    replaced: tuple[Replacement, ...] = ()
    revision: int = 0

    @property
    def new_words(self) -> bool:
        """Whether search would see another text than before."""
        return self.before is None or self.before.searchable != self.memory.searchable


class Rememberer:
    """The one way in which a text becomes a long-term memory."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder | None,
        neighbours: Neighbours,
        then: Then,
        *,
        hear: Hear = lambda _text, _at: lambda _tx, _source, _memory: None,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._neighbours = neighbours
        self._then = then
        self._hear = hear

    def remember(
        self, scope: Scope, note: Note, structuring: Structuring | None = None, payload: str | None = None
    ) -> RememberReport:
        """Keep a text: as a new entry, or by reinforcing or extending the one that says the same.

        `payload` is the structured part as it was handed over; it is kept as evidence, too. Instructions in the text
        are quoted in the entry; the evidence keeps the words as they are, and flags them.
        """
        said = note.text
        if found := injections.flags(said):
            note = replace(note, text=injections.neutral(said))
        heard = self._hear(said, self._database.clock())
        for _ in range(TRIES):
            plan = self._plan(scope, note, said, found)
            prepared = prepare(self._embedder, [draft(plan.memory)])
            with self._database.write(scope) as tx:
                revision = scopes.lock(tx)
                # What the agent shares is asked for at every step.
                tx.read_ahead([sharing.settings_call(tx)])
                settled = _settled(tx, plan, note, revision)
                if settled is None:
                    continue
                if settled.memory.searchable != plan.memory.searchable:
                    prepared = prepare(self._embedder, [draft(settled.memory)])
                changes = self._carry_out(tx, settled, prepared, note.actor)
                structured, batch = self._learn(tx, settled, structuring, heard)
                if payload is not None:
                    _keep_payload(tx, changes, settled, payload)
                return _written(tx, changes, settled, structured, batch)
        raise Busy("Other writers keep changing the memory that says the same. Try again.")

    def _plan(self, scope: Scope, note: Note, text: str, flags: tuple[str, ...]) -> Plan:
        now = self._database.clock()
        source = SourceRow(id=SourceId(ids.new(now)), kind=SourceKind.NOTE, text=text, at=now, flags=flags)
        around = self._neighbours(scope, note)
        replaced = replacements.find_replacements(note.text, note.category, now, [near.memory for near in around])
        for near in around:
            outcome = duplicates.outcome(note, near)
            # What says otherwise is no addition.
            joins = outcome is Outcome.REINFORCED or all(each.memory.id != near.memory.id for each in replaced)
            if outcome is not Outcome.CREATED and joins:
                return Plan(_repeated(near.memory, note, outcome, source), near.memory, outcome, source)
        fresh = Memory(
            id=MemoryId(ids.new(now)),
            content=note.text,
            category=note.category,
            source=SourceId(source.id),
            quote=(0, len(text)),
            created_at=now,
            updated_at=now,
            last_seen_at=now,
            tags=note.tags,
            metadata=note.metadata,
            importance=note.importance,
        )
        whole = takeovers.add_traces(fresh, replaced)
        return Plan(whole, None, Outcome.CREATED, source, tuple(replaced), around.revision)

    def _carry_out(self, tx: Transaction, plan: Plan, prepared: passages.PreparedPassages, actor: str) -> Changes:
        changes = Changes(tx, actor)
        sources.add(tx, [plan.source])
        if plan.before is None:
            changes.add(plan.memory)
        else:
            changes.save(plan.memory)
            changes.add_source(plan.memory.id, plan.source.id, (0, len(plan.source.text)))
            if plan.new_words:
                passages.end(tx, [plan.memory.id])
        if plan.new_words:
            passages.add(tx, prepared)
        return changes

    def _learn(
        self, tx: Transaction, plan: Plan, structuring: Structuring | None, heard: Heard
    ) -> tuple[StructureReport | None, UUID | None]:
        """Bring what an entry says into the graph; what its structured part came to, and the batch of the log."""
        structured = structuring(tx, plan.memory, plan.source) if structuring else None
        # What came structured is not taken apart: claims name the entry that they rest on.
        if structured:
            return structured, structured.applied.batch
        batch = heard(tx, plan.source, plan.memory)
        if plan.before is None:
            self._then(tx, plan.memory)
        return None, batch


def _written(
    tx: Transaction, changes: Changes, plan: Plan, structured: StructureReport | None, batch: UUID | None
) -> RememberReport:
    """Put the entry into the log, in one batch with what was learned from it and with what it takes the place of.

    They are taken back together.
    """
    replaced = takeovers.add_ended_by_facts(tx, plan.memory, plan.replaced, batch) if plan.before is None else []
    memory, proposed = takeovers.propose_doubtful(tx, changes, plan.memory, replaced)
    told = {"memory_id": str(memory.id), "outcome": plan.outcome.value}
    record = changes.written(REMEMBER, told, batch=batch)
    return RememberReport(
        memory=takeovers.end_replaced(tx, memory, replaced, record.batch),
        outcome=plan.outcome,
        structured=structured,
        flags=plan.source.flags,
        replaced=tuple(each.memory.id for each in replaced if each.verdict.sure),
        proposals=proposed,
    )


def _keep_payload(tx: Transaction, changes: Changes, plan: Plan, payload: str) -> None:
    source = SourceRow(id=ids.new(tx.now), kind=SourceKind.STRUCTURED, text=payload, at=plan.source.at)
    sources.add(tx, [source])
    changes.add_source(plan.memory.id, source.id, (0, len(payload)))


def _settled(tx: Transaction, plan: Plan, note: Note, revision: int) -> Plan | None:
    """The plan on the entry as it is now, at a revision; None where another writer left too little of it to go by."""
    if plan.before is None:
        twins = passages.in_force(tx, passages.digest(plan.memory.searchable), Kind.MEMORY)
        if not twins or duplicates.stands_apart(note.category):
            replaced = takeovers.recheck_replacements(tx, plan.memory, plan.replaced, plan.revision, revision)
            bare = replace(plan.memory, metadata=note.metadata)
            return replace(plan, memory=takeovers.add_traces(bare, replaced), replaced=tuple(replaced))
        twin = memories.by_id(tx, twins)[twins[0]]
        return Plan(_repeated(twin, note, Outcome.REINFORCED, plan.source), twin, Outcome.REINFORCED, plan.source)
    current = memories.by_id(tx, [plan.before.id]).get(plan.before.id)
    if current is None or (current.status, current.content) != (plan.before.status, plan.before.content):
        return None
    return replace(plan, memory=_repeated(current, note, plan.outcome, plan.source), before=current)


def _repeated(memory: Memory, note: Note, outcome: Outcome, source: SourceRow) -> Memory:
    """The entry after a text said it again, or said more."""
    seen = replace(
        memory,
        last_seen_at=source.at,
        reinforced=memory.reinforced + 1,
        importance=max(memory.importance, min(MAX_IMPORTANCE, max(memory.importance, note.importance) + REINFORCEMENT)),
        tags=tuple(dict.fromkeys([*memory.tags, *note.tags])),
        metadata=with_hints({**note.metadata, **memory.metadata}, note.metadata.get(HINTS, "").splitlines()),
    )
    if outcome is Outcome.REINFORCED:
        return seen
    content = duplicates.extended(memory.content, note.text)
    if content != note.text:
        return replace(seen, content=content, updated_at=source.at)
    # The new text says it all, so the entry rests on it from now on.
    whole = (0, len(source.text))
    return replace(seen, content=content, updated_at=source.at, source=SourceId(source.id), quote=whole)
