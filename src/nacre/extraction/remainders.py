"""Remainders of long texts: read by the background, a slice at a time, so that whoever writes waits for the first one
only.

What a slice says joins the batch of the first one, and is left out once the text is no longer in force.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from nacre.domain import ids
from nacre.domain.errors import Invalid, NotFound
from nacre.domain.facts import ExtractedFacts, NamedEntity
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.jobs import READ_REST
from nacre.domain.memories import Status
from nacre.domain.plain import Json
from nacre.domain.scopes import Scope
from nacre.extraction import pipeline
from nacre.extraction.model_extraction import chunk_end
from nacre.extraction.pipeline import ExtractedText, GraphUpdate
from nacre.extraction.portions import MAX_SLICE, shifted
from nacre.extraction.rule_extraction import extract
from nacre.store.base import sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import documents, memories, sources
from nacre.store.work import jobs
from nacre.text import markdown

log = logging.getLogger(__name__)

# A document is read as far as this.
MAX_DOCUMENT = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Remainder:
    """A text from some place on: that of a memory, or of a document where there is none."""

    source: SourceId
    start: int
    batch: UUID
    memory: MemoryId | None = None

    @classmethod
    def of(cls, payload: Mapping[str, Json]) -> "Remainder":
        """The rest that a job is about."""
        memory, start = payload.get("memory_id"), payload.get("start")
        return cls(
            source=SourceId(ids.parse("source_id", str(payload.get("source_id")))),
            start=start if isinstance(start, int) else 0,
            batch=ids.parse("batch", str(payload.get("batch"))),
            memory=MemoryId(ids.parse("memory_id", str(memory))) if memory else None,
        )

    def request(self, tx: Transaction) -> None:
        """Have it read in the background."""
        payload: dict[str, Json] = {"source_id": str(self.source), "start": self.start, "batch": str(self.batch)}
        if self.memory:
            payload["memory_id"] = str(self.memory)
        jobs.enqueue(tx, READ_REST, payload)

    def is_in_force(self, tx: Transaction) -> bool:
        """Whether the text is what its memory or document says still."""
        if self.memory is None:
            return documents.is_in_force(tx, self.source)
        found = memories.by_id(tx, [self.memory]).get(self.memory)
        return found is not None and found.status is Status.ACTIVE


def end_of_first(text: str) -> int:
    """Where the slice ends that is read at once."""
    return chunk_end(text, 0, MAX_SLICE)


def read(database: Database, scope: Scope, rest: Remainder) -> Callable[[Transaction], None] | None:
    """Read the next slice of a rest; what comes back brings it into the graph. None where there is nothing to read."""
    try:
        with database.read(scope) as tx:
            text = sources.text_of(tx, rest.source)
            at = sources.times(tx, [rest.source])[rest.source]
    except NotFound:
        return None
    words = text if rest.memory else markdown.prose(text)[:MAX_DOCUMENT]
    if rest.start >= len(words):
        return None
    end = chunk_end(words, rest.start, MAX_SLICE)
    part = words[rest.start : end]
    found = shifted(extract(part, role=None, at=at), rest.start) if part.strip() else ExtractedFacts()
    if rest.memory is None:
        found = of_document(found)
    heard = ExtractedText(source=rest.source, text=text, at=at, found=found, memory=rest.memory)

    def apply(tx: Transaction) -> None:
        if not rest.is_in_force(tx):
            return
        apply_remainder(tx, heard, rest.batch)
        if end < len(words):
            replace(rest, start=end).request(tx)

    return apply


def apply_remainder(tx: Transaction, heard: ExtractedText, batch: UUID | None) -> GraphUpdate:
    """Bring what was found in a text into the graph of the scope that keeps it."""
    if not (heard.found.names or heard.found.facts):
        return GraphUpdate()
    home = sharing.in_graph_home(tx)
    if home.scope != tx.scope:
        sharing.bring(home, [heard.source], tx.scope)
    try:
        with tx.part():
            return pipeline.apply_facts(home, [heard], user=tx.scope.user, batch=batch)
    except Invalid as error:
        # What was said is kept whatever the rules made of it.
        log.exception("A text could not become part of the graph.")
        return GraphUpdate(notes=(f"The text did not become part of the graph: {error}",))


def of_document(extracted: ExtractedFacts) -> ExtractedFacts:
    """What a document says: who says "I" in it is not known, so nothing is learned from that."""
    return replace(extracted, facts=tuple(fact for fact in extracted.facts if isinstance(fact.subject, NamedEntity)))
