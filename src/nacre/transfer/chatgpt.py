"""The export of a ChatGPT account: `conversations.json`, or `conversations-000.json` and so on, in an archive or alone.

A conversation is a tree of messages, because every answer can be asked for again; what stands on the way to
`current_node` is what people saw last. No document of the maker describes it; the shapes are those of exports of 2023
to 2026.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nacre.domain.errors import Invalid
from nacre.domain.transfers import Format, SkippedRecord
from nacre.transfer import accounts
from nacre.transfer.records import FileRecords, Record, message, moment_of

_SPEAKERS = ("user", "assistant")
_WORDS = ("text", "multimodal_text")


def parse(source: Path | bytes) -> FileRecords:
    """What was said in every conversation of an export."""
    left_out: Counter[str] = Counter()
    return FileRecords(_records(source, left_out), left_out=left_out)


def _records(source: Path | bytes, left_out: Counter[str]) -> Iterator[Record]:
    foreign = "is no export of ChatGPT as of 2023 to 2026: its first conversation has no `mapping`"
    for each in accounts.conversations(source, _fits, foreign=foreign, broken=Invalid("mapping", "is missing")):
        if isinstance(each, SkippedRecord):
            yield each
        else:
            yield from _conversation(*each, left_out)


def _fits(conversation: dict[str, Any]) -> bool:
    return isinstance(conversation.get("mapping"), Mapping)


def _conversation(where: str, conversation: dict[str, Any], left_out: Counter[str]) -> Iterator[Record]:
    key = conversation.get("conversation_id") or conversation.get("id")
    if not isinstance(key, str):
        yield SkippedRecord(where=where, why=str(Invalid("id", "is missing")))
        return
    mapping = conversation["mapping"]
    path = _path(mapping, conversation.get("current_node"))
    left_out["messages of other branches"] += sum(map(_is_spoken, mapping.values())) - sum(map(_is_spoken, path))
    begun = moment_of(conversation.get("create_time"))
    for node in path:
        said = node.get("message")
        if not isinstance(said, Mapping):
            continue
        at, text = moment_of(said.get("create_time")) or begun, _text(said)
        if reason := _reason(said, text):
            left_out[reason] += 1
        else:
            origin = f"{key}/{said.get('id') or node.get('id')}"
            role = said["author"]["role"]
            yield message(f"{where} {origin}", Format.CHATGPT, origin, role=role, text=text, session=key, at=at)


def _path(mapping: Mapping[str, Any], last: object) -> list[Mapping[str, Any]]:
    """The nodes from the root to the one that was seen last; all of them, as they stand, where none is named."""
    messages: list[Mapping[str, Any]] = []
    seen: set[object] = set()
    while isinstance(last, str) and last not in seen and isinstance(mapping.get(last), Mapping):
        seen.add(last)
        messages.append(mapping[last])
        last = mapping[last].get("parent")
    return messages[::-1] or [node for node in mapping.values() if isinstance(node, Mapping)]


def _is_spoken(node: object) -> bool:
    said = node.get("message") if isinstance(node, Mapping) else None
    return isinstance(said, Mapping) and _role(said) in _SPEAKERS


def _role(message: Mapping[str, Any]) -> object:
    author = message.get("author")
    return author.get("role") if isinstance(author, Mapping) else None


def _reason(message: Mapping[str, Any], text: str) -> str | None:
    """Why a message is no memory."""
    metadata, content = message.get("metadata"), message.get("content")
    if isinstance(metadata, Mapping) and metadata.get("is_visually_hidden_from_conversation"):
        return "hidden messages"
    if _role(message) not in _SPEAKERS or message.get("recipient", "all") != "all":
        return "messages of tools"
    if not isinstance(content, Mapping) or content.get("content_type") not in _WORDS:
        return "thoughts and code that was run"
    return None if text else "messages without words"


def _text(message: Mapping[str, Any]) -> str:
    """The words of a message, with those that were spoken aloud; pictures and sounds are none."""
    content = message.get("content")
    parts = content.get("parts") if isinstance(content, Mapping) else None
    words = [
        part if isinstance(part, str) else part.get("text") if isinstance(part, Mapping) else None
        for part in (parts if isinstance(parts, list) else [])
    ]
    return "\n\n".join(word for word in words if isinstance(word, str) and word.strip()).strip()
