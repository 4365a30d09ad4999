"""The tools an agent calls, with the names and parameters of the documents: hand `tools(...)` to any agent framework.

Each answers with a short text for the agent to read. A refusal is a `NacreError` whose message says what to do.
"""

from collections.abc import Callable
from datetime import timedelta

from nacre.brain import ScopedNacre
from nacre.domain.errors import Invalid
from nacre.domain.memories import GENERAL, Outcome
from nacre.domain.working import Entry, session_namespace
from nacre.recall.contexts import memory_line

Tool = Callable[..., str]

MAX_FOUND = 8
PREVIEW = 120


class MemoryTools:
    """Long-term memory for an agent."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._scope = scope

    def save_memory(self, content: str, category: str | None = None, tags: list[str] | None = None) -> str:
        """Keep a fact or preference for later sessions; it is saved at once and sorted out in the background."""
        saved = self._scope.remember(content, category=category or GENERAL, tags=tags or ())
        said = {
            Outcome.CREATED: "Saved as",
            Outcome.REINFORCED: "Known already; reinforced",
            Outcome.EXTENDED: "Added to",
        }
        return f"{said[saved.outcome]} [{saved.memory.short}] ({saved.memory.category})."

    def search_memory(self, query: str, category: str | None = None, tags: list[str] | None = None) -> str:
        """Search long-term memory, optionally within a category (and those below it) and with all of some tags."""
        found = self._scope.memories.search(query, category=category, tags=tags or (), limit=MAX_FOUND)
        return "\n".join(memory_line(match.memory) for match in found) or "No memory fits."

    def delete_memory(self, id: str) -> str:  # noqa: A002 - the document's name
        """Forget one memory, by the id that searches and contexts show in brackets."""
        forgotten = self._scope.forget(id)
        return f"Forgot [{id}]." if forgotten.memories else f"[{id}] was forgotten already."

    def list_memory_categories(self) -> str:
        """Browse the hierarchy of categories, with the number of memories in each."""
        counted = self._scope.memories.categories()
        return "\n".join(f"{category} ({count})" for category, count in counted.items()) or "No memories yet."


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


def tools(scope: ScopedNacre, *, session: str | None = None, namespace: str | None = None) -> list[Tool]:
    """Every tool as a typed, documented function, for an agent in a session or another namespace."""
    memory = MemoryTools(scope)
    offered: list[Tool] = [
        memory.save_memory,
        memory.search_memory,
        memory.delete_memory,
        memory.list_memory_categories,
    ]
    own = namespace or (session_namespace(session) if session else None)
    if own:
        working = WorkingMemoryTools(scope, own)
        offered += [
            working.save_to_working_memory,
            working.get_from_working_memory,
            working.list_working_memory,
            working.search_working_memory,
            working.delete_from_working_memory,
        ]
    return offered


def _minutes(value: float) -> timedelta:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid("ttl_minutes", f"must be a number, not {type(value).__name__}")
    try:
        return timedelta(minutes=value)
    except (OverflowError, ValueError) as error:
        raise Invalid("ttl_minutes", f"must be a number of minutes, not {value}") from error


def _preview(entry: Entry) -> str:
    text = " ".join(entry.value.split())
    return f"- {entry.key}: {text[:PREVIEW]}{'…' if len(text) > PREVIEW else ''}"
