"""The background half of saving a memory: one text as it was said becomes entries with one subject each.

A language model proposes the entries where there is one, and rules do otherwise. Either way the entries take the
memory's place only together, and only if no name and no number is lost; the memory itself is archived, not deleted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from uuid import UUID

from nacre.domain import ids
from nacre.domain.errors import Conflict
from nacre.domain.ids import MemoryId
from nacre.domain.jobs import COMPARE_MEMORY
from nacre.domain.memories import EXPANDED_FROM, Memory, Note, Outcome, Status
from nacre.domain.replacements import traces, without_traces
from nacre.domain.scopes import Scope
from nacre.memory import duplicates, proposing, replacements, takeovers
from nacre.memory.changing import EXPAND_MEMORY, Changes
from nacre.memory.duplicates import Neighbour, Neighbourhood
from nacre.memory.focusing import MAX_CHARS, NewEntry, focused
from nacre.memory.passage_drafts import draft, prepare
from nacre.memory.remembering import Neighbours
from nacre.memory.replacements import Replacement
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel
from nacre.store.base import scopes
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import memories, passages
from nacre.store.work import jobs

KIND = EXPAND_MEMORY
ACTOR = "expansion"
REASON = "expanded"


@dataclass(frozen=True, slots=True)
class MemoryExpansion:
    """What takes a memory's place: new entries, and entries in force already that say a part of it.

    `replaced` is what the new ones take the place of themselves, and `outdated` which newer entries take theirs.
    """

    original: Memory
    fresh: Sequence[Memory]
    known: Sequence[tuple[Memory, tuple[int, int]]]
    prepared: passages.PreparedPassages
    replaced: Sequence[tuple[Memory, Replacement]] = ()
    outdated: Sequence[tuple[Memory, Replacement]] = ()


class Expander:
    """Expands the memories of one database."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder | None,
        model: LanguageModel | None,
        *,
        directives: Path | None = None,
        neighbours: Neighbours = lambda _scope, _note: Neighbourhood(),
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._model = model
        self._directives = directives
        self._neighbours = neighbours

    def request(self, tx: Transaction, memory: Memory) -> None:
        """Enqueue the expansion of a new memory, if it can come to anything."""
        if EXPANDED_FROM in memory.metadata or len(memory.content) > MAX_CHARS:
            return
        if self._model or focused(memory, tx.scope.user):
            jobs.enqueue(tx, KIND, {"memory_id": str(memory.id)})

    def expand(self, scope: Scope, memory_id: UUID) -> Callable[[Transaction], None] | None:
        """Work out a memory's expansion; what comes back writes it. None where there is nothing to change."""
        with self._database.read(scope) as tx:
            memory = memories.by_id(tx, [memory_id]).get(memory_id)
            gone = [trace.id for trace in traces(memory.metadata)] if memory else []
            before = memories.by_id(tx, gone) if gone else {}
        if memory is None or memory.status is not Status.ACTIVE:
            return None
        entries = self._entries(memory, scope.user)
        if not entries:
            return None
        expansion = self._compare(scope, memory, entries, before)
        return lambda tx: apply(tx, expansion)

    def _entries(self, memory: Memory, user: str | None) -> Sequence[NewEntry]:
        if self._model is None:
            return focused(memory, user)
        return proposing.proposed(self._model, memory, user, self._directives)

    def _compare(
        self, scope: Scope, memory: Memory, entries: Sequence[NewEntry], before: Mapping[UUID, Memory]
    ) -> MemoryExpansion:
        """Tell what is new from what another memory says already, and from what says otherwise.

        `before` is what the memory replaced; an entry keeps the traces of what it is about.
        """
        now = self._database.clock()
        if len(entries) == 1 and entries[0].content == memory.content:
            # Better labels, the same words: it stays the entry that callers know.
            sorted_out = replace(memory, category=entries[0].category, tags=entries[0].tags)
            return MemoryExpansion(memory, [sorted_out], [], prepare(self._embedder, [draft(sorted_out)]))
        fresh, known, replaced, outdated = [], [], [], []
        for made in _tracing([_made(memory, entry, now) for entry in entries], before):
            note = Note(text=made.content, category=made.category, tags=made.tags)
            near = [each for each in self._neighbours(scope, note) if each.memory.source != memory.source]
            if twin := _twin(note, near):
                known.append((twin, made.quote))
                continue
            older = [each.memory for each in near if each.memory.updated_at <= memory.created_at]
            newer = [each.memory for each in near if each.memory.updated_at > memory.created_at]
            found = replacements.find_replacements(made.content, made.category, memory.created_at, older)
            fresh.append(takeovers.add_traces(made, found))
            replaced += [(fresh[-1], each) for each in found]
            outdated += [
                (other, each)
                for other in newer
                for each in replacements.find_replacements(other.content, other.category, other.updated_at, [fresh[-1]])
                if each.verdict.sure
            ]
        prepared = prepare(self._embedder, [draft(each) for each in fresh])
        return MemoryExpansion(memory, fresh, known, prepared, replaced, outdated)


def apply(tx: Transaction, expansion: MemoryExpansion) -> None:
    """Put the entries in the memory's place. Does nothing when the memory is no longer in force."""
    scopes.lock(tx)
    original = expansion.original
    involved = [original, *(twin for twin, _ in expansion.known)]
    now = memories.by_id(tx, [each.id for each in involved])
    if original.id not in now or now[original.id].status is not Status.ACTIVE:
        return
    if any(_differs(now.get(each.id), each) for each in involved):
        raise Conflict(f"Memory `{original.id}` changed while it was being expanded.")
    changes = Changes(tx, ACTOR)
    if original.id in {memory.id for memory in expansion.fresh}:
        changes.save(expansion.fresh[0])
        passages.end(tx, [original.id])
        passages.add(tx, expansion.prepared)
        changes.written(EXPAND_MEMORY, {"memory_id": str(original.id)})
        return
    if expansion.fresh:
        passages.add(tx, expansion.prepared)
    for memory in expansion.fresh:
        changes.add(memory)
        jobs.enqueue(tx, COMPARE_MEMORY, {"memory_id": str(memory.id)})
    for twin, quote in expansion.known:
        seen = now[twin.id]
        changes.save(replace(seen, last_seen_at=tx.now, reinforced=seen.reinforced + 1))
        changes.add_source(twin.id, original.source, quote)
    takers = [*(memory.id for memory in expansion.fresh), *(twin.id for twin, _ in expansion.known)]
    changes.archive([original.id], REASON, takers)
    _take_over(tx, changes, expansion)


def _take_over(tx: Transaction, changes: Changes, expansion: MemoryExpansion) -> None:
    """Let the entries replace what they say otherwise than, and write all of it down in one batch."""
    original = expansion.original
    now = memories.by_id(tx, [each.memory.id for _, each in expansion.replaced]) if expansion.replaced else {}
    standing = [(made, each) for made, each in expansion.replaced if not _differs(now.get(each.memory.id), each.memory)]
    for made in expansion.fresh:
        takeovers.propose_doubtful(tx, changes, made, [each for maker, each in standing if maker is made])
    record = changes.written(EXPAND_MEMORY, {"memory_id": str(original.id)})
    for newer, each in (*standing, *expansion.outdated):
        takeovers.end_replaced(tx, newer, [each], record.batch)


def _twin(note: Note, near: Sequence[Neighbour]) -> Memory | None:
    """The entry that says it already."""
    return next((each.memory for each in near if duplicates.outcome(note, each) is Outcome.REINFORCED), None)


def _tracing(made: Sequence[Memory], before: Mapping[UUID, Memory]) -> list[Memory]:
    """The entries, each with the traces of what it replaced itself; of what none is seen to replace, all keep them."""
    about = {
        each.id: {
            key
            for key, old in before.items()
            if replacements.find_replacements(each.content, old.category, each.created_at, [old])
        }
        for each in made
    }
    told = set().union(*about.values())
    return [replace(each, metadata=without_traces(each.metadata, told - about[each.id])) for each in made]


def _differs(now: Memory | None, before: Memory) -> bool:
    return now is None or (now.content, now.status) != (before.content, before.status)


def _made(original: Memory, entry: NewEntry, now: datetime) -> Memory:
    """The entry as a memory that rests on the original's source, and is as old as the original."""
    return replace(
        original,
        id=MemoryId(ids.new(now)),
        content=entry.content,
        category=entry.category,
        tags=entry.tags,
        quote=_quote(original, entry.span),
        metadata={**original.metadata, EXPANDED_FROM: str(original.id)},
    )


def _quote(original: Memory, span: tuple[int, int] | None) -> tuple[int, int]:
    start, end = original.quote
    # A memory that was extended holds more than its quote; then no part of it has a certain place in the source.
    if span is None or end - start != len(original.content):
        return original.quote
    return start + span[0], start + span[1]
