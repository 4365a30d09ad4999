"""What the tests of the cache share: one database, read with a cache and without."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import get_ident
from typing import Any
from uuid import UUID

from redis import Redis
from sqlalchemy import Engine, event

from nacre import Nacre, NotFound, ScopedNacre, Settings
from nacre.domain.entities import Node
from tests import scoping
from tests.conftest import WITHOUT_WORKER, MovableClock


@dataclass
class World:
    """One database: a user's memory through a cache, and the same through none."""

    brains: tuple[Nacre, Nacre]
    clock: MovableClock
    server: Redis
    user: str = "ana"

    @property
    def cached(self) -> ScopedNacre:
        """Through the cache."""
        return self.brains[0].scope("assistant", self.user)

    @property
    def plain(self) -> ScopedNacre:
        """Through none."""
        return self.brains[1].scope("assistant", self.user)

    def kept(self) -> set[str]:
        """The names of the nodes in the cache, as a person would look for them."""
        return {key.decode() for key in self.server.scan_iter("kg:node:*")}

    def same(self, entity: UUID | str) -> Node | None:
        """A node as the cache gives it, the first time and the second, which is as the database does."""
        given = [seen(scope, entity) for scope in (self.plain, self.cached, self.cached)]
        assert given[1] == given[0]
        assert given[2] == given[0]
        return given[0]


def seen(scope: ScopedNacre, entity: UUID | str) -> Node | None:
    with suppress(NotFound):
        return scope.graph.node(entity)
    return None


def with_cache(address: str) -> Settings:
    return WITHOUT_WORKER.model_copy(update={"cache": address})


@contextmanager
def read_tables() -> Iterator[list[set[str]]]:
    """The tables of each statement that this thread runs meanwhile."""
    found: list[set[str]] = []
    here = get_ident()

    def note(_connection: Any, _cursor: Any, _sql: Any, _values: Any, context: Any, _many: Any) -> None:
        if get_ident() == here and context.invoked_statement is not None:
            found.append({table.name for table in scoping.tables(context.invoked_statement)})

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


def drawn(scope: ScopedNacre) -> UUID:
    """A small graph; returns Alice."""
    scope.graph.link("Alice", "works_on", "RockBot", properties={"since": "May", "naïve": "☕"})
    scope.graph.link("Bob", "knows", "Alice", confidence=0.4, reason="They met")
    scope.graph.link("Alice", "prefers", value="short meetings")
    return scope.graph.add("Alice", type="person", description="Backend lead", aliases=["Al"]).id
