"""Traces for OpenTelemetry, sent to where the standard `OTEL_…` variables say.

No attribute holds a name or a text of anybody's: they are operations, routes, statuses and codes of errors.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from typing import Any, Protocol, Self

from nacre.domain.errors import Misconfigured

SERVICE = "nacre"


class EndedOperation(Protocol):
    """Something that knows how it ended."""

    value: str


class AnsweredRequest(Protocol):
    """A request, with its route and status once they are known."""

    route: str
    status: int


class Traces:
    """Makes spans, each within the one that is open around it."""

    def __init__(self, provider: Any) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer(SERVICE, version(SERVICE))
        self._trace = import_module("opentelemetry.trace")
        self._continued = import_module("opentelemetry.trace.propagation.tracecontext").TraceContextTextMapPropagator()

    @classmethod
    def exporting(cls) -> Self:
        """Traces that leave over OTLP; endpoint, headers, sampling and names are those of the environment."""
        try:
            sdk = import_module("opentelemetry.sdk.trace")
            export = import_module("opentelemetry.sdk.trace.export")
            resources = import_module("opentelemetry.sdk.resources")
            otlp = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        except ModuleNotFoundError as error:
            raise Misconfigured("Traces need their library: pip install 'nacre[otel]'.") from error
        named = resources.Resource.create()
        if str(named.attributes.get("service.name", "")).startswith("unknown_service"):
            named = named.merge(resources.Resource({"service.name": SERVICE, "service.version": version(SERVICE)}))
        provider = sdk.TracerProvider(resource=named, shutdown_on_exit=False)
        provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
        return cls(provider)

    @contextmanager
    def span(self, name: str, ended: EndedOperation | None = None) -> Iterator[None]:
        """A span around what is done here."""
        with self._tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as span:
            try:
                yield
            finally:
                if ended:
                    span.set_attribute("nacre.outcome", ended.value)
                if ended and ended.value != "ok":
                    span.set_status(self._trace.StatusCode.ERROR, ended.value)

    @contextmanager
    def serving(self, method: str, headers: Mapping[str, str], answered: AnsweredRequest) -> Iterator[None]:
        """The span of a request, within the caller's own where it names one."""
        with self._tracer.start_as_current_span(
            method,
            context=self._continued.extract(headers),
            kind=self._trace.SpanKind.SERVER,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            finally:
                span.update_name(f"{method} {answered.route}")
                span.set_attributes(
                    {
                        "http.request.method": method,
                        "http.route": answered.route,
                        "http.response.status_code": answered.status,
                    }
                )
                if answered.status >= 500:
                    span.set_status(self._trace.StatusCode.ERROR)

    def close(self) -> None:
        """Send what has not been sent."""
        self._provider.shutdown()
