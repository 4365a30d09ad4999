"""What happened to every link, as the database itself wrote it down: see store.link_triggers."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select

from nacre.store.columns import from_microseconds
from nacre.store.databases import Transaction
from nacre.store.link_triggers import IDS, TIMES
from nacre.store.schema import link_history


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened to a link: what it was before and after."""

    event: str
    at: datetime
    before: dict[str, Any] | None
    after: dict[str, Any] | None


def of(tx: Transaction, link: UUID) -> list[Event]:
    """Everything that happened to a link, the first first."""
    rows = tx.execute(
        select(link_history)
        .where(link_history.c.scope_id == tx.scope_id, link_history.c.link_id == link)
        .order_by(link_history.c.seq)
    )
    return [Event(event=row.event, at=row.at, before=_decoded(row.before), after=_decoded(row.after)) for row in rows]


def _decoded(image: dict[str, Any] | None) -> dict[str, Any] | None:
    if image is None:
        return None
    ids = {name: UUID(image[name]) for name in IDS if image[name]}
    times = {name: from_microseconds(image[name]) for name in TIMES if image[name] is not None}
    return {**image, **ids, **times}
