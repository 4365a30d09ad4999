"""What was learned from evidence that is forgotten goes out of force with it, and comes back with an undo."""

from collections.abc import Collection
from uuid import UUID

from nacre.domain.claims import ClaimStatus
from nacre.domain.memories import Status
from nacre.graph import handlers
from nacre.ontology import archiving, assertions, versions
from nacre.store import assertions as stored_assertions
from nacre.store import claims, entities, tracing
from nacre.store import schema as tables
from nacre.store.derivations import Gone
from nacre.store.journals import Journal


def set_aside(journal: Journal, sources: Collection[UUID], memories: Collection[UUID], reason: str) -> Gone:
    """Archive the links and claims that rest on nothing else, and the entities that are then left with nothing."""
    tx = journal.tx
    links = tracing.pointing(tx, tables.links, sources)
    stated = tracing.restated(tx, tables.links, links, sources)
    over = [row.id for row in links.values() if row.status == Status.ACTIVE.value and row.id not in stated]
    for link in over:
        handlers.archive_link(journal, link, reason)
    said = tracing.pointing(tx, tables.attributes, sources, memories)
    restated = tracing.restated(tx, tables.attributes, said, sources)
    held = [row.id for row in said.values() if row.status == ClaimStatus.ACTIVE.value and row.id not in restated]
    for some in tracing.portions(held):
        versions.archive(journal, list(claims.by_id(tx, some).values()), reason)
    stood = [row.id for row in tracing.pointing(tx, tables.assertions, sources).values() if row.status == "active"]
    for some in tracing.portions(stood):
        assertions.archive(journal, list(stored_assertions.by_id(tx, some).values()), reason)
    about = tracing.spoken_of(tx, sources) | tracing.ends([*links.values(), *said.values()])
    nobody = tracing.unsupported(tx, about, sources, active=True)
    for some in tracing.portions(nobody):
        archiving.archive(journal, list(entities.by_id(tx, some).values()), reason)
    return Gone(entities=len(nobody), links=len(over), claims=len(held))
