"""Usage of language models: calls, tokens and cost."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, insert, select

from nacre.domain import ids
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import usage


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageTotal:
    """What one purpose has cost with one model."""

    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int


def add(tx: Transaction, purpose: str, model: str, input_tokens: int, output_tokens: int) -> None:
    """Note what asking a model has cost."""
    scopes.ensure(tx)
    row = {
        "scope_id": tx.scope_id,
        "id": ids.new(tx.now),
        "purpose": purpose,
        "model": model,
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
        "cost": 0.0,
        "at": tx.now,
    }
    tx.execute(insert(usage), row)


def spent_since(tx: Transaction, purpose: str, moment: datetime) -> int:
    """How many tokens a purpose has cost since a moment."""
    tokens = func.coalesce(func.sum(usage.c.input_tokens + usage.c.output_tokens), 0)
    mine = (usage.c.scope_id == tx.scope_id, usage.c.at >= moment, usage.c.purpose == purpose)
    return int(tx.execute(select(tokens).where(*mine)).scalar_one())


def totals(tx: Transaction) -> list[UsageTotal]:
    """What each purpose has cost with each model."""
    rows = tx.execute(
        select(
            usage.c.purpose,
            usage.c.model,
            func.count().label("calls"),
            func.sum(usage.c.input_tokens).label("read"),
            func.sum(usage.c.output_tokens).label("written"),
        )
        .where(usage.c.scope_id == tx.scope_id)
        .group_by(usage.c.purpose, usage.c.model)
        .order_by(usage.c.purpose, usage.c.model)
    )
    return [
        UsageTotal(
            purpose=row.purpose, model=row.model, calls=row.calls, input_tokens=row.read, output_tokens=row.written
        )
        for row in rows
    ]
