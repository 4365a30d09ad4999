"""`/v1/agents/{agent}/…`: dreaming, background work, and the log of every change."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import StreamingResponse

from nacre.domain import checks
from nacre.domain.access import Permission
from nacre.domain.dreams import Dream
from nacre.domain.jobs import Job, JobStatus
from nacre.domain.progress import LearningStatus, Progress
from nacre.http import events
from nacre.http.audit_bodies import (
    AuditReply,
    DreamBody,
    DreamsReply,
    InspectionReply,
    JobsReply,
    ReplayBody,
    ReplayReply,
    ResetBody,
    ResetReply,
    UndoBody,
    UndoReply,
)
from nacre.http.doors import AgentPath, Entered, OfAgent, needs
from nacre.http.queries import (
    MAX_WAIT,
    AlsoModel,
    BeforeId,
    JobPath,
    Limit,
    ObservationId,
    Offset,
    OperationPath,
    WaitSeconds,
)
from nacre.http.shapes import SnakeRoute

router = APIRouter(prefix="/v1/agents/{agent}", tags=["upkeep"], route_class=SnakeRoute)


@router.post("/dream", **needs(Permission.MODIFY))
def dream(agent: AgentPath, body: DreamBody, door: Entered) -> Dream:
    """Run one cycle of upkeep, or only some passes of it; a dry run changes nothing."""
    return body.scope(door, agent).dreams.run(body.passes, dry_run=body.dry_run)


@router.get("/dreams", **needs(Permission.RECALL))
def dreams(scope: OfAgent, limit: Limit = 10, offset: Offset = 0) -> DreamsReply:
    """The last cycles with their reports, the last one first."""
    return DreamsReply(dreams=scope.dreams.history(limit=limit, offset=offset))


@router.post("/dreams/reset", **needs(Permission.RECOVER))
def reset_pass(agent: AgentPath, body: ResetBody, door: Entered) -> ResetReply:
    """Let a pass work again that its circuit breaker has paused."""
    return ResetReply(reset=body.scope(door, agent).dreams.reset(body.name))


@router.get("/jobs", **needs(Permission.DIAGNOSTICS))
def jobs(scope: OfAgent, status: JobStatus | None = None, limit: Limit = 100, offset: Offset = 0) -> JobsReply:
    """Background work, the last enqueued first; `dead` is what was given up."""
    return JobsReply(jobs=scope.jobs.list(status, limit=limit, offset=offset))


@router.get("/jobs/events", **needs(Permission.DIAGNOSTICS), **events.STREAM)
def job_events(request: Request, scope: OfAgent, seconds: events.Seconds = events.DEFAULT) -> StreamingResponse:
    """How far background work has come, as server-sent events, until nothing is under way or the time is up.

    A `progress` event comes at once and whenever something changes; an `end` event says why the stream ends.
    """
    return events.stream(scope, seconds, request.app.state.stopping)


@router.get("/jobs/{job}", **needs(Permission.DIAGNOSTICS))
def job(job: JobPath, scope: OfAgent) -> Job:
    """One job, and why it failed where it did."""
    return scope.jobs.show(job)


@router.post("/jobs/replay", **needs(Permission.RECOVER))
def replay(agent: AgentPath, body: ReplayBody, door: Entered) -> ReplayReply:
    """Try again what was given up, one job or all."""
    return ReplayReply(replayed=body.scope(door, agent).jobs.replay(body.job))


@router.get("/embeddings", **needs(Permission.DIAGNOSTICS))
def embeddings(scope: OfAgent) -> Progress:
    """How many passages have a vector of the embedder in use."""
    return scope.embedding_progress()


@router.get("/learning", **needs(Permission.RECALL))
def learning(
    scope: OfAgent, observation: ObservationId = None, seconds: WaitSeconds = 0, *, model: AlsoModel = False
) -> LearningStatus:
    """How much of what was observed the graph has not learned yet: of all, or of what was said up to one observation.

    With `seconds` the call learns for so long first, at most. Whatever reads the graph does that by itself.
    """
    timeout = checks.seconds("seconds", seconds, MAX_WAIT)
    return scope.learned(observation, timeout=timeout, model=model)


@router.get("/audit", **needs(Permission.RECALL))
def audit(scope: OfAgent, limit: Limit = 50, before: BeforeId = None) -> AuditReply:
    """What was done to memories, graph and ontology, the last operation first."""
    return AuditReply(records=scope.history(limit=limit, before=before))


@router.get("/audit/{operation}", **needs(Permission.RECALL))
def inspect(operation: OperationPath, scope: OfAgent, limit: Limit = 100) -> InspectionReply:
    """What an operation or a batch changed, row by row, and which later operations rest on it."""
    return InspectionReply.cut(scope.inspect(operation), checks.count("limit", limit))


@router.post("/undo", **needs(Permission.RECOVER))
def undo(agent: AgentPath, body: UndoBody, door: Entered) -> UndoReply:
    """Take back an operation or a batch, unless something later rests on it."""
    return UndoReply.told(body.scope(door, agent).undo(body.operation, actor=door.actor()))
