"""Forks beside jobs, and beside models that are asked."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event

import pytest
from pydantic import BaseModel

from nacre.domain.jobs import JobStatus
from nacre.models.language_models import ModelPrompt
from nacre.store.base.databases import Database
from nacre.store.base.forks import GATE
from nacre.store.work import jobs
from nacre.work.model_calls import PatientModel
from nacre.work.queues import run_next
from tests.waits import HANGS
from tests.work.effects import SCOPE, enqueue

PROMPT = ModelPrompt(instructions="Say something.", material="-")


def test_a_fork_waits_for_a_job_that_computes_and_not_for_one_whose_model_thinks(sqlite_url, clock):
    """What a job loads on its way holds locks; what a service thinks about holds none."""
    computes, may_end, thinks, may_answer = Event(), Event(), Event(), Event()

    class Model:
        name = "slow"

        def complete(self, *_given, **_named):
            if computes.is_set():
                thinks.set()
                may_answer.wait(HANGS)

    model = PatientModel(Model())

    def handler(_scope, _payload):
        model.complete(PROMPT, BaseModel)
        computes.set()
        may_end.wait(HANGS)
        model.complete(PROMPT, BaseModel)

    database = Database(sqlite_url, clock)
    enqueue(database, "a")
    with ThreadPoolExecutor() as pool, ExitStack() as ending:
        for each in (GATE.reopen, may_end.set, may_answer.set):
            ending.callback(each)
        done = pool.submit(run_next, database, {"note": handler})
        assert computes.wait(HANGS)
        forking = pool.submit(GATE.shut)
        with pytest.raises(TimeoutError):
            forking.result(0.1)
        may_end.set()
        assert thinks.wait(HANGS)
        forking.result(HANGS)
        GATE.reopen()
        may_answer.set()
        assert done.result(HANGS)
    with database.read(SCOPE) as tx:
        assert [job.status for job in jobs.newest(tx, None, 9)] == [JobStatus.DONE]
    database.close()
