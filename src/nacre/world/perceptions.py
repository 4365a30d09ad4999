"""Looking at the world: what is watched is read from its source, kept, told to the graph, and alerted of."""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from nacre.domain import ids
from nacre.domain.errors import Misconfigured
from nacre.domain.scopes import Scope
from nacre.domain.world import (
    LEAP,
    SKEW,
    WINDOW,
    Alert,
    AlertStatus,
    FailedReading,
    ObservedValue,
    PerceptionReport,
    RefusedReading,
    SourceQuery,
    SourceReading,
    WorldSource,
)
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Transaction, Transactions
from nacre.store.work import observations, watches
from nacre.store.work.observations import ObservationFilter
from nacre.world import alert_rules, prices, subjects
from nacre.world.alert_rules import Rules
from nacre.world.subjects import Subject

NO_SOURCE = "There is no source to read: set NACRE_WORLD_URL, or open the brain with `sources`."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SourceLook:
    """What sources said of each subject."""

    subject: Subject
    source: str
    said: SourceReading | RefusedReading


@dataclass(slots=True)
class _PerceptionTally:
    """What becomes of a look, bit by bit."""

    read: list[ObservedValue] = field(default_factory=list)
    known: int = 0
    failed: list[FailedReading] = field(default_factory=list)
    raised: list[tuple[str, Alert]] = field(default_factory=list)
    told: int = 0
    notes: list[str | None] = field(default_factory=list)


class Perceiver:
    """Reads what a scope watches and takes it in. The first source is asked where nobody chose one."""

    def __init__(
        self, database: Transactions, sources: Sequence[WorldSource], rules: Rules, *, with_graph: bool
    ) -> None:
        self._database = database
        self.sources: Mapping[str, WorldSource] = {source.name: source for source in sources}
        if len(self.sources) != len(sources):
            raise Misconfigured("Two sources have the same name.")
        self.rules = rules
        self._with_graph = with_graph

    @property
    def default(self) -> str | None:
        """The source that is asked where nobody chose one."""
        return next(iter(self.sources), None)

    def graph(self, tx: Transaction) -> Transaction | None:
        """The same transaction where the scope's graph is kept; None where the graph is left alone."""
        return sharing.in_graph_home(tx) if self._with_graph else None

    def perceive(self, scope: Scope) -> PerceptionReport:
        """Look, and take in what is seen."""
        seen = self.look(scope)
        with self._database.write(scope) as tx:
            return self.take_in(tx, seen)

    def look(self, scope: Scope) -> list[SourceLook]:
        """Ask the sources; nothing is written."""
        with self._database.read(scope) as tx:
            wanted = subjects.watched(tx, self.graph(tx))
        by_source: dict[str, list[Subject]] = defaultdict(list)
        for subject in wanted:
            by_source[subject.source or self.default or ""].append(subject)
        return [each for name, some in by_source.items() for each in self._asked(name, some)]

    def take_in(self, tx: Transaction, seen: Sequence[SourceLook], *, step: float = 0.0) -> PerceptionReport:
        """Keep readings, tell the graph of what moved by a step, and raise alerts, in one transaction."""
        # Two looks at once must not both raise the alert of one move.
        scopes.lock(tx)
        graph, taken, batch = self.graph(tx), _PerceptionTally(), ids.new(tx.now)
        if not self.sources:
            taken.notes.append(NO_SOURCE)
        for each in seen:
            observed = self._kept(tx, each, taken)
            if observed is None:
                continue
            alert = alert_rules.raised(tx, each.subject, observed, self.rules)
            if alert:
                taken.raised.append((each.subject.key, alert))
            if graph is not None:
                until = self.rules.hours.day(tx.now)[1]
                told, note = prices.tell(graph, each.subject, observed, until=until, batch=batch, step=step)
                taken.notes.append(note)
                taken.told += told
        watches.mark(tx)
        return self._settled(tx, taken, batch if taken.told else None)

    def _asked(self, name: str, some: Sequence[Subject]) -> list[SourceLook]:
        source = self.sources.get(name)
        asked = [SourceQuery(subject=each.name, symbol=each.symbol) for each in some]
        replies: dict[str, SourceReading | RefusedReading] = {}
        missing = "The source said nothing of it."
        if source is None:
            missing = f"There is no source `{name}`." if self.sources else NO_SOURCE
        else:
            try:
                replies = {each.symbol: each for each in source.read(asked)}
            except Exception as error:  # noqa: BLE001 - a source is anybody's code; what it is asked for fails, not more
                missing = f"The source failed: {type(error).__name__}: {str(error)[:200]}"
        return [
            SourceLook(each, name, replies.get(each.symbol) or RefusedReading(symbol=each.symbol, reason=missing))
            for each in some
        ]

    def _kept(self, tx: Transaction, look: SourceLook, taken: _PerceptionTally) -> ObservedValue | None:
        """The reading, if it is news: not there yet, and later than what is."""
        subject, said = look.subject, look.said
        observed = None if isinstance(said, RefusedReading) else _observed(tx, look, said)
        last = self._last(tx, observed, subject) if observed else None
        why = said.reason if isinstance(said, RefusedReading) else _absurd(tx, observed, last)
        if why or observed is None:
            reason = why or ""
            log.info("%s of %s was not read: %s", subject.name, tx.scope, reason)
            watches.failed(tx, subject.key, subject.name, reason)
            taken.failed.append(
                FailedReading(subject=subject.name, symbol=subject.symbol, source=look.source, reason=reason)
            )
            return None
        watches.read(tx, subject.key, subject.name)
        place = (subject.key, observed.source, observed.at)
        if observations.are_known(tx, [place]):
            taken.known += 1
            return None
        observations.add(tx, subject.key, observed)
        taken.read.append(observed)
        return observed if last is None or last.at < observed.at else None

    def _last(self, tx: Transaction, observed: ObservedValue, subject: Subject) -> ObservedValue | None:
        """The last reading of the same kind; what a clock that was ahead has left is passed over."""
        until = max(tx.now, observed.at)
        span = ObservationFilter(keys=subject.keys, source=observed.source, unit=observed.unit, until=until)
        return next(iter(observations.newest(tx, span, 1)), None)

    def _settled(self, tx: Transaction, taken: _PerceptionTally, batch: UUID | None) -> PerceptionReport:
        released, note = alert_rules.release(tx, self.rules)
        taken.notes.append(note)
        done = []
        # Where a day has room for a few alerts only, the largest moves are the ones to tell.
        for key, alert in sorted(taken.raised, key=lambda each: -abs(each[1].change)):
            settled, note = alert_rules.settled(tx, key, alert, self.rules)
            taken.notes.append(note)
            done.append(settled)
        by_status = {status: tuple(each for each in done if each.status is status) for status in AlertStatus}
        return PerceptionReport(
            at=tx.now,
            read=tuple(taken.read),
            known=taken.known,
            failed=tuple(taken.failed),
            alerted=by_status[AlertStatus.DELIVERED],
            held=by_status[AlertStatus.HELD],
            capped=by_status[AlertStatus.CAPPED],
            released=tuple(released),
            batch=batch,
            notes=tuple(filter(None, taken.notes)),
        )


def _observed(tx: Transaction, look: SourceLook, reading: SourceReading) -> ObservedValue:
    return ObservedValue(
        subject=look.subject.name,
        symbol=reading.symbol,
        source=look.source,
        value=reading.value,
        unit=reading.unit,
        change=reading.change,
        at=reading.at or tx.now,
    )


def _absurd(tx: Transaction, observed: ObservedValue | None, last: ObservedValue | None) -> str | None:
    """Why a reading cannot be right, if it cannot."""
    if observed is None:
        return None
    if observed.at > tx.now + SKEW:
        return f"It is dated {observed.at:%Y-%m-%d %H:%M} UTC, which is yet to come."
    if last and abs(observed.at - last.at) < WINDOW and not 1 / LEAP < observed.value / last.value < LEAP:
        return f"{observed.value:g} cannot be right a day after {last.value:g}."
    return None
