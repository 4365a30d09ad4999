"""What the graph knows, in a few lines for every prompt."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from uuid import UUID

from nacre.domain.entities import Entity
from nacre.domain.memories import Status
from nacre.graph import matching, rendering
from nacre.store import entities
from nacre.store import schema as tables
from nacre.store.databases import Transaction
from nacre.text.budget import count_tokens

MAX_ENTITIES = 50


def profile(tx: Transaction, message: str | None, budget: int) -> str:
    """Entities grouped by kind: those a message names first, then the last changed, as many as fit; "" for none."""
    named = [found.entity_id for found in matching.find(tx, message)] if message else []
    return block(tx, named, budget)


def block(tx: Transaction, named: Sequence[UUID], budget: int, *, told: Collection[UUID] | None = None) -> str:
    """The same for entities known to be named. Beside a text that told of entities, only what it adds to that."""
    worth = [each for each in _in_order(tx, named) if told is None or rendering.is_news(each, told)]
    sizes = range(1, len(worth) + 1)
    fitting = bisect_left(sizes, True, key=lambda size: count_tokens(_rendered(worth[:size])) > budget)
    return _rendered(worth[:fitting]) if fitting else ""


def _rendered(entities: Sequence[Entity]) -> str:
    return "\n".join([rendering.PROFILE_HEADER, *rendering.profile_lines(entities)])


def _in_order(tx: Transaction, named: Sequence[UUID]) -> list[Entity]:
    known = entities.by_id(tx, named) if named else {}
    recent = entities.load(tx, tables.entities.c.status == Status.ACTIVE.value, limit=MAX_ENTITIES)
    return list({each.id: each for each in [*(known[key] for key in named), *recent]}.values())
