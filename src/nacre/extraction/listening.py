"""What is observed and remembered is heard: the graph learns from it in the same transaction."""

import logging
import re
from collections import defaultdict
from collections.abc import Sequence

from nacre.domain.errors import Invalid
from nacre.domain.facts import Extracted, Named
from nacre.domain.ids import SourceId
from nacre.domain.memories import Memory
from nacre.domain.turns import Observation, Role, Turn
from nacre.extraction import pipeline
from nacre.extraction.extracting import extract
from nacre.extraction.pipeline import Heard, Taken
from nacre.store import entities, sharing, turns
from nacre.store.databases import Transaction
from nacre.store.sources import Source

log = logging.getLogger(__name__)

# How many of the last turns a pronoun may look back to.
LOOKED_BACK = 4

_PRONOUN = re.compile(
    r"\b(?:he|she|they|it|his|hers?|him|their|them|its|él|ella|ellos|ellas|su|sus|lo|la|le)\b", re.IGNORECASE
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
                )
                before[turn.session] += found.names
                heard.append(_heard(turn, observed, found))
        return self._take_in(tx, home, [each for each in heard if each.found.names or each.found.facts])

    def remembered(self, tx: Transaction, note: Source, memory: Memory) -> Taken:
        """Hear a text that was just kept as a memory in the transaction."""
        if not self.writes:
            return Taken()
        found = extract(note.text, role=None, at=note.at)
        heard = Heard(source=SourceId(note.id), text=note.text, at=note.at, found=found, memory=memory.id)
        return self._take_in(tx, _home(tx), [heard] if found.names or found.facts else [])

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


def _heard(turn: Turn, observed: Observation, found: Extracted) -> Heard:
    return Heard(source=observed.id, text=turn.text, at=observed.at, found=found, speaker=turn.speaker)


def _before(tx: Transaction, home: Transaction, turn: Turn, sofar: Sequence[Named]) -> Sequence[Named]:
    """Whom the last turns of the session named, as far as a pronoun may mean them."""
    if turn.session is None or sofar or not _PRONOUN.search(turn.text):
        return sofar
    last = [said.id for said in turns.last(tx, turn.session, LOOKED_BACK + 1)]
    return [
        Named(name=spoken.name, type=spoken.type, start=spoken.start, end=spoken.end)
        for spoken in entities.mentioned_in(home, last)
    ]
