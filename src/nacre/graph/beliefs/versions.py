"""Versions of a claim follow each other without gap or overlap, in the order in which they held."""

import dataclasses
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain import ids
from nacre.domain.claim_operations import ClaimStatement
from nacre.domain.claims import Aspect, Claim, ClaimKind, ClaimStatus, normalized
from nacre.domain.ids import ClaimId
from nacre.store.base.journals import Journal
from nacre.store.graph import claims
from nacre.store.tables import schema as tables


def add(journal: Journal, aspect: Aspect, stated: ClaimStatement, decision: str | None = None) -> UUID:
    """A value that begins a chain of its own."""
    return _insert(journal, aspect, stated, decision, status=ClaimStatus.ACTIVE)


def replace(
    journal: Journal, aspect: Aspect, stated: ClaimStatement, over: Sequence[Claim], decision: str | None = None
) -> UUID:
    """A value in place of others. One that held before them lands in the past and leaves them in force."""
    since = stated.valid_from or journal.tx.now
    if any(claim.since > since for claim in over):
        return _insert_before(journal, aspect, stated, over, decision)
    newest = max(over, key=lambda claim: (claim.since, claim.version))
    key = _insert(journal, aspect, stated, decision, status=ClaimStatus.ACTIVE, after=newest)
    for claim in over:
        _end(journal, claim, since, by=key, decision=decision)
    return key


def past(
    journal: Journal, aspect: Aspect, stated: ClaimStatement, over: Sequence[Claim], decision: str | None = None
) -> UUID:
    """A value that held before others did, and leaves them in force. When it began may not be known."""
    since = stated.valid_from or journal.tx.now
    if any(claim.since > since for claim in over):
        return _insert_before(journal, aspect, stated, over, decision)
    undated = dataclasses.replace(stated, valid_from=None, valid_to=None)
    first = min(over, key=lambda claim: claim.since)
    until = min(filter(None, (stated.valid_to, first.since)))
    newest = max(over, key=lambda claim: claim.version)
    status = ClaimStatus.SUPERSEDED
    return _insert(journal, aspect, undated, decision, status=status, after=newest, until=until, by=first.id)


def retract(journal: Journal, over: Sequence[Claim], since: datetime, decision: str | None = None) -> None:
    """Values that no longer hold, with nothing in their place."""
    for claim in over:
        _end(journal, claim, max(since, claim.since), by=None, decision=decision)


def reinforce(journal: Journal, claim: Claim, stated: ClaimStatement) -> None:
    """A value that was stated again: the first evidence stays, and the surer statement counts."""
    again = {
        "confidence": max(claim.confidence, stated.confidence),
        "importance": max(claim.importance, stated.importance),
        "updated_at": journal.tx.now,
    }
    if stated.valid_from and stated.valid_from < claim.since and claim.previous is None:
        again["valid_from"] = stated.valid_from
    journal.update(tables.attributes, {"id": claim.id}, again)


def archive(journal: Journal, gone: Sequence[Claim], reason: str | None) -> None:
    """Take values out of force."""
    now = journal.tx.now
    out = {"status": ClaimStatus.DELETED.value, "archived_at": now, "archived_by": journal.actor, "updated_at": now}
    for claim in gone:
        journal.update(tables.attributes, {"id": claim.id}, {**out, "archive_reason": reason})


def _insert_before(
    journal: Journal, aspect: Aspect, stated: ClaimStatement, over: Sequence[Claim], decision: str | None
) -> UUID:
    since, place = stated.valid_from or journal.tx.now, (aspect.id, stated.slot)
    chain = claims.in_chains(journal.tx, {claim.root for claim in over})
    mine = [claim for claim in chain if claim.kind == stated.kind and (claim.aspect, claim.slot) == place]
    line = sorted(mine, key=lambda claim: (claim.since, claim.version))
    after = next(claim for claim in line if claim.since > since)
    before = [claim for claim in line if claim.since <= since]
    key = _insert(
        journal,
        aspect,
        stated,
        decision,
        status=ClaimStatus.SUPERSEDED,
        after=max(line, key=lambda claim: claim.version),
        until=min(filter(None, (stated.valid_to, after.since))),
        by=after.id,
    )
    if before:
        _end(journal, before[-1], since, by=before[-1].superseded_by or ClaimId(key), decision=None)
    return key


def _end(journal: Journal, claim: Claim, at: datetime, *, by: UUID | None, decision: str | None) -> None:
    ended = {
        "status": ClaimStatus.SUPERSEDED.value,
        "superseded_by": by,
        # A beginning that turned out to be unknown is not kept: see `beginnings`.
        "valid_from": claim.valid_from,
        "valid_to": min(filter(None, (claim.valid_to, at))),
        "updated_at": journal.tx.now,
    }
    if by is None and decision:
        ended["decision"] = decision
    journal.update(tables.attributes, {"id": claim.id}, ended)


def _insert(
    journal: Journal,
    aspect: Aspect,
    stated: ClaimStatement,
    decision: str | None,
    *,
    status: ClaimStatus,
    after: Claim | None = None,
    until: datetime | None = None,
    by: UUID | None = None,
) -> UUID:
    key, now = ids.new(journal.tx.now), journal.tx.now
    evidence = stated.evidence
    row = {
        "id": key,
        "entity_id": aspect.entity,
        "aspect_id": aspect.id,
        "group_key": stated.slot.group,
        "claim_key": stated.slot.claim,
        "kind": ClaimKind(stated.kind).value,
        "value": stated.value,
        "normalized": normalized(stated.value),
        "confidence": stated.confidence,
        "importance": stated.importance,
        "status": status.value,
        "version": after.version + 1 if after else 1,
        "root_id": after.root if after else key,
        "previous_id": after.id if after else None,
        "superseded_by": by,
        "valid_from": stated.valid_from,
        "valid_to": until or stated.valid_to,
        "memory_id": stated.memory,
        "source_id": evidence.source if evidence else None,
        "quote_start": evidence.quote[0] if evidence else None,
        "quote_end": evidence.quote[1] if evidence else None,
        "actor": journal.actor,
        "decision": decision or stated.reason,
        "created_at": now,
        "updated_at": now,
    }
    journal.insert(tables.attributes, row)
    return key
