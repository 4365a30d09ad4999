"""`nacre jobs` and `nacre worker`, in one process and as a process."""

import json
import signal
import subprocess

import pytest

from nacre import Scope
from nacre.domain.jobs import JobStatus
from nacre.store.base.databases import Database
from nacre.store.work import jobs
from tests.waits import HANGS, eventually

SCOPE = Scope(agent="assistant")


@pytest.fixture(autouse=True)
def no_thread(monkeypatch):
    """Commands leave jobs to workers, so that a test can look at them."""
    monkeypatch.setenv("NACRE_WORKER", "off")


@pytest.fixture
def dead():
    """The id of a job that was given up, in the database of the test's folder."""
    database = Database("nacre.db")
    with database.write(SCOPE) as tx:
        job_id = jobs.enqueue(tx, "expand_memory", {"memory_id": "nobody"})
    with database.write_all() as tx:
        claimed = jobs.claim(tx, ["expand_memory"])
    assert claimed
    with database.write(SCOPE) as tx:
        jobs.fail(tx, claimed.job, "It was\nwrong.", again=False)
    database.close()
    return str(job_id)


def test_jobs_are_listed_and_shown(nacre_command, dead):
    line = nacre_command("jobs", "list").out
    assert line.startswith(f"{dead}\tdead\t1\t")
    assert line.endswith("\texpand_memory\tIt was wrong.\n")
    assert nacre_command("jobs", "list", "--status", "done").out == ""
    assert nacre_command("jobs", "list", "--agent", "other").out == ""
    shown = json.loads(nacre_command("jobs", "show", dead, "--json").out)
    assert (shown["status"], shown["payload"]) == ("dead", {"memory_id": "nobody"})
    assert json.loads(nacre_command("jobs", "list", "--json").out) == [shown]


def test_dead_jobs_are_replayed_by_id_or_all_together(nacre_command, dead):
    assert nacre_command("jobs", "replay", dead).out == "1\n"
    assert nacre_command("jobs", "replay", dead).out == "0\n"
    assert nacre_command("worker", "--once").out == "1\n"
    assert json.loads(nacre_command("jobs", "replay", "--json").out) == {"replayed": 1}


def test_a_job_that_is_not_there_is_one_line_and_exit_code_1(nacre_command, dead):
    missing = nacre_command("jobs", "show", "0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e")
    assert (missing.code, missing.err.count("\n")) == (1, 1)
    assert nacre_command("jobs", "show", dead, "--agent", "other").code == 1
    assert nacre_command("jobs", "show", "garbage").code == 2
    assert nacre_command("jobs", "list", "--limit", "0").code == 2


@pytest.fixture
def worker(quick_nacre):
    """A running `nacre worker`."""
    command = [*quick_nacre, "worker"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process
        if process.poll() is None:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_worker_process_works_until_it_is_told_to_stop(worker, number):
    database = Database("nacre.db")
    with database.write(SCOPE) as tx:
        job_id = jobs.enqueue(tx, "expand_memory", {"memory_id": "0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e"})

    def is_done() -> bool:
        with database.read(SCOPE) as tx:
            found = jobs.by_id(tx, job_id)
        return found is not None and found.status is JobStatus.DONE

    assert eventually(is_done)
    database.close()
    worker.send_signal(number)
    printed = worker.communicate(timeout=HANGS)

    assert (worker.returncode, printed) == (0, ("", ""))
