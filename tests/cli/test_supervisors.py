"""`nacre serve --workers 2`: real processes on one socket."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from nacre import Nacre, Settings
from tests.cli.test_servers import announced
from tests.waits import HANGS, eventually


class Fleet:
    """A server of several processes, and what it says in its log."""

    def __init__(self, process: subprocess.Popen[str], url: str, log: Path) -> None:
        self.process = process
        self.url = url
        self._log = log

    def get(self, path: str, **given: object) -> httpx.Response:
        """Ask over a connection of its own, so that any process may answer."""
        return self.send("GET", path, **given)

    def post(self, path: str, body: object, **given: object) -> httpx.Response:
        return self.send("POST", path, json=body, **given)

    def send(self, method: str, path: str, **given: object) -> httpx.Response:
        with httpx.Client(base_url=self.url, timeout=HANGS, trust_env=False, verify=False) as client:
            return client.request(method, path, **given)  # type: ignore[arg-type]

    def busy(self) -> set[int]:
        """Ask much at once, so that no process is idle; those that have answered so far."""
        with ThreadPoolExecutor(16) as callers:
            list(callers.map(lambda _: self.post("/v1/agents/b/recall", {"query": "tea"}), range(48)))
        return self.answering()

    def answering(self) -> set[int]:
        """The processes that have answered requests so far."""
        return {line["process"] for line in self.lines() if line["logger"] == "nacre.requests"}

    def lines(self) -> list[dict[str, Any]]:
        """Every line of the log that is complete."""
        whole = self._log.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines()]

    def count(self, metric: str) -> float:
        """What Prometheus would read of a metric; 0 where there is none yet."""
        found = re.findall(rf"^{re.escape(metric)} (\S+)$", self.get("/metrics").text, re.MULTILINE)
        return float(found[0]) if found else 0.0


@contextmanager
def serving(database: str, folder: Path, **settings: str) -> Iterator[Fleet]:
    command = [sys.executable, "-m", "nacre", "serve", "--port", "0", "--workers", "2", "--json"]
    given = {"NACRE_DATABASE": database, "NACRE_EMBEDDER": "off", "NACRE_LOG": "json", "NACRE_LOG_LEVEL": "info"}
    environment = {**os.environ, **given, **settings}
    log = folder / "log.jsonl"
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder, env=environment
        ) as process,
    ):
        try:
            yield Fleet(process, announced(process)["url"], log)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(timeout=HANGS)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """Two processes that answer, one for jobs, and a database in a file."""
    folder = tmp_path_factory.mktemp("fleet")
    with serving("brain.db", folder, NACRE_METRICS="on") as found:
        found.post("/v1/agents/b/observe", {"role": "user", "text": "tea"})
        assert eventually(lambda: len(found.busy()) == 2)
        yield found


def test_a_call_sent_to_both_processes_is_carried_out_once(fleet: Fleet) -> None:
    said = {"role": "user", "text": "My dog is called Pixel"}

    def send(_: int) -> httpx.Response:
        return fleet.post("/v1/agents/once/observe", said, headers={"Idempotency-Key": "k1"})

    with ThreadPoolExecutor(8) as callers:
        replies = list(callers.map(send, range(16)))

    assert {reply.status_code for reply in replies} <= {201, 409}
    assert len({reply.text for reply in replies if reply.status_code == 201}) == 1
    assert len(fleet.post("/v1/agents/once/recall", {"query": "Pixel"}).json()["hits"]) == 1


def test_jobs_are_done_once_and_by_neither_of_them(fleet):
    before = fleet.count('nacre_jobs_total{kind="expand_memory",outcome="ok"}')
    for number in range(5):
        fleet.post("/v1/agents/work/remember", {"text": f"I live in Porto. Launch {number} moved to May {number}."})

    def jobs() -> list[dict[str, Any]]:
        return list(fleet.get("/v1/agents/work/jobs").json()["jobs"])

    assert eventually(lambda: {job["status"] for job in jobs()} == {"done"})
    assert {job["attempts"] for job in jobs()} == {1}
    assert [job["kind"] for job in jobs()].count("expand_memory") == 5
    assert fleet.count('nacre_jobs_total{kind="expand_memory",outcome="ok"}') == before + 5


def test_whichever_process_is_asked_tells_the_counts_of_both(fleet):
    metric = 'nacre_operations_total{operation="recall",outcome="ok"}'
    before = fleet.count(metric)
    fleet.busy()

    with ThreadPoolExecutor(8) as callers:
        assert set(callers.map(lambda _: fleet.count(metric), range(16))) == {before + 48}


def test_an_mcp_client_may_reach_another_process_with_each_message(fleet):
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepted = {"accept": "application/json, text/event-stream"}

    replies = [fleet.post("/mcp", call, headers=accepted) for _ in range(8)]

    assert {reply.status_code for reply in replies} == {200}
    assert all(reply.json()["result"]["tools"] for reply in replies)


def test_a_process_that_dies_is_replaced_and_what_it_counted_stays(fleet):
    metric = 'nacre_operations_total{operation="recall",outcome="ok"}'
    known = fleet.answering()
    before = fleet.count(metric)

    os.kill(min(known), signal.SIGKILL)

    assert eventually(lambda: fleet.count(metric) >= before and bool(fleet.busy() - known))
    told = [line["message"] for line in fleet.lines() if line["level"] == "error"]
    assert told == [f"The server process {min(known)} ended with -9; the next starts in 0.5 s."]


def test_what_is_in_flight_is_finished_when_the_server_is_told_to_stop(database_url, tmp_path):
    """A half sent request is answered, and a stream of events ends by itself."""
    with serving(database_url, tmp_path, NACRE_WORKER="off", NACRE_SHUTDOWN_SECONDS="60") as fleet:
        fleet.post("/v1/agents/a/remember", {"text": "I live in Porto. The launch moved to May 31."})
        events = {"seconds": 120}
        with (
            httpx.Client(base_url=fleet.url, timeout=HANGS, trust_env=False, verify=False) as client,
            client.stream("GET", "/v1/agents/a/jobs/events", params=events) as stream,
            half_sent(fleet.url, "/v1/agents/a/observe", {"role": "user", "text": "tea"}) as (connection, rest),
        ):
            told = stream.iter_lines()
            assert next(told) == "event: progress"
            fleet.process.send_signal(signal.SIGTERM)
            assert list(told)[-2:] == ['data: {"reason":"stopping"}', ""]
            connection.sendall(rest)
            assert connection.recv(1_000).startswith(b"HTTP/1.1 201")
        assert fleet.process.wait(timeout=HANGS) == 0
        assert [line for line in fleet.lines() if line["level"] == "error"] == []
    with Nacre(database_url, settings=Settings(worker="off", embedder="off")) as nacre:
        assert [hit.text for hit in nacre.scope("a").recall("tea")] == ["tea"]


@contextmanager
def half_sent(url: str, path: str, body: object) -> Iterator[tuple[socket.socket, bytes]]:
    """A connection whose request the server has begun to read, and what it is still to be sent."""
    content, place = json.dumps(body).encode(), urlsplit(url)
    head = f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(content)}\r\nExpect: 100-continue\r\n\r\n"
    with socket.create_connection((place.hostname, place.port), timeout=HANGS) as connection:
        connection.sendall(head.encode() + content[:5])
        assert connection.recv(1_000).startswith(b"HTTP/1.1 100")
        yield connection, content[5:]


def test_no_process_outlives_its_supervisor(tmp_path):
    with serving("brain.db", tmp_path) as fleet:
        assert fleet.get("/health/ready").is_success
        fleet.process.kill()
        fleet.process.wait()

        def refused() -> bool:
            try:
                fleet.get("/health/live")
            except httpx.ConnectError:
                return True
            time.sleep(0.1)
            return False

        assert eventually(refused)


def test_several_processes_cannot_share_a_database_in_memory(nacre_command):
    failed = nacre_command("serve", "--port", "0", "--workers", "2", "--database", ":memory:")

    assert (failed.code, failed.out) == (2, "")
    assert failed.err.startswith("error: `workers` must be 1 for a database in memory")


def test_a_database_that_cannot_be_opened_is_said_before_any_process_starts(nacre_command):
    Path("nacre.db").write_bytes(b"no database" * 1_000)

    failed = nacre_command("serve", "--port", "0", "--workers", "2")

    assert (failed.code, failed.out, failed.err.count("\n")) == (2, "", 1)
