"""Sources of prices and a receiver of alerts on loopback, which can be told to misbehave."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from nacre.domain.world import RefusedReading, SourceQuery, SourceReading


class Scripted:
    """A source of a test's own."""

    def __init__(self, name: str = "scripted", **prices: float) -> None:
        self.name = name
        self.prices = prices
        self.at: datetime | None = None
        self.asked: list[list[str]] = []

    def read(self, asked: Sequence[SourceQuery]) -> list[SourceReading | RefusedReading]:
        """What the test said."""
        self.asked.append([each.symbol for each in asked])
        return [
            SourceReading(symbol=each.symbol, value=self.prices[each.symbol], unit="EUR", at=self.at)
            for each in asked
            if each.symbol in self.prices
        ]


@dataclass
class Market:
    """Answers `GET /price?symbol=BTC` and `?symbols=BTC,ETH`, and takes what is posted to `/hook`.

    `prices` are JSON values by symbol. `replies` are what the next calls get instead: a status and a body.
    """

    prices: dict[str, Any] = field(default_factory=dict)
    replies: list[tuple[int, bytes]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    posted: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    hook_status: list[int] = field(default_factory=list)
    hanging: Event = field(default_factory=Event)
    hangs: bool = False
    url: str = ""

    def answer(self, path: str) -> tuple[int, bytes]:
        """Status and body for one question."""
        self.asked.append(path)
        if self.hangs:
            self.hanging.wait(30)
        if self.replies:
            return self.replies.pop(0)
        query = parse_qs(urlsplit(path).query)
        if "symbol" in query:
            symbol = query["symbol"][0]
            return (200, json.dumps(self.prices[symbol]).encode()) if symbol in self.prices else (404, b"{}")
        wanted = query["symbols"][0].split(",")
        return 200, json.dumps({each: self.prices[each] for each in wanted if each in self.prices}).encode()


@contextmanager
def running() -> Iterator[Market]:
    """The market, for as long as the block lasts."""
    market = Market()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, content = market.answer(self.path)
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", content.decode())
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            market.posted.append((dict(self.headers), body))
            self.send_response(market.hook_status.pop(0) if market.hook_status else 204)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    market.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield market
    finally:
        market.hanging.set()
        server.shutdown()
        server.server_close()
        thread.join()
