"""A scope's long-term memories."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from uuid import UUID

from nacre.brain.probing import probed
from nacre.domain import checks
from nacre.domain.answers import Answer, MemoryQuery
from nacre.domain.audits import CALLER
from nacre.domain.hits import Evidence
from nacre.domain.memories import (
    Memory,
    MemoryChange,
    MemoryFilter,
    MemoryMatch,
    Note,
    RememberReport,
    check_category,
    check_tags,
)
from nacre.domain.navigation import check_offset, page
from nacre.domain.scopes import Scope
from nacre.domain.structures import Structure
from nacre.graph.operations.structures import structure_memory
from nacre.memory import entries
from nacre.wiring import Parts


@probed("memories")
class Memories:
    """Long-term memories. An entry is named by its id, or by the twelve characters that contexts show."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def search(
        self,
        query: str | None = None,
        *,
        category: str | None = None,
        tags: Iterable[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 10,
        offset: int = 0,
        as_of: datetime | None = None,
    ) -> list[MemoryMatch]:
        """Entries by words and meaning, best first; without a query, the last seen first.

        `category` takes in those below it, `tags` must all be there, `since` and `until` are about when it was made.
        `as_of` shows what was in force at a moment, as it was then.
        """
        wanted = MemoryFilter(
            category=None if category is None else check_category(category),
            tags=check_tags(tags),
            since=checks.optional_instant("since", since),
            until=checks.optional_instant("until", until),
        )
        text = None if query is None else checks.text("query", query)
        checks.count("limit", limit)
        start, moment = check_offset(offset), checks.optional_instant("as_of", as_of)
        home = self._parts.memories.of(self._scope)
        return self._parts.memory_search.search(home, text, wanted, limit, moment, offset=start)

    def look_up(
        self,
        query: str,
        *,
        limit: int = 10,
        type: str | None = None,  # noqa: A002 - the documents' name
        tags: Iterable[str] = (),
        who: str | None = None,
        project: str | None = None,
        pinned: bool | None = None,
        importance_min: float | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        session: str | None = None,
        include_recalled: bool = False,
        explain: bool = False,
    ) -> Answer:
        """What is known about a question, and what is believed of the entities that it names.

        `type` is a kind such as `turn`, or a category. A tag, a category, `who`, `project`, `pinned` or an importance
        asks for memories alone. A session is not told the same twice, unless it wants what it was told before.
        """
        asked = MemoryQuery(
            query=query,
            limit=limit,
            type=type,
            tags=check_tags(tags),
            who=who,
            project=project,
            pinned=pinned,
            importance_min=importance_min,
            since=since,
            until=until,
            session=session,
            include_recalled=include_recalled,
            explain=explain,
        )
        self._parts.traffic.note(self._scope)
        return self._parts.lookups.answer(self._scope, asked)

    def newest(self, *, category: str | None = None, limit: int = 50, offset: int = 0) -> list[Memory]:
        """Entries in force, the last seen first."""
        span = page(limit, offset)
        wanted = MemoryFilter(category=None if category is None else check_category(category))
        with self._parts.memories.read(self._scope) as tx:
            return entries.newest(tx, wanted, limit, span.start)

    def get(self, memory: UUID | str, *, as_of: datetime | None = None) -> Memory:
        """One entry, in force or not, as it is or as it was at a moment.

        One that was replaced, split or merged says so in its `archive_reason`, and where it went in `replaced_by`.
        """
        moment = checks.optional_instant("as_of", as_of)
        with self._parts.memories.read(self._scope) as tx:
            return entries.get(tx, memory, moment)

    def history(self, memory: UUID | str) -> list[MemoryChange]:
        """Everything that happened to an entry, the last change first: who did what, and what it said from then on."""
        with self._parts.memories.read(self._scope) as tx:
            return entries.history(tx, memory)

    def evidence(self, memory: UUID | str) -> list[Evidence]:
        """Every source an entry rests on, with the exact words, first said first."""
        with self._parts.memories.read(self._scope) as tx:
            return entries.evidence(tx, memory)

    def categories(self) -> dict[str, int]:
        """How many entries in force each category holds."""
        with self._parts.memories.read(self._scope) as tx:
            return entries.categories(tx)

    def set_importance(self, memory: UUID | str, importance: float, *, actor: str = CALLER) -> Memory:
        """Say how much an entry matters, from 0 to 1."""
        checks.fraction("importance", importance)
        checks.name("actor", actor)
        with self._parts.memories.write(self._scope) as tx:
            return entries.set_importance(tx, memory, importance, actor)

    def pin(self, memory: UUID | str, *, actor: str = CALLER) -> Memory:
        """Keep an entry from fading and from being pruned, whatever its importance."""
        return self._set_pinned(memory, pinned=True, actor=actor)

    def unpin(self, memory: UUID | str, *, actor: str = CALLER) -> Memory:
        """Let an entry age as any other."""
        return self._set_pinned(memory, pinned=False, actor=actor)

    def _set_pinned(self, memory: UUID | str, *, pinned: bool, actor: str) -> Memory:
        checks.name("actor", actor)
        with self._parts.memories.write(self._scope) as tx:
            return entries.set_pinned(tx, memory, actor, pinned=pinned)


def remember(
    parts: Parts, scope: Scope, note: Note, structure: Structure | None = None, payload: str | None = None
) -> RememberReport:
    """Keep a note as a long-term memory, where those of the scope are kept, and what it is about in the graph."""
    # What was said before is learned before.
    parts.learner.settle_for_caller(scope)
    home = parts.memories.of(scope)
    structuring = partial(structure_memory, scope=scope, given=structure) if structure else None
    remembered = parts.rememberer.remember(home, note, structuring, payload)
    parts.fillings.embed_later(home)
    return remembered
