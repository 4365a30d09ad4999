"""Give the demo agent seven months of 2026 to remember, once: `python script/demo DATABASE`."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import extras
from autumn import AUTUMN
from seeding import HistoryClock, Seeding
from spring import SPRING
from summer import SUMMER

from nacre import Nacre, Settings
from nacre.domain.errors import Misconfigured
from nacre.models.embedders import Embedder, Vectors

HISTORY = (*SPRING, *SUMMER, *AUTUMN)
QUIET, AT_WORK = Settings(worker="off"), Settings(dream_hours=0)


class Refused:
    """An embedder whose service turns everybody away: so there is a job that was given up."""

    threshold = 0.5
    local = True

    def embed(self, texts: Sequence[str]) -> Vectors:  # noqa: ARG002 - what embedders take
        """Never."""
        raise Misconfigured("The embedding service refused the key. Set NACRE_EMBEDDING_API_KEY.")

    def embed_question(self, text: str) -> Vectors:
        """Never."""
        return self.embed([text])

    def close(self) -> None:
        """It holds nothing."""


class Seeder:
    """Opens the brain with other settings again and again, always with the clock of the time told."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._clock = HistoryClock(HISTORY[0].began)

    def seed(self) -> None:
        """Live through all of it, in order."""
        *earlier, november, weekend = HISTORY
        with self._opened(QUIET) as seeding:
            seeding.live(earlier)
            seeding.note(extras.LONG_NOTE, november.began - timedelta(days=4))
        with self._opened(AT_WORK) as seeding:
            seeding.work()
        with self._opened(QUIET) as seeding:
            seeding.note(extras.LOST_NOTE, november.began - timedelta(days=3))
        with self._opened(AT_WORK, Refused()) as seeding:
            seeding.work()
        with self._opened(QUIET) as seeding:
            seeding.live([november, weekend])
            seeding.finish()

    @contextmanager
    def _opened(self, settings: Settings, embedder: Embedder | None = None) -> Iterator[Seeding]:
        with Nacre(self._database, settings=settings, embedder=embedder, clock=self._clock) as nacre:
            yield Seeding(nacre, self._clock)


def main(database: str) -> None:
    """Seed a database that is not there yet. It gets its name when all of it is there."""
    if Path(database).exists():
        return
    begun = Path(database).with_suffix(".part.db")
    for left in begun.parent.glob(f"{begun.name}*"):
        left.unlink()
    # The job that is given up on purpose would be told of.
    logging.getLogger("nacre").addHandler(logging.NullHandler())
    Seeder(begun).seed()
    begun.rename(database)


if __name__ == "__main__":
    main(sys.argv[1])
