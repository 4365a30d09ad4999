"""What tests of dreaming work with: a scope, its passes, and entries made to order."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from nacre import Nacre, ScopedNacre
from nacre.domain import ids
from nacre.domain.dreams import Dream, PassName, PassReport
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.memories import Memory, MemoryFilter
from nacre.memory.changing import Changes
from nacre.memory.passage_drafts import draft, prepare
from nacre.models.language_models import LanguageModel, RemoteLanguageModel
from nacre.store.base import scopes
from nacre.store.evidence import memories, passages, sources
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.upkeep.consolidation import ConsolidationPass
from nacre.upkeep.cycles import Dreamer, Pass
from nacre.upkeep.decay import DecayPass
from nacre.upkeep.preferences import PreferencePass
from tests.models.llm_service import LanguageModelService


class Desk:
    """A scope, and the memory passes over it."""

    def __init__(self, nacre: Nacre, scope: ScopedNacre) -> None:
        self.parts = nacre.parts
        self.scope = scope
        self.disturbed: Callable[[], bool] = lambda: False
        self.model: LanguageModel | None = None
        self.token_cap = 200_000

    def passes(self) -> list[Pass]:
        """The passes under test."""
        parts = self.parts
        return [
            DecayPass(parts.memories, parts.graphs),
            PreferencePass(parts.memories, parts.embedder, token_cap=self.token_cap),
            ConsolidationPass(parts.memories, parts.embedder, token_cap=self.token_cap),
        ]

    def ask(self, service: LanguageModelService, timeout: float = 20) -> None:
        """Have a language model at hand."""
        self.model = RemoteLanguageModel("tiny", endpoint=service.url, timeout_seconds=timeout)

    def dream(self, *names: PassName, dry_run: bool = False) -> Dream:
        """One cycle, of all passes or of some."""
        dreamer = Dreamer(self.parts.database, self.passes, self.model)
        return dreamer.dream(self.scope.scope, only=names or None, dry_run=dry_run, disturbed=self.disturbed)

    def run(self, name: PassName, *, dry_run: bool = False) -> PassReport:
        """One pass, alone."""
        (report,) = self.dream(name, dry_run=dry_run).passes
        return report

    def add(self, content: str, *, category: str = "general", days_ago: float = 0, **given: Any) -> Memory:
        """An entry as it is wanted, past the check for duplicates that a save makes."""
        parts = self.parts
        at = parts.database.clock() - timedelta(days=days_ago)
        with parts.memories.write(self.scope.scope) as tx:
            scopes.lock(tx)
            source = SourceRow(id=SourceId(ids.new(at)), kind=SourceKind.NOTE, text=content, at=at)
            sources.add(tx, [source])
            times: dict[str, Any] = {"created_at": at, "updated_at": at, "last_seen_at": at}
            memory = Memory(
                id=MemoryId(ids.new(at)),
                content=content,
                category=category,
                source=SourceId(source.id),
                quote=(0, len(content)),
                **{**times, **given},
            )
            changes = Changes(tx, "test")
            changes.add(memory)
            passages.add(tx, prepare(parts.embedder, [draft(memory)]))
            changes.written("remember", {"memory_id": str(memory.id)})
        return memory

    def fill(self, count: int) -> list[Memory]:
        """Entries that have nothing to do with each other."""
        return [self.add(text) for text in _DIFFERENT[:count]]

    def current(self) -> dict[str, Memory]:
        """The entries in force, by what they say."""
        with self.parts.memories.read(self.scope.scope) as tx:
            return {memory.content: memory for memory in memories.newest(tx, MemoryFilter(), 2_000)}

    def stored(self, memory: Memory) -> Memory:
        """An entry as it is now."""
        with self.parts.memories.read(self.scope.scope) as tx:
            return memories.by_id(tx, [memory.id])[memory.id]

    def say(self, *texts: str, role: str = "user", session: str = "s1") -> None:
        """Messages of one side."""
        for text in texts:
            self.scope.observe(role, text, session=session)


def contents(entries: Sequence[Memory]) -> set[str]:
    """What entries say."""
    return {each.content for each in entries}


_DIFFERENT = [
    "The harbour office opens at seven",
    "Bruno repairs violins in Lisbon",
    "The greenhouse needs a new heater",
    "Carla is allergic to peanuts",
    "Invoices are due within 30 days",
    "The archive moved to the basement",
    "Diego runs the marathon in April",
    "The printer on floor 3 jams often",
    "Elena teaches physics at Turing College",
    "Our newsletter goes out on Fridays",
    "Fatima speaks Arabic and Dutch",
    "The van has a broken mirror",
    "Goran keeps bees behind his barn",
    "The board meets in Vienna twice a year",
    "Hana translated the manual into Czech",
    "The lighthouse was painted red",
    "Ivan collects stamps from Peru",
    "The server room key is with Julia",
    "Kofi designed the logo of Pebble",
    "The orchestra rehearses on Sundays",
]
