"""Transfers and backups: the formats in which a scope or a database goes out and comes in, and the report of one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from nacre.domain import checks


class Format(StrEnum):
    """How a scope, or what other systems remember, is written in files."""

    # Every row of a scope: the only one that brings back all of it.
    JSONL = "jsonl"
    # The folders of RockBot.
    ROCKBOT = "rockbot"
    # The file of the MCP reference memory server.
    MCP = "mcp"
    # What mem0's `get_all` and its exports hold.
    MEM0 = "mem0"
    # The transcripts that coding agents leave on disk.
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    # The exports of accounts.
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    # The agent files of Letta.
    LETTA = "letta"
    # The nodes, edges and episodes of Zep and Graphiti.
    GRAPHITI = "graphiti"
    # The items of a LangGraph store.
    LANGGRAPH = "langgraph"
    # Notes with observations and relations.
    BASIC_MEMORY = "basic-memory"
    # Notes for people; a folder of them comes in as documents.
    MARKDOWN = "markdown"
    GRAPHML = "graphml"
    TURTLE = "turtle"


EXPORTED = (Format.JSONL, Format.ROCKBOT, Format.MCP, Format.MARKDOWN, Format.GRAPHML, Format.TURTLE)
IMPORTED = tuple(each for each in Format if each not in (Format.GRAPHML, Format.TURTLE))


def export_format(value: object) -> Format:
    """The format to write that a caller named."""
    return Format(checks.choice("format", value, EXPORTED))


def import_format(value: object) -> Format:
    """The format to read that a caller named."""
    return Format(checks.choice("format", value, IMPORTED))


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedRecord:
    """A record that was left out: where it stands, and why."""

    where: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """What an export or an import came to.

    `counts` says how much of each kind went over. `batch` names the operations of an import: undoing it takes all of
    them back. A restored scope has none, because it brings its own log along.
    """

    format: Format
    counts: Mapping[str, int]
    skipped: tuple[SkippedRecord, ...] = ()
    notes: tuple[str, ...] = field(default=())
    batch: UUID | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """Where it lies and how large it is, since when, of which schema, and how many rows of each table it holds.

    `sealed` is an archive, in which any changed byte is found; an SQLite file is only as sure as SQLite makes it.
    """

    path: str
    size: int
    made_at: datetime
    schema: str
    counts: Mapping[str, int]
    sealed: bool = True

    @property
    def rows(self) -> int:
        """How many rows it holds in all."""
        return sum(self.counts.values())
