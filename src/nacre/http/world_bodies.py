"""Requests and replies about the world outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from nacre.domain.world import MAX_SYMBOL, MOST_CHANGE, Alert, ObservedValue, Watch
from nacre.http.bodies import LINE, Body, Name, example, limits
from nacre.http.wire import Reply


class WatchBody(Body):
    """Something to be watched; what is left out is as the settings say."""

    model_config = example(user="ana", subject="BTC", symbol="bitcoin", threshold=5)

    subject: Name = Field(description="What the graph calls it, or will.")
    symbol: Annotated[str, limits(**{**LINE, "maxLength": MAX_SYMBOL})] | None = Field(
        default=None, description="What the source calls it."
    )
    source: Name | None = Field(default=None, description="A source by name.")
    threshold: Annotated[float, limits(exclusiveMinimum=0, maximum=MOST_CHANGE)] | None = Field(
        default=None, description="The least change in per cent that is worth an alert."
    )


class PerceiveBody(Body):
    """Whose world is to be looked at."""

    model_config = example(user="ana")


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchesReply:
    """All that is watched, by name."""

    watches: Sequence[Watch]


class UnwatchedReply(Reply):
    """Whether it was watched."""

    was_watched: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryReply:
    """Readings, the last first."""

    readings: Sequence[ObservedValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertsReply:
    """Alerts, the last first."""

    alerts: Sequence[Alert]


class CleanedReply(Reply):
    """How many readings were removed, or would be."""

    removed: int
    dry_run: bool
