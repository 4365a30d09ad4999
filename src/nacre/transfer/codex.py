"""The transcripts of Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, an item on each line.

An item is `{timestamp, type, payload}`; before September 2025 it was the bare payload, and the first line had the
session's id. The shapes are those of `codex-rs/protocol`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nacre.domain.transfers import Format, SkippedRecord
from nacre.transfer.records import FileRecords, Record, attempt, instant_of, message, unknown_file
from nacre.transfer.streams import json_lines, objects, transcripts

FILES = re.compile(r"(?:^|/)rollout-[^/]*\.jsonl$")
_ITEMS = frozenset(("session_meta", "response_item", "event_msg", "turn_context", "compacted"))
_BARE = frozenset(
    ("message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call")
)
# What is told of a turn as it happens: just what people typed and read.
_EVENTS = {"user_message": "user", "agent_message": "assistant"}
_SPEAKERS = ("user", "assistant")
# What the client puts before the user's own words.
_ADDED = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|user_shell_command|permissions)"
    r"|# AGENTS\.md instructions)"
)


def parse(source: Path | bytes) -> FileRecords:
    """What people and the assistant said in a transcript, or in all of a folder."""
    left_out: Counter[str] = Counter()
    return FileRecords(_records(source, left_out), left_out=left_out)


def _records(source: Path | bytes, left_out: Counter[str]) -> Iterator[Record]:
    for name, file in transcripts(source, FILES):
        # Where a file tells what was typed, the items beside it only repeat that, with what was put before it.
        typed = any(_event(entry) == "user_message" for _, entry in objects(json_lines(file, name)))
        yield from _transcript(name, file, left_out, typed=typed)


def _event(entry: Mapping[str, Any] | SkippedRecord) -> object:
    payload = None if isinstance(entry, SkippedRecord) or entry.get("type") != "event_msg" else entry.get("payload")
    return payload.get("type") if isinstance(payload, Mapping) else None


def _transcript(name: str, file: Path | bytes, left_out: Counter[str], *, typed: bool) -> Iterator[Record]:
    session: str | None = None
    for place, (where, entry) in enumerate(objects(json_lines(file, name))):
        if isinstance(entry, SkippedRecord):
            yield entry
            continue
        session = session or _session(entry)
        if session is None:
            why = "is no transcript of Codex as it is written since April 2025: its first line names no session"
            yield unknown_file(name, why)
            return
        said = _said(entry, typed=typed)
        if said is None:
            left_out[_reason(entry)] += 1
            continue
        at = attempt(where, lambda entry=entry: instant_of(entry, "timestamp"))  # type: ignore[misc]
        if isinstance(at, SkippedRecord):
            yield at
            continue
        role, text = said
        yield message(where, Format.CODEX, f"{session}/{place}", role=role, text=text, session=session, at=at)


def _session(entry: Mapping[str, Any]) -> str | None:
    """The id of the session, which the first line names."""
    payload = entry.get("payload")
    meta = payload if entry.get("type") == "session_meta" and isinstance(payload, Mapping) else entry
    found = meta.get("id")
    return found if isinstance(found, str) and found and "role" not in entry else None


def _said(entry: Mapping[str, Any], *, typed: bool) -> tuple[str, str] | None:
    """Who says what in an item; nothing where nobody does."""
    payload = entry.get("payload", entry)
    if not isinstance(payload, Mapping):
        return None
    if typed:
        role, text = _EVENTS.get(str(_event(entry))), payload.get("message")
    else:
        role, text = payload.get("role"), _text(payload.get("content"))
        if payload.get("type") != "message" or role not in _SPEAKERS or (role == "user" and _ADDED.match(text)):
            return None
    return (role, text.strip()) if role and isinstance(text, str) and text.strip() else None


def _text(content: object) -> str:
    parts = content if isinstance(content, list) else []
    said = [part.get("text") for part in parts if isinstance(part, Mapping)]
    return "\n\n".join(text for text in said if isinstance(text, str))


def _reason(entry: Mapping[str, Any]) -> str:
    kind = str(entry.get("type"))
    if kind in _ITEMS or kind in _BARE or "type" not in entry:
        return "items of tools and of the client"
    return "lines of an unknown kind"
