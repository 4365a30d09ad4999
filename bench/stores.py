"""A cold store to measure on: a temporary SQLite file, or scopes of their own in a given database."""

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nacre import Nacre, ScopedNacre


@dataclass(frozen=True, slots=True)
class Store:
    nacre: Nacre
    kind: str
    suffix: str = ""

    def scope(self, agent: str, user: str) -> ScopedNacre:
        return self.nacre.scope(agent=agent + self.suffix, user=user)


@contextmanager
def cold_store(database: str | None) -> Iterator[Store]:
    """A given database may hold earlier runs, so there every run's agents carry a name of their own."""
    if database is None:
        with (
            tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder,
            Nacre(str(Path(folder) / "cold.db")) as nacre,
        ):
            yield Store(nacre, "sqlite")
    else:
        with Nacre(database) as nacre:
            yield Store(nacre, kind_of(database), f"-{uuid.uuid4().hex[:8]}")


def kind_of(database: str | None) -> str:
    """The kind of database, never its address: results are published."""
    scheme, separator, _ = (database or "").partition("://")
    return scheme.partition("+")[0] if separator else "sqlite"
