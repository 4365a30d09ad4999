"""Values under keys, kept as memories: what stores of other libraries rest on.

An item is a memory of the category `items`, whose entries are never joined with others. Its value is kept word for
word as evidence, so it comes back exactly as it was put. Putting an item again makes a new memory and forgets the old
one, which history and `as_of` still show.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from nacre.brain import ScopedNacre
from nacre.domain.checks import MAX_LIMIT
from nacre.domain.errors import Invalid
from nacre.domain.memories import ITEMS, Match, Memory
from nacre.domain.plain import Json

Namespace = tuple[str, ...]

MAX_CATEGORY = 150
# Names in the metadata of an item.
PLACE, DIGEST, CREATED, UNINDEXED = "item", "item_digest", "item_created_at", "item_unindexed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
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

    def get(self, namespace: Namespace, key: str) -> Kept | None:
        """The item under a key."""
        held = self._held(namespace, key)
        return self._kept(Match(memory=held[0])) if held else None

    def put(self, namespace: Namespace, key: str, value: object, *, indexed: bool = True) -> None:
        """Keep a JSON object under a key, in place of what it held."""
        before = self._held(namespace, key)
        text = _written(value)
        metadata = {PLACE: json.dumps([namespace, key]), DIGEST: _digest(text)}
        metadata |= {CREATED: _created(before[-1]).isoformat()} if before else {}
        metadata |= {} if indexed else {UNINDEXED: "yes"}
        tags = [_tag("item", namespace, key), *(_tag("under", namespace[: n + 1]) for n in range(len(namespace)))]
        # What comes structured, if only by nothing, is not taken apart, and nothing is learned from it.
        self._scope.remember(text, category=_category(namespace), tags=tags, metadata=metadata, structured={})
        # The old goes last: a crash leaves two, of which the newer counts.
        for memory in before:
            self._scope.forget(memory.id)

    def delete(self, namespace: Namespace, key: str) -> None:
        """Forget the item under a key."""
        for memory in self._held(namespace, key):
            self._scope.forget(memory.id)

    def search(self, prefix: Namespace, query: str | None = None) -> Iterator[Kept]:
        """The items below a namespace: the best first, then those without an index, or all, the newest first."""
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
        found = self._scope.memories.search(category=ITEMS, tags=[_tag("item", namespace, key)], limit=MAX_LIMIT)
        return [match.memory for match in found]

    def _ranked(self, prefix: Namespace, query: str) -> Iterator[Match]:
        found = self._scope.memories.search(query, category=ITEMS, tags=_under(prefix), limit=MAX_LIMIT)
        yield from (match for match in found if UNINDEXED not in match.memory.metadata)
        yield from (match for match in self._every(prefix) if UNINDEXED in match.memory.metadata)

    def _every(self, prefix: Namespace) -> Iterator[Match]:
        """What is below a namespace, page by page; one at the edge of two pages comes twice."""
        until = None
        while True:
            page = self._scope.memories.search(category=ITEMS, tags=_under(prefix), until=until, limit=MAX_LIMIT)
            yield from page
            if len(page) < MAX_LIMIT or page[-1].memory.created_at == until:
                return
            until = page[-1].memory.created_at

    def _kept(self, match: Match) -> Kept:
        memory = match.memory
        (namespace, key), wanted = _place(memory), memory.metadata[DIGEST]
        text = memory.content
        if _digest(text) != wanted:
            # The entry quotes orders in a text; its evidence does not. Secrets that were redacted are gone for good.
            quotes = [each.quote for each in self._scope.memories.evidence(memory.id)]
            text = next((quote for quote in quotes if _digest(quote) == wanted), text)
        value = json.loads(text)
        made, now = _created(memory), memory.created_at
        return Kept(namespace=namespace, key=key, value=value, created_at=made, updated_at=now, score=match.score)


def _place(memory: Memory) -> tuple[Namespace, str]:
    namespace, key = json.loads(memory.metadata[PLACE])
    return tuple(namespace), key


def _created(memory: Memory) -> datetime:
    held = memory.metadata.get(CREATED)
    return datetime.fromisoformat(held) if held else memory.created_at


def _written(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid("value", f"must be JSON: {error}") from error


def _under(prefix: Namespace) -> list[str]:
    return [_tag("under", prefix)] if prefix else []


def _tag(kind: str, *place: object) -> str:
    return f"{kind}-{_digest(json.dumps(place))}"


def _digest(text: str) -> str:
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def _category(namespace: Namespace) -> str:
    """The namespace for people to read, as far as it can stand in a category."""
    parts = [re.sub(r"[^A-Za-z0-9_-]+", "-", label).strip("-") for label in namespace]
    return "/".join([ITEMS, *filter(None, parts)])[:MAX_CATEGORY].rstrip("/")
