"""What is counted: every public operation, every job, and nothing that names anybody."""

import inspect
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

import nacre.aio
from nacre import Misconfigured, Nacre, NotFound, Settings
from nacre.domain.errors import Unavailable
from nacre.http.app import create_app
from nacre.telemetry import metrics
from nacre.work.queues import run_next
from tests.waits import HANGS

# What another agent's graph does, the graph within it does.
WITHIN = ("OpenGraph",)
COUNTING = Settings(metrics="on", worker="off", embedder="off")


@pytest.fixture
def brain_settings():
    return COUNTING.model_copy()


def samples(nacre):
    """Every sample, by its name and labels."""
    found = text_string_to_metric_families(nacre.metrics())
    return {(each.name, *each.labels.values()): each.value for family in found for each in family.samples}


def test_every_public_operation_tells_its_probe():
    """What `AsyncNacre` runs in a thread is what does something; all of it must be counted."""
    doing = [
        (mirror.removeprefix("Async"), name)
        for mirror, each in inspect.getmembers(nacre.aio, inspect.isclass)
        if mirror.startswith("Async")
        for name, method in inspect.getmembers(each, inspect.iscoroutinefunction)
        if not name.startswith("_") and name != "close"
    ]
    facades = {
        each.__name__: each
        for name, module in sys.modules.items()
        if name.startswith("nacre.brain.")
        for each in vars(module).values()
        if inspect.isclass(each)
    }
    silent = [
        (kind, name)
        for kind, name in doing
        if kind not in WITHIN and not hasattr(getattr(facades[kind], name), "__wrapped__")
    ]

    assert len(doing) > 150
    assert silent == []


def test_every_facade_knows_its_brain():
    """Or a call of it would fail as soon as somebody counts."""
    for name, module in sorted(sys.modules.items()):
        for each in vars(module).values() if name.startswith("nacre.brain.") else ():
            ours = inspect.isclass(each) and each.__module__.startswith("nacre.brain.")
            told = ours and [member for member in vars(each).values() if hasattr(member, "__wrapped__")]
            if told and each.__name__ not in WITHIN:
                assert re.search(r"self\.(_parts|parts) = ", inspect.getsource(each.__init__)), each


def test_operations_are_counted_by_outcome_as_their_caller_called_them(nacre, scope):
    scope.observe("user", "I like tea")
    scope.remember("I live in Porto. The launch moved to May 31.")
    scope.recall("tea")
    scope.recall("tea")
    scope.context("tea")
    scope.graph.add("Ana")
    with pytest.raises(NotFound):
        scope.graph.get("nobody")
    scope.dreams.run(["decay"])
    scope.forget(everything=True)

    found = samples(nacre)

    counted = {name[1:]: value for name, value in found.items() if name[0] == "nacre_operations_total"}
    assert counted == {
        ("observe", "ok"): 1,
        ("remember", "ok"): 1,
        ("recall", "ok"): 2,
        ("context", "ok"): 1,
        ("graph.add", "ok"): 1,
        ("graph.get", "not_found"): 1,
        ("dreams.run", "ok"): 1,
        ("forget", "ok"): 1,
    }
    assert found["nacre_operation_seconds_count", "recall"] == 2
    assert found["nacre_operation_seconds_sum", "recall"] > 0


def test_jobs_are_counted_by_kind_and_outcome(nacre, scope, clock):
    scope.remember("I live in Porto. The launch moved to May 31.")
    clock.advance(seconds=90)
    waiting = samples(nacre)
    assert (waiting["nacre_jobs_waiting",], waiting["nacre_jobs_oldest_seconds",]) == (1, 90)

    def failing(_scope, _payload):
        raise Unavailable("The model is away.")

    outcomes = Counter[str]()
    for _ in range(5):
        assert run_next(nacre.parts.database, {"expand_memory": failing}, probe=nacre.parts.probe)
        clock.advance(hours=2)
    found = samples(nacre)
    outcomes.update({name[2]: value for name, value in found.items() if name[0] == "nacre_jobs_total"})

    assert outcomes == {"failed": 4, "dead": 1}
    assert (found["nacre_jobs_waiting",], found["nacre_jobs_dead",]) == (0, 1)
    scope.jobs.replay()
    nacre.parts.worker.drain()
    assert samples(nacre)["nacre_jobs_total", "expand_memory", "ok"] == 1


def test_indexes_and_connections_are_measured(nacre, scope):
    scope.observe("user", "I like tea")
    scope.recall("tea")
    scope.recall("tea")
    scope.observe("user", "I like coffee")
    scope.recall("tea")

    with nacre.parts.database.read_all():
        found = samples(nacre)

    told = {name: found[f"nacre_index_{name}_total",] for name in ("loads", "refreshes", "hits")}
    assert told == {"loads": 1, "refreshes": 1, "hits": 1}
    assert found["nacre_index_bytes",] == nacre.parts.indexes.nbytes > 0
    assert found["nacre_database_connections_in_use",] == 1


def test_requests_are_counted_by_route_and_no_label_names_anybody(sqlite_url):
    with Nacre(sqlite_url, settings=COUNTING) as nacre:
        client = TestClient(create_app(nacre), base_url="http://127.0.0.1", client=("127.0.0.1", 1))
        client.post("/v1/agents/sesame/recall?user=sesame", json={"query": "sesame"})
        client.post("/v1/agents/sesame/recall", json={"user": "sesame", "query": "sesame"})
        client.get("/sesame")
        client.request("SESAME", "/health")
        reply = client.get("/metrics")
        found = samples(nacre)

    assert reply.headers["content-type"] == metrics.MEDIA_TYPE
    assert "sesame" not in reply.text.lower()
    route = "/v1/agents/{agent}/recall"
    assert found["nacre_http_requests_total", "POST", route, "200"] == 1
    assert found["nacre_http_requests_total", "POST", route, "400"] == 1
    assert found["nacre_http_requests_total", "GET", "other", "404"] == 1
    assert found["nacre_http_requests_total", "other", "/health", "405"] == 1
    assert found["nacre_http_request_seconds_count", "POST", route] == 2


def test_metrics_are_nowhere_unless_they_are_wanted(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(worker="off", embedder="off")) as nacre:
        client = TestClient(create_app(nacre), base_url="http://127.0.0.1", client=("127.0.0.1", 1))
        assert client.get("/metrics").status_code == 404
        with pytest.raises(Misconfigured):
            nacre.metrics()


def test_a_token_of_one_agent_does_not_open_metrics(sqlite_url):
    with Nacre(sqlite_url, settings=COUNTING.model_copy(update={"auth": "team"})) as nacre:
        client = TestClient(create_app(nacre), client=("10.0.0.9", 1))
        issued = [
            nacre.tokens.issue("t", "operator"),
            nacre.tokens.issue("t", "operator", agent="a"),
            nacre.tokens.issue("t", "agent"),
        ]
        headers = [{"Authorization": f"Bearer {each.secret}"} for each in issued]
        assert [client.get("/metrics", headers=each).status_code for each in headers] == [200, 403, 403]
        assert client.get("/metrics").status_code == 401


def test_a_worker_counts_in_the_folder_that_it_is_given(sqlite_url, tmp_path, quick_nacre):
    """In a process of its own: the library decides once whether it counts alone."""
    with Nacre(sqlite_url, settings=Settings(worker="off", embedder="off")) as nacre:
        nacre.scope("a").remember("I live in Porto. The launch moved to May 31.")
    folder = tmp_path / "metrics"
    given = {"NACRE_DATABASE": sqlite_url, "NACRE_METRICS": "on", "NACRE_METRICS_DIR": str(folder)}
    command = [*quick_nacre, "worker", "--once"]
    subprocess.run(command, check=True, env={**os.environ, **given, "NACRE_EMBEDDER": "off"}, timeout=HANGS)

    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(folder))
    assert registry.get_sample_value("nacre_jobs_total", {"kind": "expand_memory", "outcome": "ok"}) == 1


def test_a_folder_for_metrics_is_rid_of_what_the_dead_left(tmp_path):
    mine, gone = tmp_path / "counter_1.db", tmp_path / "counter_999999999.db"
    for path in (mine, gone):
        path.write_bytes(b"")

    metrics.tidy(tmp_path)

    assert list(tmp_path.iterdir()) == [mine]


def test_the_page_names_every_metric(nacre):
    page = (Path(__file__).parents[2] / "docs/operations.md").read_text()
    families = [each.name for each in text_string_to_metric_families(nacre.metrics())]
    counters = {each.name for each in text_string_to_metric_families(nacre.metrics()) if each.type == "counter"}

    named = [f"{name}_total" if name in counters else name for name in families if not name.endswith("_created")]
    assert len(named) > 15
    assert [name for name in named if f"`{name}`" not in page] == []
