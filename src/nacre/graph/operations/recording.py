"""Recording of statements as part of the graph: links that may end others, and mentions."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from nacre.domain.claims import Cardinality, Claim
from nacre.domain.errors import NotFound
from nacre.domain.ids import ClaimId
from nacre.domain.links import DISLIKES, LIVES_IN, LOCATED_IN, PARTNER_OF, PREFERS, RELATED_TO, Link
from nacre.domain.operation_results import Effect
from nacre.domain.operations import UpsertLink
from nacre.domain.recording_operations import NoteEntities, NoteMentions, RecordLink
from nacre.graph.beliefs import (
    beginnings,
    cardinality,
    consequences,
    link_values,
    peers,
    references,
    supersession,
    value_keys,
    values,
)
from nacre.graph.beliefs.consequences import Occasion
from nacre.graph.beliefs.references import Referent
from nacre.graph.beliefs.supersession import Action
from nacre.graph.identity import naming
from nacre.graph.operations import entity_handlers
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.graph import aspects, entities, links
from nacre.store.graph import peers as stored_peers
from nacre.store.tables import schema as tables

# Nobody likes and dislikes one thing at a time: what was said last holds.
_OPPOSITES = {PREFERS: DISLIKES, DISLIKES: PREFERS}


@dataclass(frozen=True, slots=True)
class _LinkStatement:
    """A link that was stated or retracted, with its ends found; `end` is the name or the value that it leads to."""

    operation: RecordLink
    source: UUID
    target: UUID | None
    end: str

    @property
    def summary(self) -> str:
        return f"--{self.operation.predicate}--> {self.end}"

    def is_twin(self, link: Link) -> bool:
        """Whether a link leads to the same end."""
        return (link.target, link.value) == (self.target, self.operation.value)


def _record(journal: Journal, operation: RecordLink) -> Effect:
    source, notes = naming.find_or_add(journal, operation.source, operation.confidence)
    target, end = None, operation.value or ""
    if operation.target is not None:
        target, more = naming.find_or_add(journal, operation.target, operation.confidence)
        notes, end = [*notes, *more], target.name
    statement = _LinkStatement(operation, source.id, target.id if target else None, end)
    held = _held(journal.tx, statement)
    if operation.retracted:
        done = _retract(journal, statement, held)
    elif operation.instead_of and all(link.target != operation.instead_of for link in held):
        done = Effect(summary=f"{statement.summary}: nothing is there to be replaced")
    else:
        done = _state(journal, statement, held)
    warnings = tuple(notes) if done.link else done.warnings
    return replace(done, summary=f"{source.name} {done.summary}", entity=source.id, warnings=warnings)


def _held(tx: Transaction, statement: _LinkStatement) -> list[Link]:
    """The links in force that the statement may be about, the newest first."""
    operation = statement.operation
    if operation.retracted and (statement.target is None or operation.predicate == PARTNER_OF):
        return consequences.links_both_ways(tx, statement.source, operation.predicate, operation.valid_from or tx.now)
    keys = None
    if _cardinality(tx, operation.predicate) is not Cardinality.SINGLE:
        keys = value_keys.judged_keys(statement.end, operation.said)
    held = peers.links_of(tx, statement.source, operation.predicate, keys, operation.valid_from or tx.now)
    if operation.instead_of and keys is not None:
        known = {link.id for link in held}
        named = links.to_entities(tx, [operation.instead_of], [operation.predicate])
        held += [link for link in named if link.source == statement.source and link.id not in known]
    return held


def _state(journal: Journal, statement: _LinkStatement, current: Sequence[Link]) -> Effect:
    """Put a link in force, or in the past where it belongs there, and end what it takes the place of."""
    operation, tx = statement.operation, journal.tx
    if operation.predicate == LIVES_IN and _is_less_exact(tx, statement, current):
        return Effect(summary=f"{statement.summary}: what is held lies there")
    since = operation.valid_from or tx.now
    claims = link_values.as_claims(journal, statement.source, current, since, operation.evidence)
    several, slot = _cardinality(tx, operation.predicate), link_values.slot(operation.predicate)
    verdict = supersession.judge(slot, several, claims, statement.end, at=since, said=operation.said)
    over = [claim for claim in claims if claim.id in verdict.over]
    if verdict.action in (Action.RETRACT, Action.REFUSE):
        ends = over if verdict.action is Action.RETRACT else []
        link_values.end(journal, ends, since)
        return Effect(summary=f"{statement.summary}: no longer", links=len(ends), warnings=(verdict.because,))
    until = min(filter(None, (operation.valid_to, verdict.until)), default=None)
    twin = next(filter(statement.is_twin, current), None)
    if verdict.action is Action.LATE:
        if until is None or until <= since:
            # It held before what is known, and nobody said since when: there is no time to place it in.
            return Effect(summary=f"{statement.summary}: earlier", warnings=(verdict.because,))
        twin = twin or _past_twin(tx, statement, since)
    else:
        replaced = {link.id for link in current if operation.instead_of and link.target == operation.instead_of}
        ends = over if verdict.action in (Action.REPLACE, Action.REFINE) else []
        link_values.end(
            journal, [*ends, *(claim for claim in claims if claim.id in replaced and claim not in ends)], since
        )
    if until is None or until > tx.now:
        _end_opposite(journal, statement, since)
        occasion = Occasion(entity=statement.source, since=since, evidence=operation.evidence)
        consequences.of_link(journal, occasion, operation.predicate)
    upsert = _upsert(statement, operation.valid_from, until)
    key = entity_handlers.put_link(journal, upsert, statement.source, statement.target, twin)
    return Effect(summary=statement.summary, link=key, links=1)


def _is_less_exact(tx: Transaction, statement: _LinkStatement, current: Sequence[Link]) -> bool:
    """Whether a home is stated by the region or country in which the one that is held lies."""
    homes = [link.target for link in current if link.target]
    return bool(homes) and any(link.target == statement.target for link in links.of_entities(tx, homes, LOCATED_IN))


def _retract(journal: Journal, statement: _LinkStatement, current: Sequence[Link]) -> Effect:
    """End the links that lead to what is named, and no other."""
    operation = statement.operation
    until = operation.valid_to or operation.valid_from or journal.tx.now
    claims = link_values.as_claims(journal, statement.source, current, until, operation.evidence)
    named = _meant(journal, statement, current, claims)
    ends = beginnings.leave_later(journal.tx, named, until, operation.evidence)
    link_values.end(journal, ends, until)
    if not named and statement.target and operation.valid_to and operation.valid_to <= journal.tx.now:
        _note_past(journal, statement, current, operation.valid_to)
    because = f"`{statement.end or ends[0].value}` no longer holds." if ends else _nothing_meant(statement)
    return Effect(summary=f"{statement.summary}: no longer", links=len(ends), warnings=(because,))


def _meant(
    journal: Journal, statement: _LinkStatement, current: Sequence[Link], claims: Sequence[Claim]
) -> list[Claim]:
    """Those of the links held, given as claims, that a retraction speaks of."""
    if statement.target:
        return [claim for claim in claims if values.same(claim.value, statement.end)]
    known = {claim.id: claim for claim in claims}
    referents = [
        Referent(
            key=link.id,
            names=(known[ClaimId(link.id)].value, *_aliases(journal, link, statement.source)),
            detail=link.properties.get("detail"),
        )
        for link in current
    ]
    found = references.meant(statement.operation.predicate, statement.operation.value, referents)
    return [known[ClaimId(each.key)] for each in found]


def _aliases(journal: Journal, link: Link, about: UUID) -> tuple[str, ...]:
    far = link.source if link.target == about else link.target
    return journal.known[far].aliases if far else ()


def _nothing_meant(statement: _LinkStatement) -> str:
    return f"No one link `{statement.operation.predicate}` of then leads to `{statement.end or 'anything'}`."


def _note_past(journal: Journal, statement: _LinkStatement, current: Sequence[Link], until: datetime) -> None:
    """Keep a link that held until a moment and of which nobody had spoken before."""
    begins = None
    if _cardinality(journal.tx, statement.operation.predicate) is not Cardinality.SINGLE:
        over = _ended(journal.tx, statement)
    else:
        over = links.ended(journal.tx, statement.source, statement.operation.predicate)
        # One follows the other: it ended when the present one began, and began after those before it had ended.
        until = min([until, *(_since(link) for link in current)])
        last = over[0].valid_to if over else None
        begins = max((link.valid_to for link in over if link.valid_to and link.valid_to < until), default=None)
        over = [link for link in over if link.valid_to == last]
    if not any(map(statement.is_twin, over)):
        upsert = _upsert(statement, begins, until)
        entity_handlers.put_link(journal, upsert, statement.source, statement.target, None)


def _past_twin(tx: Transaction, statement: _LinkStatement, since: datetime) -> Link | None:
    """The link that is known as past already, without or with a later beginning."""
    over = _ended(tx, statement)
    return next((link for link in over if link.valid_to and link.valid_to > since), None)


def _ended(tx: Transaction, statement: _LinkStatement) -> list[Link]:
    """The links to the same end that are over, the last to end first."""
    operation = statement.operation
    found = stored_peers.ended_links(tx, statement.source, operation.predicate, statement.target, operation.value)
    return [link for link in found if statement.is_twin(link)]


def _end_opposite(journal: Journal, statement: _LinkStatement, since: datetime) -> None:
    """End a liking by a dislike of the same, and the other way round."""
    opposite = _OPPOSITES.get(statement.operation.predicate)
    if opposite is None:
        return
    held = peers.links_of(journal.tx, statement.source, opposite, value_keys.same_keys(statement.end), since)
    evidence = statement.operation.evidence
    claims = link_values.as_claims(journal, statement.source, held, since, evidence)
    same = [claim for claim in claims if claim.since <= since and values.same(claim.value, statement.end)]
    link_values.end(journal, same, since)


def _cardinality(tx: Transaction, predicate: str) -> Cardinality | None:
    known = aspects.cardinality_of(tx, predicate)
    return known.cardinality if known else cardinality.default_for_predicate(predicate)


def _since(link: Link) -> datetime:
    return link.valid_from or link.created_at


def _upsert(statement: _LinkStatement, begins: datetime | None, ends: datetime | None) -> UpsertLink:
    operation, reason = statement.operation, statement.operation.reason
    if operation.predicate == RELATED_TO and not reason:
        reason = (operation.said or "said together")[:200]
    return UpsertLink(
        source=statement.source,
        predicate=operation.predicate,
        target=statement.target,
        value=operation.value,
        confidence=operation.confidence,
        reason=reason,
        properties=operation.properties,
        valid_from=begins,
        valid_to=ends,
        evidence=operation.evidence,
    )


def _note_mentions(journal: Journal, operation: NoteMentions) -> Effect:
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
    return Effect(summary=f"Noted {len(fresh)} mention(s).", entities=len(wanted))


def _note_entities(journal: Journal, operation: NoteEntities) -> Effect:
    made = naming.note(journal, operation.entities)
    return Effect(summary=f"Added {', '.join(entity.name for entity in made) or 'nothing'}.", entities=len(made))


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {
    RecordLink: _record,
    NoteEntities: _note_entities,
    NoteMentions: _note_mentions,
}
