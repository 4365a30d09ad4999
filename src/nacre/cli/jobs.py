"""`nacre worker` and `nacre jobs`: background work, and what became of it."""

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Annotated

import typer

from nacre.brain import Nacre
from nacre.brain.jobs import Jobs
from nacre.cli import options, output
from nacre.domain.jobs import Job, JobStatus
from nacre.domain.plain import plain
from nacre.domain.scopes import Scope
from nacre.work.workers import Worker

Chosen = Mapping[str, str | None]
Opened = Callable[[Chosen, Chosen], AbstractContextManager[tuple[Nacre, Scope]]]

Status = Annotated[JobStatus | None, typer.Option(help="Only these.")]
Limit = Annotated[int, typer.Option(help="How many at most.")]
One = Annotated[str, typer.Argument(metavar="JOB", help="The job's id.")]
OneOrAll = Annotated[str | None, typer.Argument(metavar="[JOB]", help="The job's id; all dead jobs if left out.")]
Once = Annotated[bool, typer.Option("--once", help="Do what is due now, then end.")]


def add_to(app: typer.Typer, opened: Opened) -> None:
    """Add the commands to `app`; `opened` opens the brain and the scope that the options choose."""
    app.command("worker")(_worker(opened))
    group = typer.Typer(help="What the background has to do, and what it gave up.", no_args_is_help=True)
    app.add_typer(group, name="jobs")
    group.command("list")(_list(opened))
    group.command("show")(_show(opened))
    group.command("replay")(_replay(opened))


def _worker(opened: Opened) -> Callable[..., None]:
    def worker(
        context: typer.Context,
        *,
        once: Once = False,
        database: options.Database = None,
        as_json: options.AsJson = False,
    ) -> None:
        """Do background work until interrupted. Several may run beside each other."""
        # It works for every agent; one is named only because opening a brain takes one.
        with opened(context.obj, {"database": database, "agent": None}) as (nacre, _):
            if once:
                output.show({"jobs": nacre.parts.worker.drain()}, as_json=as_json)
            else:
                with _stopping_at_a_signal(nacre.parts.worker):
                    nacre.parts.worker.run()

    return worker


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


def _list(opened: Opened) -> Callable[..., None]:
    def list_jobs(
        context: typer.Context,
        *,
        status: Status = None,
        limit: Limit = 100,
        database: options.Database = None,
        agent: options.Agent = None,
        user: options.User = None,
        chat: options.Chat = None,
        as_json: options.AsJson = False,
    ) -> None:
        """List jobs, the newest first."""
        chosen = {"database": database, "agent": agent, "user": user, "chat": chat}
        with opened(context.obj, chosen) as (nacre, scope):
            _print(Jobs(nacre.parts, scope).list(status, limit=limit), as_json=as_json)

    return list_jobs


def _show(opened: Opened) -> Callable[..., None]:
    def show(
        context: typer.Context,
        job: One,
        *,
        database: options.Database = None,
        agent: options.Agent = None,
        user: options.User = None,
        chat: options.Chat = None,
        as_json: options.AsJson = False,
    ) -> None:
        """Show one job."""
        chosen = {"database": database, "agent": agent, "user": user, "chat": chat}
        with opened(context.obj, chosen) as (nacre, scope):
            found = Jobs(nacre.parts, scope).show(job)
            if as_json:
                output.show(found, as_json=True)
            else:
                _print([found], as_json=False)

    return show


def _replay(opened: Opened) -> Callable[..., None]:
    def replay(
        context: typer.Context,
        job: OneOrAll = None,
        *,
        database: options.Database = None,
        agent: options.Agent = None,
        user: options.User = None,
        chat: options.Chat = None,
        as_json: options.AsJson = False,
    ) -> None:
        """Try again what was given up."""
        chosen = {"database": database, "agent": agent, "user": user, "chat": chat}
        with opened(context.obj, chosen) as (nacre, scope):
            output.show({"replayed": Jobs(nacre.parts, scope).replay(job)}, as_json=as_json)

    return replay


def _print(found: Sequence[Job], *, as_json: bool) -> None:
    if as_json:
        output.show(found, as_json=True)
        return
    for job in found:
        reason = " ".join((job.error or "").split())
        typer.echo("\t".join([str(job.id), job.status, str(job.attempts), str(plain(job.run_at)), job.kind, reason]))
