"""The export of a Claude account: `conversations.json`, in its archive or alone.

No document of the maker describes it; the shapes are those of exports of 2024 to 2026.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nacre.domain.errors import Invalid
from nacre.domain.transfers import Format, SkippedRecord
from nacre.transfer import accounts
from nacre.transfer.records import FileRecords, Record, attempt, instant_of, message

_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}


def parse(source: Path | bytes) -> FileRecords:
    """What was said in every conversation of an export."""
    left_out: Counter[str] = Counter()
    return FileRecords(_records(source, left_out), left_out=left_out)


def _records(source: Path | bytes, left_out: Counter[str]) -> Iterator[Record]:
    foreign = "is no export of Claude as of 2024 to 2026: its first conversation has no `chat_messages`"
    broken = Invalid("record", "must have `uuid` and `chat_messages`")
    for each in accounts.conversations(source, _fits, foreign=foreign, broken=broken):
        if isinstance(each, SkippedRecord):
            yield each
            continue
        where, conversation = each
        for place, said in enumerate(conversation["chat_messages"]):
            yield from _message(f"{where} chat_messages[{place}]", conversation, said, left_out)


def _fits(conversation: dict[str, Any]) -> bool:
    return isinstance(conversation.get("chat_messages"), list) and isinstance(conversation.get("uuid"), str)


def _message(where: str, conversation: dict[str, Any], entry: object, left_out: Counter[str]) -> Iterator[Record]:
    role = _ROLES.get(str(entry.get("sender")).lower()) if isinstance(entry, Mapping) else None
    if not isinstance(entry, Mapping) or role is None or not isinstance(entry.get("uuid"), str):
        yield SkippedRecord(where=where, why=str(Invalid("record", "must have `uuid` and a `sender` that is known")))
        return
    text = _text(entry)
    if not text:
        left_out["messages without words"] += 1
        return
    at = attempt(where, lambda: instant_of(entry, "created_at") or instant_of(conversation, "created_at"))
    if isinstance(at, SkippedRecord):
        yield at
    else:
        yield message(where, Format.CLAUDE, entry["uuid"], role=role, text=text, session=conversation["uuid"], at=at)


def _text(message: Mapping[str, Any]) -> str:
    """The words of a message: its blocks of text, else its `text`, which has words of tools in between."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    words = [block.get("text") for block in blocks if isinstance(block, Mapping) and block.get("type") == "text"]
    spoken = "\n\n".join(word for word in words if isinstance(word, str) and word.strip()).strip()
    text = message.get("text")
    return spoken or (text.strip() if isinstance(text, str) and not blocks else "")
