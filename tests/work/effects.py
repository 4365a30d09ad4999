"""Work whose effect can be counted: each job keeps one source, named by its payload."""

import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

from sqlalchemy import select

from nacre import Scope
from nacre.domain import ids
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import sources
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.store.tables.schema import sources as table
from nacre.store.work import jobs
from nacre.work.queues import Apply, Payload, run_next

SCOPE = Scope(agent="worker", user="ana")


def note(_scope: Scope, payload: Payload) -> Apply:
    """Keep a source named by the payload, in the transaction that finishes the job."""

    def apply(tx: Transaction) -> None:
        sources.add(
            tx, [SourceRow(id=ids.new(tx.now), kind=SourceKind.NOTE, text="x", at=tx.now, ref=str(payload["ref"]))]
        )

    return apply


def enqueue(database: Database, *refs: str, kind: str = "note", scope: Scope = SCOPE) -> None:
    """Enqueue a job for each reference."""
    with database.write(scope) as tx:
        for ref in refs:
            jobs.enqueue(tx, kind, {"ref": ref})


def kept(database: Database, scope: Scope = SCOPE) -> list[str]:
    """The references of what was kept, repeats included."""
    with database.read(scope) as tx:
        return sorted(tx.execute(select(table.c.ref).where(table.c.scope_id == tx.scope_id)).scalars())


def die_at(place: str, address: str, pipe: Connection) -> None:
    """Take one job and be killed while it is computed, or when its effect is written but not committed."""
    database = Database(address)

    def killed() -> None:
        pipe.send(place)
        os.kill(os.getpid(), signal.SIGKILL)

    def dying(scope: Scope, payload: Payload) -> Apply:
        if place == "computing":
            killed()
        return _then(note(scope, payload), killed)

    run_next(database, {"note": dying})


def _then(first: Apply, second: Callable[[], None]) -> Apply:
    def apply(tx: Transaction) -> None:
        first(tx)
        second()

    return apply


def work_slowly(address: str) -> None:
    """Do notes until killed, and take a while for computing and for writing each."""
    database = Database(address)

    def slow(scope: Scope, payload: Payload) -> Apply:
        time.sleep(0.02)
        return _then(note(scope, payload), lambda: time.sleep(0.02))

    while True:
        run_next(database, {"note": slow})
