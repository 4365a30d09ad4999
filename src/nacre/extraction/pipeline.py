"""The one way from facts to the graph, whoever found them: names are resolved, facts become operations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from nacre.domain import ids
from nacre.domain.claim_operations import RecordClaim
from nacre.domain.claims import Slot
from nacre.domain.commands import Operation
from nacre.domain.entities import Entity, EntityType
from nacre.domain.facts import Extracted, Fact, Named, Polarity, Voice
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.operations import AddAlias, Quoted, UpsertEntity
from nacre.domain.recording_operations import NoteEntities, NoteMentions, RecordLink
from nacre.domain.scopes import user_name
from nacre.extraction.statements import statement_around
from nacre.ontology import operations
from nacre.ontology.operations import MAX_BATCH, Applied, Read
from nacre.store import entities
from nacre.store import names as known_names
from nacre.store.databases import Transaction
from nacre.text import names

BY_RULES = "extraction"
# Facts that are less sure than this are left alone.
LEAST_SURE = 0.5
# Lists of names and rules about them are surer than this; a verb beside a capital is not.
SURE_OF_TYPE = 0.7
# A name said of a type that is close to the one it has still means the same entity.
_ALIKE = (
    {EntityType.ORGANIZATION, EntityType.PRODUCT, EntityType.PROJECT, EntityType.TECHNOLOGY, EntityType.TOOL},
    {EntityType.TECHNOLOGY, EntityType.TOOL, EntityType.SYSTEM, EntityType.PRODUCT},
    {EntityType.LOCATION, EntityType.PLACE},
    {EntityType.CONCEPT, EntityType.TOPIC, EntityType.SKILL, EntityType.TECHNOLOGY},
)
_OWN_NAME = "identity/general/name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A text that was stored as evidence, and what was found in it; `stored_at` where that was a while ago."""

    source: SourceId
    text: str
    at: datetime
    stored_at: datetime | None = None
    found: Extracted
    speaker: str | None = None
    memory: MemoryId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of facts: new entities, links and claims in force, and the batch that takes it all back."""

    batch: UUID | None = None
    new: tuple[UUID, ...] = ()
    entities: int = 0
    links: int = 0
    claims: int = 0
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Directory:
    """Whom names mean, in one transaction."""

    tx: Transaction
    user: str | None
    known: dict[str, list[Entity]] = field(default_factory=dict)

    def read(self, wanted: Iterable[str]) -> None:
        """Look up every name at once."""
        found = known_names.by_keys(self.tx, sorted({names.match_key(name) for name in wanted}))
        held = entities.by_id(self.tx, {each.entity_id for each in found}) if found else {}
        for each in found:
            self.known.setdefault(each.key, []).append(held[each.entity_id])

    def find(self, name: str, kind: EntityType, confidence: float = 1.0) -> Entity | None:
        """The entity that a name means; of several, the one of the type that is mentioned most.

        A type that was only guessed from the words around a name tells nobody from the only one of that name:
        companies "say" things, too.
        """
        held = self.known.get(names.match_key(name), [])
        fitting = next((entity for entity in held if _fits(entity.type, kind)), None)
        return held[0] if not fitting and len(held) == 1 and confidence < SURE_OF_TYPE else fitting

    def add(self, entity: Entity) -> None:
        """Know a new entity by its name."""
        self.known.setdefault(names.match_key(entity.name), []).append(entity)


def _fits(one: EntityType, other: EntityType) -> bool:
    return one is other or EntityType.UNKNOWN in (one, other) or any({one, other} <= alike for alike in _ALIKE)


def take_in(tx: Transaction, heard: Sequence[Heard], *, user: str | None, actor: str = BY_RULES) -> Taken:
    """Bring what was found in texts into the graph. The texts must be stored in the transaction's scope."""
    heard = [each for each in heard if each.found.names or each.found.facts]
    if not heard:
        return Taken()
    people = _Directory(tx, user)
    wanted = _wanted(heard, user)
    people.read(name for upsert in wanted.values() for name in (upsert.name, *upsert.aliases))
    batch = ids.new(tx.now)
    held: dict[UUID, Entity] = {entity.id: entity for found in people.known.values() for entity in found}
    read = Read(texts={each.source: each.text for each in heard}, entities=held.copy())

    def apply(orders: Sequence[Operation]) -> list[Applied]:
        portions = (orders[start : start + MAX_BATCH] for start in range(0, len(orders), MAX_BATCH))
        return [each for some in portions for each in operations.apply(tx, some, actor=actor, batch=batch, read=read)]

    apply(_to_upsert(people, wanted, heard))
    new = [key for key in read.entities if key not in held]
    for key in new:
        people.add(read.entities[key])
    done = apply([order for each in heard for order in _orders(people, each)])
    return Taken(
        batch=batch,
        new=tuple(new),
        entities=len(new),
        links=sum(1 for each in done if each.outcome.link),
        claims=sum(each.outcome.claims for each in done),
        notes=tuple(note for each in heard for note in each.found.notes),
    )


def _wanted(heard: Sequence[Heard], user: str | None) -> dict[tuple[str, EntityType], UpsertEntity]:
    """Every name that is spoken of, with its type, and all that was found out about it."""
    wanted: dict[tuple[str, EntityType], UpsertEntity] = {}
    for each in heard:
        for named in [*each.found.names, *_ends(each.found.facts)]:
            key = (named.name, named.type)
            wanted[key] = _joined(wanted.get(key), named)
        if each.speaker:
            wanted[each.speaker, EntityType.PERSON] = UpsertEntity(name=each.speaker, type=EntityType.PERSON)
        if any(fact.subject is Voice.USER for fact in each.found.facts):
            name = user_name(user)
            wanted[name, EntityType.PERSON] = UpsertEntity(name=name, type=EntityType.PERSON)
    return wanted


def _joined(known: UpsertEntity | None, named: Named) -> UpsertEntity:
    return UpsertEntity(
        name=named.name,
        type=named.type,
        description=(known.description if known else None) or named.description,
        aliases=(*(known.aliases if known else ()), *named.aliases),
        confidence=max(known.confidence if known else 0.0, named.confidence),
    )


def _ends(facts: Iterable[Fact]) -> list[Named]:
    return [end for fact in facts for end in (fact.subject, fact.object) if isinstance(end, Named)]


def _to_upsert(
    people: _Directory, wanted: Mapping[tuple[str, EntityType], UpsertEntity], heard: Sequence[Heard]
) -> list[Operation]:
    """What makes the entities that have to be there first, and tells the others what more was found out."""
    retracted = _only_retracted(heard)
    missing: dict[str, UpsertEntity] = {}
    richer: dict[str, Operation] = {}
    # Other names that somebody goes by already are left alone: who shares a name is taken for another.
    taken = {names.match_key(name) for name, _ in wanted} | set(people.known)
    for (name, kind), found in wanted.items():
        free = tuple(alias for alias in found.aliases if names.match_key(alias) not in taken)
        upsert = replace(found, aliases=free) if free != found.aliases else found
        known = people.find(name, kind, found.confidence)
        if known and (upsert.description or upsert.aliases):
            richer[known.slug] = replace(upsert, slug=known.slug)
        elif known is None and name not in retracted:
            # One text may call a thing by two types; the first, which is the surest, stands.
            missing.setdefault(names.match_key(name), upsert)
    return [*_by_text(missing, heard, user=people.user), *richer.values()]


def _by_text(missing: Mapping[str, UpsertEntity], heard: Sequence[Heard], *, user: str | None) -> list[Operation]:
    """One operation for the entities that each text is the first to name, so that a text can be purged on its own."""
    left = dict(missing)
    orders: list[Operation] = []
    for each in heard:
        spoken = dict.fromkeys(names.match_key(name) for name, _ in _wanted([each], user))
        if new := tuple(left.pop(key) for key in spoken if key in left):
            orders.append(NoteEntities(entities=new))
    return orders


def _only_retracted(heard: Sequence[Heard]) -> set[str]:
    """Names that only occur in what no longer holds: nothing is made for them."""
    facts = [fact for each in heard for fact in each.found.facts]
    gone = {end.name for end in _ends(fact for fact in facts if fact.polarity is Polarity.RETRACTED)}
    kept = {end.name for end in _ends(fact for fact in facts if fact.polarity is Polarity.STATED)}
    named = {named.name for each in heard for named in each.found.names}
    return gone - kept - named


def _orders(people: _Directory, heard: Heard) -> list[Operation]:
    places = tuple(
        (entity.id, named.start, named.end)
        for named in heard.found.names
        if (entity := people.find(named.name, named.type, named.confidence))
    )
    sure = [fact for fact in heard.found.facts if fact.confidence >= LEAST_SURE]
    orders = [order for fact in sure for order in _fact_orders(people, heard, fact)]
    # Mentions come last, because counting them changes the entities that facts are about.
    return [*orders, NoteMentions(source=heard.source, places=places)] if places else orders


def _fact_orders(people: _Directory, heard: Heard, fact: Fact) -> list[Operation]:
    subject = _subject(people, heard, fact)
    if subject is None:
        return []
    quoted = Quoted(source=heard.source, quote=fact.quote)
    if fact.path:
        return _claim_orders(people, heard, fact, subject, quoted)
    target = people.find(fact.object.name, fact.object.type, fact.object.confidence) if fact.object else None
    retracted = fact.polarity is Polarity.RETRACTED
    if fact.object and ((target is None and not retracted) or (target and target.id == subject.id)):
        return []
    replaced = fact.instead_of
    known = people.find(replaced.name, replaced.type, replaced.confidence) if replaced else None
    if replaced and known is None:
        return []
    return [
        RecordLink(
            source=subject.id,
            predicate=fact.predicate or "",
            target=target.id if target else None,
            # Whatever the graph does not know by name may be held under another.
            value=fact.object.name if fact.object and not target else fact.value,
            said=statement_around(heard.text, fact.quote),
            retracted=retracted,
            instead_of=known.id if known else None,
            confidence=fact.confidence,
            properties={"detail": fact.detail} if fact.detail else {},
            valid_from=_since(heard, fact),
            valid_to=fact.valid_to,
            evidence=quoted,
        )
    ]


def _claim_orders(people: _Directory, heard: Heard, fact: Fact, subject: Entity, quoted: Quoted) -> list[Operation]:
    slot, value = Slot.at(fact.path), fact.value or ""
    record = RecordClaim(
        entity=subject.id,
        aspect=slot.aspect,
        group=slot.group,
        claim=slot.claim,
        value=value,
        said=statement_around(heard.text, fact.quote),
        retracted=fact.polarity is Polarity.RETRACTED,
        confidence=fact.confidence,
        valid_from=_since(heard, fact),
        valid_to=fact.valid_to,
        evidence=quoted,
        memory=heard.memory,
    )
    free = names.match_key(value) not in people.known
    if fact.path == _OWN_NAME and free and fact.polarity is Polarity.STATED:
        return [record, AddAlias(entity=subject.id, alias=value)]
    return [record]


def _since(heard: Heard, fact: Fact) -> datetime | None:
    """Since when a fact holds: since it was said, unless it is said to have ended by then."""
    if fact.valid_from:
        return None if fact.valid_from == fact.valid_to else fact.valid_from
    return heard.at if fact.valid_to is None or heard.at < fact.valid_to else None


def _subject(people: _Directory, heard: Heard, fact: Fact) -> Entity | None:
    match fact.subject:
        case Voice.USER:
            return people.find(user_name(people.user), EntityType.PERSON)
        case Voice.SPEAKER:
            return people.find(heard.speaker, EntityType.PERSON) if heard.speaker else None
        case Named(name=name, type=kind, confidence=confidence):
            return people.find(name, kind, confidence)
