"""The transcripts of Claude Code: `~/.claude/projects/<project>/<session>.jsonl`, a message or an event on each line.

No document of the maker describes them; the shapes are those that versions 1.0 to 2.1 write.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nacre.domain.errors import Invalid
from nacre.domain.transfers import Format, SkippedRecord
from nacre.transfer.records import FileRecords, Record, attempt, instant_of, message, unknown_file
from nacre.transfer.streams import json_lines, objects, transcripts

FILES = re.compile(r"\.jsonl$")
# The events that stand between messages.
_EVENTS = frozenset(
    (
        "summary",
        "system",
        "file-history-snapshot",
        "queue-operation",
        "progress",
        "attachment",
        "custom-title",
        "result",
    )
)
_SPEAKERS = ("user", "assistant")
# What the client writes into a message of the user.
_ADDED = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_COMMAND = re.compile(
    r"\s*(?:<(?:command-|local-command-|bash-|user-memory-input|task-notification)|\[Request interrupted by user)"
)
_FLAGS = {
    "isSidechain": "messages of subagents",
    "isMeta": "notes of the client",
    "isCompactSummary": "summaries of the client",
    "isApiErrorMessage": "errors of the service",
}


def parse(source: Path | bytes) -> FileRecords:
    """What people and the assistant said in a transcript, or in all of a folder."""
    left_out: Counter[str] = Counter()
    return FileRecords(_records(source, left_out), left_out=left_out)


def _records(source: Path | bytes, left_out: Counter[str]) -> Iterator[Record]:
    for name, file in transcripts(source, FILES):
        known = other = 0
        for where, entry in objects(json_lines(file, name)):
            if isinstance(entry, SkippedRecord):
                yield entry
            elif entry.get("type") in _SPEAKERS and isinstance(entry.get("message"), Mapping):
                known += 1
                yield from _message(where, entry, left_out)
            elif str(entry.get("type")) in _EVENTS or "sessionId" in entry:
                known += 1
                left_out["events"] += 1
            else:
                other += 1
        if other and not known:
            yield unknown_file(
                name, "is no transcript of Claude Code as versions 1.0 to 2.1 write it: no line is known"
            )
        elif other:
            left_out["lines of an unknown kind"] += other


def _message(where: str, entry: dict[str, Any], left_out: Counter[str]) -> Iterator[Record]:
    reason = next((why for flag, why in _FLAGS.items() if entry.get(flag)), None)
    text = _text(entry["message"].get("content"))
    if reason is None and not text:
        reason = "messages of tools"
    if reason is None and entry["type"] == "user" and _COMMAND.match(text):
        reason = "commands"
    if reason:
        left_out[reason] += 1
        return
    at = attempt(where, lambda: instant_of(entry, "timestamp"))
    session, key = entry.get("sessionId"), entry.get("uuid")
    if isinstance(at, SkippedRecord):
        yield at
    elif not (isinstance(session, str) and isinstance(key, str)):
        yield SkippedRecord(where=where, why=str(Invalid("record", "must have `sessionId` and `uuid`")))
    else:
        yield message(where, Format.CLAUDE_CODE, key, role=entry["type"], text=text, session=session, at=at)


def _text(content: object) -> str:
    """The words of a message; calls of tools, their results and thoughts are none."""
    if isinstance(content, str):
        return _ADDED.sub("", content).strip()
    blocks = content if isinstance(content, list) else []
    said = [block.get("text") for block in blocks if isinstance(block, Mapping) and block.get("type") == "text"]
    return _ADDED.sub("", "\n\n".join(text for text in said if isinstance(text, str))).strip()
