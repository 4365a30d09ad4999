"""Lessons of a language model: turns that rules and reader have learned are read once more, a few of them at a time.

A cursor of the scope says how far the model has come. It moves in the transaction that brings its facts into the graph,
so each turn is read to effect once, whoever dies in between.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from nacre.domain.claims import Slot
from nacre.domain.errors import Closed, Conflict, Misconfigured, NacreError, Unavailable
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity, Polarity
from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.scopes import Scope
from nacre.domain.turns import Role, StoredTurn
from nacre.extraction import model_turns, pipeline, portions, recognition
from nacre.extraction.model_turns import TurnFactsReply, TurnQuestion
from nacre.extraction.pipeline import BY_MODEL, BY_RULES, ExtractedText
from nacre.extraction.portions import MAX_SLICE, TurnPortion
from nacre.extraction.reader_facts import RULE as BY_READER
from nacre.extraction.reader_facts import ReaderTurn
from nacre.extraction.reader_words import bare
from nacre.extraction.reading_requests import MAX_TURNS, PURPOSE, READER, learned_end
from nacre.extraction.rule_extraction import object_place
from nacre.graph.operations import path
from nacre.models.language_models import RETRIES, Completion, LanguageModel, UnusableReply
from nacre.models.local_reader import LocalReader
from nacre.store.base import audits, scopes, sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import turns
from nacre.store.evidence.learning_cursors import Cursor
from nacre.store.graph import claims, entities
from nacre.store.reads import associations
from nacre.store.reads.associations import FactRow
from nacre.store.work import usage
from nacre.text import budget
from nacre.text.names import match_key

log = logging.getLogger(__name__)

# So many characters that people said are read in one go, with so many turns before those of each session.
MAX_CHARACTERS, SHOWN_BEFORE = 6_000, 4
REASON = "the language model reads these words otherwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBatch:
    """Turns to be read together: those after place `begin`, up to `end`, and what came before them by session."""

    begin: int
    end: int
    turns: Sequence[StoredTurn] = ()
    before: Mapping[str, Sequence[StoredTurn]] = field(default_factory=dict)

    @property
    def questions(self) -> list[TurnQuestion]:
        """One request for each session in which people said something."""
        sessions: dict[str | None, list[StoredTurn]] = {}
        for said in self.turns:
            sessions.setdefault(said.turn.session, []).append(said)
        return [
            TurnQuestion(turns=some, before=self.before.get(session or "", ()))
            for session, some in sessions.items()
            if any(said.turn.role == Role.USER for said in some)
        ]


@dataclass(slots=True)
class TokenUsage:
    """What asking has cost so far."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        """All of it."""
        return self.input_tokens + self.output_tokens

    def note(self, tx: Transaction, model: str) -> None:
        """Write down what it cost."""
        if self.tokens:
            usage.add(tx, PURPOSE, model, self.input_tokens, self.output_tokens)


@dataclass(frozen=True, slots=True)
class TurnLesson:
    """What a model says in a turn beyond what is known of it, and what of that it reads otherwise."""

    heard: ExtractedText
    seq: int
    otherwise: tuple[Fact, ...]


def next_batch(tx: Transaction, most: int = MAX_TURNS) -> TurnBatch | None:
    """The next turns that the model has to read; only those that rules have learned. None where there are none."""
    begin, end = turns.cursor_position(tx, READER), learned_end(tx)
    unread = turns.openings_since(tx, begin, most, MAX_SLICE)
    taken: list[StoredTurn] = []
    room = MAX_CHARACTERS
    for said in unread:
        room -= len(said.turn.text) if said.turn.role == Role.USER else 0
        if said.seq > end or (taken and room < 0):
            break
        taken.append(said)
    if not taken:
        # What is left was forgotten, or is no turn.
        return TurnBatch(begin=begin, end=end) if begin < end else None
    sessions = {said.turn.session: said.seq for said in reversed(taken) if said.turn.session}
    before = {session: turns.last(tx, session, SHOWN_BEFORE, before=first) for session, first in sessions.items()}
    return TurnBatch(begin=begin, end=taken[-1].seq, turns=taken, before=before)


class ModelLessons:
    """Has a language model read the turns of the scopes of one database."""

    def __init__(
        self, database: Database, model: LanguageModel, reader: LocalReader | None, directives: Path | None
    ) -> None:
        self._database = database
        self._reader = reader
        self._directives = directives
        self.model = model

    def read(self, scope: Scope, batch: TurnBatch, spent: TokenUsage) -> list[TurnLesson]:
        """Ask the model about a batch. Nothing is written; `spent` is right even where this raises."""
        given: dict[SourceId, ReaderTurn] = {}
        for question in batch.questions:
            completion = self._reply(question, spent)
            spent.input_tokens += completion.input_tokens
            spent.output_tokens += completion.output_tokens
            found = model_turns.readings(question, completion.output)
            given |= {question.turns[place].id: reading for place, reading in found.items()}
        return self._lessons(scope, batch, given) if given else []

    def _reply(self, question: TurnQuestion, spent: TokenUsage) -> Completion[TurnFactsReply]:
        try:
            return question.ask(self.model, self._directives)
        except UnusableReply:
            # It answered each time, and that costs; nobody says how much.
            prompt = question.prompt(self._directives)
            sent = budget.count_tokens(f"{prompt.instructions}\n{prompt.material}")
            spent.input_tokens += sent * (RETRIES + 1)
            raise

    def apply(self, tx: Transaction, batch: TurnBatch, lessons: Sequence[TurnLesson]) -> bool:
        """Bring what was found into the graph and move the cursor; False where another reader was faster."""
        scopes.lock(tx)
        if turns.cursor_position(tx, READER) != batch.begin:
            return False
        home = sharing.in_graph_home(tx)
        held = turns.by_seq(tx, [lesson.seq for lesson in lessons])
        for lesson in lessons:
            said = held.get(lesson.seq)
            # What was forgotten or changed meanwhile says nothing any more.
            if said and said.turn.text[1:].startswith(lesson.heard.text[1:]):
                self._take(tx, home, lesson)
        turns.advance_cursor(tx, READER, batch.end)
        return True

    def _take(self, tx: Transaction, home: Transaction, lesson: TurnLesson) -> None:
        try:
            with tx.part():
                if home.scope != tx.scope:
                    sharing.bring(home, [lesson.heard.source], tx.scope)
                heard = _unmentioned(home, _set_right(home, lesson))
                pipeline.apply_facts(home, [heard], user=tx.scope.user, actor=BY_MODEL, talk=tx)
        except (Closed, Misconfigured, Unavailable):
            raise
        except NacreError:
            # One turn must not take the others with it.
            log.exception("What the language model read in turn %s did not become part of the graph.", lesson.seq)

    def _lessons(self, scope: Scope, batch: TurnBatch, given: Mapping[SourceId, ReaderTurn]) -> list[TurnLesson]:
        """What the model found, through the same guards as ever, beside what is known of the same turns."""
        nowhere = Cursor(0)
        portion = TurnPortion(begin=nowhere, end=nowhere, turns=batch.turns, earlier=batch.before)
        types = partial(self._types, scope)
        known = {each.source: each.found.facts for each in portions.read(portion, types, self._reader)}
        told = portions.read(portion, types, None, given)
        places = {said.id: said.seq for said in batch.turns}
        lessons = (_lesson(heard, known.get(heard.source, ()), places[heard.source]) for heard in told)
        return [lesson for lesson in lessons if lesson.heard.found.facts]

    def _types(self, scope: Scope, names: portions.Names) -> portions.Types:
        with self._database.read(scope) as tx:
            return recognition.known_types(sharing.in_graph_home(tx), names)


def _lesson(heard: ExtractedText, facts: Sequence[Fact], seq: int) -> TurnLesson:
    fresh: list[Fact] = []
    otherwise: list[Fact] = []
    for fact in heard.found.facts:
        if not fact.rule.startswith(f"{model_turns.RULE}."):
            continue
        rivals = [each for each in facts if _share_words(heard.text, fact, each)]
        if all(_is_other_reading(heard.text, fact, each) for each in rivals):
            fresh.append(fact)
            otherwise += [each for each in rivals if each.polarity is Polarity.STATED]
    spoken = {
        match_key(end.name) for fact in fresh for end in (fact.subject, fact.object) if isinstance(end, NamedEntity)
    }
    names = tuple(named for named in heard.found.names if match_key(named.name) in spoken)
    return TurnLesson(
        replace(heard, stored_at=None, found=ExtractedFacts(names=names, facts=tuple(fresh))), seq, tuple(otherwise)
    )


def _share_words(text: str, one: Fact, other: Fact) -> bool:
    (start, end), (begin, stop) = object_place(text, one), object_place(text, other)
    return start < stop and begin < end


def _is_other_reading(text: str, fact: Fact, known_fact: Fact) -> bool:
    """Whether a fact reads the very words otherwise that the reader took for something. Rules are not contradicted."""
    if not known_fact.rule.startswith(f"{BY_READER}.") or _statement(fact) == _statement(known_fact):
        return False
    ours, theirs = (bare(text[slice(*object_place(text, each))]).casefold() for each in (fact, known_fact))
    return ours == theirs


def _statement(fact: Fact) -> tuple[object, ...]:
    """What is said of whom, whatever the words for it."""
    who = match_key(fact.subject.name) if isinstance(fact.subject, NamedEntity) else fact.subject
    return who, fact.predicate, fact.path, fact.polarity


def _unmentioned(home: Transaction, heard: ExtractedText) -> ExtractedText:
    """The same without names that are known to stand there."""
    noted = {start for _, start in entities.places_in(home, heard.source)}
    names = tuple(named for named in heard.found.names if named.start not in noted)
    return replace(heard, found=replace(heard.found, names=names))


def _set_right(home: Transaction, lesson: TurnLesson) -> ExtractedText:
    """Take back what the reader made of the same words; where later operations rest on that, it stays."""
    heard = lesson.heard
    resting = [row for row in associations.resting_on(home, [heard.source]) if row.holds] if lesson.otherwise else []
    stuck = [
        fact
        for fact in lesson.otherwise
        for row in resting
        if row.quote == fact.quote and _says(home, row, fact) and not _is_taken_back(home, row)
    ]
    if not stuck:
        return heard
    facts = (fact for fact in heard.found.facts if not any(_share_words(heard.text, fact, each) for each in stuck))
    return replace(heard, found=replace(heard.found, facts=tuple(facts)))


def _says(home: Transaction, row: FactRow, fact: Fact) -> bool:
    if row.kind is Kind.LINK or fact.path is None:
        return row.topic == fact.predicate
    return claims.by_id(home, [row.id])[row.id].slot == Slot.at(fact.path)


def _is_taken_back(home: Transaction, row: FactRow) -> bool:
    """Undo the operation that made a row, if extraction did; False where that cannot be."""
    table = "links" if row.kind is Kind.LINK else "attributes"
    made = next(iter(audits.touching(home, table, row.id)), None)
    if made is None or made.actor != BY_RULES or made.undone_by:
        return False
    try:
        with home.part():
            path.undo(home, made.id, actor=BY_MODEL, reason=REASON)
    except Conflict:
        return False
    return True
