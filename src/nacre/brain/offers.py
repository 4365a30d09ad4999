"""Offers to a scope from its graph, and what came of them."""

from collections.abc import Collection, Iterable
from datetime import datetime
from uuid import UUID

from nacre.brain.probing import probed
from nacre.domain import checks, ids
from nacre.domain.errors import Invalid
from nacre.domain.offers import EntityHealth, WeightUpkeep
from nacre.domain.scopes import Scope
from nacre.domain.traversals import Traversal
from nacre.graph.operations import offers
from nacre.graph.reading import quality
from nacre.store.base.homes import Homes
from nacre.wiring import Parts

MAX_ITEMS = 1_000


@probed("offers")
class Offers:
    """What sessions were offered, and whether it was of use. What was of use is found more easily next time."""

    def __init__(self, parts: Parts, scope: Scope, graphs: Homes | None = None) -> None:
        self._parts = parts
        self._scope = scope
        self._graphs = graphs or parts.graphs

    def offer(self, session: str, found: Traversal, *, items: Iterable[UUID | str] | None = None) -> int:
        """Note that a session is offered what a traversal found, or those `items` of it; how many that are."""
        shown = None if items is None else _items(items)
        with self._graphs.write(self._scope) as tx:
            return offers.offer(tx, self._scope, checks.name("session", session), found, shown)

    def used(self, session: str, items: Iterable[UUID | str]) -> int:
        """Memories or turns were of use to the session they were offered to; how many were not marked so yet."""
        keys = _items(items)
        with self._graphs.write(self._scope) as tx:
            return offers.used(tx, self._scope, checks.name("session", session), keys)

    def useless(self, session: str, items: Iterable[UUID | str]) -> int:
        """Memories or turns led the session astray they were offered to; how many were not marked so yet."""
        keys = _items(items)
        with self._graphs.write(self._scope) as tx:
            return offers.useless(tx, self._scope, checks.name("session", session), keys)

    def heard(self, session: str, text: str) -> int:
        """A session says something: what it was offered and now puts into words was of use; how much that was."""
        checks.text("text", text)
        with self._graphs.write(self._scope) as tx:
            return offers.heard(tx, self._scope, checks.name("session", session), text)

    def health(
        self, *, since: datetime | None = None, min_comparisons: int = 3, limit: int = 100
    ) -> list[EntityHealth]:
        """How well what is offered about each entity serves, for those offered in enough sessions."""
        checks.count("min_comparisons", min_comparisons)
        checks.count("limit", limit)
        with self._graphs.read(self._scope) as tx:
            return quality.entity_health(tx, checks.optional_instant("since", since), min_comparisons, limit)

    def tend(self, *, at_once: bool = False) -> WeightUpkeep:
        """Let stale weights decay and link what is spoken of together, if ten sessions went by, or `at_once`."""
        with self._graphs.write(self._scope) as tx:
            return offers.tend(tx, at_once=at_once)


def _items(given: Iterable[UUID | str]) -> Collection[UUID]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise Invalid("items", "must be a list of ids")
    keys = {ids.parse("items", each) for each in given}
    if len(keys) > MAX_ITEMS:
        raise Invalid("items", f"has {len(keys):,} ids; at most {MAX_ITEMS:,} are allowed")
    return keys
