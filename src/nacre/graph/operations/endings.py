"""Ends of links and claims: those of a batch of operations, and of what was learned from forgotten evidence."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from nacre.domain.audits import Image, JournalEntry
from nacre.domain.claims import ClaimStatus
from nacre.domain.memories import Status
from nacre.graph.beliefs import assertions, versions
from nacre.graph.operations import archive_handlers, entity_handlers
from nacre.store.base import audits, journals
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.evidence import evidence_references
from nacre.store.graph import assertions as stored_assertions
from nacre.store.graph import claims, entities
from nacre.store.maintenance.derivations import RemovedCounts
from nacre.store.tables import schema as tables

# Anything may be said with "is", so one such value does not end another for good.
_VAGUE = frozenset({"status", "is"})


@dataclass(frozen=True, slots=True)
class EndedFact:
    """A fact that no longer holds: the words it rested on, and what it said."""

    source: UUID
    quote: tuple[int, int]
    value: str


def find_endings(tx: Transaction, batch: UUID) -> list[EndedFact]:
    """The facts that were in force before a batch and are not after it, where it is known who said them."""
    records = audits.by_id(tx, batch)
    done = audits.changes(tx, [record.id for record in records])
    changes = journals.whole(tx, [change for record in records for change in done[record.id] if _is_fact(change)])
    images = [change.after for change in changes if change.after and _ends(change)]
    targets = {UUID(str(image["target_entity"])) for image in images if image.get("target_entity")}
    names = {str(key): entity.name for key, entity in entities.by_id(tx, targets).items()} if targets else {}
    return [_ending(image, names) for image in images]


def _is_fact(change: JournalEntry) -> bool:
    return change.table in (tables.links.name, tables.attributes.name)


def _ends(change: JournalEntry) -> bool:
    before, after = change.before, change.after
    if not before or not after:
        return False
    if after.get("quote_start") is None or (after.get("predicate") or after.get("claim_key")) in _VAGUE:
        return False
    return _holds(before) and not _holds(after)


def _holds(image: Image) -> bool:
    return image["status"] in (Status.ACTIVE.value, ClaimStatus.ACTIVE.value) and image["valid_to"] is None


def _ending(image: Any, names: dict[str, str]) -> EndedFact:
    value = names.get(str(image.get("target_entity"))) or image.get("value") or ""
    return EndedFact(UUID(str(image["source_id"])), (image["quote_start"], image["quote_end"]), value)


def set_aside(journal: Journal, sources: Collection[UUID], memories: Collection[UUID], reason: str) -> RemovedCounts:
    """Archive the links and claims that rest on nothing else, and the entities that are then left with nothing."""
    tx = journal.tx
    links = evidence_references.pointing(tx, tables.links, sources)
    stated = evidence_references.restated(tx, tables.links, links, sources)
    over = [row.id for row in links.values() if row.status == Status.ACTIVE.value and row.id not in stated]
    for link in over:
        entity_handlers.archive_link(journal, link, reason)
    said = evidence_references.pointing(tx, tables.attributes, sources, memories)
    restated = evidence_references.restated(tx, tables.attributes, said, sources)
    held = [row.id for row in said.values() if row.status == ClaimStatus.ACTIVE.value and row.id not in restated]
    for some in evidence_references.portions(held):
        versions.archive(journal, list(claims.by_id(tx, some).values()), reason)
    stood = [
        row.id
        for row in evidence_references.pointing(tx, tables.assertions, sources).values()
        if row.status == "active"
    ]
    for some in evidence_references.portions(stood):
        assertions.archive(journal, list(stored_assertions.by_id(tx, some).values()), reason)
    about = evidence_references.mentioned_entities(tx, sources) | evidence_references.ends(
        [*links.values(), *said.values()]
    )
    nobody = evidence_references.unsupported(tx, about, sources, active=True)
    for some in evidence_references.portions(nobody):
        archive_handlers.archive(journal, list(entities.by_id(tx, some).values()), reason)
    return RemovedCounts(entities=len(nobody), links=len(over), claims=len(held))


def set_aside_all(journal: Journal, reason: str) -> RemovedCounts:
    """Archive every entity that is left, pinned or not, with its links and claims, whatever they rest on."""
    gone = RemovedCounts()
    for some in evidence_references.portions(entities.active_ids(journal.tx)):
        links, said = archive_handlers.archive(journal, list(entities.by_id(journal.tx, some).values()), reason)
        gone += RemovedCounts(entities=len(some), links=links, claims=said)
    return gone
