"""Claims find their place: the entity, its aspect, and whether the slot holds one value or several."""

from uuid import UUID

from nacre.domain import ids, keys
from nacre.domain.claim_operations import ClaimStatement
from nacre.domain.claims import NEW_WEIGHT, Aspect, Cardinality, Slot
from nacre.domain.entities import Entity
from nacre.domain.errors import NotFound
from nacre.domain.ids import AspectId
from nacre.domain.memories import Status
from nacre.graph.beliefs import cardinality
from nacre.graph.identity import naming
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.graph import aspects, peers
from nacre.store.tables import schema as tables


def place(journal: Journal, stated: ClaimStatement) -> tuple[Entity, Aspect, list[str]]:
    """The entity and the aspect that a value belongs to, made where they are missing."""
    entity, notes = naming.find_or_add(journal, stated.entity, stated.confidence, stated.entity_type)
    return entity, ensure_aspect(journal, entity, stated.aspect), notes


def ensure_aspect(journal: Journal, entity: Entity, name: str, weight: float | None = None) -> Aspect:
    """An entity's aspect: a new one, the one that is there, or an archived one back in force."""
    key, now = keys.canonical("aspect", name), journal.tx.now
    known = aspects.by_key(journal.tx, entity.id, key)
    if known is None:
        new = Aspect(
            id=AspectId(ids.new(now)),
            entity=entity.id,
            name=name,
            key=key,
            weight=NEW_WEIGHT if weight is None else weight,
            created_at=now,
            updated_at=now,
        )
        journal.insert(tables.aspects, _row(new))
        return new
    back = {"status": Status.ACTIVE.value, "archived_at": None, "archived_by": None, "archive_reason": None}
    learned = {} if weight is None else {"weight": weight}
    if known.status is not Status.ACTIVE or (weight is not None and weight != known.weight):
        journal.update(tables.aspects, {"id": known.id}, {**back, **learned, "updated_at": now})
    return known


def find_aspect(tx: Transaction, entity: Entity, name: str) -> Aspect:
    """An entity's aspect in force."""
    known = aspects.by_key(tx, entity.id, keys.canonical("aspect", name))
    if known is None or known.status is not Status.ACTIVE:
        raise NotFound(f"aspect of {entity.slug}", name)
    return known


def cardinality_of(tx: Transaction, slot: Slot) -> Cardinality | None:
    """How many values a slot holds: as declared or learned, else as its name suggests; None where nobody knows."""
    known = aspects.cardinality_of(tx, str(slot))
    return known.cardinality if known else cardinality.default_cardinality(slot)


def learn(journal: Journal, aspect: UUID, slot: Slot) -> None:
    """A slot that is seen with several values at once holds several, unless somebody declared otherwise."""
    if slot.claim is None or cardinality_of(journal.tx, slot) is not None:
        return
    values = peers.count_claims(journal.tx, aspect, slot)
    if values < 2:
        return
    learned = {
        "key": str(slot),
        "cardinality": Cardinality.MULTI.value,
        "origin": aspects.LEARNED,
        "reason": f"It held {values} values at once.",
        "created_at": journal.tx.now,
    }
    journal.insert(tables.cardinalities, learned)


def _row(aspect: Aspect) -> dict[str, object]:
    return {
        "id": aspect.id,
        "entity_id": aspect.entity,
        "name": aspect.name,
        "key": aspect.key,
        "weight": aspect.weight,
        "status": aspect.status.value,
        "created_at": aspect.created_at,
        "updated_at": aspect.updated_at,
    }
