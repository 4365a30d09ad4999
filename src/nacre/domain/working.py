"""Working memory: scratch entries that expire, under keys that are paths.

The first two segments of a key are its namespace: `session/abc123`, `patrol/heartbeat`, `subagent/t1`. Whoever works
with it does so from a namespace of their own: writes stay in it, reads may go anywhere in the scope.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote

from nacre.domain import checks
from nacre.domain.errors import Denied, Invalid

DEFAULT_TTL = timedelta(minutes=5)
MIN_TTL = timedelta(seconds=1)
MAX_TTL = timedelta(days=30)
MAX_ENTRIES = 50
# In four-byte characters this is still a key that PostgreSQL can index.
MAX_KEY = 512
MAX_NAMESPACE = 300

SESSION, PATROL, SUBAGENT = "session", "patrol", "subagent"
ROOTS = frozenset({SESSION, PATROL, SUBAGENT})

# Beside control characters, whatever ends a line: keys are shown to agents one a line.
_UNSEEN = "\x00-\x1f\x7f-\x9f\u2028\u2029"
_BAD = re.compile(f"[{_UNSEEN}]")
_NOT_IN_A_SEGMENT = re.compile(rf"[{_UNSEEN}/%]|^\.\.?$")
_SEPARATORS = re.compile(r"[/_-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingEntry:
    """One entry under its full path; it is gone when `expires_at` comes."""

    key: str
    value: str
    stored_at: datetime
    expires_at: datetime
    category: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def namespace(self) -> str:
        """The first two segments of the key."""
        return namespace_of(self.key)

    @property
    def searchable(self) -> str:
        """The text that search sees: key and category with their separators as spaces, value and tags."""
        return " ".join([_spaced(self.key), self.value, *self.tags, _spaced(self.category or "")])


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingEntryInfo:
    """What an inventory shows of an entry: everything but its value, which may be huge."""

    key: str
    expires_at: datetime
    category: str | None = None
    tags: tuple[str, ...] = ()


def namespace_of(path: str) -> str:
    """The first two segments of a full path."""
    return "/".join(path.split("/", 2)[:2])


def session_namespace(session: str) -> str:
    """The namespace of a session, whatever its name: what cannot stand in a segment is written as in a URL."""
    name = checks.name("session", session)
    return check_namespace(f"{SESSION}/{_NOT_IN_A_SEGMENT.sub(lambda bad: _quoted(bad[0]), name)}")


def check_namespace(value: object) -> str:
    """`value`, if it is two segments such as `session/abc123`."""
    segments = _segments("namespace", value, MAX_NAMESPACE)
    if len(segments) != 2:
        raise Invalid("namespace", f"must be two segments such as `session/abc123`, not {value!r}")
    return "/".join(segments)


def check_prefix(value: object) -> str:
    """`value`, if it is one or more leading segments of full paths; a slash at its end is taken for what it means."""
    return "/".join(_segments("namespace", value.removesuffix("/") if isinstance(value, str) else value))


def check_ttl(value: object) -> timedelta:
    """How long an entry is to live: `value`, or 5 minutes for None."""
    if value is None:
        return DEFAULT_TTL
    if not isinstance(value, timedelta):
        raise Invalid("ttl", f"must be a timedelta, not {type(value).__name__}")
    if not MIN_TTL <= value <= MAX_TTL:
        raise Invalid("ttl", f"must be from 1 second to {MAX_TTL.days} days, not {value}")
    return value


def own_path(namespace: str, key: object) -> str:
    """The full path that `key` means to a writer in `namespace`; a path into another namespace is refused.

    A key is a full path when its first segment is `session`, `patrol`, `subagent` or that of the writer's own
    namespace, and more follows. Every other key is relative, with or without slashes in it.
    """
    path = _full_path(namespace, key) or _below(namespace, key)
    if namespace_of(path) != namespace:
        raise Denied(
            f"`{path}` is in the namespace `{namespace_of(path)}`; from here, writes go to `{namespace}` only."
        )
    return path


def readable_paths(namespace: str, key: object) -> tuple[str, ...]:
    """The full paths that `key` may mean to a reader in `namespace`, the likeliest first.

    As for a writer; but a relative key of three segments or more that the own namespace does not hold may be the full
    path of an entry in a namespace of another kind.
    """
    path = _full_path(namespace, key)
    if path:
        return (path,)
    relative = _below(namespace, key)
    return (relative, str(key)) if str(key).count("/") >= 2 else (relative,)


def is_in_category(entry: WorkingEntry, category: str) -> bool:
    """Whether an entry's category is `category` or one below it."""
    return f"{entry.category}/".startswith(f"{category}/") if entry.category else False


def _full_path(namespace: str, key: object) -> str | None:
    segments = _segments("key", key)
    own_root = namespace.partition("/")[0]
    if len(segments) == 1 or segments[0] not in ROOTS | {own_root}:
        return None
    if len(segments) == 2:
        raise Invalid("key", f"must go on after the namespace: {key!r} names no entry in it")
    return "/".join(segments)


def _below(namespace: str, key: object) -> str:
    return "/".join(_segments("key", f"{namespace}/{key}"))


def _segments(field: str, value: object, limit: int = MAX_KEY) -> list[str]:
    path = checks.text(field, value, limit=limit)
    if _BAD.search(path):
        raise Invalid(field, "must be one line without control characters")
    segments = path.split("/")
    if any(not segment.strip() or segment in (".", "..") for segment in segments):
        raise Invalid(field, f"must be segments joined by single slashes, none of them `.` or `..`, not {path!r}")
    return segments


def _spaced(text: str) -> str:
    return _SEPARATORS.sub(" ", text)


def _quoted(text: str) -> str:
    return text.replace(".", "%2E") if text[0] == "." else quote(text, safe="")
