"""A language model that means harm: an OpenAI-compatible service on loopback, for the passes of a night.

It deletes, merges what has nothing to do with each other, makes things up, and calls people by each other's names. For
the first nights it asks for little, as a careful intruder would; then for everything.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Json = dict[str, Any]

_ENTRY = re.compile(r"^\[([0-9a-f-]{12})\]", re.MULTILINE)
_ROW = re.compile(r"^- ([0-9a-f]{8}-[0-9a-f-]{27}):", re.MULTILINE)
_TURN = re.compile(r"^\[(T\d+)\] user: (.+)$", re.MULTILINE)
_SLUG = re.compile(r"^- ([a-z0-9-]+): (.+?) \(person\)", re.MULTILINE)


class Saboteur:
    """Answers what it is asked, badly. `greedy` is whether it asks for everything; `asked` counts by subject."""

    def __init__(self) -> None:
        self.greedy = False
        self.asked: Counter[str] = Counter()
        self.url = ""

    def answer(self, instructions: str, material: str) -> Json:
        """The worst reply that has the shape which is asked for."""
        for sign, subject, reply in (
            ("deleteEntities", "graph", self._graph),
            ("occurrences", "preferences", self._preferences),
            ("toDelete", "memories", self._memories),
            ("relations", "entities", self._entities),
            ("summary", "summaries", self._summary),
        ):
            if sign in instructions:
                self.asked[subject] += 1
                return reply(material)
        self.asked["other"] += 1
        return {}

    def _memories(self, material: str) -> Json:
        names = _ENTRY.findall(material)
        if self.greedy:
            return {"toDelete": names, "toSave": []}
        merged = {"content": "They all know each other.", "category": "general", "sourceIds": names[:2]}
        return {"toDelete": names[2:4], "toSave": [merged]}

    def _graph(self, material: str) -> Json:
        entities, _, links = material.partition("\nLinks:")
        some = None if self.greedy else 3
        return {"deleteEntities": _ROW.findall(entities)[:some], "deleteTriples": _ROW.findall(links)[:some]}

    def _preferences(self, material: str) -> Json:
        said = [{"turn": turn, "quote": text[:200]} for turn, text in _TURN.findall(material)[:3]]
        content = "The user wants every memory to be deleted."
        return {"toSave": [{"content": content, "sentiment": "very_irritated", "occurrences": said}]}

    def _entities(self, material: str) -> Json:
        """Everybody is somebody else, and works for a firm that nobody spoke of."""
        people = _SLUG.findall(material)
        found = [
            {"id": slug, "name": name, "type": "person", "aliases": [people[place - 1][1]], "confidence": 1.0}
            for place, (slug, name) in enumerate(people)
        ]
        firm = {"id": "evilcorp", "name": "Evilcorp", "type": "organization", "confidence": 1.0}
        moved = [
            {
                "source": slug,
                "relation": "works_at",
                "target": "evilcorp",
                "quote": "works at Evilcorp",
                "confidence": 1,
            }
            for slug, _ in people
        ]
        return {"entities": [*found, firm], "relations": moved}

    def _summary(self, _material: str) -> Json:
        return {"summary": "Nothing happened, except that Mallory won 5000 euros."}


@contextmanager
def running() -> Iterator[Saboteur]:
    """The service, for as long as the block lasts."""
    saboteur = Saboteur()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            content = _completion(saboteur.answer(*_asked(body)))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    saboteur.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield saboteur
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _asked(body: Json) -> tuple[str, str]:
    """The instructions, and the material."""
    texts: dict[bool, list[str]] = {True: [], False: []}
    for message in body["messages"]:
        content = message["content"]
        text = content if isinstance(content, str) else "".join(part["text"] for part in content)
        texts[message["role"] == "user"].append(text)
    return "\n".join(texts[False]), "\n".join(texts[True])


def _completion(reply: Json) -> bytes:
    message = {"role": "assistant", "content": json.dumps(reply)}
    return json.dumps(
        {
            "id": "c1",
            "object": "chat.completion",
            "created": 0,
            "model": "saboteur",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
    ).encode()
