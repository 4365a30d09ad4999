"""Dreaming: what each pass of a night did, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from nacre.domain.plain import Json


class PassName(StrEnum):
    """The passes of a cycle, in their order."""

    CONSOLIDATION = "consolidation"
    PREFERENCES = "preferences"
    ENTITIES = "entities"
    GRAPH = "graph"
    CONTRADICTIONS = "contradictions"
    SUMMARIES = "summaries"
    COMMUNITIES = "communities"
    DECAY = "decay"


class PassStatus(StrEnum):
    """What became of a pass."""

    DONE = "done"
    # Its input has not changed since it last ran, or it is switched off.
    SKIPPED = "skipped"
    # Live traffic came first; the rest waits for the next cycle.
    STOPPED = "stopped"
    # A circuit breaker keeps it from changing anything until a person resets it.
    PAUSED = "paused"
    FAILED = "failed"


class Method(StrEnum):
    """Who decided: rules, or a language model under the host's checks."""

    RULES = "rules"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class PassChange:
    """One thing that a pass did, or would do: what, and why."""

    what: str
    why: str
    # What it was done to, such as memories or entities.
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassReport:
    """What a pass did.

    `refused` are changes that were proposed and did not pass the host's checks. `waiting` counts what it left for the
    next cycle, which then runs even if nothing has changed.
    """

    name: PassName
    status: PassStatus
    method: Method = Method.RULES
    changes: tuple[PassChange, ...] = ()
    refused: tuple[PassChange, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dream:
    """One cycle of a scope."""

    id: UUID
    trigger: str
    started_at: datetime
    finished_at: datetime
    passes: tuple[PassReport, ...]
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamRecord:
    """A cycle as it was written down."""

    id: UUID
    trigger: str
    status: str
    report: Mapping[str, Json]
    started_at: datetime
    finished_at: datetime | None
