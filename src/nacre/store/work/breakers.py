"""Circuit breakers: passes that may change nothing until somebody has looked, kept among the scope's settings."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select

from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import settings


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBreaker:
    """Why a pass was stopped, and since when."""

    why: str
    at: datetime


def opened(tx: Transaction, name: str) -> OpenBreaker | None:
    """What stopped a pass; None while it may work."""
    mine = select(settings.c.value).where(settings.c.scope_id == tx.scope_id, settings.c.name == _key(name))
    value = tx.execute(mine).scalar_one_or_none()
    return None if value is None else OpenBreaker(why=value["why"], at=datetime.fromisoformat(value["at"]))


def open_(tx: Transaction, name: str, why: str) -> None:
    """Stop a pass. The first reason stands."""
    scopes.ensure(tx)
    value = {"why": why, "at": tx.now.isoformat()}
    tx.insert_missing(settings, [{"scope_id": tx.scope_id, "name": _key(name), "value": value}])


def reset(tx: Transaction, name: str) -> bool:
    """Let a pass work again; whether it was stopped."""
    mine = delete(settings).where(settings.c.scope_id == tx.scope_id, settings.c.name == _key(name))
    return tx.execute(mine).rowcount > 0


def _key(name: str) -> str:
    return f"breaker/{name}"
