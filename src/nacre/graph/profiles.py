"""What the graph knows, in a few lines for every prompt."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain.entities import Entity
from nacre.graph import matching, rendering
from nacre.store import entities, pasts
from nacre.store.databases import Transaction
from nacre.text.budget import count_tokens

MAX_ENTITIES = 50


def profile(tx: Transaction, message: str | None, budget: int, as_of: datetime | None = None) -> str:
    """Entities grouped by kind: those a message names first, then the last changed, as many as fit; "" for none."""
    named = [found.entity_id for found in matching.find(tx, message)] if message else []
    return block(tx, named, budget, as_of=as_of)


def block(
    tx: Transaction,
    named: Sequence[UUID],
    budget: int,
    *,
    told: Collection[UUID] | None = None,
    as_of: datetime | None = None,
) -> str:
    """The same for entities known to be named. Beside a text that told of entities, only what it adds to that."""
    worth = [each for each in _in_order(tx, named, as_of) if told is None or rendering.is_news(each, told)]
    sizes = range(1, len(worth) + 1)
    fitting = bisect_left(sizes, True, key=lambda size: count_tokens(_rendered(worth[:size])) > budget)
    return _rendered(worth[:fitting]) if fitting else ""


def _rendered(entities: Sequence[Entity]) -> str:
    return "\n".join([rendering.PROFILE_HEADER, *rendering.profile_lines(entities)])


def _in_order(tx: Transaction, named: Sequence[UUID], as_of: datetime | None) -> list[Entity]:
    known = entities.by_id(tx, named) if named else {}
    recent = entities.load(tx, entities.in_force(as_of), limit=MAX_ENTITIES)
    shown = {each.id: each for each in [*(known[key] for key in named), *recent]}
    return list((shown if as_of is None else pasts.entities_at(tx, shown.values(), as_of)).values())
