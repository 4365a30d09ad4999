"""Communities: derived from links, and replaced as a whole."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, or_, select

from nacre.domain.communities import Communities, Community, CommunityId, Member, verdict
from nacre.domain.ids import EntityId
from nacre.domain.jobs import JobStatus
from nacre.domain.memories import Status
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.graph.links import in_force
from nacre.store.tables.schema import communities, community_members, entities, gates, jobs, links
from nacre.store.tables.schema import scopes as scopes_table

GATE = "communities"
MEMBERS_SHOWN = 10

_BATCH = 500
_ACTIVE = Status.ACTIVE.value


class WeightedEdge(NamedTuple):
    """A link between two entities, and how much it counts."""

    source: UUID
    target: UUID
    predicate: str
    weight: float


class CommunityMember(NamedTuple):
    """What a community's name and summary are made of."""

    name: str
    mentions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCommunities:
    """The communities as they are stored: when each was made, and which entities are in it."""

    created: Mapping[UUID, datetime]
    members: Mapping[UUID, UUID]


def edges(tx: Transaction) -> list[WeightedEdge]:
    """The links in force between different entities, in a fixed order."""
    weight = (links.c.strength * links.c.confidence).label("weight")
    rows = tx.execute(
        select(links.c.source_entity, links.c.target_entity, links.c.predicate, weight)
        .where(links.c.scope_id == tx.scope_id, links.c.target_entity != links.c.source_entity, in_force(tx))
        .order_by(links.c.id)
    )
    return [WeightedEdge._make(row) for row in rows]


def known(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, CommunityMember]:
    """Those of `ids` that are entities in force."""
    community_members_by_id: dict[UUID, CommunityMember] = {}
    for start in range(0, len(ids), _BATCH):
        rows = tx.execute(
            select(entities.c.id, entities.c.name, entities.c.mentions, entities.c.status).where(
                entities.c.scope_id == tx.scope_id, entities.c.id.in_(ids[start : start + _BATCH])
            )
        )
        # With the status in the statement, SQLite would read all that are active for every batch.
        community_members_by_id |= {
            row.id: CommunityMember(row.name, row.mentions) for row in rows if row.status == _ACTIVE
        }
    return community_members_by_id


def held(tx: Transaction) -> StoredCommunities:
    """The communities of the last refresh."""
    made = tx.execute(select(communities.c.id, communities.c.created_at).where(communities.c.scope_id == tx.scope_id))
    belongs = select(community_members.c.entity_id, community_members.c.community_id)
    rows = tx.execute(belongs.where(community_members.c.scope_id == tx.scope_id))
    return StoredCommunities(
        created={row.id: row.created_at for row in made}, members={row.entity_id: row.community_id for row in rows}
    )


def replace(tx: Transaction, made: Sequence[tuple[Community, Collection[UUID]]], modularity: float) -> None:
    """Have these communities in place of those there were, and note how well they part the graph."""
    tx.execute(delete(community_members).where(community_members.c.scope_id == tx.scope_id))
    tx.execute(delete(communities).where(communities.c.scope_id == tx.scope_id))
    if made:
        columns = ("id", "name", "cohesion", "member_count", "summary", "created_at", "updated_at")
        rows = [{"scope_id": tx.scope_id, **{name: getattr(each, name) for name in columns}} for each, _ in made]
        tx.execute(insert(communities), rows)
        belongs = [
            {"scope_id": tx.scope_id, "community_id": each.id, "entity_id": member}
            for each, members in made
            for member in members
        ]
        tx.execute(insert(community_members), belongs)
    tx.execute(delete(gates).where(gates.c.scope_id == tx.scope_id, gates.c["pass"] == GATE))
    note = {"pass": GATE, "fingerprint": json.dumps({"modularity": modularity}), "at": tx.now}
    tx.execute(insert(gates).values(scope_id=tx.scope_id, **note))


def page(tx: Transaction, limit: int, offset: int) -> Communities:
    """Some communities, the largest first, each with its most mentioned members."""
    mine = communities.c.scope_id == tx.scope_id
    rows = tx.execute(
        select(communities)
        .where(mine)
        .order_by(communities.c.member_count.desc(), communities.c.name, communities.c.id)
        .limit(limit)
        .offset(offset)
    ).all()
    count: int = tx.execute(select(func.count()).select_from(communities).where(mine)).scalar_one()
    members = _members(tx, [row.id for row in rows])
    items = tuple(
        Community(
            id=CommunityId(row.id),
            name=row.name,
            cohesion=row.cohesion,
            member_count=row.member_count,
            summary=row.summary,
            created_at=row.created_at,
            updated_at=row.updated_at,
            members=tuple(members[row.id]),
        )
        for row in rows
    )
    gate = tx.execute(select(gates).where(gates.c.scope_id == tx.scope_id, gates.c["pass"] == GATE)).one_or_none()
    modularity = json.loads(gate.fingerprint)["modularity"] if gate else None
    return Communities(
        items=items,
        count=count,
        modularity=modularity,
        verdict=None if modularity is None else verdict(modularity),
        refreshed_at=gate.at if gate else None,
    )


def due(tx: AllScopes, kind: str, rest: timedelta, enough: int) -> list[Scope]:
    """The scopes with so many links that changed after a refresh at least `rest` ago, or ever where there was none."""
    gate = and_(gates.c.scope_id == scopes_table.c.scope_id, gates.c["pass"] == GATE)
    # A clock that was set back must not stop the refreshes until it has caught up.
    ahead = gates.c.at > tx.now
    changed = or_(and_(gates.c.at <= tx.now - rest, scopes_table.c.changed_at > gates.c.at), ahead)
    since = or_(gates.c.at.is_(None), ahead, links.c.updated_at > gates.c.at)
    # No more of a large scope is counted than it takes to know.
    some = select(links.c.id).where(links.c.scope_id == scopes_table.c.scope_id, since).limit(enough)
    counted = select(func.count()).select_from(some.correlate(scopes_table, gates).subquery()).scalar_subquery()
    rows = tx.execute(
        select(*scopes.NAMES)
        .join_from(scopes_table, gates, gate, isouter=True)
        .where(or_(gates.c.at.is_(None), changed), ~_requested(kind, scopes_table.c.scope_id))
        .where(counted >= enough)
        .execution_options(all_scopes=True)
    )
    return [scopes.named(row) for row in rows]


def _requested(kind: str, scope_id: ColumnElement[UUID] | UUID) -> ColumnElement[bool]:
    unfinished = jobs.c.status.in_([JobStatus.WAITING.value, JobStatus.RUNNING.value])
    return exists().where(jobs.c.scope_id == scope_id, jobs.c.kind == kind, unfinished)


def _members(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, list[Member]]:
    best = (entities.c.mentions.desc(), entities.c.name, entities.c.id)
    place = func.row_number().over(partition_by=community_members.c.community_id, order_by=best).label("place")
    same = and_(entities.c.scope_id == community_members.c.scope_id, entities.c.id == community_members.c.entity_id)
    ranked = (
        select(community_members.c.community_id, entities.c.id, entities.c.name, place)
        .join_from(community_members, entities, same)
        .where(community_members.c.scope_id == tx.scope_id, community_members.c.community_id.in_(ids))
        .where(entities.c.status == _ACTIVE)
        .subquery()
    )
    members_by_id: dict[UUID, list[Member]] = defaultdict(list)
    shown = select(ranked).where(ranked.c.place <= MEMBERS_SHOWN).order_by(ranked.c.community_id, ranked.c.place)
    for row in tx.execute(shown):
        members_by_id[row.community_id].append(Member(id=EntityId(row.id), name=row.name))
    return members_by_id
