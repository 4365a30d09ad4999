"""Proposals: operations that passed a dry run and wait for somebody to apply or reject them, each once."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from heapq import merge
from itertools import islice
from typing import Any
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.claim_operations import AddClaimValue, RecordClaim, SetClaimValue
from nacre.domain.claims import Slot, normalized
from nacre.domain.commands import Command, Operation, command, payload
from nacre.domain.errors import Ambiguous, Conflict, Invalid, NotFound
from nacre.domain.ids import EntityId, ProposalId
from nacre.domain.operations import Selector
from nacre.domain.plain import plain
from nacre.domain.proposals import MAX_LISTED, ClaimConflict, Proposal, ProposalCitation, ProposalStatus, ProposedValue
from nacre.domain.scopes import Scope
from nacre.domain.suggestions import ProposalConsolidation, RepeatedProposals, Rivals
from nacre.graph.beliefs import slots
from nacre.graph.identity import naming
from nacre.graph.operations import path, payloads
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Transaction
from nacre.store.evidence.sources import SourceRow
from nacre.store.graph import proposals
from nacre.store.reads import dossiers
from nacre.text import names as spelling

_VALUES = (AddClaimValue.operation, SetClaimValue.operation, RecordClaim.operation)


def propose(
    tx: Transaction, orders: Sequence[Operation | Command], *, actor: str, names: Sequence[str] = ()
) -> list[Proposal]:
    """Keep operations for review, all or none. What could not be carried out now, in this order, is refused."""
    commands = [_as_stored(command(order)) for order in orders]
    with tx.tried():
        path.apply(tx, commands, actor=actor, names=names)
    scopes.ensure(tx)
    batch = ids.new(tx.now)
    # Ids sort by time, and those of one moment by chance: sorted, they keep the order of the batch.
    keys = sorted(ids.new(tx.now) for _ in commands)
    made = [_proposal(tx, each, key, batch, actor) for each, key in zip(commands, keys, strict=True)]
    proposals.add(tx, made)
    return made


def apply(tx: Transaction, key: UUID, *, actor: str) -> tuple[Proposal, Invalid | None]:
    """Carry out a proposal that is pending.

    One that cannot be right is marked as failed, and the error comes back beside it: raised here, it would take the
    mark with it. Errors that may pass, such as an entity that is not there yet, are raised and leave it pending.
    """
    proposal = _pending(tx, key)
    try:
        with tx.connection.begin_nested():
            applied = path.apply(tx, [_order(proposal)], actor=actor, proposal=key)[0]
    except Invalid as error:
        failed = {"result": {"error": str(error), "code": error.code}}
        return proposals.decide(tx, key, ProposalStatus.FAILED, failed), error
    done = {
        "result": plain(applied.outcome),
        "audit_id": applied.record.id if applied.record else None,
        "applied_by": actor,
        "applied_at": tx.now,
    }
    return proposals.decide(tx, key, ProposalStatus.APPLIED, done), None


def edit(tx: Transaction, key: UUID, changes: Mapping[str, Any], *, actor: str) -> Proposal:
    """Change the payload, the rationale or the confidence of a proposal that is pending.

    It stays one and the same operation, and must be able to be carried out now, as when it was made.
    """
    proposal = _pending(tx, key)
    edited = replace(proposal, **changes)
    order = _as_stored(_order(edited))
    with tx.tried():
        path.apply(tx, [order], actor=actor)
    kept = {
        "payload": payload(order.operation),
        "rationale": edited.rationale,
        "confidence": edited.confidence,
    }
    return proposals.decide(tx, key, ProposalStatus.PENDING, kept)


def reject(tx: Transaction, key: UUID, *, actor: str, reason: str | None = None) -> Proposal:
    """Decide against a proposal that is pending."""
    _pending(tx, key)
    said = None if reason is None else {"reason": checks.text("reason", reason, limit=2_000)}
    decided = {"rejected_by": actor, "rejected_at": tx.now, "result": said}
    return proposals.decide(tx, key, ProposalStatus.REJECTED, decided)


def evidence(tx: Transaction, key: UUID) -> list[ProposalCitation]:
    """The words that a proposal rests on, with where they were said."""
    proposal = proposals.get(tx, key)
    given: Any = proposal.payload.get("evidence")
    quoted = given if isinstance(given, Mapping) and "quote" in given else None
    wanted = {each.source for each in proposal.evidence if each.source}
    known = proposals.cited(tx, wanted | ({UUID(quoted["source"])} if quoted else set()))
    found = [_cited(each.quote, each.source, known) for each in proposal.evidence]
    source = known.get(UUID(quoted["source"])) if quoted else None
    if quoted and source:
        start, end = quoted["quote"]
        found.append(replace(_cited(source.text[start:end], source.id, known), place=(start, end)))
    return _in_context(tx, found)


def conflicts(tx: Transaction, *, limit: int) -> list[ClaimConflict]:
    """The claims for which more than one value is proposed, the oldest proposal first."""
    groups: dict[tuple[str, Slot], list[Proposal]] = defaultdict(list)
    entities: dict[str, tuple[str, EntityId | None]] = {}
    names_by_id: dict[str, str] = {}
    for each in reversed(proposals.pending(tx, _VALUES)):
        payload: Any = each.payload
        if payload.get("retracted"):
            continue
        slot = Slot.of(payload["aspect"], payload["group"], payload["claim"])
        if payload["entity"] not in names_by_id:
            names_by_id[payload["entity"]], entity = known_as(tx, payload["entity"])
            entities.setdefault(names_by_id[payload["entity"]], entity)
        # Values without a claim key stand side by side and never compete.
        if slot.claim is not None:
            groups[names_by_id[payload["entity"]], slot].append(each)
    competing = [(key, slot, rivals) for (key, slot), rivals in groups.items() if _differ(rivals)]
    return [_conflict(tx, entities[key], slot, rivals) for key, slot, rivals in competing[:limit]]


def _pending(tx: Transaction, key: UUID) -> Proposal:
    scopes.lock(tx)
    proposal = proposals.get(tx, key)
    if proposal.status is not ProposalStatus.PENDING:
        raise Conflict(f"The proposal `{key}` is {proposal.status.value} already.")
    return proposal


def _as_stored(order: Command) -> Command:
    """The order with its operation as it will be read back, so that what is tried is what will be done."""
    held = order.operation
    return replace(order, operation=payloads.to_operation(held.operation, payload(held)))


def _order(proposal: Proposal) -> Command:
    return Command(
        operation=payloads.to_operation(proposal.operation, proposal.payload),
        reason=proposal.rationale,
        evidence=proposal.evidence,
        confidence=proposal.confidence,
        risk=proposal.risk,
        origin=proposal.origin,
    )


def _proposal(tx: Transaction, order: Command, key: UUID, batch: UUID, actor: str) -> Proposal:
    return Proposal(
        id=ProposalId(key),
        batch=batch,
        operation=order.operation.operation,
        payload=payload(order.operation),
        status=ProposalStatus.PENDING,
        confidence=order.confidence,
        rationale=order.reason or getattr(order.operation, "reason", None),
        evidence=order.evidence,
        risk=order.risk,
        origin=order.origin,
        created_by=order.actor or actor,
        created_at=tx.now,
        updated_at=tx.now,
    )


def _cited(quote: str, source: UUID | None, sources_by_id: Mapping[UUID, SourceRow]) -> ProposalCitation:
    held = sources_by_id.get(source) if source else None
    if held is None:
        return ProposalCitation(quote=quote, source=source)
    start = held.text.find(quote)
    place = None if start < 0 else (start, start + len(quote))
    return ProposalCitation(quote=quote, source=held.id, place=place, kind=held.kind.value, at=held.at, ref=held.ref)


def _in_context(tx: Transaction, cited: Sequence[ProposalCitation]) -> list[ProposalCitation]:
    """The words with what stands around them, and who said them."""
    places = [(each.source, *each.place) if each.source and each.place else None for each in cited]
    known = dossiers.cite(tx, places)
    shown = ("before", "after", "session", "speaker", "role")
    return [
        replace(each, **{name: getattr(known[place], name) for name in shown}) if place in known else each
        for each, place in zip(cited, places, strict=True)
    ]


def known_as(tx: Transaction, selector: Selector) -> tuple[str, tuple[str, EntityId | None]]:
    """What tells an entity apart, its name, and its id; one that is not there yet has its name alone."""
    with suppress(NotFound, Ambiguous):
        found = naming.one(tx, selector)
        return str(found.id), (found.name, found.id)
    return spelling.canonical(str(selector)), (str(selector), None)


def _differ(rivals: Sequence[Proposal]) -> bool:
    return len({normalized(str(each.payload["value"])) for each in rivals}) > 1


def _conflict(
    tx: Transaction, entity: tuple[str, EntityId | None], slot: Slot, rivals: Sequence[Proposal]
) -> ClaimConflict:
    return ClaimConflict(
        entity=entity[0],
        entity_id=entity[1],
        aspect=slot.aspect,
        group=slot.group,
        claim=slot.claim or "",
        cardinality=slots.cardinality_of(tx, slot),
        values=tuple(
            ProposedValue(
                proposal=each.id,
                value=str(each.payload["value"]),
                confidence=each.confidence,
                rationale=each.rationale,
                evidence=len(each.evidence),
            )
            for each in rivals
        ),
    )


def get(tx: Transaction, key: UUID) -> Proposal:
    """A proposal, decided or not."""
    return proposals.get(tx, key)


def newest(
    tx: Transaction, scope: Scope | None, status: ProposalStatus | None, *, limit: int, offset: int
) -> list[Proposal]:
    """The proposals of a scope, the last one first."""
    places = _places(tx, scope)
    if len(places) == 1:
        return proposals.newest(tx, status, limit=limit, offset=offset)
    # How many of one place come before a page is only known together with the other.
    pages = [proposals.newest(place, status, limit=limit + offset, offset=0) for place in places]
    last_first = merge(*pages, key=lambda each: (each.created_at, each.id), reverse=True)
    return list(islice(last_first, offset, offset + limit))


def home(tx: Transaction, scope: Scope | None, key: UUID) -> Transaction:
    """Where a proposal of a scope is kept; beside the graph where there is no such proposal."""
    others = [place for place in _places(tx, scope) if place is not tx]
    return next((place for place in others if proposals.exists(place, key)), tx)


def _places(tx: Transaction, scope: Scope | None) -> Sequence[Transaction]:
    """Where proposals are kept: beside the graph, and those about a scope's memories beside these."""
    if scope is None:
        return [tx]
    memory_home = sharing.of(tx).memory_home(scope)
    return [tx] if memory_home == tx.scope else [tx, sharing.moved(tx, memory_home)]


# Why something is proposed, and how sure somebody is of it, does not make it another proposal.
_GROUNDS = {"confidence", "importance", "reason", "evidence", "said", "memory"}
_SELECTORS = {"entity", "source", "target"}


def consolidate(tx: Transaction, *, limit: int, actor: str) -> ProposalConsolidation:
    """Reject what an older or surer proposal says as well, and name the claims for which rivals wait."""
    waiting = proposals.oldest(tx, limit)
    alike: dict[str, list[Proposal]] = defaultdict(list)
    for each in waiting:
        alike[_meaning(tx, each)].append(each)
    repeated = [_settled(tx, group, actor) for group in alike.values() if len(group) > 1]
    rivals = [Rivals(conflict=each) for each in conflicts(tx, limit=MAX_LISTED)]
    return ProposalConsolidation(examined=len(waiting), repeated=tuple(repeated), rivals=tuple(rivals))


def _settled(tx: Transaction, group: Sequence[Proposal], actor: str) -> RepeatedProposals:
    """The surest one waits on; of several, the one that has waited longest."""
    kept = max(group, key=lambda each: each.confidence or 0.0)
    others = [each.id for each in group if each.id != kept.id]
    for key in others:
        reject(tx, key, actor=actor, reason=f"The proposal `{kept.id}` says the same.")
    return RepeatedProposals(kept=kept.id, rejected=tuple(others))


def _meaning(tx: Transaction, proposal: Proposal) -> str:
    """What a proposal comes to, whoever proposes it and however it is spelled."""
    payload: Mapping[str, Any] = proposal.payload
    held = {name: _plainly(tx, name, value) for name, value in payload.items() if name not in _GROUNDS}
    if {"aspect", "group", "claim"} <= held.keys():
        slot = Slot.of(payload["aspect"], payload["group"], payload["claim"])
        held |= {"aspect": slot.aspect, "group": slot.group, "claim": slot.claim}
    return json.dumps([proposal.operation, held], sort_keys=True)


def _plainly(tx: Transaction, name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return known_as(tx, value)[0] if name in _SELECTORS else normalized(value)
