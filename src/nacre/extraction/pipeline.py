"""The one way from facts to the graph, whoever found them: names are resolved, facts become operations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from uuid import UUID

from nacre.domain import ids
from nacre.domain.claim_operations import RecordClaim
from nacre.domain.claims import Slot
from nacre.domain.commands import MAX_BATCH, Command, Operation, Quotation
from nacre.domain.entities import Entity, EntityType
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity, Polarity, Voice
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.operation_results import OperationResult
from nacre.domain.operations import AddAlias, MergeEntities, SourceQuote, UpsertEntity
from nacre.domain.recording_operations import NoteEntities, NoteMentions, RecordLink
from nacre.domain.scopes import user_name
from nacre.extraction import paths, reader_words, ties
from nacre.extraction.identities import Identities, Introduction
from nacre.extraction.name_directories import NameDirectory
from nacre.extraction.statements import statement_of
from nacre.graph.operations import merge_handlers, path
from nacre.graph.operations.path import ReadCache
from nacre.store.base.databases import Transaction
from nacre.store.evidence import turns
from nacre.store.graph import candidates, entities
from nacre.text import names

BY_RULES, BY_MODEL = "extraction", "extraction:model"
# Facts that are less sure than this are left alone.
LEAST_SURE = 0.5
# How alike those are of whom names alone do not tell whether they are two.
_IN_DOUBT = 0.93
_MAX_QUOTE = 200

WantedEntities = Mapping[tuple[str, EntityType], UpsertEntity]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedText:
    """A text that was stored as evidence, and what was found in it; `stored_at` where that was a while ago."""

    source: SourceId
    text: str
    at: datetime
    stored_at: datetime | None = None
    found: ExtractedFacts
    speaker: str | None = None
    memory: MemoryId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphUpdate:
    """What became of facts: new entities, links and claims in force, and the batch that takes it all back."""

    batch: UUID | None = None
    new: tuple[UUID, ...] = ()
    entities: int = 0
    links: int = 0
    claims: int = 0
    notes: tuple[str, ...] = ()


def apply_facts(
    tx: Transaction,
    heard: Sequence[ExtractedText],
    *,
    user: str | None,
    actor: str = BY_RULES,
    talk: Transaction | None = None,
    batch: UUID | None = None,
    read: ReadCache | None = None,
) -> GraphUpdate:
    """Bring what was found in texts into the graph. The texts must be stored in the transaction's scope.

    `talk` is the transaction in the scope where the texts were said, if they are turns; `batch` goes on with one.
    `read` is what was read for the texts before these in the same transaction.
    """
    heard = [_personal(_plain(each), user) for each in heard if each.found.names or each.found.facts]
    if not heard:
        return GraphUpdate()
    read = read or ReadCache()
    read.texts.update({each.source: each.text for each in heard})
    people = NameDirectory(tx, user, read.entities)
    people.read(name for each in heard for upsert in _wanted(each, user).values() for name in _names_of(upsert))
    intake = _FactBatch(people, batch or ids.new(tx.now), actor, read, _only_retracted(heard), talk)
    for each in heard:
        intake.take(each)
    new = [key for key in intake.made if key not in intake.gone]
    return GraphUpdate(
        batch=intake.batch,
        new=tuple(new),
        entities=len(new),
        links=sum(1 for each in intake.done if each.outcome.link),
        claims=sum(each.outcome.claims for each in intake.done),
        notes=tuple(note for each in heard for note in each.found.notes),
    )


@dataclass(slots=True)
class _FactBatch:
    """Texts that are taken in together, one after the other, as one batch."""

    people: NameDirectory
    batch: UUID
    actor: str
    read: ReadCache
    retracted: set[str]
    talk: Transaction | None
    done: list[OperationResult] = field(default_factory=list)
    made: list[UUID] = field(default_factory=list)
    gone: set[UUID] = field(default_factory=set)

    def take(self, heard: ExtractedText) -> None:
        """Find out whom a text speaks of, and carry out what it says."""
        people = self.people
        people.turn_page()
        company = self._company(heard)
        people.read(company)
        subject = partial(people.subject, speaker=heard.speaker)
        facts = ties.without_bystanders(people.tx, heard.found.facts, heard.text, subject, people.people_called)
        heard = replace(heard, found=replace(heard.found, facts=facts))
        found = Identities(people, heard.text, heard.found, heard.speaker, company)
        called = dict(found.vocatives())
        wanted = _wanted(heard, people.user, called.values())
        found.choose(wanted)
        introduced = found.introductions(LEAST_SURE)
        missing = self._missing(wanted, introduced, heard.speaker)
        relatives = {key: found.relatives(upsert.name, _kind(upsert)) for key, upsert in missing.items()}
        new = self._make(missing, wanted)
        for key, entity in new.items():
            known = relatives[key].same
            if known and known.id != entity.id:
                self._join(heard, known, entity, "another form of the same name")
            self._doubt(entity, relatives[key].perhaps)
        for name, companion in called.items():
            self._join_called(heard, name, companion)
        refused = [each.fact for each in introduced if not self._introduce(heard, found, each)]
        self.done += self._apply(_orders(people, heard, refused))

    def _company(self, heard: ExtractedText) -> list[str]:
        """The others who spoke in the session before, where that can matter."""
        if self.talk is None or heard.speaker is None:
            return []
        if not any(named.addressed for named in heard.found.names) and self.people.people_called(heard.speaker):
            return []
        own = names.match_key(heard.speaker)
        return [each for each in turns.company(self.talk, heard.source) if names.match_key(each) != own]

    def _missing(
        self, upserts: WantedEntities, introduced: Iterable[Introduction], speaker: str | None
    ) -> dict[str, UpsertEntity]:
        """The entities that have to be made, by the keys of their names."""
        # Who gives a name is made by the one that is known already, which may be the same: so are its parts.
        voices = {names.match_key(name) for name in (user_name(self.people.user), speaker) if name}
        own = {key for each in introduced for key in (each.key, *each.key.split())} - voices
        missing: dict[str, UpsertEntity] = {}
        for (name, kind), found in upserts.items():
            key = names.match_key(name)
            if self.people.find(name, kind, found.confidence) or name in self.retracted or key in own:
                continue
            # One text may call a thing by two types; the first, which is the surest, stands.
            missing.setdefault(key, self._named_freely(found, upserts))
        return missing

    def _named_freely(self, upsert: UpsertEntity, upserts: WantedEntities) -> UpsertEntity:
        """Without other names that somebody goes by already: who shares a name is taken for another."""
        taken = {names.match_key(name) for name, _ in upserts} | set(self.people.known)
        free = tuple(alias for alias in upsert.aliases if names.match_key(alias) not in taken)
        return replace(upsert, aliases=free) if free != upsert.aliases else upsert

    def _make(self, missing: Mapping[str, UpsertEntity], upserts: WantedEntities) -> dict[str, Entity]:
        """Make entities, and tell those that are there what more was found out."""
        people = self.people
        alike = {key: people.people_called(upsert.name) for key, upsert in missing.items() if key in people.strangers}
        richer: dict[str, Operation] = {}
        for (name, kind), found in upserts.items():
            known = people.find(name, kind, found.confidence)
            upsert = self._named_freely(found, upserts)
            if known and (upsert.description or upsert.aliases):
                richer[known.slug] = replace(upsert, slug=known.slug)
        now = people.tx.now
        fresh = tuple(_as_stranger(each, now) if key in alike else each for key, each in missing.items())
        before = set(self.read.entities)
        self._apply([*([NoteEntities(entities=fresh)] if fresh else []), *richer.values()])
        made = {names.match_key(each.name): each for key, each in self.read.entities.items() if key not in before}
        for key, entity in made.items():
            people.add(entity)
            self.made.append(entity.id)
            if key in alike:
                people.meant[key] = entity
                for other in alike[key]:
                    candidates.keep_apart(people.tx, other.id, entity.id)
        return made

    def _introduce(self, heard: ExtractedText, identities: Identities, introduced: Introduction) -> bool:
        """Let somebody go by a name of their own, and be whoever was spoken of by it before; whether it may be so."""
        people = self.people
        subject = people.subject(introduced.fact.subject, heard.speaker)
        if subject is None or not identities.accepts(subject, introduced):
            return False
        others = [each for each in people.people_called(introduced.name) if each.id != subject.id]
        if len(others) == 1 and not others[0].pinned_at and not ties.differ(people.tx, subject, others[0]):
            self._join(heard, subject, others[0], f"{subject.name} goes by this name", introduced.fact.quote)
        elif others:
            self._doubt(subject, others)
            return True
        elif introduced.key not in map(names.match_key, (subject.name, *subject.aliases)):
            self._apply([AddAlias(entity=subject.id, alias=introduced.name)])
            self._refresh(subject, [])
        people.meant[introduced.key] = people.find(subject.name, EntityType.PERSON) or subject
        return True

    def _join_called(self, heard: ExtractedText, name: str, companion: str) -> None:
        """Let who is addressed be who is spoken with."""
        people = self.people
        target = people.find(companion, EntityType.PERSON)
        others = [each for each in people.people_called(name) if target and each.id != target.id]
        if target and len(others) == 1 and not others[0].pinned_at and not ties.differ(people.tx, target, others[0]):
            self._join(heard, target, others[0], f"{companion} is addressed so")

    def _join(
        self, heard: ExtractedText, target: Entity, source: Entity, reason: str, quote: tuple[int, int] | None = None
    ) -> None:
        """Merge two entities; whoever takes that back keeps them apart."""
        start, end = quote or _place(heard, source)
        evidence = (Quotation(quote=heard.text[start:end], source=heard.source),)
        merge = MergeEntities(target=target.id, source=source.id, reason=reason)
        self._apply([Command(operation=merge, evidence=evidence, actor=merge_handlers.BY_ITSELF)])
        self._refresh(target, [source.id])

    def _doubt(self, entity: Entity, others: Iterable[Entity]) -> None:
        """Have somebody decide whether some are one person."""
        candidates.add(self.people.tx, [(entity.id, each.id, _IN_DOUBT) for each in others if each.id != entity.id])

    def _refresh(self, entity: Entity, gone: Sequence[UUID]) -> None:
        """Read an entity again that an operation changed by the way."""
        for key in (entity.id, *gone):
            self.read.entities.pop(key, None)
            self.read.images.pop(key, None)
        fresh = entities.by_id(self.people.tx, [entity.id])[entity.id]
        self.read.entities[fresh.id] = fresh
        self.people.replace(gone, fresh)
        self.gone.update(gone)

    def _apply(self, orders: Sequence[Operation | Command]) -> list[OperationResult]:
        portions = (orders[start : start + MAX_BATCH] for start in range(0, len(orders), MAX_BATCH))
        return [
            each
            for some in portions
            for each in path.apply(self.people.tx, some, actor=self.actor, batch=self.batch, read=self.read)
        ]


def _plain(heard: ExtractedText) -> ExtractedText:
    found = reader_words.plain(heard.found, Voice.SPEAKER if heard.speaker else Voice.USER)
    return heard if found is heard.found else replace(heard, found=found)


def _personal(heard: ExtractedText, user: str | None) -> ExtractedText:
    """The same, with the names of those who speak as names of persons, whatever else is called so: "soy Rosario"."""
    voices = {names.match_key(name) for name in (user_name(user), heard.speaker) if name}
    things = {(fact.object.start, fact.object.end) for fact in heard.found.facts if fact.object}
    own = [
        replace(each, type=EntityType.PERSON)
        if names.match_key(each.name) in voices and (each.start, each.end) not in things
        else each
        for each in heard.found.names
    ]
    return replace(heard, found=replace(heard.found, names=tuple(own))) if own != [*heard.found.names] else heard


def _wanted(
    heard: ExtractedText, user: str | None, besides: Iterable[str] = ()
) -> dict[tuple[str, EntityType], UpsertEntity]:
    """Every name that is spoken of, with its type, and all that was found out about it."""
    upserts: dict[tuple[str, EntityType], UpsertEntity] = {}
    for named in [*heard.found.names, *_ends(heard.found.facts)]:
        key = (named.name, named.type)
        upserts[key] = _joined(upserts.get(key), named)
    people = [*([heard.speaker] if heard.speaker else []), *besides]
    if any(fact.subject is Voice.USER for fact in heard.found.facts):
        people.append(user_name(user))
    return upserts | {(name, EntityType.PERSON): UpsertEntity(name=name, type=EntityType.PERSON) for name in people}


def _names_of(upsert: UpsertEntity) -> tuple[str, ...]:
    return (upsert.name, *upsert.aliases)


def _kind(upsert: UpsertEntity) -> EntityType:
    return EntityType(upsert.type)


def _as_stranger(upsert: UpsertEntity, now: datetime) -> UpsertEntity:
    """An entity of its own, whoever goes by its name: only a slug tells it from others."""
    return replace(upsert, slug=f"{names.slug(upsert.name)}-{ids.new(now).hex[-6:]}")


def _place(heard: ExtractedText, entity: Entity) -> tuple[int, int]:
    """Where a text names an entity."""
    keys = {names.match_key(name) for name in (entity.name, *entity.aliases)}
    spoken = (named for named in heard.found.names if names.match_key(named.name) in keys)
    return next(((named.start, named.end) for named in spoken), (0, min(len(heard.text), _MAX_QUOTE)))


def _joined(before: UpsertEntity | None, named: NamedEntity) -> UpsertEntity:
    return UpsertEntity(
        name=named.name,
        type=named.type,
        description=(before.description if before else None) or named.description,
        aliases=(*(before.aliases if before else ()), *named.aliases),
        confidence=max(before.confidence if before else 0.0, named.confidence),
    )


def _ends(facts: Iterable[Fact]) -> list[NamedEntity]:
    return [end for fact in facts for end in (fact.subject, fact.object) if isinstance(end, NamedEntity)]


def _only_retracted(heard: Sequence[ExtractedText]) -> set[str]:
    """Names that only occur in what no longer holds: nothing is made for them."""
    facts = [fact for each in heard for fact in each.found.facts]
    gone = {end.name for end in _ends(fact for fact in facts if fact.polarity is Polarity.RETRACTED)}
    kept = {end.name for end in _ends(fact for fact in facts if fact.polarity is Polarity.STATED)}
    named = {named.name for each in heard for named in each.found.names}
    return gone - kept - named


def _orders(people: NameDirectory, heard: ExtractedText, refused: Sequence[Fact]) -> list[Operation]:
    places = tuple(
        (entity.id, named.start, named.end)
        for named in heard.found.names
        if (entity := people.find(named.name, named.type, named.confidence))
    )
    sure = [fact for fact in heard.found.facts if fact.confidence >= LEAST_SURE and fact not in refused]
    orders = [order for fact in sure for order in _fact_orders(people, heard, fact)]
    # Mentions come last, because counting them changes the entities that facts are about.
    return [*orders, NoteMentions(source=heard.source, places=places)] if places else orders


def _fact_orders(people: NameDirectory, heard: ExtractedText, fact: Fact) -> list[Operation]:
    subject = people.subject(fact.subject, heard.speaker)
    if subject is None:
        return []
    quoted = SourceQuote(source=heard.source, quote=fact.quote)
    if fact.path:
        return [_claim(heard, fact, paths.slot(fact.path), subject, quoted)]
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
            said=statement_of(heard.text, fact),
            retracted=retracted,
            instead_of=known.id if known else None,
            confidence=fact.confidence,
            properties={"detail": fact.detail} if fact.detail else {},
            valid_from=_since(heard, fact),
            valid_to=fact.valid_to,
            evidence=quoted,
        )
    ]


def _claim(heard: ExtractedText, fact: Fact, slot: Slot, subject: Entity, quoted: SourceQuote) -> RecordClaim:
    return RecordClaim(
        entity=subject.id,
        aspect=slot.aspect,
        group=slot.group,
        claim=slot.claim,
        value=fact.value or "",
        said=statement_of(heard.text, fact),
        retracted=fact.polarity is Polarity.RETRACTED,
        confidence=fact.confidence,
        valid_from=_since(heard, fact),
        valid_to=fact.valid_to,
        evidence=quoted,
        memory=heard.memory,
    )


def _since(heard: ExtractedText, fact: Fact) -> datetime | None:
    """Since when a fact holds: since it was said, unless it is said to have ended by then."""
    if fact.valid_from:
        return None if fact.valid_from == fact.valid_to else fact.valid_from
    return heard.at if fact.valid_to is None or heard.at < fact.valid_to else None
