"""Metrics for Prometheus: what this process counts, and what all processes of one folder count together.

No label holds a name or a text: they are operations, kinds of jobs, routes, methods, statuses and codes of errors.
"""

import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from nacre.domain.errors import Misconfigured
from nacre.settings import hand_down

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SAMPLE_SECONDS = 5.0
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_FILE = re.compile(r"\w+_(\d+)\.db")

# How things stand in a process, and what it has counted on its own: what `measure` tells, by name.
GAUGES = {
    "index_bytes": "Memory that recall indexes hold.",
    "indexes": "Scopes whose recall index is held.",
    "database_connections_in_use": "Connections of the pools of the database and its replica that are in use.",
}
COUNTS = {
    "index_hits": "Reads of a recall index that was in step.",
    "index_refreshes": "Reads of a recall index that had to take in new rows first.",
    "index_loads": "Reads of a recall index that had to be loaded whole first.",
    "rerank_fallbacks": "Recalls whose hits were not reranked because that took too long.",
    "embedder_failures": "Calls of the embedding service that failed.",
}

Measure = Callable[[], Mapping[str, float]]


class Metrics:
    """The metrics of one process. With a folder, what is told is the sum over every process that shares it."""

    def __init__(self, folder: Path | None, measure: Measure) -> None:
        client, self._folder = _client(folder), folder
        self._client = client
        self._own = own = client.CollectorRegistry()
        self._measure = measure
        self._last: dict[str, float] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        families = {"operation": "operation", "job": "kind"}
        self._ended = {
            family: client.Counter(
                f"nacre_{family}s", f"{family.title()}s by outcome.", (label, "outcome"), registry=own
            )
            for family, label in families.items()
        }
        self._seconds = {
            family: client.Histogram(
                f"nacre_{family}_seconds", f"How long {family}s take.", (label,), buckets=BUCKETS, registry=own
            )
            for family, label in families.items()
        }
        self._requests = client.Counter(
            "nacre_http_requests", "Requests answered.", ("method", "route", "status"), registry=own
        )
        self._request_seconds = client.Histogram(
            "nacre_http_request_seconds", "How long they take.", ("method", "route"), buckets=BUCKETS, registry=own
        )
        self._gauges = {
            name: client.Gauge(f"nacre_{name}", told, registry=own, multiprocess_mode="livesum")
            for name, told in GAUGES.items()
        }
        self._counts = {name: client.Counter(f"nacre_{name}", told, registry=own) for name, told in COUNTS.items()}
        if folder:
            # Others tell for this process, so they must find what it has measured without asking.
            threading.Thread(target=self._sampling, name="nacre-metrics", daemon=True).start()

    def ended(self, family: str, name: str, outcome: str, seconds: float) -> None:
        """An operation or a job has ended."""
        self._ended[family].labels(name, outcome).inc()
        self._seconds[family].labels(name).observe(seconds)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        known = method if method in METHODS else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._request_seconds.labels(known, route).observe(seconds)

    def sample(self) -> None:
        """Take down how things stand now."""
        with self._lock:
            found = self._measure()
            for name, gauge in self._gauges.items():
                gauge.set(found.get(name, 0))
            for name, count in self._counts.items():
                count.inc(max(0, found.get(name, 0) - self._last.get(name, 0)))
            self._last = dict(found)

    def text(self, shared: Mapping[str, tuple[str, float]]) -> bytes:
        """All of it as Prometheus reads it; `shared` is what belongs to no process, with what it means."""
        self.sample()
        registry = self._own
        if self._folder:
            registry = self._client.CollectorRegistry()
            import_module("prometheus_client.multiprocess").MultiProcessCollector(registry, path=str(self._folder))
        beside = self._client.CollectorRegistry()
        beside.register(_SharedGauges(shared))
        told: bytes = self._client.generate_latest(registry) + self._client.generate_latest(beside)
        return told

    def close(self) -> None:
        """Take down the last of it."""
        self._stopping.set()
        self.sample()

    def _sampling(self) -> None:
        while not self._stopping.wait(SAMPLE_SECONDS):
            self.sample()


class _SharedGauges:
    """Gauges that are read when somebody asks."""

    def __init__(self, values: Mapping[str, tuple[str, float]]) -> None:
        self._values = values

    def collect(self) -> Iterator[Any]:
        """One gauge for each."""
        families = import_module("prometheus_client.core").GaugeMetricFamily
        build = families("nacre_build_info", "The version that answers.", labels=["version"])
        build.add_metric([version("nacre")], 1)
        yield build
        for name, (told, value) in self._values.items():
            yield families(f"nacre_{name}", told, value=value)


def tidy(folder: Path) -> None:
    """Remove what processes counted that are no more."""
    for path, pid in _files(folder):
        if not _lives(pid):
            path.unlink(missing_ok=True)


def forget_process(folder: Path | None, pid: int | None) -> None:
    """A process has died: what it held is no more; what it counted stays."""
    for path, owner in _files(folder) if folder else ():
        if owner == pid and path.name.startswith("gauge_live"):
            path.unlink(missing_ok=True)


def _files(folder: Path) -> Iterable[tuple[Path, int]]:
    matched = ((path, _FILE.fullmatch(path.name)) for path in folder.glob("*.db"))
    return [(path, int(match[1])) for path, match in matched if match]


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _client(folder: Path | None) -> Any:
    """The library, told whether processes count together; it reads that from the environment."""
    try:
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            hand_down(FOLDER, str(folder))
            values = import_module("prometheus_client.values")
            values.ValueClass = values.MultiProcessValue()  # type: ignore[attr-defined]
        return import_module("prometheus_client")
    except ModuleNotFoundError as error:
        raise Misconfigured("Metrics need their library: pip install 'nacre[metrics]'.") from error
    except OSError as error:
        raise Misconfigured(f"The folder for metrics cannot be made: {os.strerror(error.errno or 0)}.") from error
