"""The part of a graph that a dashboard draws."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from uuid import UUID

from sqlalchemy import func, select

from nacre.domain.claims import Aspect, Claim
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.domain.navigation import DrawnAspect, DrawnDream, DrawnProposal
from nacre.domain.scopes import Scope
from nacre.domain.sharing import ReadPolicy
from nacre.store import aspects as aspect_rows
from nacre.store import claims, links, sharing
from nacre.store.databases import Transaction
from nacre.store.schema import aspects, attributes, dreams, proposals, settings
from nacre.store.schema import links as links_table
from nacre.store.schema import scopes as scopes_table

# So many agents' graphs are drawn beside one's own.
MAX_AGENTS = 20


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


def sides(
    tx: Transaction, entities: Collection[UUID], most_aspects: int, most_claims: int
) -> Mapping[UUID, list[DrawnAspect]]:
    """The weightiest aspects of each entity, each with its most important claims in force, in two statements."""
    place = func.row_number().over(partition_by=aspects.c.entity_id, order_by=(aspects.c.weight.desc(), aspects.c.key))
    ranked = (
        select(aspects.c.id, place.label("place"))
        .where(aspects.c.scope_id == tx.scope_id, aspects.c.entity_id.in_(entities))
        .where(aspects.c.status == Status.ACTIVE.value)
        .subquery()
    )
    chosen = select(ranked.c.id).where(ranked.c.place <= most_aspects)
    shown = aspect_rows.load(tx, aspects.c.id.in_(chosen))
    said: dict[UUID, list[Claim]] = defaultdict(list)
    most_important = func.row_number().over(
        partition_by=attributes.c.aspect_id,
        order_by=(attributes.c.importance.desc(), attributes.c.updated_at.desc(), attributes.c.id),
    )
    rated = (
        select(attributes.c.id, most_important.label("place"))
        .where(attributes.c.scope_id == tx.scope_id, attributes.c.aspect_id.in_(chosen), claims.in_force(tx))
        .subquery()
    )
    for claim in claims.load(tx, attributes.c.id.in_(select(rated.c.id).where(rated.c.place <= most_claims))):
        said[claim.aspect].append(claim)
    return _by_entity(shown, said)


def between(tx: Transaction, entities: Collection[UUID], limit: int) -> list[Link]:
    """The strongest links in force between entities."""
    rows = tx.execute(
        select(links_table)
        .where(
            links_table.c.scope_id == tx.scope_id,
            links_table.c.source_entity.in_(entities),
            links_table.c.target_entity.in_(entities),
            links.in_force(tx),
        )
        .order_by(
            (links_table.c.strength * links_table.c.confidence).desc(),
            links_table.c.updated_at.desc(),
            links_table.c.id,
        )
        .limit(limit)
    )
    return [links.to_link(row) for row in rows]


def waiting(tx: Transaction, limit: int) -> list[DrawnProposal]:
    """The proposals that wait for a decision, the newest first."""
    shown = ("id", "operation", "payload", "confidence", "rationale", "risk", "created_by", "created_at")
    rows = tx.execute(
        select(*(proposals.c[name] for name in shown))
        .where(proposals.c.scope_id == tx.scope_id, proposals.c.status == "pending")
        .order_by(proposals.c.created_at.desc(), proposals.c.id.desc())
        .limit(limit)
    )
    return [DrawnProposal(**row) for row in rows.mappings()]


def dreamt(tx: Transaction, limit: int) -> list[DrawnDream]:
    """What the last nights' work came to."""
    shown = ("id", "trigger", "status", "report", "started_at", "finished_at")
    rows = tx.execute(
        select(*(dreams.c[name] for name in shown))
        .where(dreams.c.scope_id == tx.scope_id)
        .order_by(dreams.c.started_at.desc(), dreams.c.id.desc())
        .limit(limit)
    )
    return [DrawnDream(**row) for row in rows.mappings()]


def _by_entity(shown: Collection[Aspect], said: Mapping[UUID, list[Claim]]) -> Mapping[UUID, list[DrawnAspect]]:
    found: dict[UUID, list[DrawnAspect]] = defaultdict(list)
    for aspect in shown:
        rated = sorted(
            said.get(aspect.id, []), key=lambda claim: (-claim.importance, claim.slot.group, str(claim.slot))
        )
        found[aspect.entity].append(DrawnAspect(aspect=aspect, attributes=tuple(rated)))
    return found
