"""Structured parts of memories become part of the graph, in the transaction that keeps the memory.

Every part is an operation of one batch. A part that cannot be written is taken back and refused, and the rest stands;
if anything else goes wrong, the memory is not kept either.
"""

import re
from collections.abc import Callable
from functools import partial
from itertools import combinations
from uuid import UUID

from nacre.domain import ids
from nacre.domain.claim_operations import CreateAspect, RecordClaim
from nacre.domain.claims import ClaimKind, ClaimStatus
from nacre.domain.commands import Operation
from nacre.domain.entities import EntityType
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.ids import SourceId
from nacre.domain.links import RELATED_TO
from nacre.domain.memories import Memory, Refusal, StructureCounts, StructureReport
from nacre.domain.operation_results import OperationResult
from nacre.domain.operations import SourceQuote, UpsertEntity, UpsertLink
from nacre.domain.recording_operations import RecordLink
from nacre.domain.scopes import Scope
from nacre.domain.structures import (
    CONFIDENCE,
    EntityMention,
    Structure,
    StructuredAspect,
    StructuredClaim,
    Triple,
    names,
)
from nacre.graph.operations import path
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Transaction
from nacre.store.evidence.sources import SourceRow
from nacre.store.graph import links
from nacre.store.tables import schema as tables
from nacre.text import decisions, empty_names, sentences, tokens
from nacre.text.letters import UNSPACED
from nacre.text.names import match_key

ACTOR = "remember"
DECIDED_IMPORTANCE = 0.85
IMPORTANCE = 0.5
MAX_RELATED = 10
RELATED_STRENGTH = 0.3
RELATED_CONFIDENCE = 0.5

_UNSPACED = re.compile(f"[{UNSPACED}]")


def structure_memory(
    tx: Transaction, memory: Memory, source: SourceRow, *, scope: Scope, given: Structure
) -> StructureReport:
    """Write the structured part of a memory into the graph of a scope, in the memory's own transaction."""
    graph = sharing.moved(tx, sharing.of(tx).graph_home(scope))
    scopes.lock(graph)
    sharing.bring(graph, [source.id], scope)
    return _StructureWriter(graph, memory, source, given).done()


class _StructureWriter:
    def __init__(self, tx: Transaction, memory: Memory, source: SourceRow, given: Structure) -> None:
        self._tx = tx
        self._memory = memory
        self._source = source
        self._given = given
        self._decided = decisions.lays_down(source.text)
        self._sentences = [source.text[start:end] for start, end in sentences.split(source.text)]
        self._batch = ids.new(tx.now)
        self._types = _types(given)
        self._entities: dict[tuple[str, EntityType], UUID] = {}
        self._applied: list[OperationResult] = []
        self._refused = list(given.refused)
        self._notes = list(given.notes)

    def done(self) -> StructureReport:
        """All the parts, written one after the other."""
        for triple in self._given.triples:
            self._attempt(triple.item, partial(self._triple, triple))
        for side in self._given.sides:
            self._side(side)
        related = self._relate()
        made = [each.outcome for each in self._applied]
        claimed = [each.outcome for each in self._applied if _is(each, RecordClaim)]
        applied = StructureCounts(
            entities=len(set(self._entities.values())),
            links=sum(each.link is not None for each in made) - related,
            related=related,
            claims=sum(each.claim is not None for each in claimed),
            superseded=sum(_superseded(each) for each in self._applied),
            hints=len(self._given.hints),
            batch=self._batch if self._applied else None,
        )
        return StructureReport(applied=applied, refused=tuple(self._refused), notes=tuple(self._notes))

    def _attempt(self, item: str, write: Callable[[], None]) -> bool:
        """Write one part, or leave nothing of it behind."""
        entities, applied = dict(self._entities), len(self._applied)
        try:
            with self._tx.part():
                write()
        except (Conflict, Invalid, NotFound) as error:
            self._entities = entities
            del self._applied[applied:]
            self._refused.append(Refusal(item=item, why=str(error)))
            return False
        return True

    def _apply(self, operation: Operation) -> OperationResult:
        applied = path.apply(self._tx, [operation], actor=ACTOR, batch=self._batch)[0]
        self._applied.append(applied)
        return applied

    def _triple(self, triple: Triple) -> None:
        for each in filter(None, (triple.source, triple.target)):
            _check_name(each)
        source = self._entity(triple.source, triple.confidence)
        if triple.target is None or triple.relationship is None:
            return
        target = self._entity(triple.target, triple.confidence)
        if source == target:
            raise Invalid("target", f"`{triple.target.name}` and `{triple.source.name}` are the same entity")
        link = RecordLink(
            source=source,
            predicate=triple.relationship,
            target=target,
            confidence=triple.confidence,
            reason=f"stated with memory {self._memory.short}",
            evidence=self._quoted(triple.source.name, triple.target.name),
            said=self._said(f"{triple.source.name} {triple.relationship} {triple.target.name}"),
        )
        applied = self._apply(link)
        if applied.outcome.link is None:
            self._note(triple.item, applied)

    def _side(self, side: StructuredAspect) -> None:
        if not self._attempt(side.item, partial(self._aspect, side)):
            return
        for statement in side.statements:
            self._attempt(statement.item, partial(self._statement, side, statement))

    def _aspect(self, side: StructuredAspect) -> None:
        _check_name(side.entity)
        confidence = max((statement.confidence for statement in side.statements), default=CONFIDENCE)
        self._apply(CreateAspect(entity=self._entity(side.entity, confidence), name=side.aspect))

    def _statement(self, side: StructuredAspect, statement: StructuredClaim) -> None:
        importance = DECIDED_IMPORTANCE if self._decided else IMPORTANCE
        claim = RecordClaim(
            entity=self._entity(side.entity, statement.confidence),
            aspect=side.aspect,
            group=statement.group,
            claim=statement.claim,
            value=statement.content,
            kind=ClaimKind.CONSTRAINT if self._decided else ClaimKind.ATTRIBUTE,
            confidence=statement.confidence,
            importance=importance if statement.importance is None else statement.importance,
            evidence=self._quoted(statement.content),
            memory=self._memory.id,
            said=self._said(statement.content),
        )
        applied = self._apply(claim)
        if applied.outcome.claim is None and not any(each.table == "attributes" for each in applied.changes):
            self._refused.append(Refusal(item=statement.item, why=" ".join(applied.outcome.warnings)))
        else:
            self._note(statement.item, applied)

    def _relate(self) -> int:
        """Weak links between entities that were named together, where nothing links them yet; returns how many."""
        found = list(dict.fromkeys(self._entities.values()))
        some = found[:MAX_RELATED]
        if len(found) > MAX_RELATED:
            self._notes.append(f"Only the first {MAX_RELATED} of {len(found)} entities were related to each other.")
        between = (tables.links.c.source_entity.in_(some), tables.links.c.target_entity.in_(some))
        known = {
            frozenset((link.source, link.target)) for link in links.load(self._tx, *between, links.in_force(self._tx))
        }
        pairs = [pair for pair in combinations(some, 2) if frozenset(pair) not in known]
        for one, other in pairs:
            weak = UpsertLink(
                source=one,
                predicate=RELATED_TO,
                target=other,
                strength=RELATED_STRENGTH,
                confidence=RELATED_CONFIDENCE,
                reason=f"named together in memory {self._memory.short}",
                evidence=self._quoted(),
            )
            self._apply(weak)
        return len(pairs)

    def _entity(self, mentioned: EntityMention, confidence: float) -> UUID:
        """The entity of a name; what has no type of its own is what another part says that it is."""
        name = match_key(mentioned.name)
        kind = self._types[name] if mentioned.type is EntityType.UNKNOWN else mentioned.type
        if (name, kind) not in self._entities:
            upsert = UpsertEntity(
                name=mentioned.name, type=kind, confidence=confidence, evidence=self._quoted(mentioned.name)
            )
            outcome = self._apply(upsert).outcome
            if outcome.entity is None:
                raise NotFound("entity", mentioned.name)
            self._entities[name, kind] = outcome.entity
        return self._entities[name, kind]

    def _quoted(self, *words: str) -> SourceQuote:
        """Where the text says these words; all of it where it says them otherwise."""
        text = self._source.text
        spans = [_place(text, each) for each in words]
        found = [span for span in spans if span]
        if not found or len(found) < len(spans):
            return SourceQuote(source=SourceId(self._source.id), quote=(0, len(text)))
        whole = (min(start for start, _ in found), max(end for _, end in found))
        return SourceQuote(source=SourceId(self._source.id), quote=whole)

    def _said(self, words: str) -> str | None:
        """The sentence that shares the most words with a statement; None where none shares any."""
        wanted = set(tokens.terms(words))
        best = max(self._sentences, key=lambda each: len(wanted.intersection(tokens.terms(each))), default="")
        return best if len(self._sentences) == 1 or wanted.intersection(tokens.terms(best)) else None

    def _note(self, item: str, applied: OperationResult) -> None:
        self._notes += [f"{item}: {warning}" for warning in applied.outcome.warnings]


def _types(given: Structure) -> dict[str, EntityType]:
    """The type of every name: the first that is given for it."""
    types: dict[str, EntityType] = {}
    for each in names(given):
        name = match_key(each.name)
        if types.get(name, EntityType.UNKNOWN) is EntityType.UNKNOWN:
            types[name] = each.type
    return types


def _check_name(mentioned: EntityMention) -> None:
    why = empty_names.why_not(mentioned.name)
    if why:
        raise Invalid("name", f"`{mentioned.name}` {why}")


def _place(text: str, words: str) -> tuple[int, int] | None:
    edges = ("", "") if _UNSPACED.search(words) else (r"(?<!\w)", r"(?!\w)")
    found = re.search(f"{edges[0]}{re.escape(words)}{edges[1]}", text, re.IGNORECASE)
    return found.span() if found else None


def _is(applied: OperationResult, kind: type[RecordClaim]) -> bool:
    return applied.record is not None and applied.record.operation == kind.operation


def _superseded(applied: OperationResult) -> int:
    """How many values an operation ended."""
    return sum(
        change.table == tables.attributes.name
        and (change.before or {}).get("status") == ClaimStatus.ACTIVE.value
        and (change.after or {}).get("status") == ClaimStatus.SUPERSEDED.value
        for change in applied.changes
    )
