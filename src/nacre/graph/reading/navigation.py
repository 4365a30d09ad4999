"""Look through a graph: from its entities to one of them, and on to what is believed of it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

from nacre.domain import checks, ids, keys
from nacre.domain.claims import Aspect, Claim
from nacre.domain.entities import Entity, EntityType, entity_type
from nacre.domain.errors import Invalid, NotFound
from nacre.domain.navigation import (
    AspectOutline,
    ClaimOutline,
    Dependency,
    EntityDetail,
    EntityOverview,
    EntityTree,
    GroupOutline,
    PinnedEntity,
    TreeLimits,
)
from nacre.domain.operations import Selector
from nacre.domain.tasks import Task, TaskStatus
from nacre.graph.identity import naming
from nacre.store.base.databases import Transaction
from nacre.store.graph import aspects, entities, tasks
from nacre.store.reads import navigation
from nacre.store.reads.navigation import EntityFilter, SlotOutline, Versions
from nacre.store.tables import schema as tables
from nacre.text import names


def wanted(kind: str | None, q: str | None) -> EntityFilter:
    """What a caller looks for: a type, and a part of a name in any case."""
    if kind is not None:
        known = entity_type(checks.name("type", kind))
        if known is EntityType.UNKNOWN and kind != EntityType.UNKNOWN:
            raise Invalid("type", f"must be one of {', '.join(EntityType)}, not {kind!r}")
        kind = known.value
    return EntityFilter(kind=kind, key=None if q is None else names.match_key(checks.name("q", q)))


def listed(tx: Transaction, looked_for: EntityFilter, limit: int, offset: int) -> list[EntityOverview]:
    """A page of entities; what is counted is counted for the page alone."""
    page = navigation.page(tx, looked_for, limit, offset)
    known, held = entities.by_id(tx, page), navigation.counts(tx, page)
    seen = entities.last_mentioned(tx, page)
    return [
        EntityOverview(
            entity=known[key],
            last_mentioned_at=seen.get(key),
            aspect_count=held[key].aspects,
            attribute_count=held[key].attributes,
            constraint_count=held[key].constraints,
            dependency_count=held[key].incoming + held[key].outgoing,
        )
        for key in page
    ]


def find(tx: Transaction, selector: Selector) -> Entity:
    """The entity that goes by an id, a slug or a name; else by a name that begins so, or else holds it."""
    try:
        return naming.find(tx, selector)
    except NotFound:
        if isinstance(selector, UUID) or naming.is_id(selector):
            raise
    key = names.match_key(checks.name("entity", selector))
    likeliest = navigation.most_like(tx, key) if key else None
    if likeliest is None:
        raise NotFound("entity", selector)
    return entities.by_id(tx, [likeliest])[likeliest]


def detail(tx: Transaction, selector: Selector) -> EntityDetail:
    """One entity, and how much is known of it."""
    entity = find(tx, selector)
    held = navigation.counts(tx, [entity.id])[entity.id]
    dependencies = held.incoming + held.outgoing
    return EntityDetail(
        entity=entity,
        last_mentioned_at=entities.last_mentioned(tx, [entity.id]).get(entity.id),
        aspect_count=held.aspects,
        attribute_count=held.attributes,
        constraint_count=held.constraints,
        dependency_count=dependencies,
        incoming_dependency_count=held.incoming,
        outgoing_dependency_count=held.outgoing,
        structural_density=held.aspects + held.attributes + held.constraints + dependencies,
    )


def tree(tx: Transaction, selector: Selector, limits: TreeLimits) -> EntityTree:
    """An entity's outline, as deep and as wide as the limits say."""
    entity = find(tx, selector)
    shown = navigation.aspects_of(tx, entity.id, limits.max_aspects)
    return EntityTree(entity=entity, items=tuple(outlines(tx, shown, limits)), limits=limits)


def outlines(tx: Transaction, shown: Sequence[Aspect], limits: TreeLimits) -> list[AspectOutline]:
    """What stands under aspects."""
    under: dict[UUID, list[SlotOutline]] = defaultdict(list)
    for slot in navigation.slots(tx, [aspect.id for aspect in shown]):
        under[slot.aspect].append(slot)
    return [_outline(aspect, under[aspect.id], limits) for aspect in shown]


def aspect_of(tx: Transaction, entity: Entity, aspect: UUID | str) -> Aspect:
    """The entity's aspect that goes by an id or a name."""
    if isinstance(aspect, UUID) or naming.is_id(aspect):
        by_id = tables.aspects.c.id == ids.parse("aspect", aspect), tables.aspects.c.entity_id == entity.id
        found = next(iter(aspects.load(tx, *by_id)), None)
    else:
        found = aspects.by_key(tx, entity.id, keys.canonical("aspect", aspect))
    if found is None:
        raise NotFound("aspect", str(aspect))
    return found


def groups(tx: Transaction, selector: Selector, aspect: UUID | str) -> list[GroupOutline]:
    """The groups of an aspect, the fullest first."""
    chosen = aspect_of(tx, find(tx, selector), aspect)
    return _groups(navigation.slots(tx, [chosen.id]), TreeLimits(depth=2))


def claims(tx: Transaction, selector: Selector, aspect: UUID | str, group: str) -> list[ClaimOutline]:
    """The claims of a group, by name."""
    chosen = aspect_of(tx, find(tx, selector), aspect)
    key = keys.canonical("group", group)
    return [slot.claim for slot in navigation.slots(tx, [chosen.id]) if slot.group == key]


def _outline(aspect: Aspect, slots: Sequence[SlotOutline], limits: TreeLimits) -> AspectOutline:
    groups = _groups(slots, limits)
    return AspectOutline(
        aspect=aspect,
        attribute_count=sum(slot.attributes for slot in slots),
        constraint_count=sum(slot.constraints for slot in slots),
        group_count=len(groups),
        claim_count=len(slots),
        groups=tuple(groups[: limits.max_groups]) if limits.depth > 1 else (),
    )


def _groups(slots: Iterable[SlotOutline], limits: TreeLimits) -> list[GroupOutline]:
    """The groups of an aspect, the fullest first."""
    under: dict[str, list[SlotOutline]] = defaultdict(list)
    for slot in slots:
        under[slot.group].append(slot)
    outlined = [
        GroupOutline(
            group_key=group,
            attribute_count=sum(slot.attributes for slot in held),
            constraint_count=sum(slot.constraints for slot in held),
            claim_count=len(held),
            claims=tuple(slot.claim for slot in held[: limits.max_claims]) if limits.depth > 2 else (),
        )
        for group, held in under.items()
    ]
    return sorted(outlined, key=lambda group: (-group.claim_count, group.group_key))


def aspects_of(tx: Transaction, selector: Selector) -> list[Aspect]:
    """The sides of an entity, the weightiest first."""
    return aspects.of_entities(tx, [naming.find(tx, selector).id])


def aspect_outlines(tx: Transaction, selector: Selector, limit: int, offset: int) -> list[AspectOutline]:
    """The aspects of an entity, the weightiest first, each with its counts."""
    return outlines(tx, navigation.aspects_of(tx, find(tx, selector).id, limit, offset), TreeLimits(depth=1))


def versions(
    tx: Transaction,
    selector: Selector,
    aspect: UUID | str,
    *,
    group: str | None,
    claim: str | None,
    kind: str | None,
    status: str | None,
    limit: int,
    offset: int,
) -> list[Claim]:
    """Versions of the claims of an aspect, a group or one claim; what is None does not matter."""
    chosen = aspect_of(tx, find(tx, selector), aspect)
    wanted = Versions(group=group, claim=claim, kind=kind, status=status)
    return navigation.versions(tx, chosen.id, wanted, limit, offset)


def dependencies(tx: Transaction, selector: Selector, ways: Sequence[str], limit: int, offset: int) -> list[Dependency]:
    """The links in force between an entity and others, the strongest first."""
    return navigation.dependencies(tx, find(tx, selector).id, ways, limit, offset)


def pinned(tx: Transaction, limit: int) -> list[PinnedEntity]:
    """The pinned entities, the last pinned first."""
    return navigation.pinned(tx, limit)


def current_tasks(tx: Transaction, statuses: Collection[TaskStatus], limit: int) -> list[Task]:
    """The tasks of some statuses that have not expired."""
    return tasks.current(tx, statuses, limit=limit)
