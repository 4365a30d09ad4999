"""Requests and replies of routes that look at a graph as a whole: reports, pictures and diagnostics."""

from dataclasses import dataclass
from typing import Literal

from nacre.domain.plain import Json
from nacre.domain.traversals import TraversalTelemetry
from nacre.http.wire import CamelReply


@dataclass(frozen=True, slots=True, kw_only=True)
class TraversalStatusReply:
    """The last traversal since the server was started, if there was one."""

    status: TraversalTelemetry | None


class GraphDiagnosticsReply(CamelReply):
    """Whether the graph is read, and whether extraction may write to it."""

    enabled: bool
    extraction_writes_enabled: bool


class JobCountsReply(CamelReply):
    """How many jobs wait, and how many were given up."""

    waiting: int
    dead: int


class DiagnosticsReply(CamelReply):
    """What the server runs on, and which parts of it are switched off."""

    version: str
    database: str
    embedder: str | None
    rerank: str
    language_model: str | None
    graph: GraphDiagnosticsReply
    cache: Literal["off", "answers", "does not answer"]
    jobs: JobCountsReply

    @classmethod
    def told(cls, version: str, diagnostics: dict[str, Json]) -> "DiagnosticsReply":
        """The reply that holds what a brain says of itself."""
        return cls.model_validate({"version": version, **diagnostics})
