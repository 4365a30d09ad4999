"""The kinds of work there are, and who does each."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from nacre.domain import ids
from nacre.domain.errors import Invalid
from nacre.domain.ids import MemoryId
from nacre.domain.jobs import COMPARE_MEMORY, READ_REST
from nacre.domain.scopes import Scope
from nacre.extraction.listeners import Listener
from nacre.graph.reading import communities
from nacre.memory.changing import EXPAND_MEMORY
from nacre.models import local_succession
from nacre.store.base.databases import Database
from nacre.work.queues import Apply, Handler, Payload

if TYPE_CHECKING:
    from nacre.memory.expanding import Expander


def handlers(expander: "Callable[[], Expander]") -> dict[str, Handler]:
    """Who does each kind of work; the expander is asked for when there is some."""

    def expand_memory(scope: Scope, payload: Payload) -> Apply | None:
        return expander().expand(scope, ids.parse("memory_id", _text(payload, "memory_id")))

    return {EXPAND_MEMORY: expand_memory}


def graph_handlers(database: Database, listener: Listener) -> dict[str, Handler]:
    """Who does each kind of work on graphs; where the listener has no reader, rules alone compare memories."""

    def refresh_communities(scope: Scope, _: Payload) -> Apply:
        return communities.refreshing(database, scope)

    def read_rest(scope: Scope, payload: Payload) -> Apply | None:
        from nacre.extraction import remainders  # noqa: PLC0415 - all rules
        from nacre.extraction.remainders import Remainder  # noqa: PLC0415

        return remainders.read(database, scope, Remainder.of(payload))

    def compare_memory(scope: Scope, payload: Payload) -> Apply | None:
        from nacre.extraction import memory_comparisons  # noqa: PLC0415 - all rules

        memory = MemoryId(ids.parse("memory_id", _text(payload, "memory_id")))
        model = local_succession.load() if listener.reader else None
        return memory_comparisons.compare(database, scope, memory, model) if listener.writes else None

    return {communities.KIND: refresh_communities, READ_REST: read_rest, COMPARE_MEMORY: compare_memory}


def _text(payload: Payload, key: str) -> str:
    value = payload.get(key)
    if not isinstance(value, str):
        raise Invalid(key, f"must be text, not {type(value).__name__}")
    return value
