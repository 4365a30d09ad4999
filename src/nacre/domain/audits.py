"""One line of the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from nacre.domain.ids import AuditId
from nacre.domain.plain import Json

# The actor of what is done without saying who does it.
CALLER = "caller"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
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
