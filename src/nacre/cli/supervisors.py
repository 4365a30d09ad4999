"""Several processes that answer requests on one socket, and one for background work; each that dies is started again.

They are forked from a process that has imported everything and done nothing, so that one starts in a moment and none
inherits a thread or a connection.
"""

import logging
import multiprocessing
import os
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic
from types import FrameType

from nacre.brain import Nacre, doors
from nacre.cli import jobs
from nacre.domain.errors import Invalid
from nacre.settings import Settings
from nacre.telemetry import logs, metrics

log = logging.getLogger(__name__)

MEMORY = ":memory:"
# Named and not imported: the supervisor itself answers nobody.
PRELOADS = "nacre.cli.preloads"
POLL_SECONDS = 0.2
# How long the next attempt waits after a process has died: twice as long each time, until one lives for a while.
FIRST_REST, LAST_REST = 0.5, 30.0
SETTLED_SECONDS = 60.0
# Beyond what requests in flight are given: closing connections, and the job at hand.
TIDYING_SECONDS = 5.0


def supervise(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> bool:
    """Keep the processes running until told to stop; whether all of them ended by themselves."""
    if settings.database == MEMORY:
        raise Invalid("workers", "must be 1 for a database in memory, which no other process can see")
    # What is wrong with the settings or the database is said, and the schema is current, before there are many.
    Nacre(settings=settings.model_copy(update={"metrics_dir": None})).close()
    logs.install(settings)
    ready()
    with TemporaryDirectory(prefix="nacre-") as folder:
        posts = _posts(_counting(settings, Path(folder)), listener, Path(folder) / "calls")
        return Supervisor(posts).run(stop_within=settings.shutdown_seconds + TIDYING_SECONDS, first=listener.close)


def _posts(settings: Settings, listener: socket.socket, calls: Path) -> list["Post"]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([PRELOADS])
    forget = partial(metrics.forget_process, settings.metrics_dir)
    # The one process for jobs does them all; those that answer requests leave them to it.
    apart = settings.model_copy(update={"worker": "off"})
    doors.prepare_call_counts(calls)
    answering = partial(context.Process, target=_answer, args=(apart, listener, calls))
    posts = [Post("server", answering, forget) for _ in range(settings.workers)]
    if settings.worker == "thread":
        posts.append(Post("job", partial(context.Process, target=_work, args=(apart,)), forget))
    return posts


def _counting(settings: Settings, folder: Path) -> Settings:
    """The settings, with a folder in which the processes count together where metrics are wanted."""
    if settings.metrics == "off":
        return settings
    shared = settings.metrics_dir or folder / "metrics"
    metrics.tidy(shared)
    return settings.model_copy(update={"metrics_dir": shared})


class Post:
    """A place that one process holds after another."""

    def __init__(self, name: str, make: Callable[[], BaseProcess], forget: Callable[[int | None], None]) -> None:
        self.name = name
        self.process: BaseProcess | None = None
        self._make = make
        self._forget = forget
        self._begun = 0.0
        self._due = 0.0
        self._deaths = 0

    def tend(self) -> None:
        """Start a process where there is none and it is time; notice one that has died."""
        if self.process and not self.process.is_alive():
            self._bury(self.process)
        if self.process is None and monotonic() >= self._due:
            self._begun = monotonic()
            self.process = self._make()
            self.process.start()

    def _bury(self, dead: BaseProcess) -> None:
        dead.join()
        self._forget(dead.pid)
        self._deaths = 1 if monotonic() - self._begun > SETTLED_SECONDS else self._deaths + 1
        rest = min(FIRST_REST * 2 ** (self._deaths - 1), LAST_REST)
        self._due = monotonic() + rest
        self.process = None
        log.error("The %s process %s ended with %s; the next starts in %g s.", self.name, dead.pid, dead.exitcode, rest)


class Supervisor:
    """Tends posts until it is told to stop."""

    def __init__(self, posts: Sequence[Post]) -> None:
        self._posts = posts
        self._stopping = False

    def run(self, *, stop_within: float, first: Callable[[], None]) -> bool:
        """Tend the posts; then do something `first`, and end them all within so many seconds."""
        with self._hearing():
            while not self._stopping:
                for post in self._posts:
                    post.tend()
                wait([each.sentinel for each in self._processes()], timeout=POLL_SECONDS)
            first()
            return self._end(monotonic() + stop_within)

    def _end(self, deadline: float) -> bool:
        running = self._processes()
        for each in running:
            each.terminate()
        for each in running:
            each.join(max(0.0, deadline - monotonic()))
        late = [each for each in running if each.is_alive()]
        for each in late:
            log.error("The process %s did not end in time and is killed.", each.pid)
            each.kill()
            each.join()
        return not late

    def _processes(self) -> list[BaseProcess]:
        return [post.process for post in self._posts if post.process]

    @contextmanager
    def _hearing(self) -> Iterator[None]:
        def stop(_number: int, _frame: FrameType | None) -> None:
            self._stopping = True

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _answer(settings: Settings, listener: socket.socket, calls: Path) -> None:
    from nacre.cli import servers  # noqa: PLC0415 - the process that this one is forked from has it

    # A caller may make as many calls of all processes together as of one.
    with _opened(settings) as nacre, doors.shared_call_counts(nacre, calls):
        servers.serve(nacre, listener)


def _work(settings: Settings) -> None:
    with _opened(settings) as nacre:
        jobs.work(nacre)


@contextmanager
def _opened(settings: Settings) -> Iterator[Nacre]:
    """The brain of a process that its supervisor ends, by telling it so or by dying."""
    # An interrupt at a terminal reaches every process; the supervisor is the one to act on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.install(settings)
    Thread(target=_end_with_parent, name="nacre-parent", daemon=True).start()
    with Nacre(settings=settings) as nacre:
        yield nacre


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
