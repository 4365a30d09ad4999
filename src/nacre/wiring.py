"""Builds the concrete things from the settings."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from nacre.access.limits import Limiter, SharedLimiter
from nacre.domain.clocks import Clock
from nacre.domain.errors import Misconfigured
from nacre.domain.forgetting import ForgetReport
from nacre.domain.jobs import JobStatus
from nacre.domain.memories import Note, RememberReport
from nacre.domain.plain import Json
from nacre.domain.questions import Rerank
from nacre.domain.scopes import Scope
from nacre.domain.sharing import SharingSettings, own_scope
from nacre.domain.structures import Structure
from nacre.domain.world import WorldSource
from nacre.extraction.learning import Learner
from nacre.extraction.listeners import Listener
from nacre.graph.operations.structures import structure_memory
from nacre.memory import summarizing
from nacre.memory.syncing import Syncer
from nacre.memory.vault import DocumentVault
from nacre.models import choices, local_reranker
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel
from nacre.recall.contexts import ContextBuilder
from nacre.recall.filtered_questions import Lookups
from nacre.recall.indexes import Indexes
from nacre.recall.memories import MemorySearch
from nacre.recall.questions import Recaller
from nacre.recall.reranking import RerankingPolicy
from nacre.recall.vault import VaultSearch
from nacre.settings import Settings
from nacre.store.base.cache import Cache
from nacre.store.base.databases import Database
from nacre.store.base.dialects import Pool, is_postgresql
from nacre.store.base.homes import Homes
from nacre.store.base.replicas import ReplicaReader
from nacre.store.evidence.learned_transactions import SettledTransactions
from nacre.store.reads import nodes
from nacre.store.work import jobs
from nacre.telemetry import probes
from nacre.text import secrets
from nacre.text.names import match_key
from nacre.upkeep.cycles import Dreamer, Pass
from nacre.work import dreaming, perceiving, reading, token_vectors
from nacre.work.dreaming import Traffic
from nacre.work.embedding import FillingThread, embed_missing
from nacre.work.finalizers import end_with, weakly
from nacre.work.handlers import graph_handlers, handlers
from nacre.work.learning import LearningThread
from nacre.work.model_calls import patient
from nacre.work.schedules import ROUNDS, Periodic, Schedule
from nacre.work.scrubbing import Scrubber
from nacre.work.workers import Worker
from nacre.world import configuration as chosen_world
from nacre.world.perceptions import Perceiver

if TYPE_CHECKING:
    from nacre.extraction.extractors import Extractor
    from nacre.memory.expanding import Expander
    from nacre.memory.remembering import Neighbours, Rememberer

log = logging.getLogger(__name__)


class Parts:
    """What a brain is made of."""

    def __init__(
        self,
        address: str | Path | None,
        settings: Settings,
        embedder: Embedder | None,
        clock: Clock,
        sources: Sequence[WorldSource] = (),
    ) -> None:
        settings = settings if address is None else settings.model_copy(update={"database": str(address)})
        self.settings = settings
        # What may refuse the settings comes before the database is opened.
        self.language_model = patient(choices.language_model(settings))
        turn_model = patient(choices.turn_model(settings))
        self._own_embedder = None if embedder else choices.embedder(settings)
        self.embedder = embedder or self._own_embedder
        self.cache = Cache(settings.cache) if settings.cache else None
        rules = chosen_world.rules(settings)
        self._webhook = chosen_world.webhook(settings)
        self._own_source = chosen_world.source(settings)
        self.database = Database(settings.database, clock, _pool(settings))
        try:
            self.reader = ReplicaReader(self.database, _replica(settings, self.database))
            writes, talk_reader = (
                settings.graph == "on" and settings.extraction != "off",
                choices.talk_reader(settings),
            )
            self.listener = Listener(writes=writes, reader=talk_reader)
            works = settings.worker == "thread"
            asks = writes and turn_model is not None
            self.learner = Learner(self.database, writes=writes, reader=talk_reader, asks=asks, background=works)
            # Vectors of tokens follow what is learned, in whichever process learns.
            self.learning = LearningThread(self.learner, weakly(self._follow))
            self.settled = SettledTransactions(self.database, self.learner.settle_for_caller)
            every = [*sources, *([self._own_source] if self._own_source else [])]
            self.perceiver = Perceiver(self.settled, every, rules, with_graph=settings.graph == "on")
            self._assemble(settings)
            # Has a language model read turns, where the settings want that.
            self.model_worker = (
                reading.model_worker(self.database, settings, turn_model, talk_reader, self.probe)
                if turn_model and writes
                else None
            )
            self._end = end_with(self, self._ends())
        except BaseException:
            self.database.close()
            raise

    def _assemble(self, settings: Settings) -> None:
        """Build what works with the database."""
        self.limiter: Limiter | SharedLimiter = Limiter(settings.rate_limit)
        self.probe = probes.build(settings, self._measured)
        if self.probe:
            self.database.around = self.probe.transaction
        settled_reader = SettledTransactions(self.reader, self.learner.settle_for_caller)
        self.graphs = Homes(self.settled, SharingSettings.graph_home)
        # For reports, which nothing is written after.
        self.shown_graphs = Homes(settled_reader, SharingSettings.graph_home)
        self.memories = Homes(self.database, SharingSettings.memory_home)
        self.indexes = Indexes(settings.index_memory_mb * 2**20, settings.index_passages)
        fill = partial(embed_missing, self.database, self.embedder) if self.embedder else None
        self._embedding = FillingThread(fill, "nacre-embedding") if fill else None
        ranker = choices.ranker(settings)
        self._fill_tokens = partial(token_vectors.fill_missing, self.database, ranker) if ranker else None
        self._token_filling = FillingThread(self._fill_tokens, "nacre-tokens") if self._fill_tokens else None
        self.reranking = RerankingPolicy(_rerank(settings), settings.rerank_deadline, local_reranker.load)
        self.recaller = Recaller(
            settled_reader,
            self.indexes,
            self.embedder,
            self.reranking,
            self._embed_missing,
            ranker=ranker,
            with_graph=settings.graph == "on",
        )
        self.memory_search = MemorySearch(self.database, self.indexes, self.embedder)
        unsettled = SettledTransactions(self.database, None)
        self.contexts = ContextBuilder(
            self.settled, unsettled, self.recaller, self.memory_search, with_graph=settings.graph == "on"
        )
        self.lookups = Lookups(self.settled, self.recaller, self.memory_search, with_graph=settings.graph == "on")
        neighbours = self.memory_search.neighbours
        self._expander = cache(
            partial(_expander, settings, self.database, self.embedder, self.language_model, neighbours)
        )
        self.summarize = partial(
            summarizing.summarize,
            self.database,
            self.embedder,
            model=self.language_model,
            directives=settings.directives,
        )
        self.vault = DocumentVault(self.database, self.embedder, self.listener.document)
        self.syncer = Syncer(self.database, self.vault, self.cleaned)
        self.vault_search = VaultSearch(self.database, self.recaller, self.graphs)
        if settings.graph == "on" and not self.listener.writes:
            log.warning("The graph is read, but extraction may not write to it: NACRE_EXTRACTION is off.")
        self.traffic = Traffic()
        self.scrubber = Scrubber(self.database)
        passes = partial(_passes, settings, self.memories, self.graphs, self.embedder)
        self.dreamer = Dreamer(self.database, passes, self.language_model, self.learner.settle)
        self._works = settings.worker == "thread"
        work = {
            **handlers(self._expander),
            **graph_handlers(self.database),
            dreaming.KIND: dreaming.handler(self.database, self.dreamer, self.traffic),
            **perceiving.handlers(self.database, self.perceiver, self._webhook),
        }
        nightly = [dreaming.nightly(timedelta(hours=settings.dream_hours))] if settings.dream_hours else []
        schedule = Schedule(self.database, (*ROUNDS, *nightly, *self._looks()))
        learn = self.learner.settle_all
        self.worker = Worker(
            self.database, work, schedule, after=weakly(self.embed_later), probe=self.probe, learn=learn
        )

    def _measured(self) -> dict[str, float]:
        """How things stand in this process, and what its parts have counted."""
        return {
            "index_bytes": self.indexes.nbytes,
            "indexes": len(self.indexes),
            "index_hits": self.indexes.hits,
            "index_refreshes": self.indexes.refreshes,
            "index_loads": self.indexes.loads,
            "database_connections_in_use": self.database.in_use + self.reader.in_use,
            "rerank_fallbacks": self.reranking.fallbacks,
            "embedder_failures": getattr(self.embedder, "failures", 0),
        }

    def _looks(self) -> list[Periodic]:
        """The round that has scopes look at the world, where there is something to look with."""
        minutes = self.settings.world_minutes
        return [perceiving.rounds(timedelta(minutes=minutes))] if minutes and self.perceiver.sources else []

    @cached_property
    def rememberer(self) -> "Rememberer":
        """Keeps long-term memories."""
        from nacre.memory.remembering import Rememberer  # noqa: PLC0415 - all rules of replacing

        neighbours, hear = self.memory_search.neighbours, self.listener.remembered
        return Rememberer(self.database, self.embedder, neighbours, self._expander().request, hear=hear)

    @cached_property
    def extractor(self) -> "Extractor":
        """Reads whole texts that are handed over for the graph."""
        from nacre.extraction.extractors import Extractor  # noqa: PLC0415 - all rules, which a question does not need

        settings = self.settings
        return Extractor(
            self.graphs,
            self.embedder,
            lambda provider, model: choices.language_model(settings, provider, model),
            directives=settings.directives,
            token_cap=settings.llm_token_cap,
        )

    def cleaned(self, text: str) -> str:
        """A text as it may be kept: without its secrets, where the settings want that."""
        # What is no text is refused further on.
        if not (self.settings.redact_secrets and isinstance(text, str)):
            return text
        return secrets.redact(text)[0]

    def diagnostics(self) -> dict[str, Json]:
        """What the brain runs on, and which parts of it are switched off."""
        graph: dict[str, Json] = {
            "enabled": self.settings.graph == "on",
            "extraction_writes_enabled": self.listener.writes,
        }
        with self.database.read_all() as tx:
            waiting: dict[str, Json] = {
                status.value: jobs.count(tx, status) for status in (JobStatus.WAITING, JobStatus.DEAD)
            }
        return {
            "database": self.database.kind,
            "embedder": self.embedder.embed_question("space").space if self.embedder else None,
            "rerank": self.reranking.default.value,
            "language_model": self.settings.llm_model,
            "graph": graph,
            "cache": self._cache_state(),
            "jobs": waiting,
        }

    def _cache_state(self) -> str:
        if self.cache is None:
            return "off"
        return "answers" if self.cache.answers() else "does not answer"

    def visit(self, scope: Scope) -> None:
        """Look after what earlier processes left to do, in a scope that this one has not worked with before."""
        self.database.check_open()
        if self._works:
            self.worker.visit()
            if self.model_worker:
                self.model_worker.visit()
            if self.listener.writes:
                self.learning.start()
        if self._embedding:
            self._embedding.visit(scope)
            self._embedding.visit(own_scope(scope.agent))
        if self._token_filling and self._works:
            self._token_filling.visit(scope)
            self._token_filling.visit(own_scope(scope.agent))

    def work_later(self) -> None:
        """Have the jobs that were just enqueued done in the background, unless other processes do that."""
        if self._works:
            self.worker.wake()

    def learn_later(self, scope: Scope) -> None:
        """Have what a scope was told learned in the background, unless other processes do that."""
        if self._works and self.listener.writes:
            self.learning.wake(scope)

    def _follow(self, scope: Scope) -> None:
        """Have done in the background what follows when everything of a scope was learned."""
        self._compare_later(scope)
        if self.model_worker:
            self.model_worker.wake()

    def _compare_later(self, scope: Scope) -> None:
        """Have the vectors of tokens that the scope's new passages lack made in the background."""
        if self._token_filling:
            self._token_filling.wake(scope)

    def fill_tokens(self, scope: Scope) -> None:
        """Make the vectors of tokens that the scope's passages lack, now."""
        if self._fill_tokens:
            self._fill_tokens(scope)

    def remember(
        self, scope: Scope, note: Note, structure: Structure | None = None, payload: str | None = None
    ) -> RememberReport:
        """Keep a note as a long-term memory, where those of the scope are kept, and what it is about in the graph."""
        # What was said before is learned before.
        self.learner.settle_for_caller(scope)
        home = self.memories.of(scope)
        structuring = partial(structure_memory, scope=scope, given=structure) if structure else None
        remembered = self.rememberer.remember(home, note, structuring, payload)
        self.embed_later(home)
        return remembered

    def embed_later(self, scope: Scope) -> None:
        """Have the vectors of the scope's new passages made in the background, where the embedder needs that."""
        if self.embedder and not self.embedder.local:
            self._embed_missing(scope)
        if self._works:
            self._compare_later(scope)

    def _embed_missing(self, scope: Scope) -> None:
        if self._embedding:
            self._embedding.wake(scope)

    def scrub(self, scope: Scope, report: ForgetReport) -> ForgetReport:
        """After a purge: hold nothing of the scope in memory or in the cache, and leave no bytes of it behind."""
        self.indexes.drop(scope.id)
        match_key.cache_clear()
        if self.cache:
            # What the agent shares may have rested on it.
            for place in {scope, own_scope(scope.agent)}:
                self.cache.drop(nodes.group(place.id))
        return report if self.scrubber.scrub() else replace(report, pending=True)

    def close(self) -> None:
        """Stop background work and give back every connection."""
        self._end()

    def _ends(self) -> list[Callable[[], object]]:
        """How each thread and connection ends, in order."""
        threads = (self.worker, self.model_worker, self.scrubber, self.learning, self._embedding, self._token_filling)
        held = (self._own_embedder, self.probe, self.cache, self._own_source, self._webhook)
        closed = [each.close for each in held if each]
        return [*(each.stop for each in threads if each), *closed, self.reader.close, self.database.close]


def _expander(
    settings: Settings,
    database: Database,
    embedder: Embedder | None,
    model: LanguageModel | None,
    neighbours: "Neighbours",
) -> "Expander":
    from nacre.memory.expanding import Expander  # noqa: PLC0415 - all rules of replacing

    return Expander(database, embedder, model, directives=settings.directives, neighbours=neighbours)


def _passes(settings: Settings, memories: Homes, graphs: Homes, embedder: Embedder | None) -> list[Pass]:
    from nacre.upkeep.passes import graph_passes, memory_passes  # noqa: PLC0415 - all rules of upkeep

    directives, cap = settings.directives, settings.llm_token_cap
    of_memories = memory_passes(memories, graphs, embedder, directives, cap)
    if settings.graph == "off":
        return of_memories
    by_day = settings.extraction == "model"
    return [*of_memories, *graph_passes(graphs, embedder, directives, cap, read_by_day=by_day)]


def _pool(settings: Settings) -> Pool:
    return Pool(
        size=settings.pool_size,
        overflow=settings.pool_overflow,
        wait_seconds=settings.pool_seconds,
        statement_seconds=settings.statement_seconds,
        lock_seconds=settings.lock_seconds,
        idle_seconds=settings.idle_seconds,
        behind_pooler=settings.pooler,
    )


def _replica(settings: Settings, database: Database) -> Database | None:
    if settings.replica is None:
        return None
    if database.kind != "postgresql" or not is_postgresql(settings.replica):
        raise Misconfigured("A replica copies a PostgreSQL: both NACRE_DATABASE and NACRE_REPLICA must be one.")
    return Database(settings.replica, database.clock, _pool(settings), migrates=False)


def _rerank(settings: Settings) -> Rerank:
    """How thoroughly hits are reranked where a question does not say."""
    if settings.rerank == "auto":
        return Rerank.FAST if local_reranker.installed() else Rerank.OFF
    chosen = Rerank(settings.rerank)
    if chosen is not Rerank.OFF:
        local_reranker.check()
    return chosen
