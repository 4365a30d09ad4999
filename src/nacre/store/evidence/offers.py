"""Offers: items that sessions were shown, whether they were used, and how many sessions there were."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, bindparam, case, delete, func, select, update

from nacre.domain.ids import AspectId, EntityId, LinkId
from nacre.domain.memories import Status
from nacre.domain.offers import Offer
from nacre.store.base import dialects, scopes
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.tables.schema import entities, offers, recall_ledger, settings

MAX_OFFERS = 2_000
_TALLY = "feedback"
_REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class OfferCounts:
    """How many sessions were offered something, and how many of them when weights were last looked after."""

    sessions: int = 0
    tended: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What an entity's offers came to in one session; None where there were none of a kind."""

    entity: UUID
    name: str
    used: int
    score_used: float | None
    score_unused: float | None


def offer(tx: Transaction, made: Sequence[Offer]) -> None:
    """Note what a session is offered; what it was offered before stays as it is."""
    rows = [
        {
            "scope_id": tx.scope_id,
            "session": each.session,
            "item_id": each.item,
            "entity_id": each.entity,
            "score": each.score,
            "at": each.at,
            "path": {"aspect": str(each.aspect) if each.aspect else None, "links": [str(key) for key in each.links]},
        }
        for each in made
    ]
    if rows:
        tx.insert_missing(offers, rows)


def is_new(tx: Transaction, session: str) -> bool:
    """Whether a session was never offered anything."""
    return tx.execute(select(offers.c.item_id).where(_in_session(tx, session)).limit(1)).first() is None


def use(tx: Transaction, session: str, items: Collection[UUID]) -> list[Offer]:
    """Mark what a session was offered as used; returns what was not yet."""
    unused = and_(_in_session(tx, session), offers.c.item_id.in_(items), offers.c.used_at.is_(None))
    rows = tx.execute(update(offers).where(unused).values(used_at=tx.now).returning(*offers.c))
    return [_to_offer(row) for row in rows]


def refuse(tx: Transaction, session: str, items: Collection[UUID]) -> list[Offer]:
    """Mark what a session was offered as of no use; returns what was not yet."""
    rows = tx.execute(select(offers).where(_in_session(tx, session), offers.c.item_id.in_(items))).all()
    new = [row for row in rows if not row.path.get(_REFUSED)]
    for row in new:
        same = (offers.c.item_id == row.item_id, offers.c.entity_id == row.entity_id)
        marked = {**row.path, _REFUSED: True}
        tx.execute(update(offers).where(_in_session(tx, session), *same).values(path=marked))
    return [_to_offer(row) for row in new]


def unused(tx: Transaction, session: str) -> list[Offer]:
    """What a session was offered and has not used, the last first."""
    query = select(offers).where(_in_session(tx, session), offers.c.used_at.is_(None))
    rows = tx.execute(query.order_by(offers.c.at.desc(), offers.c.item_id, offers.c.entity_id).limit(MAX_OFFERS))
    return [_to_offer(row) for row in rows]


def comparisons(tx: Transaction, since: datetime | None) -> list[Comparison]:
    """What offers came to, for each entity in force and each session, the first session first."""
    was_used = offers.c.used_at.is_not(None)
    recent = [] if since is None else [offers.c.at >= since]
    rows = tx.execute(
        select(
            offers.c.entity_id,
            entities.c.name,
            func.count(offers.c.used_at).label("used"),
            func.avg(case((was_used, offers.c.score))).label("score_used"),
            func.avg(case((~was_used, offers.c.score))).label("score_unused"),
        )
        .join(entities, and_(entities.c.scope_id == offers.c.scope_id, entities.c.id == offers.c.entity_id))
        .where(offers.c.scope_id == tx.scope_id, entities.c.status == Status.ACTIVE.value, *recent)
        .group_by(offers.c.entity_id, entities.c.name, offers.c.session)
        .order_by(func.min(offers.c.at), offers.c.session, offers.c.entity_id)
    )
    return [Comparison(row.entity_id, row.name, row.used, row.score_used, row.score_unused) for row in rows]


def prune(tx: Transaction, before: datetime) -> int:
    """Delete the offers made before a moment; returns how many."""
    old = and_(offers.c.scope_id == tx.scope_id, offers.c.at < before)
    return tx.execute(delete(offers).where(old)).rowcount


def tally(tx: Transaction) -> OfferCounts:
    """How many sessions there were; none, where nothing was ever offered."""
    mine = (settings.c.scope_id == tx.scope_id, settings.c.name == _TALLY)
    kept = tx.execute(select(settings.c.value).where(*mine)).scalar_one_or_none()
    return OfferCounts(**kept) if kept else OfferCounts()


def keep_tally(tx: Transaction, now: OfferCounts) -> None:
    """Keep how many sessions there were."""
    scopes.ensure(tx)
    value = {"sessions": now.sessions, "tended": now.tended}
    new = dialects.insert(tx.connection, settings).values(scope_id=tx.scope_id, name=_TALLY, value=value)
    tx.execute(new.on_conflict_do_update(index_elements=["scope_id", "name"], set_={"value": new.excluded.value}))


def _in_session(tx: Transaction, session: str) -> ColumnElement[bool]:
    return and_(offers.c.scope_id == tx.scope_id, offers.c.session == session)


def _to_offer(row: Row[Any]) -> Offer:
    aspect = row.path.get("aspect")
    return Offer(
        session=row.session,
        item=row.item_id,
        entity=EntityId(row.entity_id),
        score=row.score,
        at=row.at,
        used_at=row.used_at,
        aspect=AspectId(UUID(aspect)) if aspect else None,
        links=tuple(LinkId(UUID(key)) for key in row.path.get("links", ())),
    )


def shown_items(tx: Transaction, session: str) -> set[UUID]:
    """The items a session was shown."""
    return {row.item_id for row in tx.execute(*shown_call(tx, session))}


def shown_call(tx: Transaction, session: str) -> Call:
    """What reads the items that a session was shown."""
    return _SHOWN, {"scope": tx.scope_id, "session": session}


_SHOWN = select(recall_ledger.c.item_id).where(
    recall_ledger.c.scope_id == bindparam("scope"), recall_ledger.c.session == bindparam("session")
)


def note_shown(tx: Transaction, session: str, items: Iterable[UUID]) -> None:
    """Note that a session is shown items."""
    tx.execute_all(shown_calls(tx, session, items))


def shown_calls(tx: Transaction, session: str, items: Iterable[UUID]) -> list[Call]:
    """What notes that a session is shown items."""
    rows = [{"scope_id": tx.scope_id, "session": session, "item_id": item, "at": tx.now} for item in items]
    return [scopes.ensure_call(tx), tx.missing_call(recall_ledger, rows)]
