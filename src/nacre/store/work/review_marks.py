"""Review marks: the state in which a pass last saw something, so that it need not look again. Kept among the gates."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select

from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import gates

_TOGETHER = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """How something was when it was last looked at, and when that was."""

    mark: str
    at: datetime


def of(tx: Transaction, about: str) -> dict[str, Review]:
    """Every review of one kind, such as `consolidation/entry`, by what was looked at."""
    kind = gates.c["pass"].startswith(f"{about}/", autoescape=True)
    rows = tx.execute(select(gates).where(gates.c.scope_id == tx.scope_id, kind))
    named = {row._mapping["pass"].removeprefix(f"{about}/"): row for row in rows}  # noqa: SLF001
    return {key: Review(mark=row.fingerprint, at=row.at) for key, row in named.items()}


def note(tx: Transaction, about: str, marks: Mapping[str, str]) -> None:
    """Note how things were, just now."""
    if marks:
        scopes.ensure(tx)
        drop(tx, about, marks.keys())
        tx.execute(
            insert(gates),
            [
                {"scope_id": tx.scope_id, "pass": f"{about}/{key}", "fingerprint": mark, "at": tx.now}
                for key, mark in marks.items()
            ],
        )


def drop(tx: Transaction, about: str, keys: Collection[str]) -> None:
    """Forget that things were looked at."""
    named = [f"{about}/{key}" for key in keys]
    for start in range(0, len(named), _TOGETHER):
        some = gates.c["pass"].in_(named[start : start + _TOGETHER])
        tx.execute(delete(gates).where(gates.c.scope_id == tx.scope_id, some))
