"""One line of the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from nacre.domain.ids import AuditId
from nacre.domain.plain import Json

# The actor of what is done without saying who does it.
CALLER = "caller"
# Who does what an agent asks for, where no token says who that is.
AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """An operation that was carried out. Operations done together share a `batch`."""

    id: AuditId
    seq: int
    batch: UUID
    operation: str
    payload: Mapping[str, Json]
    actor: str
    at: datetime
    reason: str | None = None
    # Evidence, confidence, risk and origin, as the caller gave them.
    grounds: Mapping[str, Json] | None = None
    proposal: UUID | None = None
    undoes: UUID | None = None
    undone_by: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """One row before and after an operation; None where it was not, or is no longer, there."""

    table: str
    before: Mapping[str, Json] | None
    after: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """An operation, or those of a batch: the rows they changed, and the later operations in force that rest on them."""

    records: tuple[AuditRecord, ...]
    changes: tuple[RowChange, ...]
    later: tuple[AuditRecord, ...]


Image = dict[str, Json]


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One row before and after; None where it was not, or is no longer, there.

    Of a row that was there and still is, its key and the columns that changed; in logs of earlier versions, all of it.
    """

    table: str
    before: Image | None
    after: Image | None

    def plain(self) -> dict[str, Json]:
        """The change as the audit log keeps it."""
        return {"table": self.table, "before": self.before, "after": self.after}
