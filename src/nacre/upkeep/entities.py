"""The pass that reads what was said since the last cycle, and lets the graph learn what was not learned at once."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from nacre.domain.dreams import Method, PassChange, PassName, PassReport, PassStatus
from nacre.domain.errors import Unavailable
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity
from nacre.domain.turns import Role, StoredTurn
from nacre.extraction import pipeline
from nacre.extraction.extractors import MAX_KNOWN, MAX_MATCHED
from nacre.extraction.model_extraction import GraphEntity, ModelReader, ModelReading
from nacre.extraction.pipeline import BY_MODEL, BY_RULES, ExtractedText, GraphUpdate
from nacre.extraction.reading_requests import READER
from nacre.extraction.rule_extraction import extract
from nacre.graph.identity import matching
from nacre.graph.operations import duplicates
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.evidence import turns
from nacre.store.graph import entities
from nacre.store.work import usage
from nacre.upkeep.cycles import PassContext

A_ROUND = 200
PURPOSE = "dream/entities"
BY_DAY = "Turns are read by the language model soon after they were said."


@dataclass(frozen=True, slots=True)
class _ReadingRound:
    """What was found in some turns, who found it, and what it cost."""

    heard: list[ExtractedText]
    readings: list[ModelReading]
    model: LanguageModel | None = None
    notes: tuple[str, ...] = ()


class EntityPass:
    """Reads the conversation log session by session: by a language model where there is one, else by rules."""

    name = PassName.ENTITIES

    def __init__(
        self,
        graphs: Homes,
        embedder: Embedder | None,
        *,
        directives: Path | None = None,
        token_cap: int | None = None,
        read_by_day: bool = False,
    ) -> None:
        self._graphs = graphs
        self._embedder = embedder
        self._directives = directives
        self._token_cap = token_cap
        # Whether a language model reads turns soon after they were said, within a budget of its own.
        self._read_by_day = read_by_day

    def fingerprint(self, night: PassContext) -> str | None:
        """How far the log has come."""
        with night.database.read(night.scope) as tx:
            return str(turns.last_place(tx))

    def run(self, night: PassContext) -> PassReport:
        """Read every turn that this pass has not read; what was found so far stays when people come."""
        if self._read_by_day:
            return PassReport(name=self.name, status=PassStatus.DONE, method=Method.RULES, notes=(BY_DAY,))
        changes: list[PassChange] = []
        notes: list[str] = []
        counts = {"turns": 0, "entities": 0, "links": 0, "claims": 0, "input": 0, "output": 0}
        method, status, done = Method.RULES, PassStatus.DONE, 0
        while said := self._unread(night, done):
            if night.disturbed():
                status = PassStatus.STOPPED
                break
            found = self._read(night, said)
            method = Method.MODEL if found.model else method
            taken, more = self._keep(night, said, found)
            changes += more
            notes += [*found.notes, *(fault for reading in found.readings for fault in reading.failed)]
            counts["turns"] += len(said)
            for name in ("entities", "links", "claims"):
                counts[name] += getattr(taken, name)
            counts["input"] += sum(reading.input_tokens for reading in found.readings)
            counts["output"] += sum(reading.output_tokens for reading in found.readings)
            done = said[-1].seq
        return PassReport(
            name=self.name,
            status=status,
            method=method,
            changes=tuple(changes),
            counts={name: counts[name] for name in ("turns", "entities", "links", "claims")},
            notes=tuple(dict.fromkeys(notes)),
            input_tokens=counts["input"],
            output_tokens=counts["output"],
        )

    def _unread(self, night: PassContext, after: int) -> list[StoredTurn]:
        with night.database.read(night.scope) as tx:
            return turns.since(tx, max(after, turns.cursor_position(tx, READER)), A_ROUND)

    def _read(self, night: PassContext, log: Sequence[StoredTurn]) -> _ReadingRound:
        people = [each for each in log if each.turn.role == Role.USER]
        if night.model is None:
            return _ReadingRound(self._by_rules(night, people), [])
        try:
            return self._by_model(night, night.model, people)
        except Unavailable as error:
            note = f"Read by rules, because the language model did not answer: {error}"
            return _ReadingRound(self._by_rules(night, people), [], notes=(note,))

    def _by_rules(self, night: PassContext, log: Sequence[StoredTurn]) -> list[ExtractedText]:
        """What rules find in turns that were not heard when they were observed."""
        with self._graphs.read(night.scope) as tx:
            fresh = [each for each in log if not entities.places_in(tx, each.id)]
        return [
            ExtractedText(
                source=each.id,
                text=each.turn.text,
                at=each.at,
                speaker=each.turn.speaker,
                found=extract(each.turn.text, speaker=each.turn.speaker, role=each.turn.role, at=each.at),
            )
            for each in fresh
        ]

    def _by_model(self, night: PassContext, model: LanguageModel, log: Sequence[StoredTurn]) -> _ReadingRound:
        reader = ModelReader(model=model, directives=self._directives, token_cap=self._token_cap)
        heard: list[ExtractedText] = []
        readings = []
        for _, some in groupby(log, key=lambda each: each.turn.session):
            session = list(some)
            text, places = _transcript(session)
            reading = reader.read(text, self._known(night, text))
            if len(reading.failed) == reading.chunks:
                raise Unavailable(reading.failed[0])
            readings.append(reading)
            heard += _by_turn(session, places, reading.found)
        return _ReadingRound(heard, readings, model)

    def _known(self, night: PassContext, text: str) -> list[GraphEntity]:
        with self._graphs.read(night.scope) as tx:
            found = matching.find(tx, text[:MAX_MATCHED])
            held = entities.by_id(tx, [each.entity_id for each in found[:MAX_KNOWN]])
        return [GraphEntity(entity.slug, entity.name, entity.type) for entity in held.values()]

    def _keep(
        self, night: PassContext, log: Sequence[StoredTurn], reading_round: _ReadingRound
    ) -> tuple[GraphUpdate, list[PassChange]]:
        with night.database.write(night.scope) as tx, tx.tried() if night.dry_run else nullcontext():
            home = sharing.in_graph_home(tx)
            if reading_round.heard:
                sharing.bring(home, [each.source for each in reading_round.heard], tx.scope)
            actor = BY_MODEL if reading_round.model else BY_RULES
            taken = pipeline.apply_facts(home, reading_round.heard, user=night.scope.user, actor=actor)
            changes = _changes(home, taken)
            if taken.new:
                resolved = duplicates.resolve(home, taken.new, self._embedder)
                changes += [
                    PassChange(what=each.outcome.summary, why="a certain duplicate") for each in resolved.merged
                ]
            for reading in reading_round.readings:
                if reading_round.model:
                    usage.add(tx, PURPOSE, reading_round.model.name, reading.input_tokens, reading.output_tokens)
            turns.advance_cursor(tx, READER, log[-1].seq)
            return taken, changes


def _changes(tx: Transaction, taken: GraphUpdate) -> list[PassChange]:
    known = entities.by_id(tx, taken.new)
    return [
        PassChange(what=f"New: {entity.name} ({entity.type.value}).", why="people spoke of it", items=(str(entity.id),))
        for entity in known.values()
    ]


def _transcript(log: Sequence[StoredTurn]) -> tuple[str, list[tuple[int, int]]]:
    """Turns as one text, and where in it each turn's own words stand."""
    text, places = "", []
    for each in log:
        text += f"{each.turn.speaker or 'User'}: "
        places.append((len(text), len(text) + len(each.turn.text)))
        text += f"{each.turn.text}\n\n"
    return text.rstrip() or text, places


def _by_turn(
    log: Sequence[StoredTurn], places: Sequence[tuple[int, int]], extracted: ExtractedFacts
) -> list[ExtractedText]:
    """What was found in a transcript, by the turn whose words say it; words across two turns say nothing."""
    heard = []
    for each, (start, end) in zip(log, places, strict=True):
        names = tuple(_moved(named, start) for named in extracted.names if start <= named.start and named.end <= end)
        facts = tuple(
            _fact_moved(fact, start) for fact in extracted.facts if start <= fact.quote[0] and fact.quote[1] <= end
        )
        part = ExtractedFacts(names=names, facts=facts)
        heard.append(
            ExtractedText(source=each.id, text=each.turn.text, at=each.at, speaker=each.turn.speaker, found=part)
        )
    return heard


def _moved(named: NamedEntity, start: int) -> NamedEntity:
    return replace(named, start=max(0, named.start - start), end=max(1, named.end - start))


def _fact_moved(fact: Fact, start: int) -> Fact:
    subject = _moved(fact.subject, start) if isinstance(fact.subject, NamedEntity) else fact.subject
    thing = _moved(fact.object, start) if fact.object else None
    return replace(fact, subject=subject, object=thing, quote=(fact.quote[0] - start, fact.quote[1] - start))
