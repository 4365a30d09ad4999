"""Detection of formats: a file or a folder told from its first bytes and its names."""

import io
from collections.abc import Sequence
from pathlib import Path

from nacre.domain.errors import Invalid
from nacre.domain.transfers import Format
from nacre.transfer import accounts, basic_memory, claude_code, codex, rockbot, scopes, streams

# So much of a file is looked at.
_HEAD = 64 * 2**10
# The marks that must stand in what a format writes. A quote inside a text is escaped in JSON, so no text looks so.
_MARKS: Sequence[tuple[Format, tuple[tuple[bytes, ...], ...]]] = (
    (Format.CHATGPT, ((b'"mapping"',), (b'"create_time"', b'"current_node"'))),
    (Format.CLAUDE, ((b'"chat_messages"',),)),
    (Format.CLAUDE_CODE, ((b'"sessionId"', b'"leafUuid"', b'"file-history-snapshot"'),)),
    (Format.CODEX, ((b'"session_meta"', b'"instructions"'), (b'"id"',), (b'"timestamp"',))),
    (Format.LETTA, ((b'"core_memory"', b'"blocks"', b'"agents"'), (b'"agent_type"', b'"agents"', b'"label"'))),
    (Format.GRAPHITI, ((b'"uuid"',), (b'"group_id"', b'"source_node_uuid"', b'"labels"', b'"summary"'))),
    (Format.LANGGRAPH, ((b'"namespace"', b'"prefix"'), (b'"key"',), (b'"value"',))),
)


def format_of(source: Path | bytes) -> Format:
    """What a file or a folder holds, as far as it can be told."""
    if isinstance(source, Path) and source.is_dir():
        return _of_folder(source)
    if isinstance(source, Path) and not source.is_file():
        raise Invalid("format", "cannot be told: a pipe can be read only once; name it")
    if isinstance(source, Path) and streams.is_archive(source):
        return _of_export(source)
    if isinstance(source, bytes):
        return _of_head(io.BytesIO(source).read(_HEAD))
    with streams.opened(source) as file:
        return _of_head(file.read(_HEAD))


def _of_folder(folder: Path) -> Format:
    if rockbot.is_folder(folder):
        return Format.ROCKBOT
    if streams.fitting_names(folder, accounts.FILES):
        return _of_export(folder)
    if streams.fitting_names(folder, codex.FILES):
        return Format.CODEX
    if streams.fitting_names(folder, claude_code.FILES):
        return Format.CLAUDE_CODE
    if next(folder.rglob("*.md"), None):
        return Format.BASIC_MEMORY if basic_memory.is_folder(folder) else Format.MARKDOWN
    raise Invalid("format", "cannot be told: no file of the folder is of a kind that is known; name it")


def _of_export(source: Path) -> Format:
    """The export of an account: both kinds call their file the same."""
    for _, file in streams.members(source, accounts.FILES):
        return _of_head(file.read(_HEAD))
    raise Invalid("format", "cannot be told: the archive has no `conversations.json`; name it, or unpack it")


def _of_head(head: bytes) -> Format:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    line = start.splitlines()[0] if start else b""
    if scopes.is_header(line):
        return Format.JSONL
    if line.startswith(b"{") and b'"type"' in line and (b'"entity"' in line or b'"relation"' in line):
        return Format.MCP
    for of, marks in _MARKS:
        if start[:1] in b"[{" and all(any(mark in head for mark in some) for some in marks):
            return of
    if start.startswith((b"[", b"{")):
        return Format.MEM0
    raise Invalid("format", "cannot be told from the file; name it")
