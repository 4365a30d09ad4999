"""Requests that a language model read turns: one job of a scope, due when people pause or a batch is full."""

from datetime import timedelta

from nacre.domain.jobs import READ_TURNS
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.evidence import learning_cursors, turns
from nacre.store.work import jobs

# How far language models have come with the turns of a scope, by night or by day.
READER = "dream/entities"
PURPOSE = "turns"
# So many turns are a batch.
MAX_TURNS = 12
# A conversation has paused when nobody said anything for so long; a shorter one is read after a while, too.
PAUSE, LONGEST = timedelta(seconds=15), timedelta(minutes=2)


def request(tx: Transaction) -> None:
    """Have what the scope has learned read by the model, soon."""
    jobs.request_after(tx, READ_TURNS, timedelta() if left(tx) >= MAX_TURNS else PAUSE, LONGEST)


def go_on(tx: Transaction) -> None:
    """Have the next batch read, where there is one; for the transaction in which the job before it ends."""
    if more := left(tx):
        jobs.enqueue(tx, READ_TURNS, {}, run_at=tx.now if more >= MAX_TURNS else tx.now + PAUSE)


def pass_over(tx: Transaction) -> None:
    """Leave what the model has not read yet unread for good."""
    scopes.lock(tx)
    turns.advance_cursor(tx, READER, learned_end(tx))


def left(tx: Transaction) -> int:
    """At most how many turns the model has still to read; cheaper than counting them."""
    return max(0, learned_end(tx) - turns.cursor_position(tx, READER))


def learned_end(tx: Transaction) -> int:
    """The last place up to which everything was learned by rules and reader."""
    cursor = learning_cursors.position(tx)
    return (cursor.seq if cursor else turns.end(tx)) - 1


def notes(tx: Transaction) -> tuple[str, ...]:
    """Why turns of the scope wait for the model longer than usual."""
    held = jobs.of_kind(tx, READ_TURNS)
    waits = [str(job.payload["waits"]) for job in held if job.payload.get("waits")]
    failed = [f"The language model has not read the last turns yet: {job.error}" for job in held if job.error]
    return (*waits, *failed)
