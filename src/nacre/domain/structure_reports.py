"""Reports on the structured part of a memory: what was written, and what was refused and why."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A part that was left out, such as `entities[2]`, and why."""

    item: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureCounts:
    """How much became part of the graph; `batch` takes all of it back in one undo.

    `related` counts the weak links between entities that were named together.
    """

    entities: int = 0
    links: int = 0
    related: int = 0
    claims: int = 0
    superseded: int = 0
    hints: int = 0
    batch: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureReport:
    """What a memory's structured part came to; `notes` are what a caller should know of what was applied."""

    applied: StructureCounts
    refused: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()
