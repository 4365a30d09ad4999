"""A small OpenAI-compatible chat service on loopback, which says what a test tells it to say."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Answer = Callable[[str], object]

_ODD = {
    "failing": (500, b'{"error": {"message": "on purpose"}}'),
    "refusing": (401, b'{"error": {"message": "no such key"}}'),
    "garbage": (200, b"<html>not what you asked for</html>"),
    "empty": (200, b'{"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": []}'),
    "odd": (200, b'{"id": 7, "choices": [{"message": [1]}], "usage": "much"}'),
    "list": (200, b"[null]"),
}


class LanguageModelService:
    """Answers each question with `answer(question)` as JSON; `mood` says how, one mood per request from `moods`."""

    def __init__(self) -> None:
        self.answer: Answer = lambda _question: {}
        self.mood = "well"
        self.moods: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self.headers: list[str | None] = []
        self.released = Event()
        self.url = ""

    def reply(self, body: dict[str, Any]) -> tuple[int, bytes]:
        """Status and content for one request."""
        self.asked.append(body)
        mood = self.moods.pop(0) if self.moods else self.mood
        if mood in _ODD:
            return _ODD[mood]
        match mood:
            case "chatty":
                return _completion("Sure! Here is what I think about that.")
            case "wrong":
                return _completion(json.dumps({"something": "else"}))
            case "hanging":
                self.released.wait(30)
        return _completion(json.dumps(self.answer(_question(body))))


def _question(body: dict[str, Any]) -> str:
    content = next(message["content"] for message in body["messages"] if message["role"] == "user")
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _completion(text: str) -> tuple[int, bytes]:
    reply = {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
    return 200, json.dumps(reply).encode()


@contextmanager
def running() -> Iterator[LanguageModelService]:
    """The service, for as long as the block lasts."""
    service = LanguageModelService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            service.headers.append(self.headers.get("Authorization"))
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, content = service.reply(body) if self.path == "/v1/chat/completions" else (404, b"{}")
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
