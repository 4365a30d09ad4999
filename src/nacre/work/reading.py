"""Reading by a language model in the background: batch by batch, scopes in turn, within a budget a day."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING

from nacre.domain.errors import Misconfigured, Unavailable
from nacre.domain.ids import ScopeId
from nacre.domain.jobs import READ_TURNS, Job, JobStatus
from nacre.domain.scopes import Scope
from nacre.extraction import reading_requests
from nacre.extraction.reading_requests import MAX_TURNS, PURPOSE, READER
from nacre.models.language_models import LanguageModel, UnusableReply
from nacre.models.local_reader import LocalReader
from nacre.settings import Settings
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import turns
from nacre.store.work import jobs, usage
from nacre.store.work.jobs import ClaimedJob
from nacre.telemetry.probes import Probe
from nacre.work.queues import Apply, Handler, Payload, run_next
from nacre.work.schedules import Periodic, Schedule
from nacre.work.workers import Worker

if TYPE_CHECKING:
    from nacre.extraction.model_lessons import ModelLessons, TokenUsage, TurnBatch, TurnLesson

log = logging.getLogger(__name__)

# After so many failures in a row, of any scope, nothing is asked for a while, and longer each time.
FAILURES, FIRST_REST, LONGEST_REST = 3, timedelta(minutes=1), timedelta(hours=1)
# What was given up is tried again after so long; whether that is due is looked up so often.
GIVEN_UP, LOOK = timedelta(hours=1), timedelta(minutes=10)
# A batch that the model cannot answer is cut to a part of it, and a single turn is passed over in the end.
CUT = 4
WAIT_SECONDS = 0.1
DAY = timedelta(days=1)


class Breaker:
    """Keeps a model that fails again and again from being asked. One for all scopes of a process."""

    def __init__(self) -> None:
        self._change = Lock()
        self._failures = 0
        self._until: datetime | None = None

    def closed_until(self, now: datetime) -> datetime | None:
        """Until when nothing may be asked; None where it may."""
        with self._change:
            return self._until if self._until and now < self._until <= now + LONGEST_REST else None

    def failed(self, now: datetime) -> None:
        """Note that the model gave no answer."""
        with self._change:
            self._failures += 1
            if self._failures >= FAILURES:
                rest = FIRST_REST * 2 ** min(self._failures - FAILURES, 10)
                self._until = now + min(rest, LONGEST_REST)

    def answered(self) -> None:
        """Note that it did."""
        with self._change:
            self._failures, self._until = 0, None


class TurnReader:
    """Does the jobs that have a language model read turns."""

    def __init__(self, database: Database, lessons: "Callable[[], ModelLessons]", daily_tokens: int) -> None:
        self._database = database
        self._lessons = lessons
        self._daily_tokens = daily_tokens
        self._breaker = Breaker()
        # Where the model gave no usable reply, and how often: a batch that is too much for it is cut.
        self._stumbled: dict[ScopeId, tuple[int, int]] = {}

    @property
    def handlers(self) -> dict[str, Handler]:
        """Who does which kind of work."""
        return {READ_TURNS: self.read}

    def read(self, scope: Scope, _payload: Payload) -> Apply:
        """Have the model read the next batch of a scope; what comes back brings it into the graph."""
        from nacre.extraction import model_lessons  # noqa: PLC0415 - all rules

        now = self._database.clock()
        if until := self._breaker.closed_until(now):
            why = f"The language model has failed too often; it is asked again after {until:%H:%M} UTC."
            return lambda tx: _put_off(tx, until, why)
        today = now.replace(hour=0, minute=0, second=0, microsecond=0)
        with self._database.read(scope) as tx:
            batch = model_lessons.next_batch(tx, self._size(scope, turns.cursor_position(tx, READER)))
            spent = usage.spent_since(tx, PURPOSE, today)
        if batch is None:
            return _go_on
        if batch.questions and self._daily_tokens and spent >= self._daily_tokens:
            told = f"The budget of {self._daily_tokens:,} tokens a day for reading turns is spent; it goes on tomorrow."
            log.info("Scope %s: %s", scope.id, told)
            return lambda tx: _put_off(tx, today + DAY, told)
        return self._ask(scope, batch)

    def _ask(self, scope: Scope, batch: "TurnBatch") -> Apply:
        from nacre.extraction.model_lessons import TokenUsage  # noqa: PLC0415 - all rules

        lessons, spent = self._lessons(), TokenUsage()
        try:
            found = lessons.read(scope, batch, spent)
        except UnusableReply as error:
            self._breaker.failed(self._database.clock())
            if not self._cuts(scope, batch):
                log.warning("Turn %s of scope %s is left to rules: %s", batch.end, scope.id, error)
                return partial(_finish, lessons=lessons, batch=batch, matching_lessons=(), spent=spent)
            self._note(scope, lessons, spent)
            raise
        except (Unavailable, Misconfigured):
            self._breaker.failed(self._database.clock())
            # It may have been too much for the time that a reply may take.
            self._cuts(scope, batch)
            self._note(scope, lessons, spent)
            raise
        self._breaker.answered()
        self._stumbled.pop(scope.id, None)
        return partial(_finish, lessons=lessons, batch=batch, matching_lessons=found, spent=spent)

    def _size(self, scope: Scope, begin: int) -> int:
        """How many turns are read at once: fewer where the model stumbled over more."""
        place, stumbles = self._stumbled.get(scope.id, (begin, 0))
        return max(1, MAX_TURNS // CUT**stumbles) if place == begin else MAX_TURNS

    def _cuts(self, scope: Scope, batch: "TurnBatch") -> bool:
        """Cut a batch that was too much for the model the next time; False where it is a single turn, tried before."""
        place, stumbles = self._stumbled.get(scope.id, (batch.begin, 0))
        stumbles = stumbles if place == batch.begin else 0
        if len(batch.turns) == 1 and stumbles > 1:
            return False
        self._stumbled[scope.id] = (batch.begin, stumbles + 1)
        return True

    def _note(self, scope: Scope, lessons: "ModelLessons", spent: "TokenUsage") -> None:
        """Write down what an attempt cost that came to nothing."""
        if spent.tokens:
            with self._database.write(scope) as tx:
                spent.note(tx, lessons.model.name)


class ModelWorker:
    """Has turns read by a language model: in a thread of its own, so that nothing else waits while the model thinks."""

    def __init__(self, database: Database, reading: TurnReader, probe: Probe | None = None) -> None:
        self._database = database
        self._run_next = partial(run_next, database, reading.handlers, None, probe)
        again = Periodic("read turns again", LOOK, _try_again)
        self._worker = Worker(database, reading.handlers, Schedule(database, (again,)), probe=probe)
        self.visit, self.wake = self._worker.visit, self._worker.wake
        self.drain, self.stop = self._worker.drain, self._worker.stop

    def settle(self, scope: Scope | None, seconds: float | None) -> None:
        """Read what a scope, or every scope, has left for the model, now: as far as model, budget and time allow."""
        until = None if seconds is None else monotonic() + seconds
        while (left := self._left(scope)) and (until is None or monotonic() < until):
            for each in left:
                if jobs.is_fresh(each.job):
                    with self._database.write(each.scope) as tx:
                        jobs.hasten(tx, READ_TURNS)
            if not self._run_next():
                # Another worker is at it.
                sleep(WAIT_SECONDS)

    def pass_over(self, agent: str) -> None:
        """Leave what was said to an agent so far unread by the model: it is to come into no other graph."""
        with self._database.read_all() as tx:
            asking = jobs.scopes_with(tx, READ_TURNS, agent)
        for scope in asking:
            with self._database.write(scope) as tx:
                reading_requests.pass_over(tx)

    def _left(self, scope: Scope | None) -> list[ClaimedJob]:
        """The jobs that run, or that nothing but their time holds up."""
        with self._database.read_all() as tx:
            held, now = jobs.open_of_kind(tx, READ_TURNS, scope), tx.now
        return [each for each in held if _is_open(each.job, now)]


def _is_open(job: Job, now: datetime) -> bool:
    return job.status is JobStatus.RUNNING or jobs.is_fresh(job) or job.run_at <= now


def model_worker(
    database: Database, settings: Settings, model: LanguageModel, reader: LocalReader | None, probe: Probe | None
) -> ModelWorker:
    """The worker for a model and the reader whose facts it may set right."""

    @cache
    def lessons() -> "ModelLessons":
        from nacre.extraction.model_lessons import ModelLessons  # noqa: PLC0415 - all rules

        return ModelLessons(database, model, reader, settings.directives)

    return ModelWorker(database, TurnReader(database, lessons, settings.llm_daily_tokens), probe)


def _finish(
    tx: Transaction,
    *,
    lessons: "ModelLessons",
    batch: "TurnBatch",
    matching_lessons: "Sequence[TurnLesson]",
    spent: "TokenUsage",
) -> None:
    """Bring in what was found, write down what it cost, and have the next batch read behind other scopes."""
    lessons.apply(tx, batch, matching_lessons)
    spent.note(tx, lessons.model.name)
    _go_on(tx)


def _go_on(tx: Transaction) -> None:
    reading_requests.go_on(tx)


def _put_off(tx: Transaction, until: datetime, why: str) -> None:
    jobs.enqueue(tx, READ_TURNS, {"waits": why}, run_at=until)


def _try_again(database: Database) -> int:
    """Let what was given up an hour ago be tried once more."""
    with database.write_all() as tx:
        return jobs.revive(tx, READ_TURNS, tx.now - GIVEN_UP)
