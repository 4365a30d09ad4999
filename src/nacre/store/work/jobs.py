"""Jobs: enqueued in the transaction that needs them, claimed by one worker at a time, kept when they fail."""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, delete, exists, func, insert, or_, select, update

from nacre.domain import ids
from nacre.domain.errors import Conflict
from nacre.domain.ids import ScopeId
from nacre.domain.jobs import AHEAD, LEASE, MAX_ATTEMPTS, Job, JobId, JobStatus, retry_delay
from nacre.domain.plain import Json
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.tables.schema import jobs
from nacre.store.tables.schema import scopes as scopes_table

MAX_REASON = 2_000
# So many workers find a job of their own at the same moment.
CANDIDATES = 50
MAX_LISTED = 500

WAITING, RUNNING, DONE, DEAD = (status.value for status in JobStatus)


@dataclass(frozen=True, slots=True)
class ClaimedJob:
    """A job that this worker alone may run until its lease ends, and whose job it is."""

    scope: Scope
    job: Job


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What is left to do, what was given up, and when the first of what waits is or was due."""

    waiting: int
    running: int
    dead: int
    oldest: datetime | None


def enqueue(tx: Transaction, kind: str, payload: Mapping[str, Json], *, run_at: datetime | None = None) -> JobId:
    """Have work done after this transaction commits, at `run_at` where given; a rollback takes the job with it."""
    scopes.ensure(tx)
    job_id = JobId(ids.new(tx.now))
    tx.execute(
        insert(jobs).values(
            scope_id=tx.scope_id,
            id=job_id,
            kind=kind,
            payload=dict(payload),
            status=WAITING,
            attempts=0,
            run_at=run_at or tx.now,
            created_at=tx.now,
        )
    )
    return job_id


def request(tx: Transaction, kind: str, *, run_at: datetime | None = None) -> bool:
    """Enqueue a job without particulars unless one of its kind waits or runs already; whether it was enqueued."""
    # Two processes that ask at once must not both be heard.
    scopes.lock(tx)
    open_jobs = jobs.c.status.in_((JobStatus.WAITING.value, JobStatus.RUNNING.value))
    known = select(jobs.c.id).where(jobs.c.scope_id == tx.scope_id, jobs.c.kind == kind, open_jobs)
    if tx.execute(known).first() is not None:
        return False
    enqueue(tx, kind, {}, run_at=run_at)
    return True


def request_after(tx: Transaction, kind: str, pause: timedelta, longest: timedelta) -> None:
    """Enqueue a job that is due when nobody has asked for it during a pause, or for the longest time.

    One that waits already is put off. One that runs, failed, was given up, or is to wait for a reason, is left alone.
    """
    scopes.lock(tx)
    held = of_kind(tx, kind)
    if not held:
        enqueue(tx, kind, {}, run_at=tx.now + pause)
    for job in held:
        if is_fresh(job):
            due = min(tx.now + pause, job.created_at + longest)
            mine = (jobs.c.scope_id == tx.scope_id, jobs.c.id == job.id, jobs.c.status == WAITING)
            tx.execute(update(jobs).where(*mine).values(run_at=due))


def hasten(tx: Transaction, kind: str) -> None:
    """Have jobs of a kind done now that only wait for a pause."""
    for job in of_kind(tx, kind):
        if is_fresh(job) and job.run_at > tx.now:
            mine = (jobs.c.scope_id == tx.scope_id, jobs.c.id == job.id, jobs.c.status == WAITING)
            tx.execute(update(jobs).where(*mine).values(run_at=tx.now))


def is_fresh(job: Job) -> bool:
    """Whether a job waits for nothing but its time."""
    return job.status is JobStatus.WAITING and job.attempts == 0 and not job.payload


def of_kind(tx: Transaction, kind: str) -> list[Job]:
    """The scope's jobs of a kind that are not done, the oldest first."""
    mine = (jobs.c.scope_id == tx.scope_id, jobs.c.kind == kind, jobs.c.status.in_([WAITING, RUNNING, DEAD]))
    return [_to_job(row) for row in tx.execute(select(jobs).where(*mine).order_by(jobs.c.id))]


def open_of_kind(tx: AllScopes, kind: str, scope: Scope | None = None) -> list[ClaimedJob]:
    """Jobs of a kind that wait or run, in one scope or in some hundred of all of them, those due first."""
    beside = scopes_table.c.scope_id == jobs.c.scope_id
    query = select(jobs, *scopes.NAMES).join(scopes_table, beside).where(jobs.c.kind == kind)
    query = query.where(jobs.c.status.in_([WAITING, RUNNING])).order_by(jobs.c.run_at).limit(MAX_LISTED)
    mine = query if scope is None else query.where(jobs.c.scope_id == scope.id)
    rows = tx.execute(mine.execution_options(all_scopes=True))
    return [ClaimedJob(scopes.named(row), _to_job(row)) for row in rows]


def scopes_with(tx: AllScopes, kind: str, agent: str) -> list[Scope]:
    """The scopes of an agent that have a job of a kind which is not done."""
    beside = scopes_table.c.scope_id == jobs.c.scope_id
    query = select(*scopes.NAMES).distinct().join(scopes_table, beside).where(jobs.c.kind == kind)
    query = query.where(jobs.c.status != DONE, scopes_table.c.agent == agent)
    return [scopes.named(row) for row in tx.execute(query.execution_options(all_scopes=True))]


def revive(tx: AllScopes, kind: str, before: datetime) -> int:
    """Let jobs of a kind that were given up before then have one more attempt, in every scope; how many."""
    dead = update(jobs).where(jobs.c.kind == kind, jobs.c.status == DEAD, jobs.c.finished_at < before)
    again = {"status": WAITING, "attempts": MAX_ATTEMPTS - 1, "run_at": tx.now, "finished_at": None}
    return tx.execute(dead.values(again).execution_options(all_scopes=True)).rowcount


def is_due(tx: AllScopes, kinds: Collection[str]) -> bool:
    """Whether a worker for `kinds` would find something to do; asking disturbs no writer."""
    found = select(exists().where(_of(kinds), or_(_waiting(tx), _abandoned(tx))))
    return bool(tx.execute(found.execution_options(all_scopes=True)).scalar())


def is_pending(tx: AllScopes, kinds: Collection[str]) -> bool:
    """Whether anything is left for a worker for `kinds`, now or later."""
    found = select(exists().where(_of(kinds), jobs.c.status.in_([WAITING, RUNNING])))
    return bool(tx.execute(found.execution_options(all_scopes=True)).scalar())


def backlog(tx: AllScopes) -> Backlog:
    """How much of every scope is left to do or was given up, and since when the oldest of it waits."""
    open_jobs = jobs.c.status.in_([WAITING, RUNNING, DEAD])
    grouped = select(jobs.c.status, func.count().label("held"), func.min(jobs.c.run_at).label("oldest"))
    rows = tx.execute(grouped.where(open_jobs).group_by(jobs.c.status).execution_options(all_scopes=True))
    found = {row.status: row for row in rows}
    counts = {status: found[status].held if status in found else 0 for status in (WAITING, RUNNING, DEAD)}
    return Backlog(**counts, oldest=found[WAITING].oldest if WAITING in found else None)


def claim(tx: AllScopes, kinds: Collection[str], served: Collection[ScopeId] = ()) -> ClaimedJob | None:
    """Take the job that has been due for longest; nobody else can take it before its lease ends.

    Scopes that were `served` come after all others. What a dead worker left behind goes first. A job that every
    attempt died with is given up instead.
    """
    _bury(tx, kinds)
    due = and_(_of(kinds), _waiting(tx))
    left = _first(tx, and_(_of(kinds), _abandoned(tx)))
    key = left or (served and _first(tx, due, jobs.c.scope_id.not_in(sorted(served)))) or _first(tx, due)
    return _lease(tx, key) if key else None


def renew(tx: AllScopes, claimed: ClaimedJob) -> bool:
    """Put off the end of a lease; false when the job is no longer this worker's."""
    kept = update(jobs).where(_held(claimed.scope.id, claimed.job)).values(leased_until=tx.now + LEASE)
    return tx.execute(kept).rowcount == 1


def finish(tx: Transaction, job: Job) -> None:
    """Mark a claimed job as done, in the transaction of its effect.

    Raises `Conflict` when another worker took the job over meanwhile, so that the effect is rolled back here and
    happens once, over there.
    """
    _settle(tx, job, status=DONE, error=None, finished_at=tx.now)


def fail(tx: Transaction, job: Job, reason: str, *, again: bool = True) -> None:
    """Let a claimed job wait for another attempt, or lay it with the dead when it had its last or none can help."""
    rest = retry_delay(job.attempts, random.random()) if again else None  # noqa: S311 - a spread, not a secret
    # What is blamed may hold anything a service sent; a text column does not.
    error = reason.replace("\x00", "�").encode("utf-8", "replace").decode()[:MAX_REASON]
    if rest is None:
        _settle(tx, job, status=DEAD, error=error, finished_at=tx.now)
    else:
        _settle(tx, job, status=WAITING, error=error, run_at=tx.now + rest)


def by_id(tx: Transaction, job_id: JobId) -> Job | None:
    """The job stored under an id."""
    row = tx.execute(select(jobs).where(jobs.c.scope_id == tx.scope_id, jobs.c.id == job_id)).one_or_none()
    return _to_job(row) if row else None


def newest(tx: Transaction, status: JobStatus | None, limit: int, offset: int = 0) -> list[Job]:
    """The scope's jobs, the last enqueued first."""
    query = select(jobs).where(jobs.c.scope_id == tx.scope_id)
    if status is not None:
        query = query.where(jobs.c.status == status.value)
    return [_to_job(row) for row in tx.execute(query.order_by(jobs.c.id.desc()).limit(limit).offset(offset))]


def counts(tx: Transaction) -> dict[JobStatus, int]:
    """How many jobs of the scope have come how far."""
    rows = tx.execute(
        select(jobs.c.status, func.count().label("held")).where(jobs.c.scope_id == tx.scope_id).group_by(jobs.c.status)
    )
    held = {row.status: row.held for row in rows}
    return {status: held.get(status.value, 0) for status in JobStatus}


def replay(tx: Transaction, job_id: JobId | None = None) -> int:
    """Let dead jobs wait for their first attempt again, one or all of the scope; return how many."""
    chosen = [jobs.c.scope_id == tx.scope_id, jobs.c.status == DEAD]
    if job_id is not None:
        chosen.append(jobs.c.id == job_id)
    afresh = {"status": WAITING, "attempts": 0, "run_at": tx.now, "finished_at": None}
    return tx.execute(update(jobs).where(*chosen).values(afresh)).rowcount


def prune(tx: AllScopes, before: datetime) -> int:
    """Remove the jobs of every scope that were done before then; the dead stay until someone looks at them."""
    old = delete(jobs).where(jobs.c.status == DONE, jobs.c.finished_at < before)
    return tx.execute(old.execution_options(all_scopes=True)).rowcount


def _of(kinds: Collection[str]) -> ColumnElement[bool]:
    return jobs.c.kind.in_(sorted(kinds))


def _waiting(tx: AllScopes) -> ColumnElement[bool]:
    # What was to be done at once is due whatever the clock says: one that was ahead may have been set right since.
    return and_(jobs.c.status == WAITING, or_(jobs.c.run_at <= tx.now, jobs.c.run_at == jobs.c.created_at))


def _abandoned(tx: AllScopes) -> ColumnElement[bool]:
    # No lease that was given by this clock ends so late; the one that gave it was ahead.
    never = jobs.c.leased_until > tx.now + LEASE + AHEAD
    return and_(jobs.c.status == RUNNING, or_(jobs.c.leased_until <= tx.now, never))


def _bury(tx: AllScopes, kinds: Collection[str]) -> None:
    reason = f"Its worker died or did not finish in time, {MAX_ATTEMPTS} times."
    hopeless = update(jobs).where(_of(kinds), _abandoned(tx), jobs.c.attempts >= MAX_ATTEMPTS)
    values = {"status": DEAD, "error": reason, "leased_until": None, "finished_at": tx.now}
    tx.execute(hopeless.values(values).execution_options(all_scopes=True))


def _first(tx: AllScopes, due: ColumnElement[bool], *chosen: ColumnElement[bool]) -> Row[tuple[UUID, UUID]] | None:
    query = select(jobs.c.scope_id, jobs.c.id).where(due).order_by(jobs.c.run_at).limit(CANDIDATES)
    # Rows of every scope can be read together, but a cluster locks only those of one: each is locked by itself, and
    # one that another worker has its hands on is left to it.
    for key in tx.execute(query.where(*chosen).execution_options(all_scopes=True)).all():
        mine = and_(jobs.c.scope_id == key.scope_id, jobs.c.id == key.id)
        # SQLite has no row locks and needs none: its transaction holds the only write lock there is.
        if held := tx.execute(query.where(mine).with_for_update(skip_locked=True)).one_or_none():
            return held
    return None


def _lease(tx: AllScopes, key: Row[tuple[UUID, UUID]]) -> ClaimedJob:
    mine = and_(jobs.c.scope_id == key.scope_id, jobs.c.id == key.id)
    begun = {"status": RUNNING, "attempts": jobs.c.attempts + 1, "leased_until": tx.now + LEASE}
    job = tx.execute(update(jobs).where(mine).values(begun).returning(*jobs.c)).one()
    owner = tx.execute(select(scopes_table).where(scopes_table.c.scope_id == key.scope_id)).one()
    return ClaimedJob(scopes.named(owner), _to_job(job))


def _held(scope_id: ScopeId, job: Job) -> ColumnElement[bool]:
    # Attempts count the claims, so they tell this worker's claim from one that took the job over.
    claim = and_(jobs.c.status == RUNNING, jobs.c.attempts == job.attempts)
    return and_(jobs.c.scope_id == scope_id, jobs.c.id == job.id, claim)


def _settle(tx: Transaction, job: Job, **values: object) -> None:
    settled = update(jobs).where(_held(tx.scope_id, job)).values(leased_until=None, **values)
    if tx.execute(settled).rowcount != 1:
        raise Conflict(f"Job `{job.id}` was taken over by another worker.")


def _to_job(row: Row[tuple[object, ...]]) -> Job:
    return Job(
        id=JobId(row.id),
        kind=row.kind,
        payload=row.payload,
        status=JobStatus(row.status),
        attempts=row.attempts,
        run_at=row.run_at,
        created_at=row.created_at,
        leased_until=row.leased_until,
        error=row.error,
        finished_at=row.finished_at,
    )
