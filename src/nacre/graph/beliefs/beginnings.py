"""Beginnings: that something was said to hold on a day does not say that it began on that day."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from nacre.domain.claims import Claim
from nacre.domain.operations import SourceQuote
from nacre.store.base.databases import Transaction
from nacre.store.evidence import sources


def place_before(tx: Transaction, claims: Sequence[Claim], at: datetime, evidence: SourceQuote | None) -> list[Claim]:
    """Claims as a statement about `at` meets them: one that nobody dated may have begun before it was said.

    So "I moved to Lisbon last month" ends "I live in Berlin" of two weeks ago. What was dated later than `at` stays
    later, and so does what was said after the statement: texts may come out of order.
    """
    later = [claim for claim in claims if claim.since > at]
    if not later:
        return list(claims)
    times = sources.times(tx, [claim.evidence for claim in later if claim.evidence])
    said_at: dict[UUID, datetime] = {
        claim.id: times.get(claim.evidence or claim.id, claim.created_at) for claim in later
    }
    told, here = _said_at(tx, evidence), evidence.source if evidence else None
    # Of two texts of one moment the second counts; in one text each keeps its time.
    earlier = [
        claim for claim in later if said_at[claim.id] < told or (said_at[claim.id] == told and claim.evidence != here)
    ]
    undated = {claim.id for claim in earlier if claim.valid_from in (None, said_at[claim.id])}
    return [replace(claim, valid_from=None, created_at=at) if claim.id in undated else claim for claim in claims]


def leave_later(tx: Transaction, claims: Sequence[Claim], until: datetime, evidence: SourceQuote | None) -> list[Claim]:
    """Claims that a retraction as of `until` may end: without those that began later, which it does not speak of."""
    if all(claim.since <= until for claim in claims):
        return list(claims)
    told = _said_at(tx, evidence)
    return [claim for claim in claims if claim.since <= until or (claim.since <= told and _is_same_month(claim, until))]


def _is_same_month(claim: Claim, until: datetime) -> bool:
    """ "In March" is taken as its first day and may mean any."""
    return (claim.since.year, claim.since.month) == (until.year, until.month)


def _said_at(tx: Transaction, evidence: SourceQuote | None) -> datetime:
    """When something was stated: with the words it rests on, else now."""
    return sources.times(tx, [evidence.source]).get(evidence.source, tx.now) if evidence else tx.now
