"""What is observed and remembered is heard: the graph learns from it in the same transaction."""

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from nacre.domain.entities import EntityType
from nacre.domain.errors import Invalid
from nacre.domain.facts import Extracted, Named
from nacre.domain.ids import SourceId
from nacre.domain.memories import Memory
from nacre.domain.turns import Observation, Role, Turn
from nacre.extraction import pipeline
from nacre.extraction.extracting import extract
from nacre.extraction.pipeline import Heard, Taken
from nacre.store import entities, names, sharing, turns
from nacre.store.databases import Transaction
from nacre.store.sources import Source
from nacre.text import markdown
from nacre.text.markdown import Wikilink
from nacre.text.names import match_key

log = logging.getLogger(__name__)

# How many of the last turns a pronoun may look back to.
LOOKED_BACK = 4
# A document is heard as far as this: whoever writes must not wait for seconds.
MAX_HEARD = 100_000

_PRONOUN = re.compile(
    r"\b(?:he|she|they|it|his|hers?|him|their|them|its|él|ella|ellos|ellas|su|sus|lo|la|le)\b", re.IGNORECASE
)
# What is left, switched or changed may be an employer, a place or a tool, and the words alone do not tell.
_LEAVING = re.compile(
    r"\b(?:left|leav\w+|quit|mov\w+|switch\w+|chang\w+|went|trad\w+|swap\w+|transfer\w+"
    r"|dej\w+|cambi\w+|pas[éó]|sal[ií]\w*|fui|fue|renunci\w+)\b",
    re.IGNORECASE,
)


class Listener:
    """Brings what people say into the graph of their scope, unless extraction may not write."""

    def __init__(self, *, writes: bool) -> None:
        self.writes = writes

    def observed(self, tx: Transaction, said: Sequence[Turn], stored: Sequence[Observation]) -> Taken:
        """Hear turns that were just stored in the transaction."""
        if not self.writes or not any(turn.role == Role.USER for turn in said):
            return Taken()
        home = _home(tx)
        before: dict[str | None, list[Named]] = defaultdict(list)
        heard = []
        for turn, observed in zip(said, stored, strict=True):
            if turn.role == Role.USER:
                found = extract(
                    turn.text,
                    speaker=turn.speaker,
                    role=turn.role,
                    at=observed.at,
                    before=_before(tx, home, turn, before[turn.session]),
                    types=_types(home, turn.text),
                )
                before[turn.session] += found.names
                heard.append(_heard(turn, observed, found))
        return self._take_in(tx, home, [each for each in heard if each.found.names or each.found.facts])

    def remembered(self, tx: Transaction, note: Source, memory: Memory) -> Taken:
        """Hear a text that was just kept as a memory in the transaction."""
        if not self.writes:
            return Taken()
        home = _home(tx)
        found = extract(note.text, role=None, at=note.at, types=_types(home, note.text))
        heard = Heard(source=SourceId(note.id), text=note.text, at=note.at, found=found, memory=memory.id)
        return self._take_in(tx, home, [heard] if found.names or found.facts else [])

    def document(self, text: str, at: datetime) -> Callable[[Transaction, SourceId], Taken]:
        """Read a document; what comes back hears it in the transaction that keeps it, where `source` holds its words.

        Who says "I" in a document is not known, so nothing is learned from that. A wikilink to a known entity speaks
        of it.
        """
        if not self.writes:
            return lambda _tx, _source: Taken()
        found = _found_in(text, at)
        links = markdown.read("", text).links

        def hear(tx: Transaction, source: SourceId) -> Taken:
            home = _home(tx)
            linked = replace(found, names=(*found.names, *_linked(home, links, found.names)))
            heard = Heard(source=source, text=text, at=at, found=linked)
            return self._take_in(tx, home, [heard] if linked.names or linked.facts else [])

        return hear

    def _take_in(self, tx: Transaction, home: Transaction, heard: Sequence[Heard]) -> Taken:
        if heard and home.scope != tx.scope:
            sharing.bring(home, [each.source for each in heard], tx.scope)
        if not heard:
            return Taken()
        try:
            with tx.part():
                return pipeline.take_in(home, heard, user=tx.scope.user)
        except Invalid as error:
            # What was said is kept whatever the rules made of it.
            log.exception("A text could not become part of the graph.")
            return Taken(notes=(f"The text did not become part of the graph: {error}",))


def _home(tx: Transaction) -> Transaction:
    """The same transaction, where the scope's graph is kept."""
    return sharing.moved(tx, sharing.of(tx).graph_home(tx.scope))


def _found_in(text: str, at: datetime) -> Extracted:
    prose = markdown.prose(text)[:MAX_HEARD]
    found = extract(prose, role=None, at=at) if prose.strip() else Extracted()
    return replace(found, facts=tuple(fact for fact in found.facts if isinstance(fact.subject, Named)))


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


def _heard(turn: Turn, observed: Observation, found: Extracted) -> Heard:
    return Heard(source=observed.id, text=turn.text, at=observed.at, found=found, speaker=turn.speaker)


def _types(home: Transaction, text: str) -> Callable[[Collection[str]], Mapping[str, EntityType]] | None:
    """Asks the graph what names are, for a text in which that tells an employer from a place."""
    return (lambda wanted: _known_types(home, wanted)) if _LEAVING.search(text) else None


def _known_types(home: Transaction, wanted: Collection[str]) -> dict[str, EntityType]:
    """The types of names that one type of entity goes by."""
    keys = {match_key(name): name for name in wanted}
    found = names.by_keys(home, sorted(keys))
    held = entities.by_id(home, {each.entity_id for each in found}) if found else {}
    types: dict[str, set[EntityType]] = defaultdict(set)
    for each in found:
        types[keys[each.key]].add(held[each.entity_id].type)
    return {name: kinds.pop() for name, kinds in types.items() if len(kinds) == 1}


def _before(tx: Transaction, home: Transaction, turn: Turn, sofar: Sequence[Named]) -> Sequence[Named]:
    """Whom the last turns of the session named, as far as a pronoun may mean them."""
    if turn.session is None or sofar or not _PRONOUN.search(turn.text):
        return sofar
    last = [said.id for said in turns.last(tx, turn.session, LOOKED_BACK + 1)]
    return [
        Named(name=spoken.name, type=spoken.type, start=spoken.start, end=spoken.end)
        for spoken in entities.mentioned_in(home, last)
    ]
