"""Live through the demo's history once, with the clock of the time told."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from typing import Any

import extras
from cast import CAST, WORKSHOP
from telling import Conversation, Kind, order

from nacre import Nacre, ScopedNacre
from nacre.domain.jobs import JobStatus

AGENT, SECOND = "demo", "workshop"
WRITER = "assistant"
PATIENCE = 10.0
UNFINISHED = (JobStatus.WAITING, JobStatus.RUNNING)
DREAMS = tuple(
    datetime(2026, month, day, 2, 0, tzinfo=UTC)
    for month, day in ((5, 2), (6, 20), (8, 1), (9, 16), (10, 20), (11, 14))
)


class HistoryClock:
    """Tells the time of what is being lived through."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """The time it was then."""
        return self.now


class Seeding:
    """Puts a history into a brain, in the order in which it happened."""

    def __init__(self, nacre: Nacre, clock: HistoryClock) -> None:
        self._nacre = nacre
        self._clock = clock
        self._demo = nacre.scope(AGENT)

    def live(self, history: Iterable[Conversation]) -> None:
        """Every conversation when it took place, with nights of dreaming between them."""
        for conversation in sorted(history, key=lambda each: each.began):
            for night in DREAMS:
                if self._clock.now < night < conversation.began:
                    self._dream(night)
            self._hold(conversation)

    def finish(self) -> None:
        """The evening on which somebody looks after all of it, and one more night."""
        self._visit_workshop()
        self._clock.now = DREAMS[-1] - timedelta(hours=6)
        self._review()
        self._dream(DREAMS[-1])
        self._rest()

    def note(self, text: str, at: datetime) -> None:
        """Keep what has several subjects, for the background to take apart."""
        self._clock.now = at
        self._demo.remember(text, category="project/notes")

    def _hold(self, conversation: Conversation) -> None:
        scope = self._nacre.scope(AGENT, conversation.user)
        self._clock.now = conversation.began
        told = [(said, order(fact, conversation.began)) for said in conversation.said for fact in said.facts]
        self._introduce(scope, [name for _, each in told for name in each.names], CAST)
        observed = scope.observe_many(conversation.turns())
        keys = {said.text: str(turn.id) for said, turn in zip(conversation.said, observed, strict=True)}
        self._clock.now = conversation.ended
        envelopes = [
            {
                "operation": each.operation,
                "payload": each.payload,
                "evidence": [
                    {"quote": said.quote(" ".join(map(str, each.payload.values()))), "source_id": keys[said.text]}
                ],
            }
            for said, each in told
        ]
        if envelopes:
            scope.ontology.submit(envelopes, actor=WRITER)
        for note in conversation.kept:
            scope.remember(
                note.text,
                category=note.category,
                tags=note.tags,
                importance=note.importance,
                structured=note.structured,
            )

    def _introduce(self, scope: ScopedNacre, names: Iterable[str], cast: dict[str, Kind]) -> None:
        """Say what the things are that are spoken of for the first time."""
        known = {each.name for each in scope.graph.search(limit=1000)}
        new = [name for name in dict.fromkeys(names) if name not in known and name in cast]
        if new:
            scope.ontology.submit([_entity(name, cast[name]) for name in new], actor=WRITER)

    def _dream(self, at: datetime) -> None:
        self._clock.now = at
        self._demo.dreams.run()

    def _review(self) -> None:
        """What people leave behind when they look after a memory."""
        demo = self._demo
        for when, speaker, stance, content, entity in extras.ASSERTIONS:
            demo.ontology.assertions.add(entity, stance, content, speaker=speaker, asserted_at=when, created_by=speaker)
        for name, kind, description, _ in extras.STRAYS:
            demo.graph.add(name, type=kind, description=description, confidence=0.6)
        demo.ontology.submit(
            [{"operation": "pin_entity", "payload": {"entity": name}} for name in extras.PINNED], actor="Maya"
        )
        for task, status in extras.TASKS.items():
            demo.graph.add(task, type="task", description=CAST[task].description)
            demo.ontology.set_task(task, status)
        for path, content in extras.DOCUMENTS.items():
            demo.vault.save(path, content)
        for name, (summary, content, see_also) in extras.SKILLS.items():
            demo.skills.save(name, summary=summary, content=content, see_also=see_also)
        self._propose()
        demo.graph.scan_duplicates(threshold=0.8)
        demo.knowledge.refresh_communities()

    def _propose(self) -> None:
        held = self._demo.ontology.proposals
        for envelope, accepted in extras.decided():
            made = self._demo.ontology.submit([envelope], propose=True, actor=WRITER).proposals[0]
            if accepted:
                held.apply(made.id, actor="Maya")
            else:
                held.reject(made.id, reason="That was a stand, not an office.", actor="Maya")
        for envelope in extras.proposals():
            quoted = [self._sourced(each) for each in envelope.get("evidence", ())]
            self._demo.ontology.submit([{**envelope, "evidence": quoted}], propose=True, actor=WRITER)

    def _sourced(self, quote: dict[str, str]) -> dict[str, Any]:
        """A quote with the turn of its session that it stands in."""
        said = self._demo.conversations.last(quote["session"], limit=100)
        return {
            "quote": quote["quote"],
            "source_id": next(str(each.id) for each in said if quote["quote"] in each.turn.text),
        }

    def _rest(self) -> None:
        """What is of this week: feedback and scratch notes, which do not last; and the second agent."""
        demo = self._demo
        self._clock.now = max(self._clock.now, datetime.now(UTC))
        for kind, subject, detail, session in extras.FEEDBACK:
            demo.feedback.record(kind, subject, detail=detail, session=session)
        for namespace, key, data, category in extras.SCRATCH:
            demo.working(namespace).save(key, data, ttl=extras.KEPT_FOR, category=category)

    def work(self) -> None:
        """Have the background do what waits for it, and wait for that."""
        # Nothing was given up yet, so nothing is replayed: it only wakes the worker.
        self._demo.jobs.replay()
        until = monotonic() + PATIENCE
        while monotonic() < until and any(job.status in UNFINISHED for job in self._demo.jobs.list()):
            sleep(0.02)

    def _visit_workshop(self) -> None:
        """The second agent: small, and open for others to read."""
        scope = self._nacre.scope(SECOND)
        for began, facts in extras.WORKSHOP:
            self._clock.now = began
            orders = [order(fact, began) for fact in facts]
            self._introduce(scope, [name for each in orders for name in each.names], WORKSHOP)
            scope.ontology.submit([{"operation": each.operation, "payload": each.payload} for each in orders])
        self._nacre.agent(SECOND).share(read_policy="shared")


def _entity(name: str, kind: Kind) -> dict[str, Any]:
    described = {"description": kind.description} if kind.description else {}
    return {
        "operation": "create_entity",
        "payload": {"name": name, "type": kind.type, "aliases": list(kind.aliases), **described},
    }
