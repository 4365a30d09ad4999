"""Observations of the world: one row for a subject, a source and an instant."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, func, select, tuple_

from nacre.domain.world import ObservedValue
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import observations


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationFilter:
    """Which readings are meant: of a subject under all its keys, from a source, in a unit, within a time."""

    keys: Collection[str]
    source: str | None = None
    unit: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """The span as a statement says it."""
        clauses: list[ColumnElement[bool]] = [observations.c.key.in_(sorted(self.keys))]
        if self.source is not None:
            clauses.append(observations.c.source == self.source)
        if self.unit is not None:
            clauses.append(observations.c.unit == self.unit)
        if self.since is not None:
            clauses.append(observations.c.at >= self.since)
        if self.until is not None:
            clauses.append(observations.c.at <= self.until)
        return clauses


def add(tx: Transaction, key: str, observed: ObservedValue) -> None:
    """Keep a reading; one of the same subject, source and instant is left as it is."""
    scopes.ensure(tx)
    row = {
        "scope_id": tx.scope_id,
        "key": key,
        "source": observed.source,
        "at": observed.at,
        "subject": observed.subject,
        "symbol": observed.symbol,
        "value": observed.value,
        "unit": observed.unit,
        "change": observed.change,
        "created_at": tx.now,
    }
    tx.insert_missing(observations, [row])


def are_known(tx: Transaction, keys: Sequence[tuple[str, str, datetime]]) -> set[tuple[str, str, datetime]]:
    """Those of some subjects' keys, sources and instants that there is a reading for."""
    columns = (observations.c.key, observations.c.source, observations.c.at)
    if not keys:
        return set()
    rows = tx.execute(select(*columns).where(observations.c.scope_id == tx.scope_id, tuple_(*columns).in_(keys)))
    return {(row.key, row.source, row.at) for row in rows}


def newest(tx: Transaction, span: ObservationFilter, limit: int) -> list[ObservedValue]:
    """The readings of a span, the last first."""
    rows = tx.execute(_within(tx, span).order_by(observations.c.at.desc(), observations.c.source).limit(limit))
    return [_to_observed(row) for row in rows]


def oldest(tx: Transaction, span: ObservationFilter, limit: int) -> list[ObservedValue]:
    """The readings of a span, the first first."""
    rows = tx.execute(_within(tx, span).order_by(observations.c.at, observations.c.source).limit(limit))
    return [_to_observed(row) for row in rows]


def count(tx: Transaction, before: datetime, keys: Collection[str] | None = None) -> int:
    """How many readings there are from before a moment, of some subjects or all."""
    held = select(func.count()).select_from(observations).where(observations.c.scope_id == tx.scope_id)
    return int(tx.execute(held.where(*_before(before, keys))).scalar_one())


def remove(tx: Transaction, before: datetime, keys: Collection[str] | None = None) -> int:
    """Remove readings from before a moment, of some subjects or all; how many that were."""
    mine = observations.c.scope_id == tx.scope_id
    return tx.execute(delete(observations).where(mine, *_before(before, keys))).rowcount


def _before(moment: datetime, keys: Collection[str] | None) -> list[ColumnElement[bool]]:
    of = [] if keys is None else [observations.c.key.in_(sorted(keys))]
    return [observations.c.at < moment, *of]


def _within(tx: Transaction, span: ObservationFilter) -> Select[Any]:
    return select(observations).where(observations.c.scope_id == tx.scope_id, *span.conditions())


def _to_observed(row: Row[tuple[object, ...]]) -> ObservedValue:
    return ObservedValue(
        subject=row.subject,
        symbol=row.symbol,
        source=row.source,
        value=row.value,
        unit=row.unit,
        change=row.change,
        at=row.at,
    )
