"""What is remembered and filed is heard: the graph learns from it in the same transaction, of a long text the first
slice; see `rests`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from uuid import UUID

from nacre.domain import ids
from nacre.domain.facts import Extracted, Named
from nacre.domain.ids import SourceId
from nacre.domain.memories import Memory
from nacre.extraction import known_types, rests, successions
from nacre.extraction.extracting import extract
from nacre.extraction.pipeline import Heard, Taken
from nacre.extraction.reader_facts import reader_note
from nacre.extraction.recognition import recognise
from nacre.extraction.rests import Rest, take_in
from nacre.models.local_reader import LocalReader
from nacre.store import entities, names, sharing
from nacre.store.databases import Transaction
from nacre.store.sources import Source
from nacre.text import markdown
from nacre.text.markdown import Wikilink
from nacre.text.names import match_key


def hear_memory(
    reader: LocalReader | None, text: str, at: datetime
) -> Callable[[Transaction, Source, Memory], UUID | None]:
    """Read a text that is to be remembered; what comes back hears it in the transaction that keeps it.

    It returns the batch of the log that the text became.
    """
    end = rests.end_of_first(text)
    first = text[:end]
    read = reader_note(reader, first, at) if reader else None

    def hear(tx: Transaction, note: Source, memory: Memory) -> UUID | None:
        home = sharing.in_graph_home(tx)
        types = partial(known_types.find, home) if known_types.are_needed(first) else None
        found = extract(first, role=None, at=note.at, types=types, reader=read)
        heard = Heard(source=SourceId(note.id), text=text, at=note.at, found=found, memory=memory.id)
        heard = recognise(home, heard, None)
        going_on = ids.new(tx.now) if end < len(text) else None
        batch = take_in(tx, heard, going_on).batch or going_on
        if going_on:
            Rest(source=heard.source, start=end, batch=going_on, memory=memory.id).request(tx)
        if speech := successions.speech_of_memory(memory):
            successions.apply_succession(
                tx, successions.find_succession(tx, [speech]), {memory.id: batch} if batch else {}
            )
        return batch

    return hear


def hear_document(text: str, at: datetime) -> Callable[[Transaction, SourceId], Taken]:
    """Read a document; what comes back hears it in the transaction that keeps it, where `source` holds its words.

    Who says "I" in a document is not known, so nothing is learned from that. A wikilink to a known entity speaks of it.
    """
    prose = markdown.prose(text)[: rests.MAX_DOCUMENT]
    end = rests.end_of_first(prose)
    found = rests.of_document(extract(prose[:end], role=None, at=at)) if prose[:end].strip() else Extracted()
    links = markdown.read("", text).links

    def hear(tx: Transaction, source: SourceId) -> Taken:
        home = sharing.in_graph_home(tx)
        linked = replace(found, names=(*found.names, *_linked(home, links, found.names)))
        heard = Heard(source=source, text=text, at=at, found=linked)
        going_on = ids.new(tx.now) if end < len(prose) else None
        if going_on:
            Rest(source=source, start=end, batch=going_on).request(tx)
        return take_in(tx, heard, going_on)

    return hear


def _linked(tx: Transaction, links: Sequence[Wikilink], found: Sequence[Named]) -> list[Named]:
    """The entities that links name, where the text around them does not already."""
    taken = {named.end for named in found}
    keys = {link: match_key(markdown.name_of(link.target)) for link in links}
    known = {each.key: each.entity_id for each in reversed(names.by_keys(tx, sorted(set(keys.values()))))}
    held = entities.by_id(tx, set(known.values())) if known else {}
    return [
        Named(name=held[known[key]].name, type=held[known[key]].type, start=link.start, end=link.end)
        for link, key in keys.items()
        if key in known and taken.isdisjoint(range(link.start, link.end))
    ]
