"""Explanations: why something is believed."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.claims import Claim, ClaimKind, ClaimStatus, Slot
from nacre.domain.errors import Conflict, NotFound
from nacre.domain.explanations import Explanation, LinkExplanation
from nacre.domain.links import LinkEvent
from nacre.domain.operations import Selector
from nacre.graph.identity import naming
from nacre.store.base import audits
from nacre.store.base.databases import Transaction
from nacre.store.evidence import sources
from nacre.store.graph import aspects, claims, entities, links
from nacre.store.tables import schema as tables


def claim(tx: Transaction, key: UUID) -> Explanation:
    """Why a version of a claim is, or was, believed."""
    found = claims.by_id(tx, [key]).get(key)
    if found is None:
        raise NotFound("claim", str(key))
    chain = claims.load(tx, tables.attributes.c.root_id == found.root)
    in_order = sorted(chain, key=lambda each: (each.since, each.version))
    place = [each.id for each in in_order].index(found.id)
    return Explanation(
        entity=entities.by_id(tx, [found.entity])[found.entity],
        claim=found,
        since=found.since,
        until=found.valid_to,
        evidence=sources.cite(tx, found.evidence, found.quote),
        replaced=tuple(reversed(in_order[:place])),
        followed=tuple(in_order[place + 1 :]),
        decisions=tuple(audits.touching(tx, tables.attributes.name, found.id)),
    )


def beliefs(tx: Transaction, entity: Selector, path: str | None, as_of: datetime | None) -> list[Explanation]:
    """Everything that is believed of an entity, or by one claim of it, now or at a moment, each with its grounds."""
    subject = naming.subject(tx, entity, as_of).id
    if path is None:
        return [claim(tx, each.id) for each in claims.of_entity(tx, subject, as_of)]
    slot = Slot.at(path)
    aspect = aspects.by_key(tx, subject, slot.aspect)
    versions = claims.in_slot(tx, aspect.id, slot, deleted=True) if aspect else []
    held = claims.holding(tx, [version.id for version in versions], as_of)
    return [claim(tx, each.id) for each in held]


def link(tx: Transaction, selector: UUID | str) -> LinkExplanation:
    """Why a link is there."""
    key = ids.parse("link", selector)
    found = links.by_id(tx, [key]).get(key)
    if found is None:
        raise NotFound("link", str(selector))
    ends = entities.by_id(tx, [each for each in (found.source, found.target) if each])
    return LinkExplanation(
        link=found,
        source=ends[found.source],
        target=ends[found.target] if found.target else None,
        evidence=sources.cite(tx, found.evidence, found.quote),
        decisions=tuple(audits.touching(tx, tables.links.name, found.id)),
    )


def versions(
    tx: Transaction, entity: Selector, path: str, kind: str | None = None, status: str | None = None
) -> list[Claim]:
    """Everything a claim ever said, or those of a kind and a status, the last version first."""
    slot = Slot.at(path)
    kinds = ClaimKind if kind is None else [checks.choice("kind", kind, ClaimKind)]
    statuses = ClaimStatus if status is None else [checks.choice("status", status, ClaimStatus)]
    aspect = aspects.by_key(tx, naming.find(tx, entity).id, slot.aspect)
    held = claims.in_slot(tx, aspect.id, slot, deleted=True) if aspect else []
    return [each for each in held if each.kind in kinds and each.status in statuses]


def numbered(history: Sequence[Claim], number: int) -> Claim:
    """The one of some versions that has a number."""
    held = [each for each in history if each.version == number]
    if not held:
        raise NotFound("version", str(number))
    if len(held) > 1:
        named = ", ".join(str(each.id) for each in held[:5])
        raise Conflict(f"{len(held)} values side by side have a version {number}: {named}. Ask for one by its id.")
    return held[0]


def claim_by_id(tx: Transaction, key: UUID | None) -> Claim:
    """A version of a claim by its id."""
    found = claims.by_id(tx, [key]).get(key) if key else None
    if found is None:
        raise NotFound("claim", str(key))
    return found


def believed(tx: Transaction, entity: Selector, as_of: datetime | None) -> list[Claim]:
    """What is believed of an entity, or was at a moment; the weightiest aspects first."""
    return claims.of_entity(tx, naming.subject(tx, entity, as_of).id, as_of)


def link_events(tx: Transaction, key: UUID) -> list[LinkEvent]:
    """Everything that happened to a link, as the database itself wrote it down."""
    return links.history(tx, key)
