"""Links as values of their predicate, so that one rule judges links and claims; and the end of such links."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain.claims import GENERAL_GROUP, Claim, Slot
from nacre.domain.ids import AspectId, ClaimId
from nacre.domain.links import Link
from nacre.domain.operations import SourceQuote
from nacre.graph.beliefs import beginnings
from nacre.store.base.journals import Journal
from nacre.store.graph import entities
from nacre.store.tables import schema as tables


def slot(predicate: str) -> Slot:
    """The slot that stands for a predicate."""
    return Slot("links", GENERAL_GROUP, predicate)


def as_claims(
    journal: Journal, about: UUID, current: Sequence[Link], at: datetime, evidence: SourceQuote | None
) -> list[Claim]:
    """Links of an entity as values, as a statement about `at` meets them. The value is the name at the other end."""
    far = {link.id: link.source if link.target == about else link.target for link in current}
    ends = {end for end in far.values() if end}
    journal.known.update(entities.by_id(journal.tx, missing) if (missing := ends - set(journal.known)) else {})
    names = {key: journal.known[end].name if end else "" for key, end in far.items()}
    values = [_as_claim(link, names[link.id] or link.value or "") for link in current]
    return beginnings.place_before(journal.tx, values, at, evidence)


def end(journal: Journal, over: Sequence[Claim], at: datetime) -> None:
    """End links, given as claims: not before they began, and those that nobody dated may have begun at any time."""
    for claim in over:
        ends = min(filter(None, (claim.valid_to, max(at, claim.since))))
        dated = {"valid_from": claim.valid_from, "valid_to": ends}
        journal.update(tables.links, {"id": claim.id}, {**dated, "updated_at": journal.tx.now})


def _as_claim(link: Link, value: str) -> Claim:
    return Claim(
        id=ClaimId(link.id),
        entity=link.source,
        aspect=AspectId(link.source),
        slot=slot(link.predicate),
        value=value,
        confidence=link.confidence,
        root=ClaimId(link.id),
        valid_from=link.valid_from,
        valid_to=link.valid_to,
        evidence=link.evidence,
        actor="",
        created_at=link.created_at,
        updated_at=link.updated_at,
    )
