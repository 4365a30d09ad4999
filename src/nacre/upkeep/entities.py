"""The pass that reads what was said since the last cycle, and lets the graph learn what was not learned at once."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from nacre.domain.dreams import Change, Method, PassName, PassReport, PassStatus
from nacre.domain.errors import Unavailable
from nacre.domain.facts import Extracted, Fact, Named
from nacre.domain.turns import Role
from nacre.extraction import pipeline
from nacre.extraction.extracting import extract
from nacre.extraction.extractors import MAX_KNOWN, MAX_MATCHED
from nacre.extraction.modelling import Known, Reader, Reading
from nacre.extraction.pipeline import BY_MODEL, BY_RULES, Heard, Taken
from nacre.extraction.reading_requests import READER
from nacre.graph import matching
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel
from nacre.ontology import duplicates
from nacre.store import cursors, entities, sharing, turns, usage
from nacre.store.databases import Transaction
from nacre.store.sharing import Homes
from nacre.store.turns import Said
from nacre.upkeep.cycles import Night

A_ROUND = 200
PURPOSE = "dream/entities"
BY_DAY = "Turns are read by the language model soon after they were said."


@dataclass(frozen=True, slots=True)
class _Round:
    """What was found in some turns, who found it, and what it cost."""

    heard: list[Heard]
    readings: list[Reading]
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

    def fingerprint(self, night: Night) -> str | None:
        """How far the log has come."""
        with night.database.read(night.scope) as tx:
            return str(cursors.end(tx))

    def run(self, night: Night) -> PassReport:
        """Read every turn that this pass has not read; what was found so far stays when people come."""
        if self._read_by_day:
            return PassReport(name=self.name, status=PassStatus.DONE, method=Method.RULES, notes=(BY_DAY,))
        changes: list[Change] = []
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

    def _unread(self, night: Night, after: int) -> list[Said]:
        with night.database.read(night.scope) as tx:
            return turns.since(tx, max(after, cursors.position(tx, READER)), A_ROUND)

    def _read(self, night: Night, said: Sequence[Said]) -> _Round:
        people = [each for each in said if each.turn.role == Role.USER]
        if night.model is None:
            return _Round(self._by_rules(night, people), [])
        try:
            return self._by_model(night, night.model, people)
        except Unavailable as error:
            note = f"Read by rules, because the language model did not answer: {error}"
            return _Round(self._by_rules(night, people), [], notes=(note,))

    def _by_rules(self, night: Night, said: Sequence[Said]) -> list[Heard]:
        """What rules find in turns that were not heard when they were observed."""
        with self._graphs.read(night.scope) as tx:
            fresh = [each for each in said if not entities.places_in(tx, each.id)]
        return [
            Heard(
                source=each.id,
                text=each.turn.text,
                at=each.at,
                speaker=each.turn.speaker,
                found=extract(each.turn.text, speaker=each.turn.speaker, role=each.turn.role, at=each.at),
            )
            for each in fresh
        ]

    def _by_model(self, night: Night, model: LanguageModel, said: Sequence[Said]) -> _Round:
        reader = Reader(model=model, directives=self._directives, token_cap=self._token_cap)
        heard: list[Heard] = []
        readings = []
        for _, some in groupby(said, key=lambda each: each.turn.session):
            session = list(some)
            text, places = _transcript(session)
            reading = reader.read(text, self._known(night, text))
            if len(reading.failed) == reading.chunks:
                raise Unavailable(reading.failed[0])
            readings.append(reading)
            heard += _by_turn(session, places, reading.found)
        return _Round(heard, readings, model)

    def _known(self, night: Night, text: str) -> list[Known]:
        with self._graphs.read(night.scope) as tx:
            found = matching.find(tx, text[:MAX_MATCHED])
            held = entities.by_id(tx, [each.entity_id for each in found[:MAX_KNOWN]])
        return [Known(entity.slug, entity.name, entity.type) for entity in held.values()]

    def _keep(self, night: Night, said: Sequence[Said], found: _Round) -> tuple[Taken, list[Change]]:
        with night.database.write(night.scope) as tx, tx.tried() if night.dry_run else nullcontext():
            home = sharing.in_graph_home(tx)
            if found.heard:
                sharing.bring(home, [each.source for each in found.heard], tx.scope)
            actor = BY_MODEL if found.model else BY_RULES
            taken = pipeline.take_in(home, found.heard, user=night.scope.user, actor=actor)
            changes = _told(home, taken)
            if taken.new:
                resolved = duplicates.resolve(home, taken.new, self._embedder)
                changes += [Change(what=each.outcome.summary, why="a certain duplicate") for each in resolved.merged]
            for reading in found.readings:
                if found.model:
                    usage.add(tx, PURPOSE, found.model.name, reading.input_tokens, reading.output_tokens)
            cursors.advance(tx, READER, said[-1].seq)
            return taken, changes


def _told(tx: Transaction, taken: Taken) -> list[Change]:
    known = entities.by_id(tx, taken.new)
    return [
        Change(what=f"New: {entity.name} ({entity.type.value}).", why="people spoke of it", items=(str(entity.id),))
        for entity in known.values()
    ]


def _transcript(said: Sequence[Said]) -> tuple[str, list[tuple[int, int]]]:
    """Turns as one text, and where in it each turn's own words stand."""
    text, places = "", []
    for each in said:
        text += f"{each.turn.speaker or 'User'}: "
        places.append((len(text), len(text) + len(each.turn.text)))
        text += f"{each.turn.text}\n\n"
    return text.rstrip() or text, places


def _by_turn(said: Sequence[Said], places: Sequence[tuple[int, int]], found: Extracted) -> list[Heard]:
    """What was found in a transcript, by the turn whose words say it; words across two turns say nothing."""
    heard = []
    for each, (start, end) in zip(said, places, strict=True):
        names = tuple(_moved(named, start) for named in found.names if start <= named.start and named.end <= end)
        facts = tuple(
            _fact_moved(fact, start) for fact in found.facts if start <= fact.quote[0] and fact.quote[1] <= end
        )
        part = Extracted(names=names, facts=facts)
        heard.append(Heard(source=each.id, text=each.turn.text, at=each.at, speaker=each.turn.speaker, found=part))
    return heard


def _moved(named: Named, start: int) -> Named:
    return replace(named, start=max(0, named.start - start), end=max(1, named.end - start))


def _fact_moved(fact: Fact, start: int) -> Fact:
    subject = _moved(fact.subject, start) if isinstance(fact.subject, Named) else fact.subject
    thing = _moved(fact.object, start) if fact.object else None
    return replace(fact, subject=subject, object=thing, quote=(fact.quote[0] - start, fact.quote[1] - start))
