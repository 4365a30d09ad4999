"""Learned notes become memories, or speak for the memory that says the same already."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nacre.domain import ids
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.memories import MAX_IMPORTANCE, Memory, Note
from nacre.memory.changing import Changes
from nacre.memory.passage_drafts import draft, prepare
from nacre.memory.remembering import REINFORCEMENT
from nacre.models.embedders import Embedder
from nacre.store.base.databases import Transaction
from nacre.store.evidence import passages
from nacre.upkeep import ratings
from nacre.upkeep.steps import ACTOR

Same = Callable[[Note, Memory], bool]


@dataclass(frozen=True, slots=True)
class NoteQuote:
    """The words of a source that something rests on."""

    source: SourceId
    span: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedNote:
    """Something worth keeping, the words that say so, and the operation that the log calls it by."""

    note: Note
    quotes: Sequence[NoteQuote]
    operation: str
    why: str


def keep(
    tx: Transaction, finding: LearnedNote, existing: Sequence[Memory], same: Same, embedder: Embedder | None
) -> tuple[Memory, bool]:
    """Keep a finding, whose sources are stored; the entry, and whether it is new."""
    changes = Changes(tx, ACTOR)
    twin = next((each for each in existing if same(finding.note, each)), None)
    if twin is None:
        memory = _fresh(tx, finding)
        changes.add(memory)
        passages.add(tx, prepare(embedder, [draft(memory)]))
    else:
        memory = _seen_again(tx, twin, finding)
        changes.save(memory)
    for quote in finding.quotes:
        changes.add_source(memory.id, quote.source, quote.span)
    changes.written(finding.operation, {"memory_id": str(memory.id)}, finding.why)
    return memory, twin is None


def _fresh(tx: Transaction, finding: LearnedNote) -> Memory:
    note, first = finding.note, finding.quotes[0]
    return Memory(
        id=MemoryId(ids.new(tx.now)),
        content=note.text,
        category=note.category,
        source=first.source,
        quote=first.span,
        created_at=tx.now,
        updated_at=tx.now,
        last_seen_at=tx.now,
        tags=note.tags,
        metadata=note.metadata,
        importance=note.importance,
    )


def _seen_again(tx: Transaction, twin: Memory, finding: LearnedNote) -> Memory:
    rated = ratings.rating(twin)
    metadata = {name: value for name, value in twin.metadata.items() if name != ratings.FADED}
    return replace(
        twin,
        last_seen_at=tx.now,
        reinforced=twin.reinforced + 1,
        importance=max(rated, min(MAX_IMPORTANCE, rated + REINFORCEMENT)),
        metadata={**finding.note.metadata, **metadata},
    )
