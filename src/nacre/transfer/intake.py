"""Intake of other systems' records: every one an operation of one batch, so that one undo takes all of it back.

A few hundred records share a transaction. One that is refused leaves nothing behind and is listed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from time import monotonic
from uuid import UUID

from nacre.domain import ids
from nacre.domain.claim_operations import AddClaimValue
from nacre.domain.commands import Command, Operation, Origin
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.hits import Kind
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.links import RELATED_TO, check_predicate
from nacre.domain.memories import Memory, Outcome, Status
from nacre.domain.operation_results import OperationResult
from nacre.domain.operations import SourceQuote, UpsertEntity, UpsertLink
from nacre.domain.scopes import Scope
from nacre.domain.transfers import Format, SkippedRecord, Transfer
from nacre.graph.operations import path
from nacre.graph.operations.path import ReadCache
from nacre.memory.changing import REMEMBER, Changes
from nacre.memory.passage_drafts import draft, prepare
from nacre.models.embedders import Embedder
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import memories, passages, sources
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.store.graph import entities
from nacre.store.maintenance import transfers
from nacre.text import injections
from nacre.text.names import match_key, slug
from nacre.transfer.messages import MessageLog
from nacre.transfer.records import Clean, EntityRecord, FileRecords, LinkRecord, MemoryRecord, MessageRecord, Record

# So many records are written before others may write, and fewer where these take long.
TOGETHER, TOGETHER_SECONDS = 200, 0.1
# A dry run, whose one transaction keeps others from writing, looks no further than this.
DRY_SECONDS = 2.0
ACTOR = "import"
# The aspect of what a file says of a thing in sentences, and the category of the memories of it.
OBSERVATIONS = "observations"

# Told how many records are done.
Tell = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class _Remark:
    """A sentence about a thing, taken in as a record of its own: there may be thousands about one."""

    thing: EntityRecord
    sentence: str
    where: str


@dataclass(slots=True)
class Intake:
    """One import into a scope, and what it came to so far."""

    database: Database
    embedder: Embedder | None
    scope: Scope
    format: Format
    batch: UUID
    clean: Clean
    counts: Counter[str] = field(default_factory=Counter)
    skipped: list[SkippedRecord] = field(default_factory=list)
    # Things by what edges call them and by name; what came in before, by the marks of things and origins of entries.
    keys: dict[str, UUID] = field(default_factory=dict)
    names: dict[str, UUID] = field(default_factory=dict)
    marked: dict[str, str] | None = None
    origins: set[str] | None = None
    # The last thing that was refused; what is said of it is left out, too.
    refused: EntityRecord | None = None
    # Whether the graph learns from what people say.
    learns: bool = False
    conversations: MessageLog = field(init=False)

    def __post_init__(self) -> None:
        self.conversations = MessageLog(self.embedder, self.format, self.clean, learns=self.learns)

    def take_in(self, parsed: FileRecords, *, dry_run: bool, tell: Tell) -> Transfer:
        """Take every record in, or only try to."""
        done, records, left = 0, _each(parsed.records), list[Record | _Remark]()
        until, limits = monotonic() + DRY_SECONDS, list[str]()
        with self._dry() if dry_run else nullcontext(self._live) as opened:
            while some := [*left, *islice(records, TOGETHER - len(left))]:
                with opened() as tx:
                    taken = _Portion(self, tx).take(some)
                left = some[taken:]
                done += taken
                tell(done)
                if dry_run and monotonic() > until:
                    limits.append(f"Only the first {done:,} records were tried, so that others can write.")
                    break
        changed = bool(self.counts)
        self.counts += self.conversations.counts
        return Transfer(
            format=self.format,
            counts=dict(sorted(self.counts.items())),
            skipped=tuple(self.skipped),
            notes=(*parsed.notes, *_left_out(parsed), *limits),
            batch=self.batch if changed and not dry_run else None,
            dry_run=dry_run,
        )

    def _live(self) -> AbstractContextManager[Transaction]:
        return self.database.write(self.scope)

    @contextmanager
    def _dry(self) -> Iterator[Callable[[], AbstractContextManager[Transaction]]]:
        """One transaction for all of it, so that each record sees those before it; none of it stays."""
        with self.database.write(self.scope) as tx, tx.tried():
            yield lambda: nullcontext(tx)


class _Portion:
    """Records that are written in one transaction."""

    def __init__(self, intake: Intake, tx: Transaction) -> None:
        shared = sharing.of(tx)
        self._intake = intake
        self._graph = sharing.moved(tx, shared.graph_home(intake.scope))
        self._kept = sharing.moved(tx, shared.memory_home(intake.scope))
        self._tx = tx
        # New entries, whose passages are made in the end, and each by what search will see.
        self._fresh: list[Memory] = []
        self._said_now: dict[str, Memory] = {}
        self._read = ReadCache()

    def take(self, records: list[Record | _Remark]) -> int:
        """Take records in, or list why they are left out, until they have taken long enough; how many those were."""
        if any(not isinstance(record, MessageRecord) for record in records):
            scopes.lock(self._kept)
        taken, until = 0, monotonic() + TOGETHER_SECONDS
        while taken < len(records) and (taken == 0 or monotonic() < until):
            self._take(records[taken])
            taken += 1
        said = [record for record in records[:taken] if isinstance(record, MessageRecord)]
        if said:
            self._intake.conversations.write(self._tx, said)
        active = [memory for memory in self._fresh if memory.status is Status.ACTIVE]
        if active:
            passages.add(self._kept, prepare(self._intake.embedder, [draft(memory) for memory in active]))
        if self._fresh:
            self._intake.counts["memories"] += len(self._fresh)
        return taken

    def _take(self, record: Record | _Remark) -> None:
        match record:
            case SkippedRecord():
                self._intake.skipped.append(record)
            case LinkRecord():
                self._attempt(record.where, partial(self._edge, record))
            case MemoryRecord():
                self._attempt(record.where, partial(self._entry, record))
            case EntityRecord():
                taken = self._attempt(record.where, partial(self._thing, record))
                self._intake.refused = None if taken else record
            case _Remark():
                if record.thing is not self._intake.refused:
                    self._attempt(record.where, partial(self._said, record))

    def _attempt(self, where: str, carry_out: Callable[[], None]) -> bool:
        before, counts = len(self._fresh), self._intake.counts.copy()
        try:
            with self._graph.part():
                carry_out()
        except (Conflict, Invalid, NotFound) as error:
            self._intake.skipped.append(SkippedRecord(where=where, why=str(error)))
            self._intake.counts = counts
            for memory in self._fresh[before:]:
                self._said_now.pop(memory.searchable, None)
            del self._fresh[before:]
            # It may hold entities that are not there any more.
            self._read = ReadCache()
            return False
        return True

    def _thing(self, thing: EntityRecord) -> None:
        upsert, names = replace(thing.upsert, properties=self._cleaned(thing.upsert.properties)), self._intake.names
        if thing.apart:
            upsert = replace(upsert, slug=self._slug(upsert.name, thing.apart))
        entity = self._upserted(upsert, thing.where)
        self._intake.keys[thing.key.casefold()] = entity
        for name in (upsert.name, *upsert.aliases):
            names.setdefault(match_key(name), entity)

    def _slug(self, name: str, apart: str) -> str | None:
        """The entity that this thing became before; one of its own where another of the file has the name."""
        marked = self._intake.marked
        if marked is None:
            held = entities.load(self._graph, entities.in_force())
            marked = self._intake.marked = {mark: entity.slug for entity in held for mark in entity.properties}
        known = marked.get(f"{self._intake.format.value}:{apart}")
        taken = match_key(name) in self._intake.names
        return known or (f"{slug(name)}-{slug(apart)}" if taken else None)

    def _upserted(self, upsert: UpsertEntity, where: str) -> UUID:
        entity = self._apply(upsert, where).outcome.entity
        if entity is None:
            raise NotFound("entity", upsert.name)
        self._intake.counts["entities"] += 1
        return entity

    def _edge(self, edge: LinkRecord) -> None:
        source = self._find(edge.source)
        if source is None:
            source = self._upserted(_stub(edge, edge.source), edge.where)
        target = self._find(edge.target)
        if target is None and not edge.plain:
            target = self._upserted(_stub(edge, edge.target), edge.where)
        related = check_predicate(edge.predicate) == RELATED_TO
        link = UpsertLink(
            source=source,
            predicate=edge.predicate,
            target=target,
            value=self._intake.clean(edge.target) if target is None else None,
            confidence=edge.confidence,
            properties=self._cleaned(edge.properties),
            reason=f"imported from {self._intake.format.value}" if related else None,
            valid_from=edge.valid_from,
            valid_to=edge.valid_to,
        )
        self._apply(link, edge.where)
        self._intake.counts["links"] += 1

    def _find(self, called: str) -> UUID | None:
        """The entity that a file means: by its key there, by a name there, or by a name in the graph."""
        found = self._intake.keys.get(called.casefold()) or self._intake.names.get(match_key(called))
        if found is None:
            named = entities.by_name(self._graph, called)
            found = named[0].id if named else None
        return found

    def _said(self, remark: _Remark) -> None:
        """A sentence about a thing is a memory, so that it is recalled, and a claim that rests on it."""
        thing, where = remark.thing, remark.where
        entry = MemoryRecord(
            where=where,
            origin=where[-200:],
            content=remark.sentence,
            category=OBSERVATIONS,
            tags=(thing.upsert.name,),
            created_at=self._kept.now,
        )
        memory = self._remembered(entry)
        sharing.bring(self._graph, [memory.source], self._intake.scope)
        claim = AddClaimValue(
            entity=self._intake.keys[thing.key.casefold()],
            aspect=OBSERVATIONS,
            value=memory.content,
            evidence=SourceQuote(source=memory.source, quote=memory.quote),
            memory=memory.id,
        )
        self._apply(claim, where)
        self._intake.counts["claims"] += 1

    def _remembered(self, entry: MemoryRecord) -> Memory:
        """The entry in force that says just this, or a new one."""
        memory = self._memory(entry)
        twins = passages.in_force(self._kept, passages.digest(memory.searchable), Kind.MEMORY)
        if twins:
            return memories.by_id(self._kept, twins)[twins[0]]
        return self._said_now.get(memory.searchable) or self._keep(memory, entry)

    def _entry(self, entry: MemoryRecord) -> None:
        if self._intake.origins is None:
            self._intake.origins = transfers.origins(self._kept, f"{self._intake.format.value}:")
        if self._ref(entry) in self._intake.origins:
            self._intake.counts["already_there"] += 1
            return
        self._keep(self._memory(entry), entry)
        self._intake.origins.add(self._ref(entry))

    def _ref(self, entry: MemoryRecord) -> str:
        return f"{self._intake.format.value}:{entry.origin}"

    def _cleaned(self, values: Mapping[str, str]) -> dict[str, str]:
        return {name: self._intake.clean(value) for name, value in values.items()}

    def _memory(self, entry: MemoryRecord) -> Memory:
        now, updated = self._kept.now, entry.updated_at or entry.created_at
        said = self._intake.clean(entry.content)
        return Memory(
            id=MemoryId(ids.new(now)),
            # Orders in it are quoted where they are read; the evidence keeps the words.
            content=injections.neutral(said) if injections.flags(said) else said,
            category=entry.category,
            source=SourceId(ids.new(now)),
            quote=(0, len(said)),
            created_at=entry.created_at,
            updated_at=updated,
            last_seen_at=entry.last_seen_at or updated,
            tags=entry.tags,
            metadata=self._cleaned(entry.metadata),
            importance=entry.importance,
            reinforced=entry.reinforced,
            status=entry.status,
            archived_at=entry.archived_at,
            archive_reason=entry.archive_reason,
        )

    def _keep(self, memory: Memory, entry: MemoryRecord) -> Memory:
        said = self._intake.clean(entry.content)
        source = SourceRow(
            id=memory.source,
            kind=SourceKind.NOTE,
            text=said,
            at=entry.created_at,
            ref=self._ref(entry),
            flags=injections.flags(said),
        )
        sources.add(self._kept, [source])
        changes = Changes(self._kept, ACTOR)
        changes.add(memory)
        told = {"memory_id": str(memory.id), "outcome": Outcome.CREATED.value}
        changes.written(REMEMBER, told, batch=self._intake.batch)
        self._fresh.append(memory)
        self._said_now[memory.searchable] = memory
        return memory

    def _apply(self, operation: Operation, where: str) -> OperationResult:
        origin = Origin(kind=self._intake.format.value, id=" ".join(where.split())[-200:])
        order = Command(operation=operation, origin=origin)
        return path.apply(self._graph, [order], actor=ACTOR, batch=self._intake.batch, read=self._read)[0]


def _each(records: Iterable[Record]) -> Iterator[Record | _Remark]:
    """Records, and after each thing what is said of it."""
    for record in records:
        yield record
        if isinstance(record, EntityRecord):
            for place, sentence in enumerate(record.said):
                yield _Remark(record, sentence, f"{record.where} {OBSERVATIONS}[{place}]")


def _left_out(parsed: FileRecords) -> Iterator[str]:
    """A line about what was passed over on purpose."""
    reasons = [f"{count:,} {reason}" for reason, count in sorted(parsed.left_out.items()) if count]
    if reasons:
        yield f"Passed over, because they are no memories: {', '.join(reasons)}."


def _stub(edge: LinkRecord, name: str) -> UpsertEntity:
    return UpsertEntity(name=name, confidence=edge.confidence, properties=edge.stub)
