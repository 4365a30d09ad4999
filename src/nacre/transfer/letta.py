"""The agent files of Letta (`.af`): blocks of core memory, and the messages of an agent.

The shapes are those of `letta/schemas/agent_file.py`, with several agents in a file, and of the older one with one.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from nacre.domain.errors import Invalid
from nacre.domain.transfers import Format, SkippedRecord
from nacre.transfer.records import (
    MAX_RECORD,
    FileRecords,
    MemoryRecord,
    Record,
    attempt,
    instant_of,
    json_of,
    list_of,
    mapping,
    message,
    object_of,
    tags_of,
    text_of,
    texts,
)

_CATEGORY = "letta"
# The tool that an agent speaks with.
_SPEAK = "send_message"
_UNKNOWN = "is no agent file of Letta: it has neither `agents` and `blocks` nor `core_memory`"


def parse(data: bytes, *, now: datetime) -> FileRecords:
    """The records of a file: blocks are memories, and what was said are turns."""
    held = object_of(json_of(data, 32 * MAX_RECORD))
    left_out: Counter[str] = Counter()
    if isinstance(held.get("agents"), list) and isinstance(held.get("blocks"), list):
        return FileRecords(_records(held["blocks"], held["agents"], now, left_out), left_out=left_out)
    if isinstance(held.get("core_memory"), list):
        # One agent, whose file gives it no id.
        alone = {"id": held.get("id") or held.get("name") or "agent", **held}
        return FileRecords(_records(held["core_memory"], [alone], now, left_out), left_out=left_out)
    raise Invalid("file", _UNKNOWN)


def _records(blocks: list[Any], agents: list[Any], now: datetime, left_out: Counter[str]) -> Iterator[Record]:
    for place, block in enumerate(blocks):
        where = f"blocks[{place}]"
        if isinstance(block, Mapping) and not str(block.get("value") or "").strip():
            left_out["empty blocks"] += 1
        else:
            yield attempt(where, lambda where=where, block=block: _block(where, block, now))  # type: ignore[misc]
    for number, agent in enumerate(agents):
        where = f"agents[{number}]"
        found = attempt(where, lambda agent=agent: list_of(object_of(agent), "messages"))  # type: ignore[misc]
        if isinstance(found, SkippedRecord):
            yield found
            continue
        for place, said in enumerate(found):
            yield from _message(f"{where} messages[{place}]", agent, place, said, left_out)


def _block(where: str, value: object, now: datetime) -> MemoryRecord:
    block = object_of(value)
    label = str(block.get("label") or "block")
    more = {"description": block.get("description"), **mapping(block.get("metadata"))}
    return MemoryRecord(
        where=where,
        origin=str(block.get("id") or f"block-{label}"),
        content=text_of(block, "value"),
        category=_CATEGORY,
        tags=tags_of([label]),
        metadata=texts({f"letta_{name}": each for name, each in more.items()}),
        created_at=instant_of(block, "created_at") or now,
    )


def _message(
    where: str, agent: Mapping[str, Any], place: int, entry: object, left_out: Counter[str]
) -> Iterator[Record]:
    if not isinstance(entry, Mapping):
        yield SkippedRecord(where=where, why=str(Invalid("record", "must be an object")))
        return
    role, session = entry.get("role"), str(agent.get("id"))
    text = _spoken(entry) if role == "assistant" else _typed(entry) if role == "user" else ""
    if not text:
        left_out["messages of tools and of the system"] += 1
        return
    at = attempt(where, lambda: instant_of(entry, "created_at"))
    if isinstance(at, SkippedRecord):
        yield at
    else:
        origin = f"{session}/{entry.get('id') or place}"
        yield message(where, Format.LETTA, origin, role=str(role), text=text, session=session, at=at)


def _typed(message: Mapping[str, Any]) -> str:
    """What a user typed, which may be wrapped with the time of it; heartbeats and alerts are no words of theirs."""
    text = _text(message)
    try:
        wrapped = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError):
        wrapped = None
    if isinstance(wrapped, Mapping) and isinstance(wrapped.get("type"), str):
        return str(wrapped.get("message") or "").strip() if wrapped["type"] == "user_message" else ""
    return text


def _spoken(message: Mapping[str, Any]) -> str:
    """What an agent said: by its tool for that, else in plain words; beside other tools, words are thoughts."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list) or not calls:
        return _text(message)
    return "\n\n".join(filter(None, map(_argument, calls)))


def _argument(call: object) -> str:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or function.get("name") != _SPEAK:
        return ""
    try:
        given = json.loads(function.get("arguments") or "{}")
    except (TypeError, ValueError, RecursionError):
        return ""
    return str(given.get("message") or "").strip() if isinstance(given, Mapping) else ""


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content", message.get("text"))
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list) else []
    words = [part.get("text") for part in parts if isinstance(part, Mapping) and part.get("type") == "text"]
    return "\n\n".join(word for word in words if isinstance(word, str)).strip()
