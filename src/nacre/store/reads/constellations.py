"""The part of a graph that a dashboard draws, read in few columns: a picture holds thousands of rows."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, Row, and_, func, or_, select, true, union_all

from nacre.domain.claims import ClaimKind
from nacre.domain.constellations import (
    AspectSummary,
    DrawnAspect,
    DrawnClaim,
    DrawnCommunity,
    DrawnDream,
    DrawnLink,
    DrawnProposal,
    EntitySummary,
    TimeRange,
)
from nacre.domain.entities import EntityType
from nacre.domain.ids import AspectId, ClaimId, EntityId, LinkId
from nacre.domain.memories import Status
from nacre.domain.scopes import Scope
from nacre.domain.sharing import ReadPolicy
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.graph import claims, links, row_history
from nacre.store.graph.entities import drawn
from nacre.store.graph.entities import in_force as known
from nacre.store.tables.schema import (
    aliases,
    aspects,
    attributes,
    communities,
    community_members,
    dreams,
    entities,
    proposals,
    settings,
)
from nacre.store.tables.schema import links as links_table
from nacre.store.tables.schema import scopes as scopes_table

# So many agents' graphs are drawn beside one's own.
MAX_AGENTS = 20

_NODE = tuple(entities.c[name] for name in EntitySummary.__dataclass_fields__)
_EDGE = (
    links_table.c.id,
    links_table.c.source_entity,
    links_table.c.target_entity,
    links_table.c.predicate,
    links_table.c.strength,
    links_table.c.confidence,
    links_table.c.valid_from,
    links_table.c.valid_to,
    links_table.c.created_at,
)
_CLAIM = ("id", "aspect_id", "group_key", "claim_key", "kind", "value", "confidence", "importance", "version")
_TIMES = ("valid_from", "valid_to", "created_at", "updated_at")


def open_to(tx: Transaction, reader: Scope) -> list[Scope]:
    """Where the graphs are kept that other agents let a reader see: each as far as its user and chat have one there."""
    named = (
        select(scopes_table.c.agent, settings.c.value)
        .join(settings, settings.c.scope_id == scopes_table.c.scope_id)
        .where(settings.c.name == "read_policy", scopes_table.c.agent != reader.agent, scopes_table.c.user.is_(None))
        .order_by(scopes_table.c.agent)
    )
    # Who shares is written in each agent's own scope, and only what it chose to open is read on.
    rows = tx.execute(named.execution_options(all_scopes=True))
    agents = [row.agent for row in rows if row.value == ReadPolicy.SHARED.value][:MAX_AGENTS]
    theirs = [replace(reader, agent=agent) for agent in agents]
    return [sharing.of(sharing.moved(tx, each)).open_home(each) for each in theirs]


def hubs(tx: Transaction, limit: int, as_of: datetime | None) -> list[tuple[EntitySummary, int]]:
    """The pinned entities and then those with the most links, in force or as they were at a moment, each with how many.

    Links to plain values do not count: nothing is drawn at their end.
    """
    mine = (links_table.c.scope_id == tx.scope_id, links_table.c.target_entity.isnot(None), links.in_force(tx, as_of))
    ends = union_all(
        select(links_table.c.source_entity.label("entity_id")).where(*mine),
        select(links_table.c.target_entity.label("entity_id")).where(*mine),
    ).subquery()
    counted = select(ends.c.entity_id, func.count().label("degree")).group_by(ends.c.entity_id).subquery()
    degree = func.coalesce(counted.c.degree, 0)
    rows = tx.execute(
        select(*_NODE, degree.label("degree"))
        .join(counted, counted.c.entity_id == entities.c.id, isouter=True)
        .where(entities.c.scope_id == tx.scope_id, known(as_of), drawn(tx))
        .order_by(
            entities.c.pinned_at.is_(None),
            degree.desc(),
            entities.c.mentions.desc(),
            entities.c.updated_at.desc(),
            entities.c.name,
            entities.c.id,
        )
        .limit(limit)
    )
    found = [(_node(row), int(row.degree)) for row in rows.all()]
    return found if as_of is None else _as_they_were(tx, found, as_of)


def _as_they_were(
    tx: Transaction, node_pairs: Sequence[tuple[EntitySummary, int]], moment: datetime
) -> list[tuple[EntitySummary, int]]:
    changed = row_history.images(tx, [node.id for node, _ in node_pairs], moment)
    then = [(changed.get(node.id, node), degree) for node, degree in node_pairs]
    return [
        (node if isinstance(node, EntitySummary) else _node(node), degree)
        for node, degree in then
        if node is not None and (isinstance(node, EntitySummary) or node.status == Status.ACTIVE.value)
    ]


def _among(column: Column[Any], ids: Collection[UUID] | None) -> ColumnElement[bool]:
    """Thousands of ids take longer to hand over than the rows to read, so for a whole graph none are."""
    return true() if ids is None else column.in_(ids)


def sides(
    tx: Transaction, ids: Collection[UUID] | None, most_aspects: int, most_claims: int, as_of: datetime | None
) -> Mapping[UUID, list[DrawnAspect]]:
    """The weightiest aspects of some entities, or of all, each with its most important claims, in two statements.

    At a moment in the past, only aspects of which something was believed then.
    """
    place = func.row_number().over(partition_by=aspects.c.entity_id, order_by=(aspects.c.weight.desc(), aspects.c.key))
    stood = aspects.c.status == Status.ACTIVE.value
    ranked = (
        select(aspects.c.id, place.label("place"))
        .where(aspects.c.scope_id == tx.scope_id, _among(aspects.c.entity_id, ids))
        .where(stood if as_of is None else or_(stood, aspects.c.archived_at > as_of))
        .subquery()
    )
    chosen = select(ranked.c.id).where(ranked.c.place <= most_aspects)
    rows = tx.execute(
        select(aspects.c.id, aspects.c.entity_id, aspects.c.name, aspects.c.key, aspects.c.weight)
        .where(aspects.c.scope_id == tx.scope_id, aspects.c.id.in_(chosen))
        .order_by(aspects.c.weight.desc(), aspects.c.key)
    )
    said = _claims(tx, chosen, most_claims, as_of)
    drawn_aspects_by_id: dict[UUID, list[DrawnAspect]] = defaultdict(list)
    for row in rows:
        side = AspectSummary(
            id=AspectId(row.id), entity=EntityId(row.entity_id), name=row.name, key=row.key, weight=row.weight
        )
        if as_of is None or row.id in said:
            drawn_aspects_by_id[row.entity_id].append(DrawnAspect(aspect=side, attributes=tuple(said.get(row.id, ()))))
    return drawn_aspects_by_id


def _claims(tx: Transaction, chosen: Any, most: int, as_of: datetime | None) -> Mapping[UUID, list[DrawnClaim]]:
    place = func.row_number().over(
        partition_by=attributes.c.aspect_id,
        order_by=(attributes.c.importance.desc(), attributes.c.updated_at.desc(), attributes.c.id),
    )
    rated = (
        select(attributes.c.id, place.label("place"))
        .where(attributes.c.scope_id == tx.scope_id, attributes.c.aspect_id.in_(chosen), claims.in_force(tx, as_of))
        .subquery()
    )
    best = select(rated.c.id).where(rated.c.place <= most)
    rows = tx.execute(
        select(*(attributes.c[name] for name in (*_CLAIM, *_TIMES)))
        .where(attributes.c.scope_id == tx.scope_id, attributes.c.id.in_(best))
        .order_by(attributes.c.importance.desc(), attributes.c.group_key, attributes.c.claim_key, attributes.c.id)
    )
    drawn_claims_by_id: dict[UUID, list[DrawnClaim]] = defaultdict(list)
    for row in rows:
        drawn_claims_by_id[row.aspect_id].append(_claim(row))
    return drawn_claims_by_id


def between(tx: Transaction, ids: Collection[UUID] | None, limit: int, as_of: datetime | None) -> list[DrawnLink]:
    """The strongest links between some entities, or all, in force or at a moment."""
    rows = tx.execute(
        select(*_EDGE)
        .where(
            links_table.c.scope_id == tx.scope_id,
            links_table.c.target_entity.isnot(None),
            _among(links_table.c.source_entity, ids),
            _among(links_table.c.target_entity, ids),
            links.in_force(tx, as_of),
        )
        .order_by((links_table.c.strength * links_table.c.confidence).desc(), links_table.c.id)
        .limit(limit)
    )
    return [_edge(row) for row in rows.all()]


def other_names(tx: Transaction, ids: Collection[UUID] | None) -> Mapping[UUID, list[str]]:
    """What some entities, or all, go by beside their own names."""
    same = and_(entities.c.scope_id == aliases.c.scope_id, entities.c.id == aliases.c.entity_id)
    mine = (aliases.c.scope_id == tx.scope_id, _among(aliases.c.entity_id, ids), aliases.c.name != entities.c.name)
    rows = tx.execute(
        select(aliases.c.entity_id, aliases.c.name)
        .join_from(aliases, entities, same)
        .where(*mine)
        .order_by(aliases.c.name)
    )
    texts_by_id: dict[UUID, list[str]] = defaultdict(list)
    for row in rows:
        texts_by_id[row.entity_id].append(row.name)
    return texts_by_id


def grouped(tx: Transaction, ids: Collection[UUID] | None) -> tuple[Mapping[UUID, UUID], list[DrawnCommunity]]:
    """The community of each entity that is in one, and these communities, the largest first."""
    mine = (community_members.c.scope_id == tx.scope_id, _among(community_members.c.entity_id, ids))
    rows = tx.execute(select(community_members.c.entity_id, community_members.c.community_id).where(*mine))
    belongs = {row.entity_id: row.community_id for row in rows}
    made = tx.execute(
        select(communities.c.id, communities.c.name, communities.c.member_count)
        .where(communities.c.scope_id == tx.scope_id, communities.c.id.in_(set(belongs.values())))
        .order_by(communities.c.member_count.desc(), communities.c.name, communities.c.id)
    )
    return belongs, [DrawnCommunity(**row) for row in made.mappings()]


def time_range(tx: Transaction) -> TimeRange:
    """When the first entity became known, and when an entity, a link or a claim last changed."""
    first = select(func.min(entities.c.created_at)).where(entities.c.scope_id == tx.scope_id)
    changed = [
        tx.execute(select(func.max(table.c.updated_at)).where(table.c.scope_id == tx.scope_id)).scalar_one()
        for table in (entities, links_table, attributes)
    ]
    return TimeRange(earliest=tx.execute(first).scalar_one(), latest=max(filter(None, changed), default=None))


def waiting(tx: Transaction, limit: int, as_of: datetime | None) -> list[DrawnProposal]:
    """The proposals that wait for a decision, or waited at a moment, the newest first."""
    shown = ("id", "operation", "payload", "confidence", "rationale", "risk", "created_by", "created_at")
    waits = proposals.c.status == "pending"
    if as_of is not None:
        # Of what failed, the last change is the decision.
        decided = func.coalesce(proposals.c.applied_at, proposals.c.rejected_at, proposals.c.updated_at)
        waits = and_(proposals.c.created_at <= as_of, or_(waits, decided > as_of))
    rows = tx.execute(
        select(*(proposals.c[name] for name in shown))
        .where(proposals.c.scope_id == tx.scope_id, waits)
        .order_by(proposals.c.created_at.desc(), proposals.c.id.desc())
        .limit(limit)
    )
    return [DrawnProposal(**row) for row in rows.mappings()]


def dreamt(tx: Transaction, limit: int, as_of: datetime | None) -> list[DrawnDream]:
    """What the last nights' work came to, or the last before a moment."""
    shown = ("id", "trigger", "status", "report", "started_at", "finished_at")
    before = [] if as_of is None else [dreams.c.started_at <= as_of]
    rows = tx.execute(
        select(*(dreams.c[name] for name in shown))
        .where(dreams.c.scope_id == tx.scope_id, *before)
        .order_by(dreams.c.started_at.desc(), dreams.c.id.desc())
        .limit(limit)
    )
    return [DrawnDream(**row) for row in rows.mappings()]


def _node(row: Any) -> EntitySummary:
    return EntitySummary(
        id=EntityId(row.id),
        name=row.name,
        slug=row.slug,
        type=EntityType(row.type),
        description=row.description,
        confidence=row.confidence,
        mentions=row.mentions,
        pinned_at=row.pinned_at,
        created_at=row.created_at,
        updated_at=row.updated_at,
        last_referenced_at=row.last_referenced_at,
    )


def _claim(row: Row[Any]) -> DrawnClaim:
    return DrawnClaim(
        id=ClaimId(row.id),
        aspect=AspectId(row.aspect_id),
        group=row.group_key,
        claim=row.claim_key,
        kind=ClaimKind(row.kind),
        value=row.value,
        confidence=row.confidence,
        importance=row.importance,
        version=row.version,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _edge(row: Any) -> DrawnLink:
    key, source, target, predicate, strength, confidence, valid_from, valid_to, created_at = row
    return DrawnLink(
        id=LinkId(key),
        source=EntityId(source),
        target=EntityId(target),
        predicate=predicate,
        strength=strength,
        confidence=confidence,
        valid_from=valid_from,
        valid_to=valid_to,
        created_at=created_at,
    )
