"""A scope's view of the world: what it watches there, and what became of it."""

from datetime import datetime, timedelta

from nacre.brain.probing import probed
from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.navigation import check_offset
from nacre.domain.scopes import Scope
from nacre.domain.world import (
    Alert,
    AlertStatus,
    ObservedValue,
    PerceptionReport,
    ValueTrend,
    Watch,
    check_symbol,
    check_threshold,
)
from nacre.wiring import Parts
from nacre.world import alert_rules, readings, subjects

WEEK = timedelta(days=7)


@probed("world")
class World:
    """Prices and other values outside: watched, kept, told of, and looked back on."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._perceiver = parts.perceiver
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
            "source": None if source is None else checks.choice("source", source, list(self._perceiver.sources)),
            "threshold": None if threshold is None else check_threshold(threshold),
        }
        with self._parts.settled.write(self._scope) as tx:
            made = subjects.watch(tx, self._perceiver.graph(tx), subject, given)
        self._parts.follow_ups.work_later()
        return self._shown(made)

    def unwatch(self, subject: str) -> bool:
        """Stop watching a subject, whoever asked for it, until somebody asks again; whether it was watched."""
        checks.name("subject", subject)
        with self._parts.settled.write(self._scope) as tx:
            return subjects.unwatch(tx, self._perceiver.graph(tx), subject)

    def watches(self) -> list[Watch]:
        """All that is watched, by name: what somebody asked for, and what the graph holds that has a price."""
        with self._parts.settled.read(self._scope) as tx:
            return [self._shown(each) for each in subjects.watched(tx, self._perceiver.graph(tx))]

    def perceive(self) -> PerceptionReport:
        """Look at the world now; the report says what was read, what failed and why, and which alerts came of it."""
        report = self._perceiver.perceive(self._scope)
        self._parts.follow_ups.work_later()
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
        checks.name("subject", subject)
        checks.optional_name("source", source)
        start, end = checks.optional_instant("since", since), checks.optional_instant("until", until)
        with self._parts.settled.read(self._scope) as tx:
            return readings.newest(
                tx, self._perceiver.graph(tx), subject, source=source, since=start, until=end, limit=limit
            )

    def trend(self, subject: str, *, window: timedelta = WEEK, source: str | None = None) -> ValueTrend:
        """How a subject moved within a window that ends now; where several sources tell, by the one that told last."""
        if not isinstance(window, timedelta) or window <= timedelta():
            raise Invalid("window", f"must be a timedelta of more than nothing, not {window!r}")
        checks.name("subject", subject)
        checks.optional_name("source", source)
        with self._parts.settled.read(self._scope) as tx:
            return readings.trend_of(tx, self._perceiver.graph(tx), subject, window, source)

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
        checks.optional_name("subject", subject)
        with self._parts.settled.read(self._scope) as tx:
            return alert_rules.listed(
                tx, self._perceiver.graph(tx), subject, status=wanted, since=moment, limit=limit, offset=start
            )

    def clean(self, *, before: datetime, subject: str | None = None, dry_run: bool = False) -> int:
        """Remove readings and alerts from before a moment, of one subject or all; how many readings that were.

        Nothing but this and a purge ever removes them. A dry run only counts.
        """
        moment = checks.instant("before", before)
        checks.optional_name("subject", subject)
        with self._parts.settled.write(self._scope) as tx:
            return readings.remove(tx, self._perceiver.graph(tx), subject, moment, dry_run=dry_run)

    def _shown(self, subject: subjects.Subject) -> Watch:
        return subject.watch(self._perceiver.default, self._perceiver.rules.threshold)
