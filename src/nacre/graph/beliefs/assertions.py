"""Handlers of operations on assertions. They never touch a claim."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from nacre.domain import ids
from nacre.domain.assertion_operations import ArchiveAssertion, CreateAssertion, LinkAssertion, SupersedeAssertion
from nacre.domain.assertions import Assertion, AssertionFilter, AssertionStatus, Stance
from nacre.domain.claims import ClaimStatus
from nacre.domain.commands import Quotation
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.ids import AssertionId, ClaimId, SourceId
from nacre.domain.operation_results import Effect
from nacre.domain.operations import Selector
from nacre.domain.plain import plain
from nacre.graph.identity import naming
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.evidence import sources
from nacre.store.graph import assertions, claims
from nacre.store.tables import schema as tables


def _create(journal: Journal, operation: CreateAssertion) -> Effect:
    tx = journal.tx
    entity, notes = naming.find_or_add(journal, operation.entity, operation.confidence)
    source, quote = _rests_on(tx, operation.evidence)
    new = Assertion(
        id=AssertionId(ids.new(tx.now)),
        entity=entity.id,
        predicate=Stance(operation.predicate),
        content=operation.content,
        speaker=operation.speaker,
        asserted_at=operation.asserted_at or tx.now,
        confidence=operation.confidence,
        evidence=operation.evidence,
        source=source,
        quote=quote,
        claim=None if operation.attribute_id is None else _claim(tx, operation.attribute_id),
        created_by=journal.actor,
        created_at=tx.now,
        updated_at=tx.now,
    )
    return _added(journal, new, f"{_who(new)} {new.predicate.value} of {entity.name}: {new.content}", notes)


def _link(journal: Journal, operation: LinkAssertion) -> Effect:
    old = _active(journal.tx, operation.assertion)
    claim = _claim(journal.tx, operation.attribute_id)
    values = {"attribute_id": claim, "updated_at": journal.tx.now}
    journal.update(tables.assertions, {"id": old.id}, values)
    return Effect(summary="Linked an assertion to a claim.", entity=old.entity, claim=claim, assertion=old.id)


def _archive(journal: Journal, operation: ArchiveAssertion) -> Effect:
    old = _active(journal.tx, operation.assertion)
    archive(journal, [old], operation.reason)
    return Effect(summary="Archived an assertion.", entity=old.entity, assertion=old.id)


def _supersede(journal: Journal, operation: SupersedeAssertion) -> Effect:
    tx = journal.tx
    old = _active(tx, operation.assertion)
    source, quote = _rests_on(tx, operation.evidence)
    new = replace(
        old,
        id=AssertionId(ids.new(tx.now)),
        predicate=Stance(operation.predicate) if operation.predicate else old.predicate,
        content=operation.content,
        speaker=operation.speaker or old.speaker,
        asserted_at=operation.asserted_at or tx.now,
        confidence=old.confidence if operation.confidence is None else operation.confidence,
        evidence=operation.evidence,
        source=source,
        quote=quote,
        supersedes=old.id,
        created_by=journal.actor,
        created_at=tx.now,
        updated_at=tx.now,
    )
    ended = {"status": AssertionStatus.SUPERSEDED.value, "updated_at": tx.now}
    journal.update(tables.assertions, {"id": old.id}, ended)
    return _added(journal, new, f"{_who(new)} {new.predicate.value} instead: {new.content}")


def archive(journal: Journal, gone: Sequence[Assertion], reason: str | None) -> None:
    """Take assertions out of force."""
    out = {
        "status": AssertionStatus.ARCHIVED.value,
        "archived_at": journal.tx.now,
        "archived_by": journal.actor,
        "archive_reason": reason,
        "updated_at": journal.tx.now,
    }
    for each in gone:
        journal.update(tables.assertions, {"id": each.id}, out)


def archive_of(journal: Journal, entities: Sequence[UUID], reason: str | None) -> None:
    """Take what was said of entities out of force, together with them."""
    active = tables.assertions.c.status == AssertionStatus.ACTIVE.value
    archive(journal, assertions.of_entities(journal.tx, entities, active), reason)


def restore_of(journal: Journal, entity: UUID, archived_at: datetime | None) -> None:
    """Bring back what was taken out of force together with an entity."""
    back = {"status": AssertionStatus.ACTIVE.value, "archived_at": None, "archived_by": None, "archive_reason": None}
    together = tables.assertions.c.archived_at == archived_at
    for each in assertions.of_entities(journal.tx, [entity], together):
        journal.update(tables.assertions, {"id": each.id}, {**back, "updated_at": journal.tx.now})


def move(journal: Journal, target: UUID, source: UUID) -> None:
    """Have everything that was said of one entity be said of another."""
    for each in assertions.of_entities(journal.tx, [source]):
        values = {"entity_id": target, "updated_at": journal.tx.now}
        journal.update(tables.assertions, {"id": each.id}, values)


def _added(journal: Journal, new: Assertion, summary: str, notes: Sequence[str] = ()) -> Effect:
    row = {
        "id": new.id,
        "entity_id": new.entity,
        "attribute_id": new.claim,
        "predicate": new.predicate.value,
        "content": new.content,
        "speaker": new.speaker,
        "asserted_at": new.asserted_at,
        "confidence": new.confidence,
        "evidence": plain(new.evidence),
        "source_id": new.source,
        "quote_start": new.quote[0] if new.quote else None,
        "quote_end": new.quote[1] if new.quote else None,
        "status": new.status.value,
        "supersedes_id": new.supersedes,
        "created_by": new.created_by,
        "created_at": new.created_at,
        "updated_at": new.updated_at,
    }
    journal.insert(tables.assertions, row)
    return Effect(summary=summary, entity=new.entity, claim=new.claim, assertion=new.id, warnings=tuple(notes))


def _rests_on(tx: Transaction, evidence: Sequence[Quotation]) -> tuple[SourceId | None, tuple[int, int] | None]:
    """Where the first evidence that names its source stands in it. All of it must stand there word for word."""
    found = [(each.source, _place(tx, each.source, each.quote)) for each in evidence if each.source]
    return (SourceId(found[0][0]), found[0][1]) if found else (None, None)


def _place(tx: Transaction, source: UUID, quote: str) -> tuple[int, int]:
    start = sources.text_of(tx, source).find(quote)
    if start < 0:
        raise Invalid("evidence", f"is not in its source word for word: {quote[:100]!r}")
    return start, start + len(quote)


def _active(tx: Transaction, selector: UUID | str) -> Assertion:
    key = ids.parse("assertion", selector)
    found = assertions.by_id(tx, [key]).get(key)
    if found is None:
        raise NotFound("assertion", str(selector))
    if found.status is not AssertionStatus.ACTIVE:
        raise Conflict(f"The assertion `{found.id}` is {found.status.value} already.")
    return found


def _claim(tx: Transaction, selector: UUID | str) -> ClaimId:
    key = ids.parse("attribute_id", selector)
    claim = claims.by_id(tx, [key]).get(key)
    if claim is None or claim.status is not ClaimStatus.ACTIVE:
        raise NotFound("claim in force", str(selector))
    return claim.id


def _who(assertion: Assertion) -> str:
    return assertion.speaker or "Somebody"


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {
    CreateAssertion: _create,
    LinkAssertion: _link,
    ArchiveAssertion: _archive,
    SupersedeAssertion: _supersede,
}


def get(tx: Transaction, key: UUID) -> Assertion:
    """One assertion, in force or not."""
    found = assertions.by_id(tx, [key]).get(key)
    if found is None:
        raise NotFound("assertion", str(key))
    return found


def listed(
    tx: Transaction, entity: Selector | None, wanted: AssertionFilter, *, limit: int, offset: int
) -> Sequence[Assertion]:
    """The assertions that a filter wants, of an entity or of all, the last first."""
    about = None if entity is None else naming.find(tx, entity).id
    return assertions.listed(tx, replace(wanted, entity=about), limit=limit, offset=offset)
