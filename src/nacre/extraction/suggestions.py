"""Suggestions: what texts say, put forward for review.

Texts are taken in as ever, and that is taken back: what the log said of it is what can wait.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.assertion_operations import CreateAssertion
from nacre.domain.assertions import Assertion, Stance
from nacre.domain.audits import AuditRecord, JournalEntry
from nacre.domain.commands import MAX_BATCH, Command, Origin, Quotation
from nacre.domain.dreams import Method
from nacre.domain.errors import Invalid, NacreError, NotFound
from nacre.domain.facts import Fact, NamedEntity, Polarity
from nacre.domain.ids import SourceId
from nacre.domain.operations import UpsertEntity
from nacre.domain.recording_operations import NoteEntities, NoteMentions
from nacre.domain.scopes import Scope, user_name
from nacre.domain.suggestions import MAX_SUGGESTED, Suggestions
from nacre.domain.turns import Role, StoredTurn
from nacre.extraction import pipeline
from nacre.extraction.extractors import PURPOSE, Extractor, TextReading
from nacre.extraction.model_extraction import ModelReading
from nacre.extraction.pipeline import LEAST_SURE, ExtractedText
from nacre.extraction.rule_extraction import extract
from nacre.graph.operations import path, payloads, proposals
from nacre.store.base import audits, scopes, sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.base.homes import Homes
from nacre.store.evidence import sources, turns
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.store.graph import assertions, entities
from nacre.store.graph import proposals as kept
from nacre.store.work import usage

# How many of the last turns of a session are read: by rules, and by a model, which is asked about each.
MAX_TURNS = 200
MAX_ASKED = 20

# Columns that say no more than that something was said again.
_AGAIN = {"updated_at", "confidence", "importance", "strength", "mentions", "last_referenced_at"}
_PREFERENCES = {"prefers", "dislikes", "preferred_source"}
_SELECTORS = ("entity", "source", "target")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextToRead:
    """A text to read: evidence that is kept already, or `new`."""

    source: SourceId
    text: str
    at: datetime
    role: str | None = None
    speaker: str | None = None
    new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionRequest:
    """What is to be read, and what is to become of it."""

    text: str | None = None
    session: str | None = None
    source: UUID | str | None = None
    use_provider: bool = False
    write_proposals: bool = False
    write_assertions: bool = False
    limit: int = 100

    def __post_init__(self) -> None:
        given = [each for each in (self.text, self.session, self.source) if each is not None]
        if len(given) != 1:
            raise Invalid("text", "or a session or a source must be given, and no two of them")
        if self.text is not None:
            checks.text("text", self.text)
        checks.optional_name("session", self.session)
        checks.count("limit", self.limit, maximum=MAX_SUGGESTED)

    @property
    def origin(self) -> Origin:
        """Where an order that comes of it is from."""
        if self.session is not None:
            return Origin(kind="session", id=self.session)
        return Origin(kind="text") if self.source is None else Origin(kind="source", id=str(self.source))


class Suggester:
    """Reads texts for the ontology of a scope, and leaves what they say to somebody's decision."""

    def __init__(self, database: Database, graphs: Homes, extractor: Extractor) -> None:
        self._database = database
        self._graphs = graphs
        self._extractor = extractor

    def suggest(self, scope: Scope, request: SuggestionRequest, *, actor: str) -> Suggestions:
        """What texts would add. Nothing is kept unless proposals or assertions are to be written."""
        found = self._passages(scope, request)
        read = self._read(scope, found, request)
        heard = [_heard(*each) for each in zip(found, read, strict=True)]
        keeps = request.write_proposals or request.write_assertions
        with self._graphs.write(scope) as tx, nullcontext() if keeps else tx.tried():
            _have(tx, scope, found)
            orders, notes = orders_for(tx, heard, user=scope.user, origin=request.origin)
            chosen = orders[: request.limit]
            if len(orders) > len(chosen):
                notes.append(f"Only the first {request.limit} of {len(orders)} operations are put forward.")
            made = proposals.propose(tx, chosen, actor=actor) if request.write_proposals and chosen else []
            stated = _stated(found, heard) if request.write_assertions else ()
            said = _assert(tx, stated, user=scope.user, request=request, actor=actor)
        self._count(scope, read)
        return Suggestions(
            sources=tuple(each.source for each in found),
            method=Method.MODEL if any(each.model for each in read) else Method.RULES,
            orders=tuple(chosen),
            proposals=tuple(made),
            assertions=tuple(said),
            notes=tuple(dict.fromkeys([note for each in read for note in each.notes] + notes)),
            input_tokens=sum(each.reading.input_tokens for each in read),
            output_tokens=sum(each.reading.output_tokens for each in read),
        )

    def _passages(self, scope: Scope, request: SuggestionRequest) -> list[TextToRead]:
        now = self._database.clock()
        if request.text is not None:
            return [TextToRead(source=SourceId(ids.new(now)), text=request.text, at=now, new=True)]
        with self._database.read(scope) as tx:
            if request.session is not None:
                said = turns.last(tx, request.session, MAX_ASKED if request.use_provider else MAX_TURNS)
                if not said:
                    raise NotFound("session", request.session)
                return [_of_turn(each) for each in said if each.turn.role == Role.USER]
            return [_of_source(tx, scope, ids.parse("source", request.source or ""))]

    def _read(self, scope: Scope, passages: Sequence[TextToRead], request: SuggestionRequest) -> list[TextReading]:
        if request.use_provider:
            return [self._extractor.read(scope, each.text) for each in passages]
        before: list[NamedEntity] = []
        read = []
        for each in passages:
            found = extract(each.text, speaker=each.speaker, role=each.role, at=each.at, before=before)
            before += found.names
            read.append(TextReading(ModelReading(found=found, chunks=1)))
        return read

    def _count(self, scope: Scope, read: Sequence[TextReading]) -> None:
        """Note what was spent, whether or not anything was kept."""
        spent = [(each.model.name, each.reading) for each in read if each.model]
        if spent:
            with self._graphs.write(scope) as tx:
                for model, reading in spent:
                    usage.add(tx, PURPOSE, model, reading.input_tokens, reading.output_tokens)


def orders_for(
    tx: Transaction, heard: Sequence[ExtractedText], *, user: str | None, origin: Origin
) -> tuple[list[Command], list[str]]:
    """What taking texts in would do, as orders that can wait, and notes on what was left out.

    What is known already is left out, and so is what could not be carried out. Entities that are not there yet go by
    their names.
    """
    with tx.tried():
        taken = pipeline.apply_facts(tx, heard, user=user)
        records = audits.by_id(tx, taken.batch) if taken.batch else []
        changes = audits.changes(tx, [record.id for record in records])
        named = {str(key): entity.name for key, entity in entities.by_id(tx, taken.new).items()}
    wording = _ProposalDraft(heard=heard, named=named, origin=origin)
    orders = [wording.order(name, payload) for record in records for name, payload in _told(record, changes[record.id])]
    if not orders:
        return [], list(taken.notes)
    looked_at = orders[:MAX_BATCH]
    notes = [*taken.notes]
    if len(orders) > len(looked_at):
        notes.append(f"Only the first {len(looked_at)} of {len(orders)} operations were looked at.")
    tried = path.rehearse(tx, looked_at, actor=pipeline.BY_RULES)
    pairs = list(zip(looked_at, tried, strict=True))
    refused = [f"Left out: {done}" for _, done in pairs if isinstance(done, NacreError)]
    return [order for order, done in pairs if not isinstance(done, NacreError)], [*notes, *refused]


def _told(record: AuditRecord, changes: Sequence[JournalEntry]) -> list[tuple[str, Mapping[str, Any]]]:
    """The operations that a line of the log comes to, as far as they say anything new."""
    if record.operation == NoteMentions.operation or not any(map(_is_news, changes)):
        return []
    if record.operation == NoteEntities.operation:
        each: Any = record.payload["entities"]
        return [(UpsertEntity.operation, held) for held in each]
    if all(change.table == kept.TABLE for change in changes):
        # The statement was left to a person: what waits for them is what is put forward.
        rows: list[Any] = [change.after for change in changes if change.after]
        return [(row["operation"], row["payload"]) for row in rows]
    return [(record.operation, record.payload)]


def _is_news(change: JournalEntry) -> bool:
    if change.before is None or change.after is None:
        return True
    return any(change.before.get(name) != value for name, value in change.after.items() if name not in _AGAIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ProposalDraft:
    """How operations of the log are put so that they can wait."""

    heard: Sequence[ExtractedText]
    # The names of entities that are not there yet, by the ids that they had when it was tried.
    named: Mapping[str, str]
    origin: Origin

    def order(self, name: str, payload: Mapping[str, Any]) -> Command:
        """An operation with the words that it rests on."""
        held = {
            field: self.named.get(str(value), value) if field in _SELECTORS else value
            for field, value in payload.items()
        }
        quoted = self._quotation(held.pop("evidence", None)) or self._mention(held.get("name"))
        return Command(
            operation=payloads.to_operation(name, held),
            evidence=(quoted,) if quoted else (),
            confidence=held.get("confidence"),
            origin=self.origin,
        )

    def _quotation(self, quoted: Mapping[str, Any] | None) -> Quotation | None:
        if quoted is None:
            return None
        source, (start, end) = UUID(quoted["source"]), quoted["quote"]
        text = next(each.text for each in self.heard if each.source == source)
        return Quotation(quote=text[start:end], source=source)

    def _mention(self, name: str | None) -> Quotation | None:
        """Where a new entity is first spoken of."""
        for each in self.heard:
            for found in each.found.names:
                if found.name == name:
                    return Quotation(quote=each.text[found.start : found.end], source=each.source)
        return None


def _have(tx: Transaction, scope: Scope, passages: Sequence[TextToRead]) -> None:
    """Have the texts as evidence where the graph is."""
    scopes.ensure(tx)
    new = [each for each in passages if each.new]
    if new:
        sources.add(
            tx, [SourceRow(id=each.source, kind=SourceKind.DOCUMENT, text=each.text, at=each.at) for each in new]
        )
    sharing.bring(tx, [each.source for each in passages if not each.new], scope)


def _stated(passages: Sequence[TextToRead], heard: Sequence[ExtractedText]) -> Iterator[tuple[TextToRead, Fact]]:
    for passage, each in zip(passages, heard, strict=True):
        yield from ((passage, fact) for fact in each.found.facts if fact.confidence >= LEAST_SURE)


def _assert(
    tx: Transaction,
    statements: Iterable[tuple[TextToRead, Fact]],
    *,
    user: str | None,
    request: SuggestionRequest,
    actor: str,
) -> list[Assertion]:
    """Write down who said what. What was written down from the same words before is left alone."""
    orders = [
        Command(operation=_assertion(passage, fact, user), origin=request.origin)
        for passage, fact in statements
        if not assertions.rests_on(tx, passage.source, fact.quote)
    ][: request.limit]
    tried = path.rehearse(tx, orders, actor=actor) if orders else []
    fine = [order for order, done in zip(orders, tried, strict=True) if not isinstance(done, NacreError)]
    made = path.apply(tx, fine, actor=actor) if fine else []
    keys = [each.outcome.assertion for each in made if each.outcome.assertion]
    held = assertions.by_id(tx, keys)
    return [held[key] for key in keys]


def _assertion(passage: TextToRead, fact: Fact, user: str | None) -> CreateAssertion:
    words = passage.text[slice(*fact.quote)]
    stance = Stance.PREFERS if fact.predicate in _PREFERENCES else Stance.CLAIMS
    return CreateAssertion(
        entity=fact.subject.name if isinstance(fact.subject, NamedEntity) else passage.speaker or user_name(user),
        predicate=Stance.DENIES if fact.polarity is Polarity.RETRACTED else stance,
        content=words,
        speaker=passage.speaker or (user_name(user) if passage.role else None),
        asserted_at=passage.at,
        confidence=fact.confidence,
        evidence=(Quotation(quote=words, source=passage.source),),
    )


def _heard(passage: TextToRead, read: TextReading) -> ExtractedText:
    return ExtractedText(
        source=passage.source,
        text=passage.text,
        at=passage.at,
        found=read.reading.found,
        speaker=passage.speaker,
    )


def _of_turn(stored: StoredTurn) -> TextToRead:
    return TextToRead(
        source=stored.id, text=stored.turn.text, at=stored.at, role=stored.turn.role, speaker=stored.turn.speaker
    )


def _of_source(tx: Transaction, scope: Scope, key: UUID) -> TextToRead:
    said = turns.by_id(tx, [key]).get(key)
    if said:
        return _of_turn(said)
    for place in sharing.of(tx).places(scope):
        found = kept.cited(sharing.moved(tx, place), [key]).get(key)
        if found:
            return TextToRead(source=SourceId(found.id), text=found.text, at=found.at)
    raise NotFound("source", str(key))
