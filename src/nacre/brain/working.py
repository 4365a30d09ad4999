"""The working memory of a scope, as one namespace sees it."""

from collections.abc import Iterable
from datetime import timedelta

from nacre.brain.probing import probed
from nacre.domain import checks
from nacre.domain.scopes import Scope
from nacre.domain.working import WorkingEntry, check_namespace
from nacre.memory import inventories, working
from nacre.recall import text_ranking
from nacre.wiring import Parts

# The method `list` hides the type of that name.
Entries = list[WorkingEntry]


@probed("workingmemory")
class WorkingMemory:
    """Scratch space whose entries expire. Writes stay in the own namespace; reads go anywhere in the scope.

    A key is relative to the own namespace, and may hold slashes, unless it is a full path: one whose first segment is
    `session`, `patrol`, `subagent` or that of the own namespace.
    """

    def __init__(self, parts: Parts, scope: Scope, namespace: str) -> None:
        self._parts = parts
        self._scope = scope
        self._namespace = check_namespace(namespace)

    @property
    def namespace(self) -> str:
        """Where writes go: two segments, such as `session/abc123`."""
        return self._namespace

    def save(
        self,
        key: str,
        data: str,
        *,
        ttl: timedelta | None = None,
        category: str | None = None,
        tags: Iterable[str] = (),
    ) -> WorkingEntry:
        """Store `data` in the own namespace, for 5 minutes unless `ttl` says otherwise.

        It takes the place of what the key held. A namespace holds at most 50 entries; another key is refused then.
        """
        return working.save(
            self._parts.database,
            self._scope,
            self._namespace,
            key,
            data,
            ttl=ttl,
            category=category,
            tags=tags,
        )

    def get(self, key: str) -> WorkingEntry:
        """The entry under a key of the own namespace, or under a full path."""
        with self._parts.database.read(self._scope) as tx:
            return working.get(tx, self._namespace, key)

    def list(self, namespace: str | None = None) -> Entries:
        """The entries of the own namespace, or below a prefix such as `patrol` or `subagent/t1`; newest first."""
        with self._parts.database.read(self._scope) as tx:
            return working.find(tx, self._namespace if namespace is None else namespace)

    def inventory(self, namespace: str | None = None) -> str:
        """The same, one line an entry: its key, how long it is there, and its labels. Never the values."""
        with self._parts.database.read(self._scope) as tx:
            found = working.find(tx, self._namespace if namespace is None else namespace)
            return "\n".join(inventories.line(entry, tx.now) for entry in found)

    def search(
        self,
        query: str | None = None,
        *,
        category: str | None = None,
        tags: Iterable[str] = (),
        namespace: str | None = None,
        limit: int = 20,
    ) -> Entries:
        """The entries that have to do with `query`, best first; without a query, the newest first.

        `category` (with those below it), `tags` (all of them) and `namespace` (a prefix) narrow what is searched.
        """
        checks.count("limit", limit)
        if query is not None:
            checks.text("query", query)
        prefix = self._namespace if namespace is None else namespace
        with self._parts.database.read(self._scope) as tx:
            found = working.find(tx, prefix, category=category, tags=tags)
        if query is None:
            return found[:limit]
        ranked = text_ranking.rank([entry.searchable for entry in found], query, self._parts.embedder)
        return [found[place] for place, _ in ranked[:limit]]

    def delete(self, key: str) -> bool:
        """Remove an entry of the own namespace; whether there was one."""
        with self._parts.database.write(self._scope) as tx:
            return working.delete(tx, self._namespace, key)
