"""The vault for an agent."""

from nacre.brain import ScopedNacre
from nacre.domain.documents import FoundIn, VaultHit
from nacre.text import injections

MAX_FOUND = 10


class VaultTools:
    """Documents, what was said, and the graph, in one search."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._scope = scope

    def vault_search(
        self, query: str, limit: int = MAX_FOUND, visibility: str | None = None, prefix: str | None = None
    ) -> str:
        """Search documents, past conversations and the knowledge graph at once.

        Documents can be narrowed to `personal`, `team` or `shared` ones, or to those below a path prefix.
        """
        found = self._scope.vault.search(query, limit=limit, visibility=visibility, prefix=prefix)
        return "\n".join(map(_line, found.items)) or "Nothing in the vault fits."


def _line(item: VaultHit) -> str:
    where = f" ({item.path})" if item.origin is FoundIn.VAULT else ""
    said = f": {item.snippet}" if item.snippet else ""
    return injections.neutral(f"- [{item.kind}] {item.title}{where}{said}")
