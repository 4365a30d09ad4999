"""Values under keys, kept as memories: what stores of other libraries rest on.

An item is a memory of the category `items`, whose entries are never joined with others. Its value is kept word for
word as evidence, so it comes back exactly as it was put. Putting an item again makes a new memory and forgets the old
one, which history and `as_of` still show.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from nacre.brain import ScopedNacre
from nacre.domain.checks import MAX_LIMIT
from nacre.domain.items import CREATED, DIGEST, PLACE, UNINDEXED, ItemPlace, Namespace, digest, tag, under, written
from nacre.domain.memories import ITEMS, Memory, MemoryMatch
from nacre.domain.plain import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem:
    """An item; `score` is None where nothing was asked."""

    namespace: Namespace
    key: str
    value: dict[str, Json]
    created_at: datetime
    updated_at: datetime
    score: float | None = None


class Items:
    """The items of one scope."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._scope = scope

    def get(self, namespace: Namespace, key: str) -> StoredItem | None:
        """The item under a key."""
        held = self._held(namespace, key)
        return self._kept(MemoryMatch(memory=held[0])) if held else None

    def put(self, namespace: Namespace, key: str, value: object, *, indexed: bool = True) -> None:
        """Keep a JSON object under a key, in place of what it held."""
        before = self._held(namespace, key)
        text, place = written(value), ItemPlace(namespace, key)
        metadata = place.metadata(text)
        metadata |= {CREATED: _created(before[-1]).isoformat()} if before else {}
        metadata |= {} if indexed else {UNINDEXED: "yes"}
        # What comes structured, if only by nothing, is not taken apart, and nothing is learned from it.
        self._scope.remember(text, category=place.category, tags=place.tags, metadata=metadata, structured={})
        # The old goes last: a crash leaves two, of which the newer counts.
        for memory in before:
            self._scope.forget(memory.id)

    def delete(self, namespace: Namespace, key: str) -> None:
        """Forget the item under a key."""
        for memory in self._held(namespace, key):
            self._scope.forget(memory.id)

    def search(self, prefix: Namespace, query: str | None = None) -> Iterator[StoredItem]:
        """The items below a namespace: the best first, then the others, the newest first."""
        seen: set[str | None] = {None}
        for match in self._ranked(prefix, query) if query else self._every(prefix):
            # A memory that somebody put into the category by hand has no place.
            place = match.memory.metadata.get(PLACE)
            if place not in seen:
                seen.add(place)
                yield self._kept(match)

    def namespaces(self) -> set[Namespace]:
        """Every namespace that holds an item."""
        return {_place(match.memory)[0] for match in self._every(()) if PLACE in match.memory.metadata}

    def _held(self, namespace: Namespace, key: str) -> list[Memory]:
        """The memory of an item, or several where writers met; the newest first."""
        found = self._scope.memories.search(category=ITEMS, tags=[tag("item", namespace, key)], limit=MAX_LIMIT)
        return [match.memory for match in found]

    def _ranked(self, prefix: Namespace, query: str) -> Iterator[MemoryMatch]:
        found = self._scope.memories.search(query, category=ITEMS, tags=under(prefix), limit=MAX_LIMIT)
        yield from (match for match in found if UNINDEXED not in match.memory.metadata)
        # A store ranks, and leaves nothing out: what does not bear on the query comes last.
        for match in self._every(prefix):
            yield match if UNINDEXED in match.memory.metadata else replace(match, score=0.0)

    def _every(self, prefix: Namespace) -> Iterator[MemoryMatch]:
        """What is below a namespace, page by page; one at the edge of two pages comes twice."""
        until = None
        while True:
            page = self._scope.memories.search(category=ITEMS, tags=under(prefix), until=until, limit=MAX_LIMIT)
            yield from page
            if len(page) < MAX_LIMIT or page[-1].memory.created_at == until:
                return
            until = page[-1].memory.created_at

    def _kept(self, match: MemoryMatch) -> StoredItem:
        memory = match.memory
        (namespace, key), wanted = _place(memory), memory.metadata[DIGEST]
        text = memory.content
        if digest(text) != wanted:
            # The entry quotes orders in a text; its evidence does not. Secrets that were redacted are gone for good.
            quotes = [each.quote for each in self._scope.memories.evidence(memory.id)]
            text = next((quote for quote in quotes if digest(quote) == wanted), text)
        value = json.loads(text)
        made, now = _created(memory), memory.created_at
        return StoredItem(namespace=namespace, key=key, value=value, created_at=made, updated_at=now, score=match.score)


def _place(memory: Memory) -> tuple[Namespace, str]:
    namespace, key = json.loads(memory.metadata[PLACE])
    return tuple(namespace), key


def _created(memory: Memory) -> datetime:
    held = memory.metadata.get(CREATED)
    return datetime.fromisoformat(held) if held else memory.created_at
