"""A cold store to measure on: a temporary SQLite file, or scopes of their own in a given database."""

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nacre import Nacre, ScopedNacre, Settings


@dataclass(frozen=True, slots=True)
class Store:
    nacre: Nacre
    kind: str
    suffix: str = ""

    def scope(self, agent: str, user: str) -> ScopedNacre:
        return self.nacre.scope(agent=agent + self.suffix, user=user)


@contextmanager
def cold_store(database: str | None, **given: Any) -> Iterator[Store]:
    """A given database may hold earlier runs, so there every run's agents carry a name of their own."""
    settings = Settings(**given)
    if database is None:
        with (
            tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder,
            Nacre(str(Path(folder) / "cold.db"), settings=settings) as nacre,
        ):
            yield Store(nacre, "sqlite")
    else:
        with Nacre(database, settings=settings) as nacre:
            yield Store(nacre, kind_of(database), f"-{uuid.uuid4().hex[:8]}")


def kind_of(database: str | None) -> str:
    """The kind of database, never its address: results are published."""
    scheme, separator, _ = (database or "").partition("://")
    return scheme.partition("+")[0] if separator else "sqlite"
