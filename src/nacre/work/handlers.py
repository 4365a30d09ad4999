"""The kinds of work there are, and who does each."""

from nacre.domain import ids
from nacre.domain.errors import Invalid
from nacre.domain.scopes import Scope
from nacre.extraction import rests
from nacre.extraction.rests import Rest
from nacre.graph import communities
from nacre.memory import expanding
from nacre.memory.expanding import Expander
from nacre.store.databases import Database
from nacre.work.queues import Apply, Handler, Payload


def handlers(expander: Expander) -> dict[str, Handler]:
    """Who does each kind of work."""

    def expand_memory(scope: Scope, payload: Payload) -> Apply | None:
        return expander.expand(scope, ids.parse("memory_id", _text(payload, "memory_id")))

    return {expanding.KIND: expand_memory}


def graph_handlers(database: Database) -> dict[str, Handler]:
    """Who does each kind of work on graphs."""

    def refresh_communities(scope: Scope, _: Payload) -> Apply:
        return communities.refreshing(database, scope)

    def read_rest(scope: Scope, payload: Payload) -> Apply | None:
        return rests.read(database, scope, Rest.of(payload))

    return {communities.KIND: refresh_communities, rests.KIND: read_rest}


def _text(payload: Payload, key: str) -> str:
    value = payload.get(key)
    if not isinstance(value, str):
        raise Invalid(key, f"must be text, not {type(value).__name__}")
    return value
