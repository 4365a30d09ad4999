"""What is stated becomes part of the graph: links that may end others, and mentions."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from nacre.domain.claims import GENERAL_GROUP, Cardinality, Claim, Slot
from nacre.domain.errors import NotFound
from nacre.domain.ids import AspectId, ClaimId
from nacre.domain.links import RELATED_TO, Link
from nacre.domain.operations import UpsertLink
from nacre.domain.recording_operations import NoteEntities, NoteMentions, RecordLink
from nacre.graph import handlers, naming
from nacre.graph.handlers import Outcome
from nacre.ontology import cardinality, supersession
from nacre.ontology.supersession import Action, Verdict
from nacre.store import cardinalities, entities, links
from nacre.store import schema as tables
from nacre.store.databases import Transaction
from nacre.store.journals import Journal


def _record(journal: Journal, operation: RecordLink) -> Outcome:
    source, notes = naming.find_or_add(journal, operation.source, operation.confidence)
    held = links.from_entity(journal.tx, source.id, operation.predicate)
    names = _names(journal, held)
    end = operation.value
    target = None
    if operation.target is not None:
        target, more = naming.find_or_add(journal, operation.target, operation.confidence)
        notes, end = [*notes, *more], target.name
        names[target.id] = target.name
    since = operation.valid_from or journal.tx.now
    verdict = _judged(journal.tx, operation, [_as_claim(link, names) for link in held], end or "")
    over = [link for link in held if link.id in verdict.over]
    summary = f"{source.name} --{operation.predicate}--> {end}"
    if verdict.action in (Action.RETRACT, Action.REFUSE):
        ends = over if verdict.action is Action.RETRACT else []
        for link in ends:
            _end(journal, link, max(since, link.valid_from or link.created_at))
        return Outcome(summary=f"{summary}: no longer", entity=source.id, links=len(ends), warnings=(verdict.because,))
    until = min(filter(None, (operation.valid_to, verdict.until)), default=None)
    if verdict.action in (Action.REPLACE, Action.REFINE):
        for link in over:
            _end(journal, link, since)
    elif verdict.action is Action.LATE and (until is None or until <= since):
        # It held before what is known, and nobody said since when: there is no time to place it in.
        return Outcome(summary=f"{summary}: earlier", entity=source.id, warnings=(verdict.because,))
    target_id = target.id if target else None
    twin = next((link for link in held if (link.target, link.value) == (target_id, operation.value)), None)
    key = handlers.put_link(journal, _upsert(operation, source.id, target_id, until), source.id, target_id, twin)
    return Outcome(summary=summary, entity=source.id, link=key, links=1, warnings=tuple(notes))


def _judged(tx: Transaction, operation: RecordLink, held: Sequence[Claim], value: str) -> Verdict:
    known = cardinalities.of(tx, operation.predicate)
    several = known.cardinality if known else cardinality.default_for_predicate(operation.predicate)
    if not operation.retracted:
        at = operation.valid_from or tx.now
        return supersession.judge(_slot(operation.predicate), several, held, value, at=at, said=operation.said)
    same = [claim.id for claim in held if claim.value.casefold() == value.casefold()]
    over = same or ([claim.id for claim in held] if several is Cardinality.SINGLE else [])
    because = f"`{value}` no longer holds." if over else f"No link `{operation.predicate}` leads to `{value}`."
    return Verdict(action=Action.RETRACT, over=tuple(over), confidence=operation.confidence, because=because)


def _slot(predicate: str) -> Slot:
    return Slot("links", GENERAL_GROUP, predicate)


def _as_claim(link: Link, names: Mapping[UUID, str]) -> Claim:
    """A link as a value of its predicate, so that one rule judges links and claims."""
    return Claim(
        id=ClaimId(link.id),
        entity=link.source,
        aspect=AspectId(link.source),
        slot=_slot(link.predicate),
        value=names[link.target] if link.target else link.value or "",
        confidence=link.confidence,
        root=ClaimId(link.id),
        valid_from=link.valid_from,
        valid_to=link.valid_to,
        actor="",
        created_at=link.created_at,
        updated_at=link.updated_at,
    )


def _names(journal: Journal, held: Sequence[Link]) -> dict[UUID, str]:
    ends = {link.target for link in held if link.target}
    journal.known.update(entities.by_id(journal.tx, missing) if (missing := ends - set(journal.known)) else {})
    return {end: journal.known[end].name for end in ends}


def _end(journal: Journal, link: Link, at: datetime) -> None:
    ends = min(filter(None, (link.valid_to, at)))
    journal.update(tables.links, {"id": link.id}, {"valid_to": ends, "updated_at": journal.tx.now})


def _upsert(operation: RecordLink, source: UUID, target: UUID | None, until: datetime | None) -> UpsertLink:
    reason = operation.reason
    if operation.predicate == RELATED_TO and not reason:
        reason = (operation.said or "said together")[:200]
    return UpsertLink(
        source=source,
        predicate=operation.predicate,
        target=target,
        value=operation.value,
        confidence=operation.confidence,
        reason=reason,
        properties=operation.properties,
        valid_from=operation.valid_from,
        valid_to=until,
        evidence=operation.evidence,
    )


def _note_mentions(journal: Journal, operation: NoteMentions) -> Outcome:
    wanted = {entity for entity, _, _ in operation.places}
    known = {**entities.by_id(journal.tx, wanted - set(journal.known)), **journal.known}
    if wanted - set(known):
        raise NotFound("entity", str(min(wanted - set(known))))
    noted = set(entities.places_in(journal.tx, operation.source))
    fresh = [place for place in dict.fromkeys(operation.places) if place[:2] not in noted]
    if fresh:
        said = {"source_id": operation.source}
        rows = [said | {"entity_id": entity, "quote_start": start, "quote_end": end} for entity, start, end in fresh]
        journal.insert_many(tables.mentions, rows)
        counts = Counter(entity for entity, _, _ in fresh)
        more = {entity: known[entity].mentions + count for entity, count in counts.items()}
        journal.update_each(tables.entities, {entity: {"mentions": mentions} for entity, mentions in more.items()})
        # The next text of a batch mentions most of them again.
        journal.known.update({entity: replace(known[entity], mentions=mentions) for entity, mentions in more.items()})
    return Outcome(summary=f"Noted {len(fresh)} mention(s).", entities=len(wanted))


def _note_entities(journal: Journal, operation: NoteEntities) -> Outcome:
    made = naming.note(journal, operation.entities)
    return Outcome(summary=f"Added {', '.join(entity.name for entity in made) or 'nothing'}.", entities=len(made))


HANDLERS: Mapping[type, Callable[[Journal, Any], Outcome]] = {
    RecordLink: _record,
    NoteEntities: _note_entities,
    NoteMentions: _note_mentions,
}
