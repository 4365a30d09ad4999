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
    Asked,
    Failed,
    Observed,
    Perceived,
    Reading,
    Refused,
)
from nacre.store import observations, scopes, sharing, watches
from nacre.store.databases import Transaction, Transactions
from nacre.store.observations import Span
from nacre.world import alarms, prices, subjects
from nacre.world.alarms import Rules
from nacre.world.sources import Source
from nacre.world.subjects import Subject

NO_SOURCE = "There is no source to read: set NACRE_WORLD_URL, or open the brain with `sources`."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Look:
    """What sources said of each subject."""

    subject: Subject
    source: str
    said: Reading | Refused


@dataclass(slots=True)
class _Taken:
    """What becomes of a look, bit by bit."""

    read: list[Observed] = field(default_factory=list)
    known: int = 0
    failed: list[Failed] = field(default_factory=list)
    raised: list[tuple[str, Alert]] = field(default_factory=list)
    told: int = 0
    notes: list[str | None] = field(default_factory=list)


class Perceiver:
    """Reads what a scope watches and takes it in. The first source is asked where nobody chose one."""

    def __init__(self, database: Transactions, sources: Sequence[Source], rules: Rules, *, with_graph: bool) -> None:
        self._database = database
        self.sources: Mapping[str, Source] = {source.name: source for source in sources}
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

    def perceive(self, scope: Scope) -> Perceived:
        """Look, and take in what is seen."""
        seen = self.look(scope)
        with self._database.write(scope) as tx:
            return self.take_in(tx, seen)

    def look(self, scope: Scope) -> list[Look]:
        """Ask the sources; nothing is written."""
        with self._database.read(scope) as tx:
            wanted = subjects.watched(tx, self.graph(tx))
        by_source: dict[str, list[Subject]] = defaultdict(list)
        for subject in wanted:
            by_source[subject.source or self.default or ""].append(subject)
        return [each for name, some in by_source.items() for each in self._asked(name, some)]

    def take_in(self, tx: Transaction, seen: Sequence[Look], *, step: float = 0.0) -> Perceived:
        """Keep readings, tell the graph of what moved by a step, and raise alerts, in one transaction."""
        # Two looks at once must not both raise the alert of one move.
        scopes.lock(tx)
        graph, taken, batch = self.graph(tx), _Taken(), ids.new(tx.now)
        if not self.sources:
            taken.notes.append(NO_SOURCE)
        for each in seen:
            observed = self._kept(tx, each, taken)
            if observed is None:
                continue
            alert = alarms.raised(tx, each.subject, observed, self.rules)
            if alert:
                taken.raised.append((each.subject.key, alert))
            if graph is not None:
                until = self.rules.hours.day(tx.now)[1]
                told, note = prices.tell(graph, each.subject, observed, until=until, batch=batch, step=step)
                taken.notes.append(note)
                taken.told += told
        watches.mark(tx)
        return self._settled(tx, taken, batch if taken.told else None)

    def _asked(self, name: str, some: Sequence[Subject]) -> list[Look]:
        source = self.sources.get(name)
        asked = [Asked(subject=each.name, symbol=each.symbol) for each in some]
        said: dict[str, Reading | Refused] = {}
        missing = "The source said nothing of it."
        if source is None:
            missing = f"There is no source `{name}`." if self.sources else NO_SOURCE
        else:
            try:
                said = {each.symbol: each for each in source.read(asked)}
            except Exception as error:  # noqa: BLE001 - a source is anybody's code; what it is asked for fails, not more
                missing = f"The source failed: {type(error).__name__}: {str(error)[:200]}"
        return [Look(each, name, said.get(each.symbol) or Refused(symbol=each.symbol, reason=missing)) for each in some]

    def _kept(self, tx: Transaction, look: Look, taken: _Taken) -> Observed | None:
        """The reading, if it is news: not there yet, and later than what is."""
        subject, said = look.subject, look.said
        observed = None if isinstance(said, Refused) else _observed(tx, look, said)
        last = self._last(tx, observed, subject) if observed else None
        why = said.reason if isinstance(said, Refused) else _absurd(tx, observed, last)
        if why or observed is None:
            reason = why or ""
            log.info("%s of %s was not read: %s", subject.name, tx.scope, reason)
            watches.failed(tx, subject.key, subject.name, reason)
            taken.failed.append(Failed(subject=subject.name, symbol=subject.symbol, source=look.source, reason=reason))
            return None
        watches.read(tx, subject.key, subject.name)
        place = (subject.key, observed.source, observed.at)
        if observations.are_known(tx, [place]):
            taken.known += 1
            return None
        observations.add(tx, subject.key, observed)
        taken.read.append(observed)
        return observed if last is None or last.at < observed.at else None

    def _last(self, tx: Transaction, observed: Observed, subject: Subject) -> Observed | None:
        """The last reading of the same kind; what a clock that was ahead has left is passed over."""
        until = max(tx.now, observed.at)
        span = Span(keys=subject.keys, source=observed.source, unit=observed.unit, until=until)
        return next(iter(observations.newest(tx, span, 1)), None)

    def _settled(self, tx: Transaction, taken: _Taken, batch: UUID | None) -> Perceived:
        released, note = alarms.release(tx, self.rules)
        taken.notes.append(note)
        done = []
        # Where a day has room for a few alerts only, the largest moves are the ones to tell.
        for key, alert in sorted(taken.raised, key=lambda each: -abs(each[1].change)):
            settled, note = alarms.settled(tx, key, alert, self.rules)
            taken.notes.append(note)
            done.append(settled)
        by_status = {status: tuple(each for each in done if each.status is status) for status in AlertStatus}
        return Perceived(
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


def _observed(tx: Transaction, look: Look, said: Reading) -> Observed:
    return Observed(
        subject=look.subject.name,
        symbol=said.symbol,
        source=look.source,
        value=said.value,
        unit=said.unit,
        change=said.change,
        at=said.at or tx.now,
    )


def _absurd(tx: Transaction, observed: Observed | None, last: Observed | None) -> str | None:
    """Why a reading cannot be right, if it cannot."""
    if observed is None:
        return None
    if observed.at > tx.now + SKEW:
        return f"It is dated {observed.at:%Y-%m-%d %H:%M} UTC, which is yet to come."
    if last and abs(observed.at - last.at) < WINDOW and not 1 / LEAP < observed.value / last.value < LEAP:
        return f"{observed.value:g} cannot be right a day after {last.value:g}."
    return None
