"""A scope's long-term memories."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.audits import CALLER
from nacre.domain.errors import Invalid, NotFound
from nacre.domain.hits import Evidence
from nacre.domain.memories import Match, Memory, MemoryChange, check_category, check_tags
from nacre.domain.scopes import Scope
from nacre.memory.changing import SET_IMPORTANCE, Changes
from nacre.store import findings, memories, pasts, scopes
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
        as_of: datetime | None = None,
    ) -> list[Match]:
        """Entries by words and meaning, best first; without a query, the last seen first.

        `category` takes in those below it, `tags` must all be there, `since` and `until` are about when it was made.
        `as_of` shows what was in force at a moment, as it was then.
        """
        wanted = Filter(
            category=None if category is None else check_category(category),
            tags=check_tags(tags),
            since=checks.optional_instant("since", since),
            until=checks.optional_instant("until", until),
        )
        text = None if query is None else checks.text("query", query)
        checks.count("limit", limit)
        moment = checks.optional_instant("as_of", as_of)
        return self._parts.memory_search.search(self._parts.memories.of(self._scope), text, wanted, limit, moment)

    def get(self, memory: UUID | str, *, as_of: datetime | None = None) -> Memory:
        """One entry, in force or not, as it is or as it was at a moment."""
        moment = checks.optional_instant("as_of", as_of)
        with self._parts.memories.read(self._scope) as tx:
            if moment is None:
                return find(tx, memory)
            key = _key(tx, memory)
            then = pasts.memories_at(tx, [key], moment).get(key)
        if then is None:
            raise NotFound("memory at that time", str(memory))
        return then

    def history(self, memory: UUID | str) -> list[MemoryChange]:
        """Everything that happened to an entry, the last change first: who did what, and what it said from then on."""
        with self._parts.memories.read(self._scope) as tx:
            steps = pasts.memory_steps(tx, _key(tx, memory))
        if not steps:
            raise NotFound("memory", str(memory))
        return [MemoryChange(record=record, memory=left) for record, left in steps]

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
            scopes.lock(tx)
            changed = replace(find(tx, memory), importance=importance)
            changes = Changes(tx, CALLER)
            changes.save(changed)
            changes.written(SET_IMPORTANCE, {"memory_id": str(changed.id), "importance": importance})
            return changed


def _key(tx: Transaction, memory: UUID | str) -> UUID:
    """The id of an entry that may be gone by now."""
    short = isinstance(memory, str) and len(memory) == SHORT
    return find(tx, memory).id if short else ids.parse("memory", memory)


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
