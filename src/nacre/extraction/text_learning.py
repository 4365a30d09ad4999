"""Learning from memories and documents, in the transaction that keeps them; of a long text only the first slice, and
the rest later.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from uuid import UUID

from nacre.domain import ids
from nacre.domain.facts import ExtractedFacts, NamedEntity
from nacre.domain.ids import SourceId
from nacre.domain.jobs import COMPARE_MEMORY
from nacre.domain.memories import Memory
from nacre.extraction import recognition, remainders, speeches, successions
from nacre.extraction.pipeline import ExtractedText, GraphUpdate
from nacre.extraction.reader_facts import reader_note
from nacre.extraction.recognition import recognise
from nacre.extraction.remainders import Remainder, apply_remainder
from nacre.extraction.rule_extraction import extract
from nacre.models.local_reader import LocalReader
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.evidence.sources import SourceRow
from nacre.store.graph import entities
from nacre.store.work import jobs
from nacre.text import markdown
from nacre.text.markdown import Wikilink
from nacre.text.names import match_key


def learn_from_memory(
    reader: LocalReader | None, text: str, at: datetime
) -> Callable[[Transaction, SourceRow, Memory], UUID | None]:
    """Read a text that is to be remembered; what comes back hears it in the transaction that keeps it.

    It returns the batch of the log that the text became.
    """
    end = remainders.end_of_first(text)
    first = text[:end]
    read = reader_note(reader, first, at) if reader else None

    def hear(tx: Transaction, note: SourceRow, memory: Memory) -> UUID | None:
        home = sharing.in_graph_home(tx)
        types = partial(recognition.known_types, home) if recognition.needs_types(first) else None
        found = extract(first, role=None, at=note.at, types=types, reader=read)
        heard = ExtractedText(source=SourceId(note.id), text=text, at=note.at, found=found, memory=memory.id)
        heard = recognise(home, heard, None, recognition.possible_keys(text))
        going_on = ids.new(tx.now) if end < len(text) else None
        batch = apply_remainder(tx, heard, going_on).batch or going_on
        if going_on:
            Remainder(source=heard.source, start=end, batch=going_on, memory=memory.id).request(tx)
        if speech := speeches.speech_of_memory(memory):
            successions.apply_succession(
                tx,
                successions.find_succession(successions.load_comparisons(tx, [speech])),
                {memory.id: batch} if batch else {},
            )
            if reader:
                jobs.enqueue(tx, COMPARE_MEMORY, {"memory_id": str(memory.id)})
        return batch

    return hear


def learn_from_document(text: str, at: datetime) -> Callable[[Transaction, SourceId], GraphUpdate]:
    """Read a document; what comes back hears it in the transaction that keeps it, where `source` holds its words.

    Who says "I" in a document is not known, so nothing is learned from that. A wikilink to a known entity speaks of it.
    """
    prose = markdown.prose(text)[: remainders.MAX_DOCUMENT]
    end = remainders.end_of_first(prose)
    found = remainders.of_document(extract(prose[:end], role=None, at=at)) if prose[:end].strip() else ExtractedFacts()
    links = markdown.read("", text).links

    def hear(tx: Transaction, source: SourceId) -> GraphUpdate:
        home = sharing.in_graph_home(tx)
        linked = replace(found, names=(*found.names, *_linked(home, links, found.names)))
        heard = ExtractedText(source=source, text=text, at=at, found=linked)
        going_on = ids.new(tx.now) if end < len(prose) else None
        if going_on:
            Remainder(source=source, start=end, batch=going_on).request(tx)
        return apply_remainder(tx, heard, going_on)

    return hear


def _linked(tx: Transaction, links: Sequence[Wikilink], named_entities: Sequence[NamedEntity]) -> list[NamedEntity]:
    """The entities that links name, where the text around them does not already."""
    taken = {named.end for named in named_entities}
    keys = {link: match_key(markdown.name_of(link.target)) for link in links}
    known = {each.key: each.entity_id for each in reversed(entities.by_keys(tx, sorted(set(keys.values()))))}
    held = entities.by_id(tx, set(known.values())) if known else {}
    return [
        NamedEntity(name=held[known[key]].name, type=held[known[key]].type, start=link.start, end=link.end)
        for link, key in keys.items()
        if key in known and taken.isdisjoint(range(link.start, link.end))
    ]
