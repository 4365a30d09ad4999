"""Reports of extraction: what a text added to the graph."""

from dataclasses import dataclass
from uuid import UUID

from nacre.domain.dreams import Method
from nacre.domain.ids import SourceId


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a text added to the graph, who read it, what it cost, and what was left out and why.

    `batch` takes all of it back; `merged` and `flagged` count duplicates that were joined, or wait for a decision.
    `failed` names the pieces of a long text that could not be read.
    """

    source: SourceId
    method: Method
    batch: UUID | None
    entities: int
    links: int
    claims: int
    merged: int = 0
    flagged: int = 0
    chunks: int = 1
    failed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
