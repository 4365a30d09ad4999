"""Link history: every change of a link, as the database itself wrote it down; see store.link_triggers."""

from typing import Any
from uuid import UUID

from sqlalchemy import select

from nacre.domain.links import LinkEvent
from nacre.store.base.databases import Transaction
from nacre.store.tables.columns import from_microseconds
from nacre.store.tables.link_triggers import IDS, TIMES
from nacre.store.tables.schema import link_history


def of(tx: Transaction, link: UUID) -> list[LinkEvent]:
    """Everything that happened to a link, the first first."""
    rows = tx.execute(
        select(link_history)
        .where(link_history.c.scope_id == tx.scope_id, link_history.c.link_id == link)
        .order_by(link_history.c.seq)
    )
    return [
        LinkEvent(event=row.event, at=row.at, before=_decoded(row.before), after=_decoded(row.after)) for row in rows
    ]


def _decoded(image: dict[str, Any] | None) -> dict[str, Any] | None:
    if image is None:
        return None
    ids = {name: UUID(image[name]) for name in IDS if image[name]}
    times = {name: from_microseconds(image[name]) for name in TIMES if image[name] is not None}
    return {**image, **ids, **times}
