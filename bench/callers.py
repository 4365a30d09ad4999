"""A caller of the HTTP interface that costs little itself: it shares the cores with what it measures."""

import asyncio
import json
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

Json = dict[str, Any]

# A reply of several hundred hits still comes in one piece.
MAX_REPLY = 2**24


class Caller:
    """One connection that is kept open; one call at a time."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def __aenter__(self) -> Self:
        self._streams = await asyncio.open_connection(self._host, self._port, limit=MAX_REPLY)
        return self

    async def __aexit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        if self._streams:
            self._streams[1].close()
            await self._streams[1].wait_closed()

    async def post(self, path: str, body: Json) -> int:
        """Send a body and read the reply to its end; the reply's status."""
        assert self._streams
        reader, writer = self._streams
        content = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        await reader.readexactly(int(headers["content-length"]))
        return int(lines[0].split()[1])
