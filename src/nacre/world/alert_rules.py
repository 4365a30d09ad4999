"""Alerts: which moves are worth one, and when somebody is told."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from nacre.domain import ids
from nacre.domain.clocks import shifted
from nacre.domain.errors import Full
from nacre.domain.working import PATROL, WorkingEntry
from nacre.domain.world import THRESHOLD, WINDOW, Alert, AlertStatus, ObservedValue, moved
from nacre.memory import working
from nacre.store.base.databases import Transaction
from nacre.store.work import alerts, jobs, observations
from nacre.store.work.observations import ObservationFilter
from nacre.text import names
from nacre.world import subjects
from nacre.world.hours import Hours
from nacre.world.subjects import Subject

RELEASE = "release_alerts"
POST = "post_alerts"
NAMESPACE = f"{PATROL}/perception"
DIGEST = f"{NAMESPACE}/digest"
CATEGORY = "patrol-finding"
TAGS = ("urgent",)
# How long an alert stays in working memory.
KEPT = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """From which change on, when, how often a day, and whether a webhook is told, too.

    `step` is the least change in per cent for which a look by the clock changes the graph.
    """

    threshold: float = THRESHOLD
    step: float = 0.5
    hours: Hours = field(default_factory=Hours)
    cap: int = 3
    posts: bool = False


def raised(tx: Transaction, subject: Subject, observed: ObservedValue, rules: Rules) -> Alert | None:
    """The alert that a reading is worth, if it is.

    It is compared with the value of the last alert of a day, else with the first reading of a day. The change that
    the source reports counts while there was no alert. So one move is told once: the next alert takes another move
    as large, from where the last one was raised.
    """
    since = shifted(observed.at, -WINDOW)
    told = alerts.last(tx, subject.keys, observed.source, observed.unit, since)
    reference = told.value if told else _first(tx, subject, observed)
    change = None if reference is None else moved(observed.value, reference)
    threshold = subject.threshold or rules.threshold
    if change is None or abs(change) < threshold:
        reported = None if told else observed.change
        if reported is None or abs(reported) < threshold or reported == -100:
            return None
        change, reference = reported, observed.value / (1 + reported / 100)
    return Alert(
        id=ids.new(tx.now),
        subject=observed.subject,
        source=observed.source,
        value=observed.value,
        unit=observed.unit,
        reference=reference or observed.value,
        change=change,
        at=observed.at,
        status=AlertStatus.HELD,
    )


def settled(tx: Transaction, key: str, alert: Alert, rules: Rules) -> tuple[Alert, str | None]:
    """Tell of an alert, hold it until the quiet hours are over, or keep it to itself; and a note where that failed."""
    note = None
    if rules.hours.are_quiet(tx.now):
        jobs.request(tx, RELEASE, run_at=rules.hours.ends(tx.now))
    elif _is_full(tx, rules):
        alert = replace(alert, status=AlertStatus.CAPPED)
    else:
        alert = replace(alert, status=AlertStatus.DELIVERED, delivery=ids.new(tx.now), delivered_at=tx.now)
    alerts.add(tx, key, alert)
    if alert.status is AlertStatus.DELIVERED:
        note = _tell(tx, f"{NAMESPACE}/{names.slug(alert.subject)}", [alert], rules)
    return alert, note


def release(tx: Transaction, rules: Rules) -> tuple[list[Alert], str | None]:
    """Tell of what was held, all at once, when the quiet hours are over; and a note where that failed."""
    held = [] if rules.hours.are_quiet(tx.now) else alerts.held(tx)
    if not held:
        return [], None
    full = _is_full(tx, rules)
    status = AlertStatus.CAPPED if full else AlertStatus.DELIVERED
    delivery = None if full else ids.new(tx.now)
    alerts.settle(tx, [each.id for each in held], status, delivery)
    when = None if full else tx.now
    done = [replace(each, status=status, delivery=delivery, delivered_at=when) for each in held]
    return done, None if full else _tell(tx, DIGEST, done, rules)


def line(alert: Alert) -> str:
    """An alert as working memory holds it."""
    return f"{alert.at:%Y-%m-%d %H:%M} UTC: {alert.text[:-1]}, says {alert.source}."


def _first(tx: Transaction, subject: Subject, observed: ObservedValue) -> float | None:
    day = ObservationFilter(
        keys=subject.keys,
        source=observed.source,
        unit=observed.unit,
        since=shifted(observed.at, -WINDOW),
        until=shifted(observed.at, -timedelta.resolution),
    )
    return next((each.value for each in observations.oldest(tx, day, 1)), None)


def _is_full(tx: Transaction, rules: Rules) -> bool:
    return alerts.deliveries(tx, rules.hours.day(tx.now)[0]) >= rules.cap


def _tell(tx: Transaction, key: str, alerts: Sequence[Alert], rules: Rules) -> str | None:
    if rules.posts:
        jobs.enqueue(tx, POST, {"delivery": str(alerts[0].delivery)})
    entry = WorkingEntry(
        key=key,
        value="\n".join(map(line, alerts)),
        stored_at=tx.now,
        expires_at=tx.now + KEPT,
        category=CATEGORY,
        tags=TAGS,
    )
    try:
        working.put(tx, entry)
    except Full as error:
        return str(error)
    return None


def listed(
    tx: Transaction,
    graph: Transaction | None,
    subject: str | None,
    *,
    status: AlertStatus | None,
    since: datetime | None,
    limit: int,
    offset: int,
) -> list[Alert]:
    """Alerts, the last first: of a subject, or with a status."""
    keys = None if subject is None else subjects.named(graph, subject)[1]
    return alerts.newest(tx, keys=keys, status=status, since=since, limit=limit, offset=offset)
