"""Backups of a whole database, and the counts of what one holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """Where it lies and how large it is, since when, of which schema, and how many rows of each table it holds.

    `sealed` is an archive, in which any changed byte is found; an SQLite file is only as sure as SQLite makes it.
    """

    path: str
    size: int
    made_at: datetime
    schema: str
    counts: Mapping[str, int]
    sealed: bool = True

    @property
    def rows(self) -> int:
        """How many rows it holds in all."""
        return sum(self.counts.values())
