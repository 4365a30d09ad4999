"""A scope's view of the world: what it watches there, and what became of it."""

from datetime import datetime, timedelta

from nacre.domain import checks
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.navigation import check_offset
from nacre.domain.scopes import Scope
from nacre.domain.world import (
    MAX_WATCHES,
    Alert,
    AlertStatus,
    ObservedValue,
    PerceptionReport,
    ValueTrend,
    Watch,
    check_symbol,
    check_threshold,
)
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.work import alerts, observations, watches
from nacre.store.work.observations import ObservationFilter
from nacre.text import names
from nacre.wiring import Parts
from nacre.world import subjects, trends

WEEK = timedelta(days=7)
# A reading every minute for half a year.
MAX_READINGS = 250_000


class World:
    """Prices and other values outside: watched, kept, told of, and looked back on."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def watch(
        self,
        subject: str,
        *,
        symbol: str | None = None,
        source: str | None = None,
        threshold: float | None = None,
    ) -> Watch:
        """Have a subject watched, whether the graph holds it or not; asked again, in place of how it was watched.

        `symbol` is what the source calls it, `source` which source, `threshold` the least change in per cent that is
        worth an alert. What is left out is as the settings say.
        """
        checks.name("subject", subject)
        given = {
            "symbol": None if symbol is None else check_symbol(symbol),
            "source": None if source is None else checks.choice("source", source, list(self._parts.perceiver.sources)),
            "threshold": None if threshold is None else check_threshold(threshold),
        }
        with self._parts.settled.write(self._scope) as tx:
            scopes.lock(tx)
            key, name = self._row(tx, subject)
            kept = watches.every(tx).get(key)
            if not (kept and kept.asked) and watches.count(tx) >= MAX_WATCHES:
                raise Conflict(f"{MAX_WATCHES} subjects are watched already. Stop watching one first.")
            watches.put(tx, key, name, {**given, "asked": True, "muted": False})
            made = next(each for each in self._watched(tx) if each.key == key)
        self._parts.work_later()
        return self._shown(made)

    def unwatch(self, subject: str) -> bool:
        """Stop watching a subject, whoever asked for it, until somebody asks again; whether it was watched."""
        checks.name("subject", subject)
        with self._parts.settled.write(self._scope) as tx:
            scopes.lock(tx)
            key, name = self._row(tx, subject)
            was = any(key in each.keys for each in self._watched(tx))
            watches.put(tx, key, name, {"asked": False, "muted": True, "failed_at": None, "error": None})
            if not any(key in each.keys for each in self._held(tx)):
                # Nothing but the row would have it watched again.
                watches.remove(tx, [key])
        return was

    def watches(self) -> list[Watch]:
        """All that is watched, by name: what somebody asked for, and what the graph holds that has a price."""
        with self._parts.settled.read(self._scope) as tx:
            return [self._shown(each) for each in self._watched(tx)]

    def perceive(self) -> PerceptionReport:
        """Look at the world now; the report says what was read, what failed and why, and which alerts came of it."""
        report = self._parts.perceiver.perceive(self._scope)
        self._parts.work_later()
        return report

    def history(
        self,
        subject: str,
        *,
        source: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
    ) -> list[ObservedValue]:
        """What was read of a subject, the last first."""
        checks.count("limit", limit)
        with self._parts.settled.read(self._scope) as tx:
            return observations.newest(tx, self._span(tx, subject, source, since, until), limit)

    def trend(self, subject: str, *, window: timedelta = WEEK, source: str | None = None) -> ValueTrend:
        """How a subject moved within a window that ends now; where several sources tell, by the one that told last."""
        if not isinstance(window, timedelta) or window <= timedelta():
            raise Invalid("window", f"must be a timedelta of more than nothing, not {window!r}")
        with self._parts.settled.read(self._scope) as tx:
            span = self._span(tx, subject, source, _before(tx.now, window), tx.now)
            last = next(iter(observations.newest(tx, span, 1)), None)
            if last is None:
                raise NotFound("reading in that window of", subject)
            told = ObservationFilter(
                keys=span.keys, source=last.source, unit=last.unit, since=span.since, until=span.until
            )
            return trends.trend(observations.newest(tx, told, MAX_READINGS)[::-1])

    def alerts(
        self,
        *,
        subject: str | None = None,
        status: str | None = None,
        since: datetime | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Alert]:
        """Alerts, the last first: of a subject, or with a status, which is delivered, held or capped."""
        wanted = None if status is None else AlertStatus(checks.choice("status", status, AlertStatus))
        checks.count("limit", limit)
        start = check_offset(offset)
        moment = checks.optional_instant("since", since)
        with self._parts.settled.read(self._scope) as tx:
            keys = None if subject is None else self._keys(tx, subject)
            return alerts.newest(tx, keys=keys, status=wanted, since=moment, limit=limit, offset=start)

    def clean(self, *, before: datetime, subject: str | None = None, dry_run: bool = False) -> int:
        """Remove readings and alerts from before a moment, of one subject or all; how many readings that were.

        Nothing but this and a purge ever removes them. A dry run only counts.
        """
        moment = checks.instant("before", before)
        with self._parts.settled.write(self._scope) as tx:
            keys = None if subject is None else self._keys(tx, subject)
            if dry_run:
                return observations.count(tx, moment, keys)
            alerts.remove(tx, moment, keys)
            return observations.remove(tx, moment, keys)

    def _span(
        self, tx: Transaction, subject: str, source: str | None, since: datetime | None, until: datetime | None
    ) -> ObservationFilter:
        return ObservationFilter(
            keys=self._keys(tx, subject),
            source=checks.optional_name("source", source),
            since=checks.optional_instant("since", since),
            until=checks.optional_instant("until", until),
        )

    def _keys(self, tx: Transaction, subject: str) -> frozenset[str]:
        checks.name("subject", subject)
        return subjects.named(self._parts.perceiver.graph(tx), subject)[1]

    def _row(self, tx: Transaction, subject: str) -> tuple[str, str]:
        """The key of the row that is about a subject, under whichever name it was asked for, and its name."""
        name, keys, _ = subjects.named(self._parts.perceiver.graph(tx), subject)
        held = watches.every(tx)
        return next((key for key in sorted(keys) if key in held), names.match_key(name)), name

    def _watched(self, tx: Transaction) -> list[subjects.Subject]:
        return subjects.watched(tx, self._parts.perceiver.graph(tx))

    def _held(self, tx: Transaction) -> list[subjects.Subject]:
        return subjects.of_graph(self._parts.perceiver.graph(tx))

    def _shown(self, subject: subjects.Subject) -> Watch:
        perceiver = self._parts.perceiver
        return subject.watch(perceiver.default, perceiver.rules.threshold)


def _before(now: datetime, window: timedelta) -> datetime:
    try:
        return now - window
    except OverflowError as error:
        raise Invalid("window", "reaches further back than there is time") from error
