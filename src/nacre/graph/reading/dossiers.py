"""All that there is about one entity."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

from nacre.domain.audits import AuditRecord
from nacre.domain.claims import Claim
from nacre.domain.dossiers import (
    AspectHistory,
    Beliefs,
    Citation,
    ClaimHistory,
    ClaimVersion,
    Connection,
    GroupHistory,
    TimelineEntry,
)
from nacre.domain.entities import Entity
from nacre.domain.errors import NotFound
from nacre.domain.memories import Memory
from nacre.domain.recording_operations import NoteMentions
from nacre.domain.scopes import Scope
from nacre.store.base import audits, sharing
from nacre.store.base.databases import Transaction
from nacre.store.graph import aspects, claims, entities
from nacre.store.reads import dossiers
from nacre.store.reads.dossiers import Place
from nacre.store.tables import schema as tables

# Of one entity; more than anybody reads.
MAX_CLAIMS = 2_000


def beliefs(tx: Transaction, entity: Entity, as_of: datetime | None, most: int) -> Beliefs:
    """Everything that claims about an entity ever said, `most` versions of each with the words they rest on."""
    versions = claims.load(tx, tables.attributes.c.entity_id == entity.id, limit=MAX_CLAIMS)
    holding: set[UUID] = {each.id for each in claims.of_entity(tx, entity.id, as_of)}
    cited = dossiers.cite(tx, (_place(each) for each in versions))
    sides = {each.id: each for each in aspects.load(tx, tables.aspects.c.entity_id == entity.id)}
    return Beliefs(
        entity=entity,
        as_of=as_of,
        aspects=tuple(
            AspectHistory(aspect=sides[key], groups=_groups(list(held), holding, cited, most))
            for key, held in groupby(versions, key=lambda each: each.aspect)
        ),
    )


def _groups(
    history: Sequence[Claim], holding: set[UUID], cited: dict[Place, Citation], most: int
) -> tuple[GroupHistory, ...]:
    return tuple(
        GroupHistory(
            group=group,
            claims=tuple(
                _history(claim, list(versions), holding, cited, most)
                for claim, versions in groupby(in_group, key=lambda each: each.slot.claim)
            ),
        )
        for group, in_group in groupby(history, key=lambda each: each.slot.group)
    )


def _history(
    claim: str | None, history: Sequence[Claim], holding: set[UUID], cited: dict[Place, Citation], most: int
) -> ClaimHistory:
    last_first = sorted(history, key=lambda each: (each.id in holding, each.since, each.version), reverse=True)
    shown = [
        ClaimVersion(claim=each, holds=each.id in holding, citation=cited.get(_place(each) or _NOWHERE))
        for each in last_first[:most]
    ]
    return ClaimHistory(claim=claim, path=str(history[0].slot), versions=tuple(shown), total=len(history))


_NOWHERE: Place = (UUID(int=0), 0, 0)


def _place(claim: Claim) -> Place | None:
    return (claim.evidence, *claim.quote) if claim.evidence and claim.quote else None


def connections(
    tx: Transaction, entity: Entity, directions: Sequence[str], part: slice, as_of: datetime | None
) -> list[Connection]:
    """The links at an entity, each with its ends and the words it rests on."""
    found = dossiers.connections(tx, entity.id, directions, part, as_of)
    known = entities.by_id(tx, list({end for link in found for end in (link.source, link.target) if end}))
    places = {link.id: (link.evidence, *link.quote) for link in found if link.evidence and link.quote}
    cited = dossiers.cite(tx, places.values())
    return [
        Connection(
            link=link,
            direction="outgoing" if link.source == entity.id else "incoming",
            source=known[link.source],
            target=known[link.target] if link.target else None,
            citation=cited.get(places.get(link.id, _NOWHERE)),
        )
        for link in found
    ]


def mentions(tx: Transaction, entity: Entity, limit: int, offset: int) -> list[Citation]:
    """Where an entity is spoken of, the last said first."""
    places = dossiers.entity_mentions(tx, entity.id, limit, offset)
    cited = dossiers.cite(tx, places)
    return [cited[place] for place in places if place in cited]


def timeline(tx: Transaction, entity: Entity, before: UUID | None, limit: int) -> list[TimelineEntry]:
    """What was done to an entity and what is believed of it, the last first. That it was spoken of is no event."""
    start = None
    if before is not None:
        named = audits.by_id(tx, before)
        if not named:
            raise NotFound("operation", str(before))
        start = named[0].seq
    touched = dossiers.touching(tx, entity.id, [NoteMentions.operation], start, limit)
    records: dict[UUID, AuditRecord] = {record.id: record for record in audits.some(tx, list(touched))}
    return [TimelineEntry(record=records[key], touched=tuple(sorted(tables_))) for key, tables_ in touched.items()]


def memories(tx: Transaction, scope: Scope, entity: Entity, limit: int, offset: int) -> list[Memory]:
    """The memories of a scope in force that speak of an entity, or that claims about it rest on."""
    kept = sharing.moved(tx, sharing.of(tx).memory_home(scope))
    return dossiers.resting_on(tx, kept, entity.id, limit, offset)
