"""Evidence: what was said or handed over, kept as it was."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import insert

from nacre.store.databases import Transaction
from nacre.store.schema import sources


class SourceKind(StrEnum):
    """How a source came in."""

    TURN = "turn"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One piece of evidence; never changed once written."""

    id: UUID
    kind: SourceKind
    text: str
    at: datetime
    ref: str | None = None


def add(tx: Transaction, items: Sequence[Source]) -> None:
    """Keep new evidence."""
    tx.execute(
        insert(sources),
        [
            {
                "scope_id": tx.scope_id,
                "id": item.id,
                "kind": item.kind.value,
                "text": item.text,
                "ref": item.ref,
                "at": item.at,
                "created_at": tx.now,
            }
            for item in items
        ],
    )
