"""`nacre worker` and `nacre jobs`: background work, and what became of it."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated

import typer

from nacre.brain import Nacre, ScopedNacre
from nacre.cli import options, output
from nacre.cli.options import group
from nacre.cli.scoped import opened, scoped
from nacre.domain.jobs import Job, JobStatus
from nacre.telemetry import logs

app = group("What the background has to do, and what it gave up.", "nacre jobs list --status dead", "nacre jobs replay")

Status = Annotated[JobStatus | None, typer.Option(help="Only these.")]
One = Annotated[str, typer.Argument(metavar="JOB", help="The job's id.")]
OneOrAll = Annotated[str | None, typer.Argument(metavar="[JOB]", help="The job's id; all dead jobs if left out.")]
Once = Annotated[bool, typer.Option("--once", help="Do what is due now, then end.")]


def worker(
    context: typer.Context, *, once: Once = False, database: options.Database = None, as_json: options.AsJson = False
) -> None:
    """Do background work until interrupted. Several may run beside each other."""
    # It works for every agent; one is named only because opening a brain takes one.
    with opened(context.obj, {"database": database, "agent": None}, lasting=True) as (nacre, _):
        if once:
            reading = nacre.parts.model_worker
            done = nacre.parts.worker.drain() + (reading.drain() if reading else 0)
            output.show(output.ShortResult(str(done), {"jobs": done}), as_json=as_json)
        else:
            logs.install(nacre.parts.settings)
            work(nacre)


def work(nacre: Nacre) -> None:
    """Do background work in this thread, and learn in another, until a signal comes; finish what is at hand."""
    if nacre.parts.listener.writes:
        nacre.parts.learning.start(polls=True)
    if nacre.parts.model_worker:
        nacre.parts.model_worker.wake()
    with _stopping_at_a_signal(nacre.parts.worker.stop):
        nacre.parts.worker.run()


@app.command("list")
@scoped
def list_jobs(scope: ScopedNacre, *, status: Status = None, limit: options.Most = 100) -> list[Job]:
    """List jobs, the newest first."""
    return scope.jobs.list(status, limit=limit)


@app.command()
@scoped
def show(scope: ScopedNacre, job: One) -> Job:
    """Show one job."""
    return scope.jobs.show(job)


@app.command()
@scoped
def replay(scope: ScopedNacre, job: OneOrAll = None) -> output.ShortResult:
    """Try again what was given up."""
    replayed = scope.jobs.replay(job)
    return output.ShortResult(str(replayed), {"replayed": replayed})


@contextmanager
def _stopping_at_a_signal(end: Callable[[], object]) -> Iterator[None]:
    """Let the first signal end the work after the job at hand; a second one ends it at once."""

    def stop(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        end()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


output.table(
    Job,
    id="id",
    status="status",
    attempts="attempts",
    run="run_at",
    kind="kind",
    error=lambda job: job.error or str(job.payload.get("waits", "")),
)
