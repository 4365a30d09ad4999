"""`/v1/agents/{agent}/world`: what is watched outside, what was read of it, and which moves were told of."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query

from nacre.domain.access import Permission
from nacre.domain.world import AlertStatus, PerceptionReport, ValueTrend, Watch
from nacre.http.bodies import LINE, Instant
from nacre.http.doors import AgentPath, Entered, OfAgent, needs
from nacre.http.queries import Limit, Offset, Since, Until
from nacre.http.shapes import SnakeRoute
from nacre.http.world_bodies import (
    AlertsReply,
    CleanedReply,
    HistoryReply,
    PerceiveBody,
    UnwatchedReply,
    WatchBody,
    WatchesReply,
)

router = APIRouter(prefix="/v1/agents/{agent}/world", tags=["world"], route_class=SnakeRoute)

MAX_HOURS = 100 * 366 * 24

Subject = Annotated[
    str, Query(description="What is watched, by any of its names.", examples=["BTC"], json_schema_extra=LINE)
]
About = Annotated[str | None, Query(description="Only this subject.", json_schema_extra=LINE)]
SourceFilter = Annotated[str | None, Query(description="Only what this source said.", json_schema_extra=LINE)]
Hours = Annotated[int, Query(description="How far to look back.", ge=1, le=MAX_HOURS)]
DryRun = Annotated[bool, Query(description="Only say how many that would be.")]
Before = Annotated[Instant, Query(description="All from before this time.", examples=["2026-05-01T00:00:00Z"])]


@router.get("/watches", **needs(Permission.RECALL))
def watches(scope: OfAgent) -> WatchesReply:
    """All that is watched, by name: what somebody asked for, and what the graph holds that has a price."""
    return WatchesReply(watches=scope.world.watches())


@router.put("/watches", **needs(Permission.REMEMBER))
def watch(agent: AgentPath, body: WatchBody, door: Entered) -> Watch:
    """Have a subject watched, in place of how it was watched before."""
    return body.scope(door, agent).world.watch(**body.arguments())


@router.delete("/watches", **needs(Permission.FORGET))
def unwatch(scope: OfAgent, subject: Subject) -> UnwatchedReply:
    """Stop watching a subject, whoever asked for it, until somebody asks again."""
    return UnwatchedReply(was_watched=scope.world.unwatch(subject))


@router.post("/perceive", **needs(Permission.MODIFY))
def perceive(agent: AgentPath, body: PerceiveBody, door: Entered) -> PerceptionReport:
    """Look at the world now, whatever the clock says."""
    return body.scope(door, agent).world.perceive()


@router.get("/history", **needs(Permission.RECALL))
def history(
    scope: OfAgent,
    *,
    subject: Subject,
    source: SourceFilter = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 100,
) -> HistoryReply:
    """What was read of a subject, the last first."""
    found = scope.world.history(subject, source=source, since=since, until=until, limit=limit)
    return HistoryReply(readings=found)


@router.delete("/history", **needs(Permission.FORGET))
def clean(scope: OfAgent, *, before: Before, subject: About = None, dry_run: DryRun = False) -> CleanedReply:
    """Remove readings and alerts from before a moment for good; nothing else ever does. A dry run only counts."""
    removed = scope.world.clean(before=before, subject=subject, dry_run=dry_run)
    return CleanedReply(removed=removed, dry_run=dry_run)


@router.get("/trend", **needs(Permission.RECALL))
def trend(scope: OfAgent, subject: Subject, hours: Hours = 168, source: SourceFilter = None) -> ValueTrend:
    """How a subject moved until now."""
    return scope.world.trend(subject, window=timedelta(hours=hours), source=source)


@router.get("/alerts", **needs(Permission.RECALL))
def alerts(
    scope: OfAgent,
    *,
    subject: About = None,
    status: AlertStatus | None = None,
    since: Since = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> AlertsReply:
    """Moves that were worth telling and what became of each, the last first."""
    found = scope.world.alerts(subject=subject, status=status, since=since, limit=limit, offset=offset)
    return AlertsReply(alerts=found)
