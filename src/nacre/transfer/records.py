"""Records of other systems' files in one shape: messages, entities, the links between them, and memories.

Whatever cannot be read is skipped, with a place and a reason, and the rest stands.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, TypeVar

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.memories import GENERAL, MAX_TAGS, Status, check_category, check_metadata, check_tags
from nacre.domain.operations import UpsertEntity
from nacre.domain.transfers import Format, SkippedRecord
from nacre.domain.turns import Turn

T = TypeVar("T")

# A text as it may be kept.
Clean = Callable[[str], str]

# Longer than any record that could be taken in.
MAX_RECORD = 8 * 2**20
# With the name of a format before it, it must fit into a name.
MAX_ORIGIN = 180
MAX_SESSION = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRecord:
    """An entity of a file. `key` is what the file's edges call it; `said` are sentences about it.

    Where files may hold two things of one name, `apart` tells the second from the first.
    """

    where: str
    key: str
    upsert: UpsertEntity
    said: tuple[str, ...] = ()
    apart: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRecord:
    """A link of a file; its ends are keys or names. `plain` allows the target to be a plain value."""

    where: str
    source: str
    predicate: str
    target: str
    plain: bool = False
    confidence: float = 1.0
    properties: Mapping[str, str] = field(default_factory=dict)
    # What an end that nobody knows is marked with.
    stub: Mapping[str, str] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    def __post_init__(self) -> None:
        for name in ("source", "predicate"):
            checks.name(name, getattr(self, name))
        checks.text("target", self.target, limit=10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """A long-term memory of a file, with its own dates. `origin` names it there, so that it comes in once."""

    where: str
    origin: str
    content: str
    category: str = GENERAL
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    importance: float = 0.5
    reinforced: int = 0
    created_at: datetime
    updated_at: datetime | None = None
    last_seen_at: datetime | None = None
    status: Status = Status.ACTIVE
    archived_at: datetime | None = None
    archive_reason: str | None = None

    def __post_init__(self) -> None:
        checks.name("id", self.origin)
        checks.text("content", self.content)
        check_category(self.category)
        object.__setattr__(self, "tags", check_tags(self.tags))
        object.__setattr__(self, "metadata", check_metadata(self.metadata))
        checks.fraction("importance", self.importance)


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """What somebody said in a conversation of a file; the turn's `ref` names it there, so that it comes in once."""

    where: str
    turn: Turn


Record = EntityRecord | LinkRecord | MemoryRecord | MessageRecord | SkippedRecord


@dataclass(frozen=True, slots=True)
class FileRecords:
    """The records of a file in the order they are taken in, and what should be known about them.

    `left_out` counts what is no memory and is passed over on purpose; it is complete when the records are.
    """

    records: Iterable[Record]
    notes: tuple[str, ...] = ()
    left_out: Counter[str] = field(default_factory=Counter)


def message(
    where: str, of: Format, origin: str, *, role: str, text: str, session: str, at: datetime | None
) -> MessageRecord | SkippedRecord:
    """A message of a file, or why it cannot be one. `origin` names it among all that the format ever writes.

    Its session is called as the hooks of a client call it.
    """
    named, ref = f"{of.value}/{session[:MAX_SESSION]}", f"{of.value}:{_short(origin)}"
    return attempt(where, lambda: MessageRecord(where, Turn(role=role, text=text, session=named, at=at, ref=ref)))


def _short(origin: str) -> str:
    return origin if len(origin) <= MAX_ORIGIN else blake2b(origin.encode(), digest_size=16).hexdigest()


def attempt(where: str, read: Callable[[], T]) -> T | SkippedRecord:
    """What `read` makes of a record, or why it cannot be read."""
    try:
        return read()
    except Invalid as error:
        return SkippedRecord(where=where, why=str(error))


def unknown_file(name: str, why: str) -> SkippedRecord:
    """A file of a folder that another version or another system wrote; where it is the only one, it is refused."""
    refused = Invalid("file", why)
    if not name:
        raise refused
    return SkippedRecord(where=name, why=str(refused))


def json_of(data: bytes, largest: int = MAX_RECORD) -> Any:
    """The JSON that bytes hold."""
    if len(data) > largest:
        raise Invalid("record", f"is larger than {largest // 2**20} MiB")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Invalid("record", f"is not UTF-8: byte {error.start} cannot be read") from error
    except (ValueError, RecursionError) as error:
        raise Invalid("record", "is not JSON") from error


def object_of(value: object) -> dict[str, Any]:
    """A record that must be an object."""
    if not isinstance(value, dict):
        raise Invalid("record", f"must be an object, not {type(value).__name__}")
    return value


def text_of(record: Mapping[str, Any], name: str) -> str:
    """A field that must be a text."""
    if name not in record:
        raise Invalid(name, "is missing")
    return checks.text(name, record[name])


def mapping(value: object) -> Mapping[str, Any]:
    """A value that may be an object, as one; anything else is an empty one."""
    return value if isinstance(value, Mapping) else {}


def sequence(value: object) -> list[Any]:
    """A value that may be a list, as one; anything else is an empty one."""
    return value if isinstance(value, list) else []


def list_of(record: Mapping[str, Any], name: str) -> list[Any]:
    """A field that is a list, or nothing."""
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Invalid(name, f"must be a list, not {type(value).__name__}")
    return value


def instant_of(record: Mapping[str, Any], name: str) -> datetime | None:
    """A field that is a time, or nothing; without a zone, UTC is meant."""
    value = record.get(name)
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(_shortened(checks.name(name, value)))
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Invalid(name, f"must be a time such as 2026-05-03T10:00:00Z, not {value!r:.50}") from error


def moment_of(value: object) -> datetime | None:
    """An instant that is written as seconds since 1970, or nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _shortened(text: str) -> str:
    """Without the seventh digit of a second that .NET writes."""
    head, dot, tail = text.partition(".")
    digits = tail[: len(tail) - len(tail.lstrip("0123456789"))]
    return head + dot + digits[:6] + tail[len(digits) :] if dot else text


def texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Values as metadata holds them: texts as they are, the rest as JSON; what is empty is left out."""
    told = {str(name): value if isinstance(value, str) else written(value) for name, value in values.items()}
    return {name: value for name, value in told.items() if value.strip() and value != "null"}


def written(value: object) -> str:
    """A value as JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def tags_of(values: Iterable[object]) -> tuple[str, ...]:
    """As many of some labels as an entry may have."""
    return check_tags([str(value) for value in values if str(value).strip()][:MAX_TAGS])


def lines_of(data: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """The lines of a file that hold something, each with its place."""
    for number, line in enumerate(data, start=1):
        if line.strip():
            yield f"line {number}", line
