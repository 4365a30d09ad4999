"""Withdrawal of what was learned from forgotten evidence: it goes out of force with it, and comes back with an undo."""

from collections.abc import Collection
from uuid import UUID

from nacre.domain.claims import ClaimStatus
from nacre.domain.memories import Status
from nacre.graph.beliefs import assertions, versions
from nacre.graph.operations import archive_handlers, entity_handlers
from nacre.store.base.journals import Journal
from nacre.store.evidence import evidence_references
from nacre.store.graph import assertions as stored_assertions
from nacre.store.graph import claims, entities
from nacre.store.maintenance.derivations import RemovedCounts
from nacre.store.tables import schema as tables


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
