"""Entities that are tasks: they are open, then done, and then no longer of interest."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nacre.domain.ids import EntityId


class TaskStatus(StrEnum):
    """How far a task has come."""

    OPEN = "open"
    IN_PROGRESS = "in_progress"
    BLOCKED = "blocked"
    DONE = "done"
    CANCELLED = "cancelled"


FINISHED = frozenset({TaskStatus.DONE, TaskStatus.CANCELLED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The life of a task. It counts until `expires_at`, and is kept until `retention_until`."""

    entity: EntityId
    name: str
    status: TaskStatus
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    retention_until: datetime | None = None
    completed_at: datetime | None = None
