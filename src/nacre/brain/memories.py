"""A scope's long-term memories."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.errors import Invalid, NotFound
from nacre.domain.hits import Evidence
from nacre.domain.memories import Match, Memory, check_category, check_tags
from nacre.domain.scopes import Scope
from nacre.store import findings, memories
from nacre.store.databases import Transaction
from nacre.store.memories import Filter
from nacre.wiring import Parts

SHORT = 12


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
    ) -> list[Match]:
        """Entries by words and meaning, best first; without a query, the last seen first.

        `category` takes in those below it, `tags` must all be there, `since` and `until` are about when it was made.
        """
        wanted = Filter(
            category=None if category is None else check_category(category),
            tags=check_tags(tags),
            since=checks.optional_instant("since", since),
            until=checks.optional_instant("until", until),
        )
        text = None if query is None else checks.text("query", query)
        checks.count("limit", limit)
        return self._parts.memory_search.search(self._parts.memories.of(self._scope), text, wanted, limit)

    def get(self, memory: UUID | str) -> Memory:
        """One entry, in force or not."""
        with self._parts.memories.read(self._scope) as tx:
            return find(tx, memory)

    def evidence(self, memory: UUID | str) -> list[Evidence]:
        """Every source an entry rests on, with the exact words, first said first."""
        with self._parts.memories.read(self._scope) as tx:
            return findings.evidence_of(tx, find(tx, memory).id)

    def categories(self) -> dict[str, int]:
        """How many entries in force each category holds."""
        with self._parts.memories.read(self._scope) as tx:
            return memories.categories(tx)

    def set_importance(self, memory: UUID | str, importance: float) -> Memory:
        """Say how much an entry matters, from 0 to 1."""
        checks.fraction("importance", importance)
        with self._parts.memories.write(self._scope) as tx:
            changed = replace(find(tx, memory), importance=importance)
            memories.save(tx, changed)
            return changed


def find(tx: Transaction, memory: UUID | str) -> Memory:
    """The entry that a caller named."""
    if isinstance(memory, str) and len(memory) == SHORT:
        found = memories.by_short(tx, memory.lower())
        if len(found) > 1:
            raise Invalid("memory", f"`{memory}` names {len(found)} entries; use the whole id")
    else:
        found = list(memories.by_id(tx, [ids.parse("memory", memory)]).values())
    if not found:
        raise NotFound("memory", str(memory))
    return found[0]
