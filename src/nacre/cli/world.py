"""`nacre world`: prices outside, what they did, and who was told."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.options import group, when
from nacre.cli.scoped import scoped
from nacre.domain.world import Alert, AlertStatus, ObservedValue, PerceptionReport, ValueTrend, Watch, percent, price

app = group(
    "Watch prices outside, look back on them, and see which moves were told of.",
    "nacre world watch BTC --symbol bitcoin --threshold 5",
    "nacre world perceive",
    "nacre world trend BTC --days 7",
)

Subject = Annotated[str, typer.Argument(help="What is watched, by any of its names.")]
About = Annotated[str | None, typer.Option("--subject", help="Only this subject.")]
Symbol = Annotated[str | None, typer.Option(help="What the source calls it; its own name if left out.")]
Source = Annotated[str | None, typer.Option(help="A source by name; the first one if left out.")]
Threshold = Annotated[float | None, typer.Option(help="The least change in per cent that is worth an alert.")]
Days = Annotated[float, typer.Option(min=0.01, max=36_500, help="How far to look back.")]
Status = Annotated[AlertStatus | None, typer.Option(help="Only alerts with this status.")]
Since = Annotated[datetime | None, typer.Option(parser=when, metavar="TIME", help="Only from this time on.")]
Until = Annotated[datetime | None, typer.Option(parser=when, metavar="TIME", help="Only up to this time.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say how many that would be, and remove none.")]
Before = Annotated[datetime, typer.Option(parser=when, metavar="TIME", help="All from before this time.")]


@app.command()
@scoped
def watch(
    scope: ScopedNacre, subject: Subject, *, symbol: Symbol = None, source: Source = None, threshold: Threshold = None
) -> Watch:
    """Have a subject watched."""
    return scope.world.watch(subject, symbol=symbol, source=source, threshold=threshold)


@app.command()
@scoped
def unwatch(scope: ScopedNacre, subject: Subject) -> output.ShortResult:
    """Stop watching a subject, whoever asked for it."""
    was = scope.world.unwatch(subject)
    return output.ShortResult("It is no longer watched." if was else "It was not watched.", {"was_watched": was})


@app.command("list")
@scoped
def list_watches(scope: ScopedNacre) -> list[Watch]:
    """List what is watched, and how reading it went."""
    return scope.world.watches()


@app.command()
@scoped
def perceive(scope: ScopedNacre) -> PerceptionReport:
    """Look at the world now."""
    return scope.world.perceive()


@app.command()
@scoped
def history(
    scope: ScopedNacre,
    subject: Subject,
    *,
    source: Source = None,
    since: Since = None,
    until: Until = None,
    limit: options.Most = 20,
) -> list[ObservedValue]:
    """List what was read of a subject, the last first."""
    return scope.world.history(subject, source=source, since=since, until=until, limit=limit)


@app.command()
@scoped
def trend(scope: ScopedNacre, subject: Subject, *, days: Days = 7.0, source: Source = None) -> ValueTrend:
    """Show how a subject moved until now."""
    return scope.world.trend(subject, window=timedelta(days=days), source=source)


@app.command()
@scoped
def alerts(
    scope: ScopedNacre,
    *,
    subject: About = None,
    status: Status = None,
    since: Since = None,
    limit: options.Most = 20,
) -> list[Alert]:
    """List alerts and what became of them, the last first."""
    return scope.world.alerts(subject=subject, status=status, since=since, limit=limit)


@app.command()
@scoped
def clean(scope: ScopedNacre, *, before: Before, subject: About = None, dry_run: DryRun = False) -> output.ShortResult:
    """Remove readings and alerts for good; nothing else ever does."""
    removed = scope.world.clean(before=before, subject=subject, dry_run=dry_run)
    done = "Would remove" if dry_run else "Removed"
    return output.ShortResult(f"{done} {removed} readings.", {"removed": removed, "dry_run": dry_run})


@output.words(PerceptionReport)
def _perceived(report: PerceptionReport) -> Iterator[str]:
    """What a look came to, in words."""
    yield from (f"{each.text} ({each.source})" for each in report.read)
    yield from (f"{each.subject} was not read: {each.reason}" for each in report.failed)
    yield from (f"Alert: {each.text}" for each in (*report.released, *report.alerted))
    yield from (f"Held until the quiet hours are over: {each.text}" for each in report.held)
    yield from (f"One too many for today: {each.text}" for each in report.capped)
    yield from (f"Note: {note}" for note in report.notes)
    if not (report.read or report.failed):
        yield "There was nothing new to read."


@output.words(ValueTrend)
def _trend(trend: ValueTrend) -> Iterator[str]:
    """A trend in words."""
    first, last, low, high = (price(each, trend.unit) for each in (trend.first, trend.last, trend.low, trend.high))
    yield f"{trend.subject}: {trend.direction.value}, {percent(trend.change)}, from {first} to {last} ({trend.source})"
    yield f"between {low} and {high}, {percent(trend.slope)} a day, in {trend.count} readings"


def _value(each: ObservedValue | Alert) -> str:
    return price(each.value, each.unit)


def _change(each: ObservedValue | Alert) -> str:
    return "" if each.change is None else percent(each.change)


output.table(
    Watch,
    subject="subject",
    symbol="symbol",
    source="source",
    threshold="threshold",
    asked="asked",
    read="read_at",
    error="error",
)
output.table(ObservedValue, at="at", subject="subject", value=_value, change=_change, source="source")
output.table(Alert, at="at", subject="subject", value=_value, change=_change, status="status", told="delivered_at")
