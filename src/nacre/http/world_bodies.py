"""What the requests and replies about the world outside hold."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from nacre.domain.world import MAX_SYMBOL, MOST_CHANGE, AlertStatus, Direction
from nacre.http.bodies import LINE, Body, Name, Reply, example, told


class WatchBody(Body):
    """Something to be watched; what is left out is as the settings say."""

    model_config = example(user="ana", subject="BTC", symbol="bitcoin", threshold=5)

    subject: Name = Field(description="What the graph calls it, or will.")
    symbol: Annotated[str, told(**{**LINE, "maxLength": MAX_SYMBOL})] | None = Field(
        default=None, description="What the source calls it."
    )
    source: Name | None = Field(default=None, description="A source by name.")
    threshold: Annotated[float, told(exclusiveMinimum=0, maximum=MOST_CHANGE)] | None = Field(
        default=None, description="The least change in per cent that is worth an alert."
    )


class PerceiveBody(Body):
    """Whose world is to be looked at."""

    model_config = example(user="ana")


class WatchReply(Reply):
    """Something that is watched: `asked` by somebody, or because the graph holds it. `error` is how it last failed."""

    subject: str
    symbol: str
    source: str | None
    threshold: float
    asked: bool
    read_at: datetime | None
    failed_at: datetime | None
    error: str | None


class WatchesReply(Reply):
    """All that is watched, by name."""

    watches: list[WatchReply]


class UnwatchedReply(Reply):
    """Whether it was watched."""

    was_watched: bool


class ReadingReply(Reply):
    """What a source said of a subject; `change` is the day's, in per cent."""

    subject: str
    symbol: str
    source: str
    value: float
    unit: str
    change: float | None
    at: datetime


class HistoryReply(Reply):
    """Readings, the last first."""

    readings: list[ReadingReply]


class FailedReply(Reply):
    """A subject that could not be read, and why."""

    subject: str
    symbol: str
    source: str
    reason: str


class AlertReply(Reply):
    """A move that was worth telling: from `reference` to `value` is `change` per cent."""

    id: UUID
    subject: str
    source: str
    value: float
    unit: str
    reference: float
    change: float
    at: datetime
    status: AlertStatus
    delivery: UUID | None
    delivered_at: datetime | None
    posted_at: datetime | None


class AlertsReply(Reply):
    """Alerts, the last first."""

    alerts: list[AlertReply]


class PerceivedReply(Reply):
    """What a look came to: what was read and what not, and which alerts came of it."""

    at: datetime
    read: list[ReadingReply]
    known: int
    failed: list[FailedReply]
    alerted: list[AlertReply]
    held: list[AlertReply]
    capped: list[AlertReply]
    released: list[AlertReply]
    batch: UUID | None
    notes: list[str]


class TrendReply(Reply):
    """How a subject moved; `slope` is per cent of the first value a day."""

    subject: str
    source: str
    unit: str
    count: int
    since: datetime
    until: datetime
    first: float
    last: float
    low: float
    high: float
    change: float
    slope: float
    direction: Direction


class CleanedReply(Reply):
    """How many readings were removed, or would be."""

    removed: int
    dry_run: bool
