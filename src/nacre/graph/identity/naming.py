"""Names become entities, inside the transaction that writes them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.entities import Entity, EntityType
from nacre.domain.errors import Ambiguous, Conflict, NotFound
from nacre.domain.ids import EntityId
from nacre.domain.memories import Status
from nacre.domain.operations import Selector, UpsertEntity, check_selector
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.graph import entities, row_history
from nacre.store.tables import schema as tables
from nacre.text import names


def find(tx: Transaction, selector: Selector, as_of: datetime | None = None) -> Entity:
    """The entity in force that a caller names by id, slug or name; or the one that was at a moment, as it was."""
    if as_of is not None:
        return _find_then(tx, selector, as_of)
    found = _candidates(tx, selector)
    if not found:
        raise NotFound("entity", str(selector))
    return found[0]


def subject(tx: Transaction, selector: Selector, as_of: datetime | None) -> Entity:
    """The entity that facts of a moment are about: as it was then, or as it became known later."""
    try:
        return find(tx, selector, as_of)
    except NotFound:
        return find(tx, selector)


def _find_then(tx: Transaction, selector: Selector, moment: datetime) -> Entity:
    check_selector("entity", selector)
    known = entities.load(tx, tables.entities.c.id == ids.parse("entity", selector)) if is_id(selector) else []
    by_slug = entities.by_slug(tx, str(selector))
    found = [*known, *([by_slug] if by_slug else []), *row_history.named(tx, str(selector))]
    then = row_history.entities_at(tx, found, moment)
    if not then:
        raise NotFound("entity at that time", str(selector))
    return next(then[each.id] for each in found if each.id in then)


def one(tx: Transaction, selector: Selector) -> Entity:
    """As `find`, for those who change what they find: a name that several entities go by is refused."""
    found = _the_one(tx, selector)
    if found is None:
        raise NotFound("entity", str(selector))
    return found


def find_or_add(
    journal: Journal,
    selector: Selector,
    confidence: float,
    type: str = EntityType.UNKNOWN.value,  # noqa: A002
) -> tuple[Entity, list[str]]:
    """The entity that a caller names; a name that nobody goes by becomes an entity of its own."""
    known = journal.known.get(selector) if isinstance(selector, UUID) else None
    known = known or _the_one(journal.tx, selector)
    if known:
        journal.known[known.id] = known
        return known, []
    if is_id(selector):
        raise NotFound("entity", str(selector))
    stub = UpsertEntity(name=checks.name("name", selector), type=type, confidence=confidence)
    return _add(journal, stub), [f"`{selector}` was not known and became an entity of its own."]


def upsert(journal: Journal, operation: UpsertEntity) -> tuple[Entity, list[str]]:
    """Add an entity, or add to the one that is meant."""
    known = _meant(journal.tx, operation)
    warnings = []
    if operation.type is EntityType.UNKNOWN and known is None:
        warnings.append("The type is not one that is known; `unknown` was stored.")
    entity = _add(journal, operation) if known is None else _extend(journal, known, operation, warnings)
    if operation.evidence:
        _mention(journal, entity, operation)
    return entity, warnings


def add_names(journal: Journal, entity_id: UUID, new: Iterable[str]) -> None:
    """Let an entity go by more names; names it has are left alone."""
    known = {names.match_key(each) for each in _names_of(journal.tx, entity_id)}
    for key, name in {names.match_key(each): each for each in new}.items():
        if key not in known:
            journal.insert(tables.aliases, {"key": key, "entity_id": entity_id, "name": name})


def remove_name(journal: Journal, entity: Entity, name: str) -> None:
    """Take one of its other names from an entity; its own name stays."""
    key = names.match_key(name)
    if key == names.match_key(entity.name):
        raise Conflict(f"`{name}` is the entity's own name. Rename it instead.")
    if key not in {names.match_key(each) for each in entity.aliases}:
        raise NotFound("alias", name)
    journal.delete(tables.aliases, {"key": key, "entity_id": entity.id})


def _the_one(tx: Transaction, selector: Selector) -> Entity | None:
    found = _candidates(tx, selector)
    if len(found) > 1:
        raise Ambiguous(str(selector), [entity.slug for entity in found[:10]])
    return found[0] if found else None


def _candidates(tx: Transaction, selector: Selector) -> list[Entity]:
    check_selector("entity", selector)
    if isinstance(selector, UUID) or is_id(selector):
        found = entities.by_id(tx, [ids.parse("entity", selector)])
        return [entity for entity in found.values() if entity.status is Status.ACTIVE]
    named = entities.by_slug(tx, selector)
    if named and named.status is Status.ACTIVE:
        return [named]
    known = entities.by_name(tx, selector)
    return [entity for entity in known if entity.name == selector] or known


def is_id(selector: Selector) -> bool:
    """Whether a selector is an id, and not a slug or a name."""
    try:
        UUID(str(selector))
    except ValueError:
        return False
    return len(str(selector)) == 36


def _meant(tx: Transaction, operation: UpsertEntity) -> Entity | None:
    """The entity with the slug, else the one of a fitting type that goes by the name."""
    if operation.slug is not None:
        return entities.by_slug(tx, operation.slug)
    unknown = {operation.type, EntityType.UNKNOWN}
    fitting = [
        entity
        for entity in entities.by_name(tx, operation.name)
        if entity.type in unknown or operation.type is EntityType.UNKNOWN
    ]
    return fitting[0] if fitting else None


def note(journal: Journal, upserts: Sequence[UpsertEntity]) -> list[Entity]:
    """Add the entities that nobody goes by yet, in a few statements for all of them; returns what was added.

    One with a slug is somebody else, whoever goes by its name.
    """
    keys = {names.match_key(each.name): each for each in upserts}
    held = entities.by_keys(journal.tx, list(keys))
    known = entities.by_id(journal.tx, {name.entity_id for name in held})
    kinds: dict[str, set[EntityType]] = defaultdict(set)
    for name in held:
        kinds[name.key].add(known[name.entity_id].type)
    new = [each for key, each in keys.items() if each.slug or not _fitting(kinds[key], each.type)]
    if not new:
        return []
    taken = entities.slugs_among(journal.tx, {names.slug(each.name) for each in new})
    made = []
    for each in new:
        made.append(_made(journal.tx, each, taken))
        taken.add(made[-1].slug)
    _insert(journal, made)
    return made


def _fitting(types: Collection[EntityType], kind: EntityType | str) -> bool:
    return bool(types) and (kind in types or EntityType.UNKNOWN in types or kind == EntityType.UNKNOWN)


def _add(journal: Journal, operation: UpsertEntity) -> Entity:
    entity = _made(journal.tx, operation, entities.slugs_among(journal.tx, [names.slug(operation.name)]))
    _insert(journal, [entity])
    return entity


def _made(tx: Transaction, operation: UpsertEntity, taken: Collection[str]) -> Entity:
    key = EntityId(ids.new(tx.now))
    slug = names.slug(operation.name)
    return Entity(
        id=key,
        name=operation.name,
        slug=operation.slug or (f"{slug}-{key.hex[-6:]}" if slug in taken else slug),
        type=EntityType(operation.type),
        description=operation.description,
        aliases=tuple(sorted(set(_by_key(operation).values()) - {operation.name})),
        properties=dict(operation.properties),
        confidence=operation.confidence,
        created_at=tx.now,
        updated_at=tx.now,
    )


def _by_key(operation: UpsertEntity) -> dict[str, str]:
    return {names.match_key(each): each for each in (*operation.aliases, operation.name)}


def _insert(journal: Journal, made: Sequence[Entity]) -> None:
    journal.insert_many(
        tables.entities,
        [
            {
                "id": entity.id,
                "name": entity.name,
                "slug": entity.slug,
                "type": entity.type.value,
                "description": entity.description,
                "properties": dict(entity.properties),
                "confidence": entity.confidence,
                "mentions": 0,
                "status": Status.ACTIVE.value,
                "created_at": entity.created_at,
                "updated_at": entity.updated_at,
            }
            for entity in made
        ],
    )
    named = [
        {"key": key, "entity_id": entity.id, "name": name}
        for entity in made
        for key, name in {names.match_key(each): each for each in (*entity.aliases, entity.name)}.items()
    ]
    journal.insert_many(tables.aliases, named)
    journal.known.update({entity.id: entity for entity in made})


def _extend(journal: Journal, before: Entity, operation: UpsertEntity, warnings: list[str]) -> Entity:
    """Union what is known and what is said; what is said more surely wins where the two differ."""
    surer = operation.confidence >= before.confidence
    said, held = dict(operation.properties), dict(before.properties)
    better_type = before.type if operation.type is EntityType.UNKNOWN else operation.type
    if before.type not in (EntityType.UNKNOWN, better_type):
        warnings.append(f"It stays a {before.type.value}; it was said to be a {better_type!s} this time.")
        better_type = before.type
    values = {
        "type": str(better_type),
        "description": operation.description if operation.description and surer else before.description,
        "properties": {**held, **said} if surer else {**said, **held},
        "confidence": max(before.confidence, operation.confidence),
        "status": Status.ACTIVE.value,
        "archived_at": None,
        "archived_by": None,
        "archive_reason": None,
        "updated_at": journal.tx.now,
    }
    if before.description is None and operation.description:
        values["description"] = operation.description
    journal.update(tables.entities, {"id": before.id}, values)
    add_names(journal, before.id, [operation.name, *operation.aliases])
    return entities.by_id(journal.tx, [before.id])[before.id]


def _mention(journal: Journal, entity: Entity, operation: UpsertEntity) -> None:
    evidence = operation.evidence
    if evidence is None or entities.is_mentioned(journal.tx, entity.id, evidence.source, evidence.quote[0]):
        return
    row = {"entity_id": entity.id, "source_id": evidence.source}
    journal.insert(tables.mentions, {**row, "quote_start": evidence.quote[0], "quote_end": evidence.quote[1]})
    journal.update(tables.entities, {"id": entity.id}, {"mentions": entity.mentions + 1})


def _names_of(tx: Transaction, entity_id: UUID) -> list[str]:
    entity = entities.by_id(tx, [entity_id]).get(EntityId(entity_id))
    return entities.names_of(tx, entity_id) if entity else []
