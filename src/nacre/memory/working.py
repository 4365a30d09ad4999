"""Working memory: saving within the limits, reading across namespaces, sweeping what has expired."""

from collections.abc import Iterable
from datetime import timedelta

from nacre.domain import checks
from nacre.domain.errors import Full, NotFound
from nacre.domain.memories import check_category, check_tags
from nacre.domain.scopes import Scope
from nacre.domain.working import (
    MAX_ENTRIES,
    WorkingEntry,
    check_prefix,
    check_ttl,
    is_in_category,
    own_path,
    readable_paths,
)
from nacre.store.base import scopes
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import working


def save(
    database: Database,
    scope: Scope,
    namespace: str,
    key: str,
    data: str,
    *,
    ttl: timedelta | None,
    category: str | None,
    tags: Iterable[str],
) -> WorkingEntry:
    """Store `data` for a while, over what the key held; a namespace that is full refuses another key."""
    path, lifetime = own_path(namespace, key), check_ttl(ttl)
    checks.text("data", data)
    checked_category = None if category is None else check_category(category)
    checked_tags = check_tags(tags)
    with database.write(scope) as tx:
        entry = WorkingEntry(
            key=path,
            value=data,
            stored_at=tx.now,
            expires_at=tx.now + lifetime,
            category=checked_category,
            tags=checked_tags,
        )
        put(tx, entry)
    return entry


def get(tx: Transaction, namespace: str, key: str) -> WorkingEntry:
    """The entry that `key` means to a reader in `namespace`."""
    paths = readable_paths(namespace, key)
    found = working.by_key(tx, paths)
    for path in paths:
        if path in found:
            return found[path]
    raise NotFound("working memory entry", paths[0])


def find(tx: Transaction, prefix: str, *, category: str | None = None, tags: Iterable[str] = ()) -> list[WorkingEntry]:
    """The entries below `prefix` in a category and with all of some tags, the newest first."""
    within = None if category is None else check_category(category)
    wanted = set(check_tags(tags))
    return [
        entry
        for entry in working.below(tx, check_prefix(prefix))
        if wanted <= set(entry.tags) and (within is None or is_in_category(entry, within))
    ]


def delete(tx: Transaction, namespace: str, key: str) -> bool:
    """Remove an entry of the own namespace; whether there was one."""
    return working.remove(tx, own_path(namespace, key))


def sweep(database: Database) -> int:
    """Remove what has expired in every scope; how many entries that were."""
    with database.write_all() as tx:
        return working.remove_expired(tx)


def sweep_scope(database: Database, scope: Scope) -> int:
    """Remove what has expired in one scope; how many entries that were."""
    with database.write(scope) as tx:
        return working.remove_expired_here(tx)


def put(tx: Transaction, entry: WorkingEntry) -> None:
    """Store an entry over what its key held, in a transaction that goes on; a full namespace refuses another key."""
    # Two writers who both saw one free place must not both take it.
    scopes.lock(tx)
    working.make_room(tx, entry.key)
    if working.count(tx, entry.namespace) >= MAX_ENTRIES:
        raise Full(entry.namespace, MAX_ENTRIES)
    working.add(tx, entry)
