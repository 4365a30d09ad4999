"""Working memory for an agent."""

from datetime import timedelta

from nacre.brain import ScopedNacre
from nacre.domain.errors import Invalid
from nacre.domain.working import WorkingEntry

PREVIEW = 120


class WorkingMemoryTools:
    """Scratch space for an agent that works in one namespace."""

    def __init__(self, scope: ScopedNacre, namespace: str) -> None:
        self._working = scope.working(namespace)

    def save_to_working_memory(
        self,
        key: str,
        data: str,
        ttl_minutes: float | None = None,
        category: str | None = None,
        tags: list[str] | None = None,
    ) -> str:
        """Store an entry in your own namespace for a while (5 minutes unless you say otherwise)."""
        ttl = None if ttl_minutes is None else _minutes(ttl_minutes)
        entry = self._working.save(key, data, ttl=ttl, category=category, tags=tags or ())
        return f"Stored {entry.key} until {entry.expires_at:%Y-%m-%d %H:%M:%S} UTC."

    def get_from_working_memory(self, key: str) -> str:
        """Read an entry by its plain key (your own namespace) or by its full path (any namespace)."""
        return self._working.get(key).value

    def list_working_memory(self, namespace: str | None = None) -> str:
        """List the keys in your own namespace, or below a prefix such as `patrol` or `subagent/t1b2c3`."""
        return self._working.inventory(namespace) or "Nothing in working memory here."

    def search_working_memory(
        self,
        query: str | None = None,
        category: str | None = None,
        tags: list[str] | None = None,
        namespace: str | None = None,
    ) -> str:
        """Search entries by words, category or tags, in your own namespace or below a prefix."""
        found = self._working.search(query, category=category, tags=tags or (), namespace=namespace)
        return "\n".join(_preview(entry) for entry in found) or "Nothing fits in working memory."

    def delete_from_working_memory(self, key: str) -> str:
        """Remove an entry of your own namespace before its time."""
        return f"Removed {key}." if self._working.delete(key) else f"There was no {key}."


def _minutes(value: float) -> timedelta:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid("ttl_minutes", f"must be a number, not {type(value).__name__}")
    try:
        return timedelta(minutes=value)
    except (OverflowError, ValueError) as error:
        raise Invalid("ttl_minutes", f"must be a number of minutes, not {value}") from error


def _preview(entry: WorkingEntry) -> str:
    text = " ".join(entry.value.split())
    return f"- {entry.key}: {text[:PREVIEW]}{'…' if len(text) > PREVIEW else ''}"
