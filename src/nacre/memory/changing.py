"""Every change of a long-term memory, written down in the one log beside the graph's, so that it can be taken back.

The rows of an entry are journaled. Its passages are derived from them and are never rewritten: an undo ends them and
makes them anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from nacre.domain import ids
from nacre.domain.audits import AuditRecord, JournalEntry
from nacre.domain.errors import Conflict, NotFound
from nacre.domain.ids import AuditId
from nacre.domain.memories import Memory, Status
from nacre.domain.plain import Json
from nacre.domain.replacements import with_successors
from nacre.domain.scopes import Scope
from nacre.memory.passage_drafts import draft, prepare
from nacre.models.embedders import Embedder
from nacre.store.base import audits, scopes, sharing
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.evidence import documents, memories, passages
from nacre.store.graph import claims
from nacre.store.tables import schema as tables

# The operations of the log that are about memories.
REMEMBER = "remember"
EXPAND_MEMORY = "expand_memory"
FORGET = "forget"
SET_IMPORTANCE = "set_importance"
SET_PINNED = "set_pinned"
MERGE_MEMORIES = "merge_memories"
REFINE_MEMORY = "refine_memory"
# In the payload of `forget`: the revision at which turns went out of force.
TURNS_ENDED = "turns_ended"
# In the payload of `forget` and `archive_document`: the revision at which documents went out of force.
DOCUMENTS_ENDED = "documents_ended"

# Who did what an agent's program asked for.


class Changes:
    """The changes of one operation on memories, as they are made; `written` puts them into the log.

    `add` and `save` leave passages to the caller, who makes them ready before the transaction. `archive` ends them, and
    `restore` makes them anew.
    """

    def __init__(self, tx: Transaction, actor: str, embedder: Embedder | None = None) -> None:
        self._tx = tx
        self._embedder = embedder
        self.journal = Journal(tx, actor)

    def add(self, memory: Memory) -> None:
        """Store a new entry and the source that it rests on."""
        memories.add(self.journal, memory)

    def save(self, memory: Memory) -> None:
        """Write an entry that is there already as it is now."""
        memories.save(self.journal, memory)

    def add_source(self, memory_id: UUID, source_id: UUID, quote: tuple[int, int]) -> None:
        """Note that an entry rests on a source, too."""
        memories.add_source(self.journal, memory_id, source_id, quote)

    def archive(self, ids: Sequence[UUID], reason: str, by: Sequence[UUID] = ()) -> int:
        """Take entries out of force, in favour of others or for good; they stay readable as of before.

        Returns how many were in force.
        """
        return len(memories.archive(self.journal, ids, reason, by))

    def restore(self, id: UUID) -> Memory:  # noqa: A002 - what it is everywhere else
        """Put an entry back in force, from now on."""
        found = memories.by_id(self._tx, [id]).get(id)
        if found is None:
            raise NotFound("memory", str(id))
        back = with_successors(found.metadata, ())
        restored = replace(found, metadata=back, status=Status.ACTIVE, archived_at=None, archive_reason=None)
        self.save(restored)
        remake(self._tx, [id], self._embedder)
        return restored

    def written(
        self, operation: str, payload: Mapping[str, Json], reason: str | None = None, batch: UUID | None = None
    ) -> AuditRecord:
        """Write the operation and every row it changed into the log, alone or as one of a batch."""
        tx = self._tx
        record = AuditRecord(
            id=AuditId(ids.new(tx.now)),
            seq=audits.place(scopes.advance(tx).revision),
            batch=batch or ids.new(tx.now),
            operation=operation,
            payload=payload,
            actor=self.journal.actor,
            reason=reason,
            at=tx.now,
        )
        audits.add(tx, [(record, self.journal.changes)])
        return record


def put_right(
    tx: Transaction,
    records: Sequence[AuditRecord],
    changes: Sequence[JournalEntry],
    *,
    graph: Scope,
    embedder: Embedder | None,
) -> None:
    """After an undo: make passages say what the rows say again, unless claims rest on an entry that is gone."""
    for record in records:
        revision = record.payload.get(TURNS_ENDED)
        if record.operation == FORGET and isinstance(revision, int):
            passages.resume_turns(tx, revision)
        archived = record.payload.get(DOCUMENTS_ENDED)
        if isinstance(archived, int):
            documents.resume(tx, archived)
    touched = [change for change in changes if change.table == tables.memories.name]
    if not touched:
        return
    gone = [UUID(str(change.before["id"])) for change in touched if change.before and change.after is None]
    _check_nothing_rests_on(sharing.moved(tx, graph), gone)
    memories.withdraw(tx, gone, actor=records[0].actor)
    images = [change.after or change.before or {} for change in touched]
    remake(tx, list(dict.fromkeys(UUID(str(image["id"])) for image in images)), embedder)


def _check_nothing_rests_on(tx: Transaction, gone: Sequence[UUID]) -> None:
    resting = claims.load(tx, tables.attributes.c.memory_id.in_(gone), claims.in_force(tx)) if gone else []
    if resting:
        made = [record for claim in resting for record in audits.touching(tx, tables.attributes.name, claim.id)]
        named = ", ".join(dict.fromkeys(f"{each.operation} `{each.id}` by {each.actor}" for each in made[:5]))
        raise Conflict(f"Claims rest on the memory; take these back first: {named}.")


def remake(tx: Transaction, ids: Sequence[UUID], embedder: Embedder | None) -> None:
    """End the passages of entries, and make those of the entries in force anew, as their rows say from now on."""
    passages.end(tx, ids)
    active = [each for each in memories.by_id(tx, ids).values() if each.status is Status.ACTIVE]
    if active:
        drafts = [replace(draft(each), at=tx.now) for each in active]
        passages.add(tx, prepare(embedder, drafts))
