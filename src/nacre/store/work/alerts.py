"""Moves that were worth telling, and what became of each."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import Row, delete, func, insert, select, update

from nacre.domain.world import Alert, AlertStatus
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import alerts

_HELD, _DELIVERED = AlertStatus.HELD.value, AlertStatus.DELIVERED.value


def add(tx: Transaction, key: str, alert: Alert) -> None:
    """Keep an alert."""
    row = {
        "scope_id": tx.scope_id,
        "id": alert.id,
        "key": key,
        "subject": alert.subject,
        "source": alert.source,
        "value": alert.value,
        "unit": alert.unit,
        "reference": alert.reference,
        "change": alert.change,
        "at": alert.at,
        "status": alert.status.value,
        "delivery_id": alert.delivery,
        "delivered_at": alert.delivered_at,
    }
    tx.execute(insert(alerts), [row])


def last(tx: Transaction, keys: Collection[str], source: str, unit: str, since: datetime) -> Alert | None:
    """The last alert on a subject since a moment; those of a clock that was ahead do not count."""
    about = (alerts.c.key.in_(sorted(keys)), alerts.c.source == source, alerts.c.unit == unit)
    when = (alerts.c.at > since, alerts.c.at <= tx.now)
    query = select(alerts).where(alerts.c.scope_id == tx.scope_id, *about, *when)
    row = tx.execute(query.order_by(alerts.c.at.desc(), alerts.c.id.desc()).limit(1)).one_or_none()
    return _to_alert(row) if row else None


def held(tx: Transaction) -> list[Alert]:
    """The alerts that wait for the quiet hours to end, the first first."""
    mine = select(alerts).where(alerts.c.scope_id == tx.scope_id, alerts.c.status == _HELD)
    return [_to_alert(row) for row in tx.execute(mine.order_by(alerts.c.at, alerts.c.id))]


def deliveries(tx: Transaction, since: datetime) -> int:
    """How often somebody was told something from a moment until now; a digest counts once."""
    told = (alerts.c.status == _DELIVERED, alerts.c.delivered_at >= since, alerts.c.delivered_at <= tx.now)
    counted = select(func.count(alerts.c.delivery_id.distinct())).where(alerts.c.scope_id == tx.scope_id, *told)
    return int(tx.execute(counted).scalar_one())


def settle(tx: Transaction, ids: Collection[UUID], status: AlertStatus, delivery: UUID | None) -> None:
    """Say what became of alerts that were held."""
    mine = (alerts.c.scope_id == tx.scope_id, alerts.c.id.in_(ids))
    when = tx.now if status is AlertStatus.DELIVERED else None
    values = {"status": status.value, "delivery_id": delivery, "delivered_at": when}
    tx.execute(update(alerts).where(*mine).values(values))


def together(tx: Transaction, delivery: UUID) -> list[Alert]:
    """What was told in one delivery, the first first."""
    mine = select(alerts).where(alerts.c.scope_id == tx.scope_id, alerts.c.delivery_id == delivery)
    return [_to_alert(row) for row in tx.execute(mine.order_by(alerts.c.at, alerts.c.id))]


def posted(tx: Transaction, delivery: UUID) -> None:
    """Note that the webhook took a delivery."""
    mine = (alerts.c.scope_id == tx.scope_id, alerts.c.delivery_id == delivery)
    tx.execute(update(alerts).where(*mine).values(posted_at=tx.now))


def newest(
    tx: Transaction,
    *,
    keys: Collection[str] | None,
    status: AlertStatus | None,
    since: datetime | None,
    limit: int,
    offset: int = 0,
) -> list[Alert]:
    """The alerts that fit, the last first."""
    query = select(alerts).where(alerts.c.scope_id == tx.scope_id)
    if keys is not None:
        query = query.where(alerts.c.key.in_(sorted(keys)))
    if status is not None:
        query = query.where(alerts.c.status == status.value)
    if since is not None:
        query = query.where(alerts.c.at >= since)
    rows = tx.execute(query.order_by(alerts.c.at.desc(), alerts.c.id.desc()).limit(limit).offset(offset))
    return [_to_alert(row) for row in rows]


def remove(tx: Transaction, before: datetime, keys: Collection[str] | None = None) -> int:
    """Remove alerts from before a moment, of some subjects or all; how many that were."""
    of = [] if keys is None else [alerts.c.key.in_(sorted(keys))]
    return tx.execute(delete(alerts).where(alerts.c.scope_id == tx.scope_id, alerts.c.at < before, *of)).rowcount


def _to_alert(row: Row[tuple[object, ...]]) -> Alert:
    return Alert(
        id=row.id,
        subject=row.subject,
        source=row.source,
        value=row.value,
        unit=row.unit,
        reference=row.reference,
        change=row.change,
        at=row.at,
        status=AlertStatus(row.status),
        delivery=row.delivery_id,
        delivered_at=row.delivered_at,
        posted_at=row.posted_at,
    )
