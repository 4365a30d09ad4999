"""Work that comes round by the clock rather than by an event."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from nacre.domain.errors import Closed, NacreError, in_full
from nacre.graph.reading import communities
from nacre.memory import working
from nacre.store.base import partitions, replies
from nacre.store.base.databases import Database
from nacre.store.work import jobs

log = logging.getLogger(__name__)

HOURLY = timedelta(hours=1)
DAILY = timedelta(days=1)
KEPT = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Periodic:
    """A round of work; it must not matter when two processes make it at once."""

    name: str
    every: timedelta
    run: Callable[[Database], object]


def prune_jobs(database: Database) -> int:
    """Remove jobs that were done a week ago or longer."""
    with database.write_all() as tx:
        return jobs.prune(tx, tx.now - KEPT)


def prune_replies(database: Database) -> None:
    """Remove what was answered under idempotency keys a day ago or longer."""
    with database.write_all() as tx:
        replies.prune(tx)


def make_partitions(database: Database) -> list[str]:
    """Have the parts of the logs for the coming months before their first row."""
    with database.write_all() as tx:
        return partitions.ahead(tx.connection)


ROUNDS = (
    Periodic("sweep working memory", HOURLY, working.sweep),
    Periodic("look for changed communities", HOURLY, communities.request_due),
    Periodic("prune jobs", DAILY, prune_jobs),
    Periodic("prune replies", HOURLY, prune_replies),
    Periodic("make partitions", DAILY, make_partitions),
)


class Schedule:
    """Makes each round when it is due: first at once, then after each period. One thread's own."""

    def __init__(self, database: Database, rounds: Sequence[Periodic] = ROUNDS) -> None:
        self._database = database
        self._rounds = rounds
        self._last: dict[str, datetime] = {}

    def run_due(self) -> list[str]:
        """Make the rounds that are due; return their names."""
        made = [each for each in self._rounds if self._is_due(each)]
        for each in made:
            self._last[each.name] = self._database.clock()
            try:
                each.run(self._database)
            except Closed:
                raise
            except NacreError as error:
                log.warning("The round `%s` failed and waits for its next turn: %s", each.name, in_full(error))
        return [each.name for each in made]

    def _is_due(self, each: Periodic) -> bool:
        last = self._last.get(each.name)
        now = self._database.clock()
        # A clock that was set back must not stop the rounds until it has caught up.
        return last is None or not last <= now < last + each.every
