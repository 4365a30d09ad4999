"""Long-term memory for an agent."""

from nacre.brain import ScopedNacre
from nacre.domain.audits import AGENT
from nacre.domain.memories import GENERAL, Outcome
from nacre.recall.reference_blocks import memory_line

MAX_FOUND = 8


class MemoryTools:
    """Long-term memory for an agent."""

    def __init__(self, scope: ScopedNacre, actor: str = AGENT) -> None:
        self._scope, self._actor = scope, actor

    def save_memory(self, content: str, category: str | None = None, tags: list[str] | None = None) -> str:
        """Keep a fact or preference for later sessions; it is saved at once and sorted out in the background."""
        saved = self._scope.remember(content, category=category or GENERAL, tags=tags or (), actor=self._actor)
        said = {
            Outcome.CREATED: "Saved as",
            Outcome.REINFORCED: "Known already; reinforced",
            Outcome.EXTENDED: "Added to",
        }
        line = f"{said[saved.outcome]} [{saved.memory.short}] ({saved.memory.category})."
        ended = ", ".join(f"[{key.hex[-12:]}]" for key in saved.replaced)
        asked = " It may replace others: somebody will be asked." if saved.proposals else ""
        return f"{line}{f' It replaces {ended}.' if ended else ''}{asked}"

    def search_memory(self, query: str, category: str | None = None, tags: list[str] | None = None) -> str:
        """Search long-term memory, optionally within a category (and those below it) and with all of some tags."""
        found = self._scope.memories.search(query, category=category, tags=tags or (), limit=MAX_FOUND)
        return "\n".join(memory_line(match.memory) for match in found) or "No memory fits."

    def delete_memory(self, id: str) -> str:  # noqa: A002 - the document's name
        """Forget one memory, by the id that searches show in brackets."""
        forgotten = self._scope.forget(id, actor=self._actor)
        return f"Forgot [{id}]." if forgotten.memories else f"[{id}] was forgotten already."

    def list_memory_categories(self) -> str:
        """Browse the hierarchy of categories, with the number of memories in each."""
        counted = self._scope.memories.categories()
        return "\n".join(f"{category} ({count})" for category, count in counted.items()) or "No memories yet."
