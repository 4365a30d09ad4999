"""Derived rows of purged evidence go with it: facts, entities, and the lines of the log about them.

What an operation did on such grounds is taken back as far as nobody changed it since, and then the operation itself is
removed. So an old value that a purged turn had ended holds again. An operation on other grounds that changed a row
which goes stays, without that row.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Table, case, delete, or_, select, update

from nacre.domain.audits import Image, JournalEntry
from nacre.domain.operations import SourceQuote
from nacre.domain.plain import Json
from nacre.store.base import audits, journals
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.evidence import evidence_references
from nacre.store.graph import assertions as said
from nacre.store.maintenance import redaction
from nacre.store.tables.schema import (
    aliases,
    aspects,
    assertions,
    attributes,
    audit,
    cardinalities,
    communities,
    community_members,
    dedup_candidates,
    entities,
    link_history,
    links,
    mentions,
    proposals,
)

# Tables whose rows go when the operation that made them does, and those that get their old values back.
_MADE = {aliases.name, cardinalities.name}
_CHANGED = {table.name for table in (entities, links, attributes, assertions, aspects, cardinalities)}
_POINTERS = (
    (attributes, attributes.c.previous_id),
    (attributes, attributes.c.superseded_by),
    (assertions, assertions.c.attribute_id),
    (assertions, assertions.c.supersedes_id),
    (links, links.c.aspect_id),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedCounts:
    """How many entities, links and claims went."""

    entities: int = 0
    links: int = 0
    claims: int = 0

    def __add__(self, other: "RemovedCounts") -> "RemovedCounts":
        return RemovedCounts(
            entities=self.entities + other.entities,
            links=self.links + other.links,
            claims=self.claims + other.claims,
        )


def remove(
    tx: Transaction, sources: Collection[UUID], memories: Collection[UUID], before: datetime | None = None
) -> RemovedCounts:
    """Remove what rests on sources and memories that are about to go, and every trace of it.

    With `before`, what somebody set by hand before that moment goes as well.
    """
    lost = {*sources, *memories}
    if not lost and before is None:
        return RemovedCounts()
    told = evidence_references.lines(tx, lost)
    asked = [line for line in told if line.asked]
    resting = {*asked, *evidence_references.unfounded(tx, {line.batch for line in asked})}
    made = _made(tx, [line.id for line in resting])
    _take_back(tx, [line for line in resting if not line.undone])
    facts = {table: _facts(tx, table, sources, memories, before) for table in (links, attributes, assertions)}
    asked_for = evidence_references.made_before(tx, before) if before else set()
    about = evidence_references.mentioned_entities(tx, sources).union(*(found.about for found in facts.values()))
    _remove_mentions(tx, sources)
    said.forget_sources(tx, sources)
    everybody = about | made | asked_for
    nobody = evidence_references.unsupported(tx, everybody, sources, active=False, asked_for=asked_for)
    sides = _empty_sides(tx, facts[attributes].sides, nobody)
    removed = {*nobody, *sides, *(key for found in facts.values() for key in found.removed)}
    _remove_entities(tx, nobody, sides)
    _unpoint(tx, removed, memories)
    _each(tx, link_history, link_history.c.link_id, [*facts[links].removed, *facts[links].kept])
    _forget_lines(tx, told, lost | removed)
    if before:
        _where(tx, proposals, proposals.c.created_at < before)
    return RemovedCounts(entities=len(nobody), links=len(facts[links].removed), claims=len(facts[attributes].removed))


@dataclass(frozen=True, slots=True)
class _Facts:
    """What became of the rows of a table that rested on what goes, and whom they were about."""

    removed: tuple[UUID, ...]
    kept: tuple[UUID, ...]
    about: frozenset[UUID]
    sides: frozenset[UUID]


def _facts(
    tx: Transaction,
    table: Table,
    sources: Collection[UUID],
    memories: Collection[UUID],
    before: datetime | None,
) -> _Facts:
    rows = evidence_references.pointing(tx, table, sources, memories)
    if before:
        rows |= evidence_references.stated_before(tx, table, before)
    other = {} if table is assertions else evidence_references.restated(tx, table, rows, sources)
    for key, place in other.items():
        _rest_on(tx, table, key, place)
    removed = [key for key in rows if key not in other]
    _each(tx, table, table.c.id, removed)
    sides = frozenset(row.aspect_id for row in rows.values()) if table is attributes else frozenset()
    return _Facts(tuple(removed), tuple(other), frozenset(evidence_references.ends(rows.values())), sides)


def _rest_on(tx: Transaction, table: Table, key: UUID, place: SourceQuote) -> None:
    """Let a row rest on other evidence that says the same; a reason was given in the words that go."""
    start, end = place.quote
    values: dict[str, Any] = {"source_id": place.source, "quote_start": start, "quote_end": end}
    if "reason" in table.c:
        values["reason"] = None
    tx.execute(update(table).where(table.c.scope_id == tx.scope_id, table.c.id == key).values(values))


def _take_back(tx: Transaction, lines: Iterable[evidence_references.LogMention]) -> None:
    journal = Journal(tx, "")
    last_first = sorted(lines, key=lambda line: line.seq, reverse=True)
    for some in evidence_references.portions([line.id for line in last_first]):
        done = audits.changes(tx, some)
        for key in some:
            for change in reversed(done[key]):
                _undo(journal, change)


def _undo(journal: Journal, change: JournalEntry) -> None:
    now = journals.now(journal.tx, change)
    if now is None or change.after is None:
        return
    if change.before is None:
        if change.table in _MADE and not _is_own_name(journal.tx, change):
            journals.put_back(journal, [change])
    elif change.table in _CHANGED:
        journals.give(journal, change, _as_before(now, change.before, change.after))


def _as_before(now: Image, before: Image, after: Image) -> Image:
    """What a change did to a row, taken back as far as it still stands."""
    # How often an entity was mentioned is counted anew.
    changed = [name for name in after if before[name] != after[name] and name != "mentions"]
    back = {name: before[name] for name in changed if now[name] == after[name]}
    for name in changed:
        if name not in back and isinstance(now[name], dict):
            back[name] = _without(now[name], before[name], after[name])
    return back


def _without(now: Json, before: Json, after: Json) -> Json:
    held: Any = now
    earlier: Any = before or {}
    later: Any = after or {}
    ours = {key for key, value in later.items() if earlier.get(key) != value and held.get(key) == value}
    kept = {key: value for key, value in held.items() if key not in ours}
    return kept | {key: earlier[key] for key in ours if key in earlier}


def _is_own_name(tx: Transaction, change: JournalEntry) -> bool:
    if change.table != aliases.name or change.after is None:
        return False
    named = select(entities.c.name).where(
        entities.c.scope_id == tx.scope_id, entities.c.id == UUID(str(change.after["entity_id"]))
    )
    return tx.execute(named).scalar_one_or_none() == change.after["name"]


def _made(tx: Transaction, ids: Collection[UUID]) -> set[UUID]:
    """The entities that operations made."""
    done = [audits.changes(tx, some) for some in evidence_references.portions(ids)]
    every = [change for each in done for changes in each.values() for change in changes if change.table == "entities"]
    return {UUID(str(change.after["id"])) for change in every if change.before is None and change.after}


def _remove_mentions(tx: Transaction, sources: Collection[UUID]) -> None:
    fewer: Counter[UUID] = Counter()
    for some in evidence_references.portions(sources):
        mine = (mentions.c.scope_id == tx.scope_id, mentions.c.source_id.in_(some))
        fewer.update(tx.execute(select(mentions.c.entity_id).where(*mine)).scalars())
    _each(tx, mentions, mentions.c.source_id, sources)
    for entity, count in fewer.items():
        left = case((entities.c.mentions > count, entities.c.mentions - count), else_=0)
        here = (entities.c.scope_id == tx.scope_id, entities.c.id == entity)
        tx.execute(update(entities).where(*here).values(mentions=left))


def _empty_sides(tx: Transaction, touched: Collection[UUID], nobody: Collection[UUID]) -> list[UUID]:
    """The aspects that no claim belongs to any more, and those of entities that go."""
    item_ids: set[UUID] = set()
    for some in evidence_references.portions(touched):
        mine = (attributes.c.scope_id == tx.scope_id, attributes.c.aspect_id.in_(some))
        item_ids |= set(tx.execute(select(attributes.c.aspect_id).where(*mine)).scalars())
    return [*(set(touched) - item_ids), *evidence_references.empty_aspects(tx, nobody)]


def _remove_entities(tx: Transaction, nobody: Collection[UUID], sides: Collection[UUID]) -> None:
    _each(tx, aspects, aspects.c.id, sides)
    for some in evidence_references.portions(nobody):
        among = select(community_members.c.community_id).where(
            community_members.c.scope_id == tx.scope_id, community_members.c.entity_id.in_(some)
        )
        _where(tx, communities, communities.c.id.in_(among))
        pairs = or_(dedup_candidates.c.entity_a.in_(some), dedup_candidates.c.entity_b.in_(some))
        _where(tx, dedup_candidates, pairs)
        _where(tx, entities, entities.c.id.in_(some))


def _unpoint(tx: Transaction, removed: Collection[UUID], memories: Collection[UUID]) -> None:
    """Let nothing point at what is gone."""
    for table, column in _POINTERS:
        for some in evidence_references.portions(removed):
            tx.execute(update(table).where(table.c.scope_id == tx.scope_id, column.in_(some)).values({column: None}))
    for some in evidence_references.portions(memories):
        here = (attributes.c.scope_id == tx.scope_id, attributes.c.memory_id.in_(some))
        tx.execute(update(attributes).where(*here).values(memory_id=None))


def _forget_lines(
    tx: Transaction, log_mentions: Iterable[evidence_references.LogMention], lost: Collection[UUID]
) -> None:
    every = [*log_mentions, *evidence_references.lines(tx, lost)]
    # What was done in one batch with it, and was asked for nothing else, speaks of the same.
    batches = {line.batch for line in every if line.asked}
    about = {line.id for line in every if line.asked or (line.bare and line.batch in batches)}
    _each(tx, audit, audit.c.id, about)
    redaction.redact(tx, {line.id for line in every} - about, lost)
    _each(tx, proposals, proposals.c.id, evidence_references.proposals_naming(tx, lost))


def _where(tx: Transaction, table: Table, condition: ColumnElement[bool]) -> None:
    tx.execute(delete(table).where(table.c.scope_id == tx.scope_id, condition))


def _each(tx: Transaction, table: Table, column: ColumnElement[Any], ids: Collection[UUID]) -> None:
    for some in evidence_references.portions(ids):
        _where(tx, table, column.in_(some))
