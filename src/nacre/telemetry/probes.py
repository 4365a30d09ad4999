"""A probe: told of every public operation, job, request and transaction where metrics or traces are wanted."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter

from nacre.domain.errors import NacreError
from nacre.settings import Settings
from nacre.telemetry.metrics import Metrics
from nacre.telemetry.traces import Traces

OK, INTERNAL = "ok", "internal"

# What an operation calls is part of it, and no operation of its own.
_inside: ContextVar[bool] = ContextVar("inside", default=False)


@dataclass(slots=True)
class ProbeOutcome:
    """How something ended."""

    value: str = OK


class Probe:
    """Passes what happens on to metrics and traces."""

    def __init__(self, metrics: Metrics | None, traces: Traces | None) -> None:
        self.metrics = metrics
        self.traces = traces

    @contextmanager
    def operation(self, name: str) -> Iterator[None]:
        """A public operation, as its caller called it."""
        if _inside.get():
            yield
            return
        token = _inside.set(True)
        try:
            with self._timed(name, "operation") as outcome, _judging(outcome):
                yield
        finally:
            _inside.reset(token)

    @contextmanager
    def job(self, kind: str) -> Iterator[ProbeOutcome]:
        """One attempt at a job; whoever makes it says how it ended."""
        with self._timed(kind, "job") as outcome:
            yield outcome

    @contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Iterator["Request"]:
        """A request; its route and its status are known when it has been answered."""
        request, began = Request(), perf_counter()
        with self.traces.serving(method, headers, request) if self.traces else nullcontext():
            try:
                yield request
            finally:
                if self.metrics:
                    self.metrics.request(method, request.route, request.status, perf_counter() - began)

    def transaction(self, kind: str) -> AbstractContextManager[None]:
        """A transaction that reads or writes, or waits for its turn to."""
        # Each is part of an operation, which is timed as a whole.
        return self.traces.span(f"database {kind}") if self.traces else nullcontext()

    def close(self) -> None:
        """Pass on what is still to be passed on."""
        if self.metrics:
            self.metrics.close()
        if self.traces:
            self.traces.close()

    @contextmanager
    def _timed(self, name: str, family: str) -> Iterator[ProbeOutcome]:
        outcome, began = ProbeOutcome(), perf_counter()
        with self.traces.span(f"{family} {name}", outcome) if self.traces else nullcontext():
            try:
                yield outcome
            finally:
                if self.metrics:
                    self.metrics.ended(family, name, outcome.value, perf_counter() - began)


@dataclass(slots=True)
class Request:
    """What is known of a request once it has been answered."""

    route: str = "other"
    status: int = 500


def build(settings: Settings, measure: Callable[[], Mapping[str, float]]) -> Probe | None:
    """The probe that the settings ask for; None where nobody wants to know. `measure` tells how things stand."""
    metrics = Metrics(settings.metrics_dir, measure) if settings.metrics == "on" else None
    traces = Traces.exporting() if settings.traces == "on" else None
    return Probe(metrics, traces) if metrics or traces else None


@contextmanager
def _judging(outcome: ProbeOutcome) -> Iterator[None]:
    try:
        yield
    except NacreError as error:
        outcome.value = error.code
        raise
    except Exception:
        outcome.value = INTERNAL
        raise
