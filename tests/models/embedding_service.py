"""A small OpenAI-compatible embedding service on loopback, which can be told to misbehave."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from nacre.models.static_embedder import StaticEmbedder

_LOCAL = StaticEmbedder()


class EmbeddingService:
    """Answers with real vectors, cut to `dimensions`; `mood` says how."""

    def __init__(self) -> None:
        self.dimensions = 64
        self.mood = "well"
        self.asked: list[list[str]] = []
        self.headers: list[str | None] = []
        self.released = Event()
        self.url = ""

    def reply(self, body: dict[str, Any]) -> tuple[int, bytes]:
        """Status and content for one request."""
        self.asked.append(body["input"])
        match self.mood:
            case "failing":
                return 500, b'{"error": "on purpose"}'
            case "garbage":
                return 200, b"<html>not what you asked for</html>"
            case "short":
                return 200, b'{"data": []}'
            case "hanging":
                self.released.wait(30)
        matrix = _LOCAL.matrix(body["input"])[:, : self.dimensions]
        data = [{"index": place, "embedding": [float(x) for x in row]} for place, row in enumerate(matrix)]
        return 200, json.dumps({"data": list(reversed(data)), "model": body["model"]}).encode()


@contextmanager
def running() -> Iterator[EmbeddingService]:
    """The service, for as long as the block lasts."""
    service = EmbeddingService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            service.headers.append(self.headers.get("Authorization"))
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, content = service.reply(body) if self.path == "/v1/embeddings" else (404, b"{}")
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
