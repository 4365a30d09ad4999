"""Handlers of operations on claims."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from nacre.domain import ids, keys
from nacre.domain.claim_operations import (
    AddClaimValue,
    ArchiveClaimValue,
    ClaimStatement,
    DeclareCardinality,
    RecordClaim,
    RestoreClaimVersion,
    SetClaimValue,
    SupersedeClaimValue,
)
from nacre.domain.claims import Aspect, Cardinality, Claim, ClaimKind, ClaimStatus, Slot, normalized
from nacre.domain.errors import Conflict, Invalid, NotFound, SlotConstrained
from nacre.domain.ids import ClaimId
from nacre.domain.operation_results import Effect
from nacre.domain.operations import SourceQuote
from nacre.domain.plain import plain
from nacre.graph.beliefs import (
    beginnings,
    consequences,
    markers,
    peers,
    slots,
    supersession,
    value_keys,
    values,
    versions,
)
from nacre.graph.beliefs.consequences import Occasion
from nacre.graph.beliefs.supersession import Action, ValueVerdict
from nacre.graph.identity import naming
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.graph import aspects, claims
from nacre.store.tables import schema as tables

# What a proposal keeps of a value that was stated.
_ASKED = ("entity", "aspect", "group", "claim", "value", "kind", "confidence", "importance", "valid_from", "evidence")


def _add(journal: Journal, operation: AddClaimValue) -> Effect:
    entity, aspect, notes = slots.place(journal, operation)
    keys = value_keys.same_keys(operation.value)
    held = peers.claims_of(journal.tx, aspect.id, operation.slot, keys, journal.tx.now)
    twin = next((claim for claim in held if _same(claim, operation)), None)
    if twin:
        versions.reinforce(journal, twin, operation)
        return _outcome(entity.name, operation, twin.id, notes)
    known = aspects.cardinality_of(journal.tx, str(operation.slot))
    if held and known and known.declared and known.cardinality is Cardinality.SINGLE:
        last = _held(journal.tx, aspect.id, operation.slot)[0]
        raise Conflict(f"`{operation.slot}` holds one value at a time. Set it to replace {last.value!r}.")
    key = versions.add(journal, aspect, operation)
    slots.learn(journal, aspect.id, operation.slot)
    return _outcome(entity.name, operation, key, notes)


def _set(journal: Journal, operation: SetClaimValue) -> Effect:
    entity, aspect, notes = slots.place(journal, operation)
    held = _held(journal.tx, aspect.id, operation.slot)
    if len(held) == 1 and _same(held[0], operation):
        return _outcome(entity.name, operation, held[0].id, [*notes, "It said so already."])
    _check_unconstrained(held, operation.slot, force=operation.force)
    key = _put(journal, operation, held)
    return _outcome(entity.name, operation, key, notes)


def _record(journal: Journal, operation: RecordClaim) -> Effect:
    entity, aspect, notes = slots.place(journal, operation)
    operation = _in_group_that_holds(journal.tx, aspect.id, operation)
    known = _peers(journal.tx, aspect.id, operation)
    held, verdict = _judged(journal, operation, known)
    if known and _is_about_all(operation.slot, verdict):
        known = _held(journal.tx, aspect.id, operation.slot)
        held, verdict = _judged(journal, operation, known)
    over = [claim for claim in (known if verdict.action is Action.REPEAT else held) if claim.id in verdict.over]
    key = _take_in(journal, aspect, operation, over, verdict)
    if verdict.action is Action.ADD and verdict.until is None:
        slots.learn(journal, aspect.id, operation.slot)
    if key and verdict.action is not Action.LATE:
        occasion = Occasion(entity=entity.id, since=_moment(journal.tx, operation), evidence=operation.evidence)
        consequences.of_claim(journal, occasion, operation.slot, operation.value)
    said = [] if verdict.action in (Action.ADD, Action.REPEAT) else [verdict.because]
    return _outcome(entity.name, operation, key, [*notes, *said])


def _in_group_that_holds(tx: Transaction, aspect: UUID, operation: RecordClaim) -> RecordClaim:
    """A change or an end of what is held, in the group that holds it: "my flight was moved" says not which flight.

    Only where the claim is held in no group but one.
    """
    slot = operation.slot
    if slot.claim is None or not (operation.retracted or markers.tone(operation.said or "").switched):
        return operation
    held = claims.active_in(tx, [aspect])
    groups = {claim.slot.group for claim in held if claim.slot.claim == slot.claim and _lasts(tx, claim)}
    return operation if slot.group in groups or len(groups) != 1 else replace(operation, group=groups.pop())


def _lasts(tx: Transaction, claim: Claim) -> bool:
    return claim.valid_to is None or claim.valid_to > tx.now


def _peers(tx: Transaction, aspect: UUID, operation: RecordClaim) -> list[Claim]:
    """The active versions that a statement may be about. A retraction may name a part of any of them."""
    slot, keys = operation.slot, None
    whole = operation.retracted or slot.claim == supersession.MEDICINES
    if not whole and slots.cardinality_of(tx, slot) is not Cardinality.SINGLE:
        keys = value_keys.judged_keys(operation.value, operation.said)
    return peers.claims_of(tx, aspect, slot, keys, _moment(tx, operation), kind=ClaimKind(operation.kind))


def _is_about_all(slot: Slot, verdict: ValueVerdict) -> bool:
    """Whether a verdict names other values than those that were looked at: all rules, or the last of all statements."""
    unkeyed = slot.claim is None and (verdict.action is Action.REVIEW or verdict.until is not None)
    return verdict.action is Action.REFUSE or unkeyed


def _take_in(
    journal: Journal, aspect: Aspect, operation: RecordClaim, over: Sequence[Claim], verdict: ValueVerdict
) -> UUID | None:
    """Do as was decided; returns the version that says so now, if there is one."""
    stated = replace(operation, valid_to=operation.valid_to or verdict.until)
    match verdict.action:
        case Action.REPEAT:
            versions.reinforce(journal, over[0], operation)
            return over[0].id
        case Action.REPLACE | Action.REFINE:
            return versions.replace(journal, aspect, operation, over, verdict.because)
        case Action.LATE:
            return versions.past(journal, aspect, stated, over, verdict.because)
        case Action.ADD:
            return versions.add(journal, aspect, stated, verdict.because)
        case Action.RETRACT:
            versions.retract(journal, over, _moment(journal.tx, operation), verdict.because)
        case Action.REVIEW:
            _suggest(journal, operation, verdict)
        case Action.REFUSE:
            pass
    return None


def _suggest(journal: Journal, operation: RecordClaim, verdict: ValueVerdict) -> None:
    """Leave the decision to a person: the value waits as a proposal, and nothing that is held changes."""
    asked = {name: getattr(operation, name) for name in _ASKED}
    now = journal.tx.now
    row = {
        "id": ids.new(now),
        "batch_id": ids.new(now),
        "operation": SetClaimValue.operation,
        "payload": plain(asked),
        "status": "pending",
        "confidence": verdict.confidence,
        "rationale": verdict.because,
        "evidence": [],
        "risk": "review_required",
        "created_by": journal.actor,
        "created_at": now,
        "updated_at": now,
    }
    journal.insert(tables.proposals, row)


def _judged(journal: Journal, operation: RecordClaim, before: Sequence[Claim]) -> tuple[list[Claim], ValueVerdict]:
    """Versions as the statement meets them, and what it does to them."""
    current = beginnings.place_before(journal.tx, before, _moment(journal.tx, operation), operation.evidence)
    return current, _verdict(journal, operation, current)


def _verdict(journal: Journal, operation: RecordClaim, current: Sequence[Claim]) -> ValueVerdict:
    slot = operation.slot
    cardinality = slots.cardinality_of(journal.tx, slot)
    if not operation.retracted:
        at = operation.valid_from or journal.tx.now
        return supersession.judge(
            slot, cardinality, current, operation.value, at=at, kind=ClaimKind(operation.kind), said=operation.said
        )
    named = [claim for claim in current if _names(claim, operation.value)] if operation.value else _only(current)
    at = _moment(journal.tx, operation)
    if (
        operation.value
        and not named
        and current
        and cardinality is Cardinality.SINGLE
        and _is_news(journal.tx, operation, current[0].aspect)
    ):
        because = f"`{operation.value}` held before `{current[0].value}`."
        return ValueVerdict(action=Action.LATE, over=_ids(current), confidence=operation.confidence, because=because)
    ends = beginnings.leave_later(journal.tx, named, at, operation.evidence)
    free = _ids(claim for claim in ends if claim.kind is not ClaimKind.CONSTRAINT)
    because = f"`{ends[0].value}` no longer holds." if free else f"Nothing in `{slot}` says `{operation.value}`."
    return ValueVerdict(action=Action.RETRACT, over=free, confidence=operation.confidence, because=because)


def _is_news(tx: Transaction, operation: RecordClaim, aspect: UUID) -> bool:
    """Whether a retraction says until when a value held of which nobody had spoken."""
    if operation.valid_to is None or operation.valid_to > tx.now:
        return False
    return not any(_names(claim, operation.value) for claim in claims.in_slot(tx, aspect, operation.slot))


def _only(current: Sequence[Claim]) -> list[Claim]:
    """What a retraction ends that names nothing: the one value there is."""
    return list(current) if len(current) == 1 else []


def _ids(current: Iterable[Claim]) -> tuple[ClaimId, ...]:
    return tuple(claim.id for claim in current)


def _moment(tx: Transaction, operation: RecordClaim) -> datetime:
    """Since when a value holds, or until when one did that no longer does."""
    return (operation.retracted and operation.valid_to) or operation.valid_from or tx.now


def _names(claim: Claim, value: str) -> bool:
    """Whether a retraction of `value` is about a claim, which may say the same more precisely."""
    return values.same(claim.value, value) or values.contains(claim.value, value)


def _supersede(journal: Journal, operation: SupersedeClaimValue) -> Effect:
    old = _meant(journal.tx, operation)
    _check_unconstrained([old], old.slot, force=operation.force)
    if operation.superseded_by is not None:
        new = _active(journal.tx, operation.superseded_by)
        if new.id == old.id or (new.aspect, new.slot) != (old.aspect, old.slot):
            raise Invalid("superseded_by", "must be another value of the same claim")
        ended = {
            "status": ClaimStatus.SUPERSEDED.value,
            "superseded_by": new.id,
            "valid_to": max(old.since, new.since),
            "updated_at": journal.tx.now,
        }
        journal.update(tables.attributes, {"id": old.id}, ended)
        return Effect(summary=f"{old.value} gave way to {new.value}.", entity=old.entity, claim=new.id, claims=1)
    stated = _restated(old, operation.new_value or "", operation.reason, operation.evidence)
    key = _put(journal, replace(stated, valid_from=operation.valid_from), [old])
    return Effect(summary=f"{old.value} gave way to {stated.value}.", entity=old.entity, claim=key, claims=1)


def _archive(journal: Journal, operation: ArchiveClaimValue) -> Effect:
    claim = _active(journal.tx, operation.attribute_id)
    _check_unconstrained([claim], claim.slot, force=operation.force)
    versions.archive(journal, [claim], operation.reason)
    return Effect(summary=f"{claim.slot} no longer says {claim.value}.", entity=claim.entity, claim=claim.id, claims=1)


def _restore(journal: Journal, operation: RestoreClaimVersion) -> Effect:
    key = ids.parse("attribute_id", operation.attribute_id)
    old = claims.by_id(journal.tx, [key]).get(key)
    if old is None:
        raise NotFound("claim version", str(operation.attribute_id))
    if old.status is ClaimStatus.ACTIVE:
        raise Conflict(f"Version {old.version} of `{old.slot}` is in force already.")
    held = [claim for claim in _held(journal.tx, old.aspect, old.slot) if claim.kind is old.kind]
    over = [claim for claim in held if claim.root == old.root] or held
    _check_unconstrained(over, old.slot, force=operation.force)
    reason = operation.reason or f"Version {old.version} was restored."
    key = _put(journal, _restated(old, old.value, reason, _quoted(old)), over or [old])
    return Effect(summary=f"{old.slot} says {old.value} again.", entity=old.entity, claim=key, claims=1)


def _declare(journal: Journal, operation: DeclareCardinality) -> Effect:
    key = str(Slot.at(operation.key)) if "/" in operation.key else keys.canonical("key", operation.key)
    values = {
        "cardinality": Cardinality(operation.cardinality).value,
        "origin": aspects.DECLARED,
        "reason": operation.reason or f"Declared by {journal.actor}.",
        "created_at": journal.tx.now,
    }
    if aspects.cardinality_of(journal.tx, key):
        journal.update(tables.cardinalities, {"key": key}, values)
    else:
        journal.insert(tables.cardinalities, {"key": key, **values})
    return Effect(summary=f"`{key}` is {values['cardinality']}-valued.")


def _put(journal: Journal, stated: ClaimStatement, over: Sequence[Claim]) -> UUID:
    """A value in place of others, or the first of its claim."""
    entity = naming.one(journal.tx, over[0].entity if over else stated.entity)
    aspect = slots.ensure_aspect(journal, entity, stated.aspect)
    return versions.replace(journal, aspect, stated, over) if over else versions.add(journal, aspect, stated)


def _held(tx: Transaction, aspect: UUID, slot: Slot) -> list[Claim]:
    return peers.claims_of(tx, aspect, slot, None, tx.now)


def _same(claim: Claim, stated: ClaimStatement) -> bool:
    return claim.kind == stated.kind and normalized(claim.value) == normalized(stated.value)


def _check_unconstrained(current: Sequence[Claim], slot: Slot, *, force: bool) -> None:
    if not force and any(claim.kind is ClaimKind.CONSTRAINT for claim in current):
        raise SlotConstrained(str(slot))


def _active(tx: Transaction, selector: UUID | str) -> Claim:
    key = ids.parse("attribute_id", selector)
    claim = claims.by_id(tx, [key]).get(key)
    if claim is None or claim.status is not ClaimStatus.ACTIVE:
        raise NotFound("claim in force", str(selector))
    return claim


def _meant(tx: Transaction, operation: SupersedeClaimValue) -> Claim:
    if operation.attribute_id is not None:
        return _active(tx, operation.attribute_id)
    entity = naming.one(tx, operation.entity or "")
    slot = Slot.of(operation.aspect, operation.group, operation.claim)
    aspect = aspects.by_key(tx, entity.id, slot.aspect)
    said = normalized(operation.old_value or "")
    held = _held(tx, aspect.id, slot) if aspect else []
    fits = (claim for claim in held if operation.kind in (None, claim.kind) and normalized(claim.value) == said)
    found = next(fits, None)
    if found is None:
        raise NotFound(f"value of `{slot}`", operation.old_value or "")
    return found


def _restated(old: Claim, value: str, reason: str | None, evidence: SourceQuote | None) -> ClaimStatement:
    return ClaimStatement(
        entity=old.entity,
        aspect=old.slot.aspect,
        group=old.slot.group,
        claim=old.slot.claim,
        value=value,
        kind=old.kind,
        confidence=old.confidence,
        importance=old.importance,
        evidence=evidence,
        memory=old.memory if value == old.value else None,
        reason=reason,
    )


def _quoted(claim: Claim) -> SourceQuote | None:
    return SourceQuote(source=claim.evidence, quote=claim.quote) if claim.evidence and claim.quote else None


def _outcome(name: str, stated: ClaimStatement, key: UUID | None, notes: Sequence[str]) -> Effect:
    summary = f"{name}: {stated.slot} = {stated.value}"
    return Effect(summary=summary, claim=key, claims=1 if key else 0, warnings=tuple(notes))


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {
    AddClaimValue: _add,
    SetClaimValue: _set,
    RecordClaim: _record,
    SupersedeClaimValue: _supersede,
    ArchiveClaimValue: _archive,
    RestoreClaimVersion: _restore,
    DeclareCardinality: _declare,
}
