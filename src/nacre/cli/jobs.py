"""`nacre worker` and `nacre jobs`: background work, and what became of it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.scoped import opened, scoped
from nacre.domain.jobs import Job, JobStatus
from nacre.work.workers import Worker

app = typer.Typer(help="What the background has to do, and what it gave up.", no_args_is_help=True)

Status = Annotated[JobStatus | None, typer.Option(help="Only these.")]
Limit = Annotated[int, typer.Option(help="How many at most.")]
One = Annotated[str, typer.Argument(metavar="JOB", help="The job's id.")]
OneOrAll = Annotated[str | None, typer.Argument(metavar="[JOB]", help="The job's id; all dead jobs if left out.")]
Once = Annotated[bool, typer.Option("--once", help="Do what is due now, then end.")]


def worker(
    context: typer.Context, *, once: Once = False, database: options.Database = None, as_json: options.AsJson = False
) -> None:
    """Do background work until interrupted. Several may run beside each other."""
    # It works for every agent; one is named only because opening a brain takes one.
    with opened(context.obj, {"database": database, "agent": None}) as (nacre, _):
        if once:
            output.show({"jobs": nacre.parts.worker.drain()}, as_json=as_json)
        else:
            with _stopping_at_a_signal(nacre.parts.worker):
                nacre.parts.worker.run()


@app.command("list")
@scoped
def list_jobs(scope: ScopedNacre, *, status: Status = None, limit: Limit = 100) -> list[Job]:
    """List jobs, the newest first."""
    return scope.jobs.list(status, limit=limit)


@app.command()
@scoped
def show(scope: ScopedNacre, job: One) -> Job:
    """Show one job."""
    return scope.jobs.show(job)


@app.command()
@scoped
def replay(scope: ScopedNacre, job: OneOrAll = None) -> dict[str, int]:
    """Try again what was given up."""
    return {"replayed": scope.jobs.replay(job)}


@contextmanager
def _stopping_at_a_signal(worker: Worker) -> Iterator[None]:
    """Let the first signal end the work after the job at hand; a second one ends it at once."""

    def stop(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        worker.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
