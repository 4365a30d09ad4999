"""Spans of requests, operations, jobs and transactions, and what of them leaves the process."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.testclient import TestClient

from nacre import Nacre, NotFound, Settings
from nacre.http.app import create_app
from nacre.telemetry.probes import Probe
from nacre.telemetry.traces import Traces
from nacre.work.queues import run_next

QUIET = Settings(worker="off", embedder="off")
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def traced(sqlite_url: str, exporter: InMemorySpanExporter) -> Iterator[Nacre]:
    """A brain whose spans stay in memory."""
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with Nacre(sqlite_url, settings=QUIET) as nacre:
        probe = Probe(None, Traces(provider))
        nacre.parts.probe, nacre.parts.database.around = probe, probe.transaction
        yield nacre


def within(span: ReadableSpan) -> int:
    """The span that a span is part of."""
    assert span.parent
    return span.parent.span_id


def told(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in exporter.get_finished_spans()}


def test_a_request_continues_the_trace_of_its_caller(traced, exporter):
    client = TestClient(create_app(traced), base_url="http://127.0.0.1", client=("127.0.0.1", 1))

    client.post("/v1/agents/sesame/recall", json={"query": "sesame"}, headers={"traceparent": CALLER})

    spans = told(exporter)
    request, operation = spans["POST /v1/agents/{agent}/recall"], spans["operation recall"]
    assert f"{request.context.trace_id:032x}" == CALLER.split("-")[1]
    assert f"{within(request):016x}" == CALLER.split("-")[2]
    assert within(operation) == request.context.span_id
    assert within(spans["database read"]) == operation.context.span_id
    assert request.attributes == {
        "http.request.method": "POST",
        "http.route": "/v1/agents/{agent}/recall",
        "http.response.status_code": 200,
    }
    assert "sesame" not in "".join(span.to_json() for span in exporter.get_finished_spans())


def test_a_failed_operation_says_how_it_failed_and_not_what_was_asked(traced, exporter):
    with pytest.raises(NotFound):
        traced.scope("a").graph.get("sesame")

    span = told(exporter)["operation graph.get"]
    assert ((span.attributes or {})["nacre.outcome"], span.status.is_ok) == ("not_found", False)
    assert "sesame" not in span.to_json()


def test_a_job_is_a_trace_of_its_own(traced, exporter):
    traced.scope("a").remember("I live in Porto. The launch moved to May 31.")
    exporter.clear()

    assert run_next(traced.parts.database, {"expand_memory": lambda *_: None}, probe=traced.parts.probe)

    span = told(exporter)["job expand_memory"]
    assert (span.parent, (span.attributes or {})["nacre.outcome"]) == (None, "ok")


@pytest.fixture
def collector() -> Iterator[tuple[str, list[ExportTraceServiceRequest]]]:
    """A receiver of OTLP over HTTP on loopback: its address, and what it was sent."""
    received: list[ExportTraceServiceRequest] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append(ExportTraceServiceRequest.FromString(body))
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", received
        server.shutdown()
        thread.join()


def test_spans_are_sent_to_where_the_standard_variables_say(sqlite_url, collector, monkeypatch):
    address, received = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")

    with Nacre(sqlite_url, settings=QUIET.model_copy(update={"traces": "on"})) as nacre:
        nacre.scope("a").recall("tea")

    sent = [batch for request in received for batch in request.resource_spans]
    names = {span.name for batch in sent for scoped in batch.scope_spans for span in scoped.spans}
    assert "operation recall" in names
    resource = {each.key: each.value.string_value for each in sent[0].resource.attributes}
    assert resource["service.name"] == "nacre"
