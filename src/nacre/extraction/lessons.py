"""Lessons: the turns that a scope has not learned yet are read, a portion at a time, and become part of its graph.

All rules of extraction hang on this module. A process that only asks seldom has something to learn, and loads it only
then.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from uuid import UUID

from nacre.domain.errors import Ambiguous, Closed, Conflict, Misconfigured, SlotConstrained, Unavailable
from nacre.domain.facts import ExtractedFacts
from nacre.domain.scopes import Scope
from nacre.domain.turns import Role, StoredTurn
from nacre.extraction import pipeline, portions, reading_requests, recognition, speeches, successions
from nacre.extraction.name_directories import NameDirectory
from nacre.extraction.pipeline import ExtractedText
from nacre.extraction.portions import TurnPortion
from nacre.extraction.recognition import recognise
from nacre.extraction.successions import Succession
from nacre.graph.operations.path import ReadCache
from nacre.models import local_succession
from nacre.models.local_reader import LocalReader
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.base.scopes import ScopeState
from nacre.store.evidence import learning_cursors
from nacre.store.graph import entities

log = logging.getLogger(__name__)

# What passes by itself, or is no fault of the turns that are read.
_PASSING = (Closed, Conflict, Misconfigured, Unavailable)
# Conflicts that the next try would meet again: a scope must not wait for them for ever.
_LASTING = (Ambiguous, SlotConstrained)


class Lessons:
    """Reads what is unread in the scopes of one database."""

    def __init__(self, database: Database, reader: LocalReader | None, *, asks: bool = False) -> None:
        self._database = database
        # Reads what rules do not; rules work alone where it is None.
        self._reader = reader
        # Tells what a turn makes outdated where rules do not.
        self._succession_model = local_succession.load() if reader else None
        # Whether a language model reads what was learned once more.
        self._asks = asks

    def learn(self, scope: Scope) -> bool:
        """Read the next portion and apply what was found; whether there was one."""
        with self._database.read(scope) as tx:
            state, cursor = scopes.state(tx), learning_cursors.position(tx)
            portion = portions.next_portion(tx, cursor, in_context=self._reader is not None) if cursor else None
        if portion is None:
            return False
        if not self._is_taken(scope, portion, state):
            # One turn must not take the others with it.
            for single in portion.single():
                if not self._is_taken(scope, single, state):
                    self._pass_over(scope, single, state)
        return True

    def _is_taken(self, scope: Scope, portion: TurnPortion, state: ScopeState) -> bool:
        begin = portion.begin
        try:
            found = _every_turn(portion, portions.read(portion, partial(self._types, scope), self._reader))
            succession = self._succession(scope, portion)
            for end, texts in portions.parts(portion, found):
                with self._database.write(scope) as tx:
                    if not (scopes.is_unpurged(tx, state) and learning_cursors.move(tx, begin, end)):
                        break
                    successions.apply_succession(tx, succession, _apply(tx, texts))
                    if self._asks:
                        reading_requests.request(tx)
                begin = end
        except Exception as error:
            if isinstance(error, _PASSING) and not isinstance(error, _LASTING):
                raise
            log.exception("Turns did not become part of the graph: %s.", [str(said.id) for said in portion.turns])
            return False
        return True

    def _pass_over(self, scope: Scope, portion: TurnPortion, state: ScopeState) -> None:
        """Leave a turn that the rules stumble over unlearned: what was said in it is kept."""
        with self._database.write(scope) as tx:
            if scopes.is_unpurged(tx, state):
                learning_cursors.move(tx, portion.begin, portion.end)

    def _succession(self, scope: Scope, portion: TurnPortion) -> Succession:
        """What the turns of a portion make outdated; a long turn, which is read in slices, makes nothing so."""
        told = [] if portion.slice else [*map(speeches.speech_of_turn, portion.turns)]
        fresh = [each for each in told if each]
        if not fresh:
            return Succession({}, ())
        with self._database.read(scope) as tx:
            comparisons = successions.load_comparisons(tx, fresh, widely=self._succession_model is not None)
        return successions.find_succession(comparisons, self._succession_model)

    def _types(self, scope: Scope, names: portions.Names) -> portions.Types:
        with self._database.read(scope) as tx:
            return recognition.known_types(sharing.in_graph_home(tx), names)


def _every_turn(portion: TurnPortion, texts: Sequence[ExtractedText]) -> list[ExtractedText]:
    """What people said, turn by turn: the graph may know names in turns where reading found none."""
    if portion.slice:
        return list(texts)
    heard = {each.source: each for each in texts}
    said = [each for each in portion.turns if each.turn.role == Role.USER]
    return [heard.get(each.id) or _unread(each) for each in said]


def _unread(stored: StoredTurn) -> ExtractedText:
    turn, nothing = stored.turn, ExtractedFacts()
    return ExtractedText(
        source=stored.id, text=turn.text, at=stored.at, stored_at=stored.stored_at, found=nothing, speaker=turn.speaker
    )


def _apply(tx: Transaction, texts: Sequence[ExtractedText]) -> dict[UUID, UUID]:
    """Bring what was found into the graph; returns the batch of the scope's own log that each turn became."""
    batches: dict[UUID, UUID] = {}
    if not texts:
        return batches
    home, read = sharing.in_graph_home(tx), ReadCache()
    possible = {each.source: recognition.possible_keys(each.text) for each in texts}
    known = entities.keys_among(home, sorted(set().union(*possible.values())))
    named = [name for each in texts for name in (each.speaker, *(named.name for named in each.found.names)) if name]
    NameDirectory(home, tx.scope.user, read.entities).read(named)
    # One by one and as of when each was stored, so that it is the same graph whenever which turns are read together.
    for each in texts:
        then = replace(home, now=each.stored_at or tx.now)
        heard = recognise(then, each, Role.USER, possible[each.source] & (known | read.keys))
        if not (heard.found.names or heard.found.facts):
            continue
        if home.scope != tx.scope:
            sharing.bring(home, [each.source], tx.scope)
        taken = pipeline.apply_facts(then, [heard], user=tx.scope.user, talk=tx, read=read)
        if taken.batch and home.scope == tx.scope:
            batches[each.source] = taken.batch
    return batches
