"""Working memory entries. No read sees one that has expired, swept or not."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Delete, Integer, Row, and_, bindparam, delete, func, insert, or_, select

from nacre.domain.ids import ScopeId
from nacre.domain.working import WorkingEntry, WorkingEntryInfo, namespace_of
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.tables.columns import Instant
from nacre.store.tables.schema import working

# So many scopes are swept at a time.
SWEPT = 10_000


def add(tx: Transaction, entry: WorkingEntry) -> None:
    """Store an entry under a key that is free."""
    tx.execute(
        insert(working).values(
            scope_id=tx.scope_id,
            key=entry.key,
            namespace=entry.namespace,
            value=entry.value,
            category=entry.category,
            tags=list(entry.tags),
            stored_at=entry.stored_at,
            expires_at=entry.expires_at,
        )
    )


def by_key(tx: Transaction, keys: Sequence[str]) -> dict[str, WorkingEntry]:
    """The entries stored under `keys`."""
    rows = tx.execute(select(working).where(_alive(tx), working.c.key.in_(keys)))
    return {row.key: _to_entry(row) for row in rows}


def below(tx: Transaction, prefix: str) -> list[WorkingEntry]:
    """The entries whose keys begin with the segments of `prefix`, the newest first."""
    rows = tx.execute(select(working).where(_alive(tx), _begins_with(prefix))).all()
    return [_to_entry(row) for row in _newest_first(rows)]


# Built once: every context of a session lists its working memory.
_LISTED = select(working.c.key, working.c.stored_at, working.c.expires_at, working.c.category, working.c.tags).where(
    working.c.scope_id == bindparam("scope"),
    working.c.expires_at > bindparam("now", type_=Instant),
    or_(
        working.c.key == bindparam("prefix"),
        func.substr(working.c.key, 1, bindparam("length", type_=Integer)) == bindparam("start"),
    ),
)
_LISTED_IN_NAMESPACE = _LISTED.where(working.c.namespace == bindparam("namespace"))


def listed(tx: Transaction, prefix: str) -> list[WorkingEntryInfo]:
    """As `below`, without reading the values."""
    return listed_below(tx, [prefix])[0]


def listed_below(tx: Transaction, prefixes: Sequence[str]) -> list[list[WorkingEntryInfo]]:
    """As `listed`, of several prefixes at once."""
    return [
        [
            WorkingEntryInfo(key=row.key, expires_at=row.expires_at, category=row.category, tags=tuple(row.tags))
            for row in _newest_first(rows.all())
        ]
        for rows in tx.execute_all(listed_calls(tx, prefixes))
    ]


def listed_calls(tx: Transaction, prefixes: Sequence[str]) -> list[Call]:
    """What lists the entries below some prefixes."""
    return [_listed_call(tx, prefix) for prefix in prefixes]


def _listed_call(tx: Transaction, prefix: str) -> Call:
    start = f"{prefix}/"
    values = {"scope": tx.scope_id, "now": tx.now, "prefix": prefix, "start": start, "length": len(start)}
    if "/" in prefix:
        return _LISTED_IN_NAMESPACE, {**values, "namespace": namespace_of(prefix)}
    return _LISTED, values


def count(tx: Transaction, namespace: str) -> int:
    """How many entries a namespace holds."""
    counted = select(func.count()).select_from(working).where(_alive(tx), working.c.namespace == namespace)
    return int(tx.execute(counted).scalar_one())


def remove(tx: Transaction, key: str) -> bool:
    """Remove the entry under `key`; whether there was one."""
    mine = and_(working.c.scope_id == tx.scope_id, working.c.key == key)
    expiry = tx.execute(delete(working).where(mine).returning(working.c.expires_at)).scalar_one_or_none()
    return expiry is not None and expiry > tx.now


def make_room(tx: Transaction, key: str) -> None:
    """Remove what is stored under `key`, and what has expired in its namespace: that bounds what is kept at all."""
    gone = or_(working.c.key == key, working.c.expires_at <= tx.now)
    mine = and_(working.c.scope_id == tx.scope_id, working.c.namespace == namespace_of(key))
    tx.execute(delete(working).where(mine, gone))


def remove_expired(tx: AllScopes) -> int:
    """Remove what has expired, of so many scopes at a time; how many entries that were."""
    # The hourly sweep is of the whole database, but a cluster locks no rows of several scopes in one statement.
    found = select(working.c.scope_id).where(working.c.expires_at <= tx.now).distinct().limit(SWEPT)
    scopes = tx.execute(found.execution_options(all_scopes=True)).scalars().all()
    return sum(tx.execute(_sweeping(scope_id, tx.now)).rowcount for scope_id in scopes)


def remove_expired_here(tx: Transaction) -> int:
    """Remove what has expired in the scope; how many entries that were."""
    return tx.execute(_sweeping(tx.scope_id, tx.now)).rowcount


def _sweeping(scope_id: ScopeId, now: datetime) -> Delete:
    mine = working.c.scope_id == scope_id
    # What a writer has its hands on is left to it: a sweep that never waits can never be part of a deadlock.
    keys = select(working.c.key).where(mine, working.c.expires_at <= now).with_for_update(skip_locked=True)
    return delete(working).where(mine, working.c.key.in_(keys))


def _alive(tx: Transaction) -> ColumnElement[bool]:
    return and_(working.c.scope_id == tx.scope_id, working.c.expires_at > tx.now)


def _begins_with(prefix: str) -> ColumnElement[bool]:
    # Not LIKE, which ignores case on SQLite, nor a range, which a collation may order otherwise on PostgreSQL.
    start = f"{prefix}/"
    matches = or_(working.c.key == prefix, func.substr(working.c.key, 1, len(start)) == start)
    return and_(matches, working.c.namespace == namespace_of(prefix)) if "/" in prefix else matches


def _newest_first(rows: Sequence[Row[tuple[object, ...]]]) -> list[Row[tuple[object, ...]]]:
    return sorted(sorted(rows, key=lambda row: row.key), key=lambda row: row.stored_at, reverse=True)


def _to_entry(row: Row[tuple[object, ...]]) -> WorkingEntry:
    return WorkingEntry(
        key=row.key,
        value=row.value,
        stored_at=row.stored_at,
        expires_at=row.expires_at,
        category=row.category,
        tags=tuple(row.tags),
    )
