"""The directory: whom names mean, in one transaction."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from uuid import UUID

from nacre.domain.entities import Entity, EntityType
from nacre.domain.facts import NamedEntity, Subject, Voice
from nacre.domain.memories import Status
from nacre.domain.scopes import user_name
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities
from nacre.store.tables import schema as tables
from nacre.text import names
from nacre.text.personal_names import Likeness, block_keys, compare

# Lists of names and rules about them are surer than this; a verb beside a capital is not.
SURE_OF_TYPE = 0.7
# The reader tells an event from its makers less surely than it says.
SURE_OF_KIND_OF_THING = 0.9
# A new name is compared with so many people, those of whom something was learned last.
MAX_PEOPLE = 500
# A name said of a type that is close to the one it has still means the same entity.
_ALIKE = (
    {EntityType.ORGANIZATION, EntityType.PRODUCT, EntityType.PROJECT, EntityType.TECHNOLOGY, EntityType.TOOL},
    {EntityType.TECHNOLOGY, EntityType.TOOL, EntityType.SYSTEM, EntityType.PRODUCT},
    {EntityType.LOCATION, EntityType.PLACE},
    {EntityType.CONCEPT, EntityType.TOPIC, EntityType.SKILL, EntityType.TECHNOLOGY},
)
_PERSONAL = (EntityType.PERSON, EntityType.UNKNOWN)


@dataclass(slots=True)
class NameDirectory:
    """Whom names mean, in one transaction.

    `entities` holds those that were read in it already, as they are. `meant` holds what the text that is read just now
    means by a name that several go by, `strangers` the keys of names that mean nobody of them.
    """

    tx: Transaction
    user: str | None
    entities: dict[UUID, Entity] = field(default_factory=dict)
    known: dict[str, list[Entity]] = field(default_factory=dict)
    meant: dict[str, Entity] = field(default_factory=dict)
    strangers: set[str] = field(default_factory=set)
    _people: dict[UUID, Entity] | None = None
    # Those whose names may be like one of a key, and their places among all.
    _blocks: dict[str, dict[UUID, int]] = field(default_factory=dict)

    def read(self, wanted_names: Iterable[str]) -> None:
        """Look up every name at once."""
        found = entities.by_keys(self.tx, sorted({names.match_key(name) for name in wanted_names} - set(self.known)))
        self.entities.update(entities.by_id(self.tx, {each.entity_id for each in found} - self.entities.keys()))
        for each in found:
            self.known.setdefault(each.key, []).append(self.entities[each.entity_id])

    def turn_page(self) -> None:
        """Forget what the last text meant by names."""
        self.meant.clear()
        self.strangers.clear()

    def find(self, name: str, kind: EntityType, confidence: float = 1.0) -> Entity | None:
        """The entity that a name means; of several, the one of the type that is mentioned most.

        A type that was only guessed from the words around a name tells nobody from the only one of that name:
        companies "say" things, too. Nor are two things of one name known for sure: a fair is an event or its makers.
        """
        key = names.match_key(name)
        if kind in _PERSONAL and key in self.meant:
            return self.meant[key]
        if kind in _PERSONAL and key in self.strangers:
            return None
        held = self.known.get(key, [])
        fitting = next((entity for entity in held if _fits(entity.type, kind)), None)
        if fitting or len(held) != 1:
            return fitting
        least = SURE_OF_TYPE if EntityType.PERSON in (kind, held[0].type) else SURE_OF_KIND_OF_THING
        return held[0] if confidence < least else None

    def subject(self, subject: Subject, speaker: str | None) -> Entity | None:
        """The entity that a fact is about."""
        match subject:
            case Voice.USER:
                return self.find(user_name(self.user), EntityType.PERSON)
            case Voice.SPEAKER:
                return self.find(speaker, EntityType.PERSON) if speaker else None
            case NamedEntity(name=name, type=kind, confidence=confidence):
                return self.find(name, kind, confidence)

    def people_called(self, name: str) -> list[Entity]:
        """The persons, or what may be one, that go by exactly this name, the most mentioned first."""
        return [entity for entity in self.known.get(names.match_key(name), []) if entity.type in _PERSONAL]

    def people_like(self, name: str) -> dict[Likeness, list[Entity]]:
        """The persons with another name that may be short, long or formal for this one."""
        by_likeness: dict[Likeness, list[Entity]] = {Likeness.SAME: [], Likeness.MAYBE: []}
        people = self._all_people()
        near: dict[UUID, int] = {}
        for block in block_keys(name):
            near |= self._blocks.get(block, {})
        for entity in [people[key] for key in sorted(near, key=near.__getitem__) if key in people]:
            alike = [compare(name, each) for each in self._given_names(entity)]
            if Likeness.AGAINST not in alike and (best := max(alike)) in by_likeness:
                by_likeness[best].append(entity)
        return by_likeness

    def _given_names(self, entity: Entity) -> tuple[str, ...]:
        """The names that people gave somebody; what an application calls its user is none, once there is another."""
        is_user = names.match_key(entity.name) == names.match_key(user_name(self.user))
        return entity.aliases if is_user and entity.aliases else (entity.name, *entity.aliases)

    def add(self, entity: Entity) -> None:
        """Know a new entity by its name."""
        self.known.setdefault(names.match_key(entity.name), []).append(entity)
        if self._people is not None and entity.type is EntityType.PERSON:
            self._people[entity.id] = entity
            self._file(entity)

    def replace(self, gone: Collection[UUID], entity: Entity) -> None:
        """Know an entity as it is now by all its names; those that it took in are gone."""
        mine = {names.match_key(name) for name in (entity.name, *entity.aliases)}
        for key in {*self.known, *mine}:
            held = [each for each in self.known.get(key, []) if each.id not in gone and each.id != entity.id]
            self.known[key] = [entity, *held] if key in mine else held
        self.known = {key: held for key, held in self.known.items() if held}
        self.meant = {key: entity if each.id in (*gone, entity.id) else each for key, each in self.meant.items()}
        if self._people is not None:
            self._people = {key: each for key, each in self._people.items() if key not in gone} | {entity.id: entity}
            self._file(entity)

    def _file(self, entity: Entity) -> None:
        place = len(self._people or ())
        for name in (entity.name, *entity.aliases):
            for key in block_keys(name):
                self._blocks.setdefault(key, {}).setdefault(entity.id, place)

    def _all_people(self) -> dict[UUID, Entity]:
        if self._people is None:
            persons = (
                tables.entities.c.type == EntityType.PERSON.value,
                tables.entities.c.status == Status.ACTIVE.value,
            )
            found = entities.load(self.tx, *persons, limit=MAX_PEOPLE)
            self._people = {}
            for entity in found:
                self._people[entity.id] = entity
                self._file(entity)
        return self._people


def _fits(one: EntityType, other: EntityType) -> bool:
    return one is other or EntityType.UNKNOWN in (one, other) or any({one, other} <= alike for alike in _ALIKE)
