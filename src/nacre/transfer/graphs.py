"""The graph as it is to be written for others: what is in force, entity by entity, with the words it rests on."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from uuid import UUID

from nacre.domain.claims import Claim
from nacre.domain.entities import Entity
from nacre.domain.links import Link, Taste
from nacre.domain.memories import Memory, Status
from nacre.graph.reading import nodes
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories as stored_memories
from nacre.store.graph import claims, entities, links
from nacre.store.maintenance import transfers
from nacre.store.tables import schema as tables

# So many entities are looked at together.
TOGETHER = 200
_END = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Portrait:
    """An entity, what is believed of it, where its links lead, and the words that a claim or a link rests on.

    Of a preference also who likes and who dislikes it.
    """

    entity: Entity
    claims: tuple[Claim, ...]
    links: tuple[Link, ...]
    quotes: Mapping[UUID, str]
    taste: Taste | None = None

    @property
    def facts(self) -> tuple[Link | Claim, ...]:
        """Links and claims together."""
        return (*self.links, *self.claims)


class ScopeGraph:
    """A scope's graph in one transaction, read a part at a time."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    @cached_property
    def entities(self) -> list[Entity]:
        """Every entity in force, by slug."""
        return sorted(entities.load(self._tx, entities.in_force()), key=lambda entity: entity.slug)

    @cached_property
    def names(self) -> dict[UUID, str]:
        """A name of its own for every entity, for what knows them by nothing else."""
        taken: set[str] = set()
        texts_by_id: dict[UUID, str] = {}
        for entity in self.entities:
            name = entity.name if entity.name not in taken else f"{entity.name} ({entity.slug})"
            taken.add(name)
            texts_by_id[entity.id] = name
        return texts_by_id

    def portraits(self) -> Iterator[Portrait]:
        """Every entity with all that belongs to it."""
        for start in range(0, len(self.entities), TOGETHER):
            yield from self._some(self.entities[start : start + TOGETHER])

    def _some(self, some: list[Entity]) -> Iterator[Portrait]:
        keys = [entity.id for entity in some]
        claims_by_id: dict[UUID, list[Claim]] = defaultdict(list)
        for claim in claims.load(self._tx, tables.attributes.c.entity_id.in_(keys), claims.in_force(self._tx)):
            claims_by_id[claim.entity].append(claim)
        leading: dict[UUID, list[Link]] = defaultdict(list)
        for link in links.load(self._tx, tables.links.c.source_entity.in_(keys), links.in_force(self._tx)):
            # What leads to an archived entity leads nowhere.
            if link.target is None or link.target in self.names:
                leading[link.source].append(link)
        felt = nodes.find_tastes(self._tx, some)
        for entity in some:
            held = tuple(sorted(claims_by_id[entity.id], key=lambda claim: (claim.slot.aspect, claim.id)))
            out = tuple(sorted(leading[entity.id], key=lambda link: link.id))
            yield Portrait(entity, held, out, self._quotes([*held, *out]), felt.get(entity.id))

    def _quotes(self, facts: list[Claim | Link]) -> dict[UUID, str]:
        texts = transfers.texts(self._tx, {fact.evidence for fact in facts if fact.evidence})
        return {
            fact.id: texts[fact.evidence][slice(*fact.quote)]
            for fact in facts
            if fact.evidence in texts and fact.evidence and fact.quote
        }


def memories(tx: Transaction) -> Iterator[tuple[Memory, str]]:
    """Every long-term memory, in force or not, and the words that it rests on."""
    keys = sorted(stored_memories.before(tx, _END))
    for start in range(0, len(keys), TOGETHER):
        found = stored_memories.by_id(tx, keys[start : start + TOGETHER])
        said = transfers.texts(tx, {memory.source for memory in found.values()})
        yield from ((found[key], said[found[key].source]) for key in sorted(found))


def in_force(tx: Transaction) -> list[Memory]:
    """The memories in force, by category and then by age."""
    active = (memory for memory, _ in memories(tx) if memory.status is Status.ACTIVE)
    return sorted(active, key=lambda memory: (memory.category, memory.created_at, memory.id))
