"""The demo's history as calls to the HTTP API, for the page that loads it into an empty server."""

import json
import sys
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

DEMO = Path(__file__).resolve().parent / "demo"
MODULES = ("autumn", "cast", "extras", "spring", "summer", "telling")


def dashboard() -> str:
    """The dashboard's file: conversations in order, one in a line, and the documents."""
    sys.path.insert(0, str(DEMO))
    try:
        autumn, cast, extras, spring, summer, telling = map(import_module, MODULES)
    finally:
        sys.path.remove(str(DEMO))
    known: dict[str | None, set[str]] = defaultdict(set)
    history = sorted((*spring.SPRING, *summer.SUMMER, *autumn.AUTUMN), key=lambda each: each.began)
    told = [_conversation(each, known[each.user], cast.CAST, telling.order) for each in history]
    written = [{"path": path, "content": content} for path, content in extras.DOCUMENTS.items()]
    return f'{{"conversations": [\n{_lines(told)}\n], "documents": [\n{_lines(written)}\n]}}\n'


def _lines(values: list[dict[str, Any]]) -> str:
    return ",\n".join(json.dumps(each, ensure_ascii=False) for each in values)


def _conversation(
    conversation: Any, known: set[str], cast: dict[str, Any], order: Callable[..., Any]
) -> dict[str, Any]:
    told = [
        (turn, said, order(fact, conversation.began))
        for turn, said in enumerate(conversation.said)
        for fact in said.facts
    ]
    new = [name for name in dict.fromkeys(name for _, _, each in told for name in each.names) if name in cast]
    made = [_entity(name, cast[name]) for name in new if name not in known]
    known.update(new)
    return {
        "session": conversation.session,
        "user": conversation.user,
        "turns": [
            {"role": turn.role, "text": turn.text, "speaker": turn.speaker, "at": turn.at.isoformat()}
            for turn in conversation.turns()
        ],
        "entities": made,
        "facts": [
            {
                "operation": each.operation,
                "payload": _dated(each, conversation.began.isoformat()),
                "quote": said.quote(" ".join(map(str, each.payload.values()))),
                "turn": turn,
            }
            for turn, said, each in told
        ],
        "memories": [
            {"text": each.text, "category": each.category, "tags": list(each.tags), "importance": each.importance}
            for each in conversation.kept
        ],
    }


def _entity(name: str, kind: Any) -> dict[str, Any]:
    described = {"description": kind.description} if kind.description else {}
    payload = {"name": name, "type": kind.type, "aliases": list(kind.aliases), **described}
    return {"operation": "create_entity", "payload": payload}


def _dated(order: Any, at: str) -> dict[str, Any]:
    """A claim holds from when it was said: the server that is told of it today was not there."""
    return dict(order.payload) if order.operation == "create_link" else {**order.payload, "valid_from": at}
