"""Builds the concrete things from the settings."""

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from nacre.access.limits import Limiter, SharedLimiter
from nacre.domain.clocks import Clock
from nacre.domain.errors import Misconfigured
from nacre.domain.questions import Rerank
from nacre.domain.sharing import SharingSettings
from nacre.domain.world import WorldSource
from nacre.extraction.learning import Learner
from nacre.extraction.listeners import Listener
from nacre.memory import summarizing
from nacre.memory.syncing import Syncer
from nacre.memory.vault import DocumentVault
from nacre.models import choices, local_reranker
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel
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
from nacre.telemetry import probes
from nacre.text import secrets
from nacre.upkeep.cycles import Dreamer, Pass
from nacre.work import dreaming, perceiving, reading
from nacre.work.dreaming import Traffic
from nacre.work.fillings import Fillings
from nacre.work.finalizers import end_with
from nacre.work.follow_ups import FollowUps, follow_learning
from nacre.work.gauges import process_gauges
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
    from nacre.recall.contexts import ContextBuilder

log = logging.getLogger(__name__)


class Parts:
    """What a brain is made of: this class puts it together, and what is done with it is done elsewhere."""

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
            self._assemble_reading(settings, turn_model)
            self._assemble_recall(settings)
            every = [*sources, *([self._own_source] if self._own_source else [])]
            self.perceiver = Perceiver(self.settled, every, rules, with_graph=settings.graph == "on")
            self._assemble_work(settings)
            self._end = end_with(self, self._ends())
        except BaseException:
            self.database.close()
            raise

    def _assemble_reading(self, settings: Settings, turn_model: LanguageModel | None) -> None:
        """Build what learns from what is said, and what is measured of a process."""
        self.reader = ReplicaReader(self.database, _replica(settings, self.database))
        self.indexes = Indexes(settings.index_memory_mb * 2**20, settings.index_passages)
        self.reranking = RerankingPolicy(_rerank(settings), settings.rerank_deadline, local_reranker.load)
        measured = partial(process_gauges, self.database, self.reader, self.indexes, self.reranking, self.embedder)
        self.probe = probes.build(settings, measured)
        if self.probe:
            self.database.around = self.probe.transaction
        writes, talk_reader = settings.graph == "on" and settings.extraction != "off", choices.talk_reader(settings)
        self._works = settings.worker == "thread"
        self.listener = Listener(writes=writes, reader=talk_reader)
        if settings.graph == "on" and not writes:
            log.warning("The graph is read, but extraction may not write to it: NACRE_EXTRACTION is off.")
        asks = writes and turn_model is not None
        self._ranker = choices.ranker(settings)
        self.fillings = Fillings(self.database, self.embedder, self._ranker, works=self._works)
        self.learner = Learner(
            self.database,
            writes=writes,
            reader=talk_reader,
            asks=asks,
            background=self._works,
            after=self.fillings.pack,
        )
        # Has a language model read turns, where the settings want that.
        self.model_worker = (
            reading.model_worker(self.database, settings, turn_model, talk_reader, self.probe)
            if turn_model and writes
            else None
        )
        # Vectors of tokens follow what is learned, in whichever process learns.
        self.learning = LearningThread(self.learner, partial(follow_learning, self.fillings, self.model_worker))

    def _assemble_recall(self, settings: Settings) -> None:
        """Build what keeps memories and documents and finds them again."""
        with_graph = settings.graph == "on"
        self.settled = SettledTransactions(self.database, self.learner.settle_for_caller)
        settled_reader = SettledTransactions(self.reader, self.learner.settle_for_caller)
        self.graphs = Homes(self.settled, SharingSettings.graph_home)
        # For reports, which nothing is written after.
        self.shown_graphs = Homes(settled_reader, SharingSettings.graph_home)
        self.memories = Homes(self.database, SharingSettings.memory_home)
        self.recaller = Recaller(
            settled_reader,
            self.indexes,
            self.embedder,
            self.reranking,
            self.fillings.embed_missing,
            ranker=self._ranker,
            with_graph=with_graph,
        )
        self.memory_search = MemorySearch(self.database, self.indexes, self.embedder)
        self.lookups = Lookups(self.settled, self.recaller, self.memory_search, with_graph=with_graph)
        self.cleaned: Callable[[str], str] = partial(secrets.cleaned, redacts=settings.redact_secrets)
        self.vault = DocumentVault(self.database, self.embedder, self.listener.document)
        self.syncer = Syncer(self.database, self.vault, self.cleaned)
        self.vault_search = VaultSearch(self.database, self.recaller, self.graphs)
        self.scrubber = Scrubber(self.database, self.indexes, self.cache)

    def _assemble_work(self, settings: Settings) -> None:
        """Build what works behind the calls and at night."""
        self.limiter: Limiter | SharedLimiter = Limiter(settings.rate_limit)
        self._expander = cache(
            partial(
                _expander,
                settings,
                self.database,
                self.embedder,
                self.language_model,
                self.memory_search.neighbours,
            )
        )
        self.summarize = partial(
            summarizing.summarize,
            self.database,
            self.embedder,
            model=self.language_model,
            directives=settings.directives,
        )
        self.traffic = Traffic()
        passes = partial(_passes, settings, self.memories, self.graphs, self.embedder)
        self.dreamer = Dreamer(self.database, passes, self.language_model, self.learner.settle)
        work = {
            **handlers(self._expander),
            **graph_handlers(self.database, self.listener),
            dreaming.KIND: dreaming.handler(self.database, self.dreamer, self.traffic),
            **perceiving.handlers(self.database, self.perceiver, self._webhook),
        }
        nightly = [dreaming.nightly(timedelta(hours=settings.dream_hours))] if settings.dream_hours else []
        schedule = Schedule(self.database, (*ROUNDS, *nightly, *self._looks()))
        after, learn = self.fillings.embed_later, self.learner.settle_all
        self.worker = Worker(self.database, work, schedule, after=after, probe=self.probe, learn=learn)
        self.follow_ups = FollowUps(
            self.worker,
            self.model_worker,
            self.learning,
            self.fillings,
            works=self._works,
            writes=self.listener.writes,
        )

    def _looks(self) -> list[Periodic]:
        """The round that has scopes look at the world, where there is something to look with."""
        minutes = self.settings.world_minutes
        return [perceiving.rounds(timedelta(minutes=minutes))] if minutes and self.perceiver.sources else []

    @cached_property
    def contexts(self) -> "ContextBuilder":
        """Puts together what a model is told before it answers."""
        from nacre.recall.contexts import ContextBuilder  # noqa: PLC0415 - all rules of what bears on a message

        unsettled, with_graph = SettledTransactions(self.database, None), self.settings.graph == "on"
        return ContextBuilder(self.settled, unsettled, self.recaller, self.memory_search, with_graph=with_graph)

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

    def close(self) -> None:
        """Stop background work and give back every connection."""
        self._end()

    def _ends(self) -> list[Callable[[], object]]:
        """How each thread and connection ends, in order."""
        threads = (self.worker, self.model_worker, self.scrubber, self.learning, self.fillings)
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
