"""The scoped façade: one agent's memory, for one user and in one chat where these are given."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from nacre.brain.agents import OpenGraph
from nacre.brain.conversations import Conversations
from nacre.brain.dossiers import Dossiers
from nacre.brain.dreams import Dreams
from nacre.brain.feedback import Feedback
from nacre.brain.graph import Graph
from nacre.brain.jobs import Jobs
from nacre.brain.knowledge import Knowledge
from nacre.brain.memories import Memories, remember
from nacre.brain.ontology import Ontology
from nacre.brain.probing import probed
from nacre.brain.skills import Skills
from nacre.brain.summaries import Summaries
from nacre.brain.transfers import Transfers
from nacre.brain.vault import Vault
from nacre.brain.working import WorkingMemory
from nacre.brain.world import World
from nacre.domain import checks, contexts, ids, plain, questions
from nacre.domain.audits import CALLER, AuditRecord, Inspection
from nacre.domain.contexts import DEFAULT_BUDGET, Context, ContextRequest
from nacre.domain.errors import Invalid
from nacre.domain.forgetting import ForgetReport
from nacre.domain.hits import Kind, Recall
from nacre.domain.memories import GENERAL, Note, RememberReport, check_metadata, check_tags, with_hints
from nacre.domain.operation_results import OperationResult
from nacre.domain.progress import LearningStatus, Progress
from nacre.domain.projections import KINDS as PROJECTED
from nacre.domain.projections import MAX_POINTS, Projection
from nacre.domain.questions import Question
from nacre.domain.scopes import Scope
from nacre.domain.structures import to_structure
from nacre.domain.turns import Observation, Turn
from nacre.domain.working import session_namespace
from nacre.memory import forgetting, histories, observing
from nacre.recall import projections
from nacre.wiring import Parts
from nacre.work import embedding


@probed("")
class ScopedNacre:
    """One scope's memory. Nothing it does can see or touch another scope."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    @property
    def scope(self) -> Scope:
        """Whose memory it is."""
        return self._scope

    def observe(
        self,
        role: str,
        text: str,
        *,
        speaker: str | None = None,
        session: str | None = None,
        at: datetime | None = None,
        ref: str | None = None,
    ) -> Observation:
        """Keep one message as evidence; it can be recalled when the call returns."""
        turn = Turn(role=role, text=text, speaker=speaker, session=session, at=at, ref=ref)
        return self.observe_many([turn])[0]

    def observe_many(self, turns: Iterable[Turn]) -> list[Observation]:
        """Keep many messages, all or none."""
        self._parts.traffic.note(self.scope)
        said = list(turns)
        if not all(isinstance(turn, Turn) for turn in said):
            raise Invalid("turns", "must be Turn objects")
        parts = self._parts
        learns = parts.listener.writes
        observed, shared = observing.observe(parts.database, parts.embedder, self.scope, said, learns=learns)
        parts.fillings.embed_later(self.scope)
        parts.follow_ups.learn_later(self.scope)
        if shared:
            # What several users tell one graph is learned in the order in which they tell it.
            parts.learner.settle_for_caller(self.scope)
        return observed

    def learned(
        self, observation: UUID | str | None = None, *, timeout: float | None = None, model: bool = False
    ) -> LearningStatus:
        """Learn what the graph has not learned yet, and say how much is left: after `timeout` seconds, or nothing.

        With an `observation` only what was said up to it counts; a `timeout` of 0 only looks. Nobody has to call this:
        whatever reads the graph learns first. Only with `model` the language model that reads turns is waited for, as
        long as it answers and its budget lasts.
        """
        key = None if observation is None else ids.parse("observation", observation)
        learner = self._parts.learner
        found = learner.unread(self.scope, key)
        seconds = None if timeout is None else checks.seconds("timeout", timeout)
        if seconds == 0:
            return found
        if not found.done:
            learner.settle(self.scope, seconds)
            found = learner.unread(self.scope, key)
        if model and found.unread_by_model and self._parts.model_worker:
            self._parts.model_worker.settle(self.scope, seconds)
            found = learner.unread(self.scope, key)
        if seconds is None:
            self._parts.fillings.fill_tokens(self.scope)
        return found

    def remember(
        self,
        text: str,
        *,
        category: str = GENERAL,
        tags: Iterable[str] = (),
        metadata: Mapping[str, str] | None = None,
        importance: float = 0.5,
        structured: Mapping[str, object] | None = None,
        actor: str = CALLER,
    ) -> RememberReport:
        """Keep `text` as a long-term memory, or add it to the one that says the same; the outcome says which.

        `structured` says what it is about: `entities`, `aspects` and `hints`. They become part of the graph together
        with the memory, and the reply says what of them was applied and what was refused.
        """
        structure = None if structured is None else to_structure(structured)
        held = with_hints(check_metadata(metadata or {}), structure.hints if structure else ())
        note = Note(
            text=text, category=category, tags=check_tags(tags), metadata=held, importance=importance, actor=actor
        )
        payload = None if structured is None else plain.written(structured)
        remembered = remember(self._parts, self.scope, note, structure, payload)
        self._parts.follow_ups.work_later()
        return remembered

    def forget(
        self,
        memory: UUID | str | None = None,
        *,
        before: datetime | None = None,
        everything: bool = False,
        purge: bool = False,
        actor: str = CALLER,
    ) -> ForgetReport:
        """Forget one memory, all from before a moment, or everything; the report counts what went.

        What is forgotten is out of force and stays readable as of earlier times. `purge` removes it for good. What the
        agent shares among its users is not part of `before` and `everything`, except what rests on purged words alone.
        """
        if sum([memory is not None, before is not None, everything]) != 1:
            raise Invalid("forget", "takes exactly one of a memory, `before` and `everything`")
        home = self.scope if memory is None else self._parts.memories.of(self.scope)
        checks.name("actor", actor)
        report = self._forget(home, memory, checks.optional_instant("before", before), purge=purge, actor=actor)
        return self._parts.scrubber.scrub(home, report) if purge else report

    def _forget(
        self, home: Scope, memory: UUID | str | None, before: datetime | None, *, purge: bool, actor: str
    ) -> ForgetReport:
        database, embedder = self._parts.database, self._parts.embedder
        # What is undone later must be whole: what was said is learned before it is forgotten.
        self._parts.learner.settle_for_caller(self.scope)
        if memory is not None:
            keys = [self.memories.get(memory).id]
            return forgetting.forget_memories(database, home, keys, purge=purge, actor=actor, embedder=embedder)
        if before is not None:
            return forgetting.forget_before(database, home, before, purge=purge, actor=actor, embedder=embedder)
        return forgetting.forget_everything(database, home, purge=purge, actor=actor)

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        kinds: Iterable[str] | None = None,
        categories: Iterable[str] | None = None,
        min_score: float | None = None,
        session: str | None = None,
        as_of: datetime | None = None,
        asked_at: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        explain: bool = False,
        rerank: str | None = None,
    ) -> Recall:
        """What is known about `query`, best first; a hit's `score` is the probability that it bears on the query.

        `kinds`, `categories` (of long-term memories) and `session` narrow what is searched, `since` and `until` when
        it was said, `as_of` to what was known then. `asked_at` is when it is asked: "last week" counts from there, and
        nothing is left out for it. `min_score` leaves out what is less relevant: then nothing may be left, and a note
        says so. `explain` fills each hit's `channels`. `rerank` is `off`, `fast` or `best`: whether
        the best hits are read once more together with the query; without it the settings decide.
        """
        self._parts.traffic.note(self.scope)
        question = Question(
            text=query,
            limit=limit,
            kinds=questions.kinds(kinds),
            session=session,
            as_of=as_of,
            asked_at=asked_at,
            since=since,
            until=until,
            explain=explain,
            rerank=questions.rerank(rerank),
            min_score=min_score,
            categories=questions.categories(categories),
        )
        return self._parts.recaller.recall(self.scope, question)

    def context(
        self,
        message: str,
        *,
        session: str | None = None,
        speaker: str | None = None,
        budget: int = DEFAULT_BUDGET,
        namespace: str | None = None,
        profile: bool = True,
        min_score: float | None = None,
        seen: str = "show",
        ids: bool = False,
        blocks: Iterable[str] | None = None,
        quick: bool = False,
        asked_at: datetime | None = None,
    ) -> Context:
        """What an agent should read before it answers `message`, in at most `budget` tokens.

        What is believed comes first, then memories and what was said, as far as they bear on the message; where
        nothing does, nothing is said. `min_score` raises or lowers that bar. `profile` says whether the first turn
        of a session begins with what is known of the user. `seen="omit"` leaves out what the session was shown
        before, for callers who keep earlier contexts in the prompt. `speaker` is who says the message, by the name that
        their turns were observed with, where several people share the scope: "I" and the profile are theirs. `ids` adds
        the ids of what is shown. `namespace` is where the session keeps its working memory: its own `session/…` unless
        another is named, such as a patrol's `patrol/…`. `blocks` names the parts that are wanted: see
        `nacre.domain.contexts`. `quick` is for whoever waits: the best hits are not read once more, and what was said a
        moment ago may not be learned yet. `asked_at` is when the message was said, from which "last week" counts: now,
        where it is left out.
        """
        self._parts.traffic.note(self.scope)
        request = ContextRequest(
            message=message,
            session=session,
            speaker=speaker,
            budget=budget,
            namespace=namespace or (session_namespace(session) if session else None),
            profile=profile,
            min_score=min_score,
            seen=contexts.seen(seen),
            ids=ids,
            blocks=contexts.blocks(blocks),
            quick=quick,
            asked_at=asked_at,
        )
        return self._parts.contexts.build(self.scope, request)

    def history(self, *, limit: int = 50, before: UUID | str | None = None) -> list[AuditRecord]:
        """What was done to memories, graph and ontology, the last operation first; `before` is one to go on from."""
        checks.count("limit", limit)
        start = ids.parse("before", before) if before else None
        with self._parts.settled.read(self.scope) as tx:
            return histories.newest(tx, limit, start)

    def inspect(self, operation: UUID | str) -> Inspection:
        """What an operation or a batch changed, row by row, and which later operations rest on it."""
        key = ids.parse("operation", operation)
        with self._parts.settled.read(self.scope) as tx:
            return histories.inspect(tx, key)

    def undo(self, operation: UUID | str, *, actor: str = CALLER) -> OperationResult:
        """Take back an operation or a batch by its id, whatever it changed, unless something later rests on it.

        Working memory, feedback and skills have no history: what became of them stays.
        """
        key = ids.parse("operation", operation)
        checks.name("actor", actor)
        with self._parts.settled.write(self.scope) as tx:
            applied = histories.undo(tx, key, actor, self._parts.embedder)
        self._parts.fillings.embed_later(self._parts.memories.of(self.scope))
        return applied

    def embedding_progress(self) -> Progress:
        """How many passages have a vector of the embedder in use: all of them, unless it is new or slow."""
        return embedding.progress(self._parts.database, self._parts.embedder, self.scope)

    def projection(self, *, limit: int = 500, kinds: Iterable[str] = (Kind.MEMORY,)) -> Projection:
        """The newest memories, or turns as well by `kinds`, as points: what means the same stands close together."""
        checks.count("limit", limit, maximum=MAX_POINTS)
        wanted = [Kind(checks.choice("kinds", kind, PROJECTED)) for kind in dict.fromkeys(kinds)]
        if self._parts.embedder is None:
            return Projection(notes=("There are no vectors to go by: NACRE_EMBEDDER is off.",))
        space = self._parts.embedder.embed_question("space").space
        with self._parts.database.read(self.scope) as tx:
            return projections.project(tx, space, wanted, limit)

    @property
    def conversations(self) -> Conversations:
        """What was said, session by session, and the log that dreaming reads."""
        return Conversations(self._parts, self.scope)

    @property
    def skills(self) -> Skills:
        """Named procedures."""
        return Skills(self._parts, self.scope)

    @property
    def feedback(self) -> Feedback:
        """What people thought of what the agent did."""
        return Feedback(self._parts, self.scope)

    @property
    def graph(self) -> Graph:
        """Entities and the links between them."""
        return Graph(self._parts, self.scope)

    def graph_of(self, agent: str) -> OpenGraph:
        """The graph of another agent, as far as this scope's user and chat have one there, to read only."""
        return OpenGraph(self._parts, replace(self.scope, agent=agent))

    @property
    def ontology(self) -> Ontology:
        """What is believed of entities, and who decided."""
        return Ontology(self._parts, self.scope)

    @property
    def knowledge(self) -> Knowledge:
        """The graph as people read it, and the state it is in."""
        return Knowledge(self._parts, self.scope)

    @property
    def dossiers(self) -> Dossiers:
        """All that is known of one entity, for a page about it."""
        return Dossiers(self._parts, self.scope)

    @property
    def summaries(self) -> Summaries:
        """What sessions came to, in a few sentences each."""
        return Summaries(self._parts, self.scope)

    @property
    def dreams(self) -> Dreams:
        """What keeps the memory clean, and what it did."""
        return Dreams(self._parts, self.scope)

    @property
    def jobs(self) -> Jobs:
        """What the background still has to do, and what it gave up."""
        return Jobs(self._parts, self.scope)

    @property
    def memories(self) -> Memories:
        """Long-term memories."""
        return Memories(self._parts, self.scope)

    @property
    def vault(self) -> Vault:
        """Documents: the scope's own, those of the user's teams, and those that all users share."""
        return Vault(self._parts, self.scope)

    @property
    def transfer(self) -> Transfers:
        """What goes out of the scope into files, and what comes in from them."""
        return Transfers(self._parts, self.scope)

    @property
    def world(self) -> World:
        """What is watched outside: prices, their history, alerts and trends."""
        return World(self._parts, self.scope)

    def working(self, namespace: str) -> WorkingMemory:
        """Working memory, writing as `namespace`: `session/…`, `patrol/…` or `subagent/…`."""
        return WorkingMemory(self._parts, self.scope, namespace)
