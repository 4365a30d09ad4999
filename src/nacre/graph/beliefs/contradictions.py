"""Older contradictions: values that are all in force though the newer would have replaced the older.

Only values of one entity and one slot are compared, in the order in which they became true, and constraints are left
alone. What is found is for a person to decide on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from nacre.domain.claims import Cardinality, Claim, ClaimKind, ClaimStatus
from nacre.graph.beliefs.cardinality import default_cardinality
from nacre.graph.beliefs.supersession import ENDING, judge

# A slot of unknown cardinality with so many values at once holds several.
_SEVERAL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two values in force that cannot both be so, and why the newer should stand."""

    older: Claim
    newer: Claim
    confidence: float
    because: str


def pairs(claims: Sequence[Claim], cardinality: Cardinality | None) -> list[Contradiction]:
    """The contradictions among these claims, each older value once; `cardinality` is that of their slot, if known."""
    active = [claim for claim in claims if claim.status is ClaimStatus.ACTIVE and claim.kind is ClaimKind.ATTRIBUTE]
    contradictions: list[Contradiction] = []
    for _, group in groupby(sorted(active, key=_order), key=_place):
        contradictions.extend(_among(list(group), cardinality))
    return contradictions


def _among(claims: list[Claim], cardinality: Cardinality | None) -> Iterator[Contradiction]:
    known = cardinality or default_cardinality(claims[0].slot)
    if known is None and claims[0].slot.claim is not None and len(claims) >= _SEVERAL:
        known = Cardinality.MULTI
    standing: list[Claim] = []
    for newer in claims:
        verdict = judge(newer.slot, known, standing, newer.value, at=newer.since)
        over = verdict.over if verdict.action in ENDING else ()
        for older in (claim for claim in standing if claim.id in over):
            yield Contradiction(older=older, newer=newer, confidence=verdict.confidence, because=verdict.because)
        standing = [*(claim for claim in standing if claim.id not in over), newer]


def _place(claim: Claim) -> tuple[UUID, str, str, str, bool]:
    slot = claim.slot
    return claim.entity, slot.aspect, slot.group, slot.claim or "", slot.claim is None


def _order(claim: Claim) -> tuple[tuple[UUID, str, str, str, bool], datetime, datetime, UUID]:
    return _place(claim), claim.since, claim.created_at, claim.id
