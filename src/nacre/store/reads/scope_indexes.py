"""Indexes of single scopes, for those too large for memory: PostgreSQL finds their passages by words and by meaning.

Each index covers one scope. Whoever has no large scope keeps and maintains nothing, and a search never passes over the
rows of others. They are made when an operator asks for it, beside writers, from columns that are there anyway.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import UserDefinedType

from nacre.domain.doctor_reports import BuiltIndexes
from nacre.domain.errors import Misconfigured
from nacre.domain.ids import ScopeId
from nacre.store.base import dialects, migrating
from nacre.store.base.databases import Transaction
from nacre.store.base.failures import translated
from nacre.store.tables.schema import scopes

# From this version on, pgvector goes on searching when a filter left too little.
VECTOR = (0, 8)
# The most dimensions that it makes an index of.
MOST_DIMENSIONS = 2_000
_WORDS, _MEANING = "passages_words_", "vectors_meaning_"
_INDEXES = (
    "SELECT c.relname, i.indisvalid FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid"
    " WHERE pg_table_is_visible(c.oid) AND "
)
_USABLE = f"{_INDEXES} c.relname IN (:words, :meaning) AND i.indisvalid"
_THERE = f"{_INDEXES} (c.relname LIKE :words OR c.relname LIKE :meaning)"
_LIKE = {"words": f"{_WORDS}%", "meaning": f"{_MEANING}%"}
_EXTENSION = "CREATE EXTENSION IF NOT EXISTS vector"
_UNLIMITED = dialects.Pool(statement_seconds=0, lock_seconds=0, idle_seconds=0)
# A passage's terms, and a vector's numbers without their scale, which no angle depends on.
_FUNCTIONS = (
    """
    CREATE OR REPLACE FUNCTION nacre_terms(bytea) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500 AS $$
        SELECT coalesce(array_agg(encode(substr($1, 8 * place + 1, 8), 'hex')), '{}')
        FROM generate_series(0, octet_length($1) / 8 - 1) AS place
    $$
    """,
    """
    CREATE OR REPLACE FUNCTION nacre_numbers(bytea) RETURNS integer[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 2000 AS $$
        SELECT array_agg(mod(get_byte($1, place) + 128, 256) - 128 ORDER BY place)
        FROM generate_series(4, octet_length($1) - 1) AS place
    $$
    """,
)


@dataclass(frozen=True, slots=True)
class ScopeIndexes:
    """Which indexes a scope has."""

    words: bool = False
    meaning: bool = False


class Vector(UserDefinedType[str]):
    """pgvector's type of so many dimensions."""

    cache_ok = True

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions

    def get_col_spec(self, **_options: Any) -> str:
        return f"vector({self.dimensions})"


def words_name(scope_id: ScopeId) -> str:
    """The name of a scope's index of words."""
    return f"{_WORDS}{scope_id.hex}"


def meaning_name(scope_id: ScopeId, space: str) -> str:
    """The name of a scope's index of the vectors of a space."""
    return f"{_MEANING}{scope_id.hex}_{blake2b(space.encode(), digest_size=4).hexdigest()}"


def held(tx: Transaction, space: str | None) -> ScopeIndexes:
    """Which indexes the scope has, for words and for the vectors of `space`."""
    if tx.connection.dialect.name != "postgresql":
        return ScopeIndexes()
    words, meaning = words_name(tx.scope_id), meaning_name(tx.scope_id, space) if space else ""
    there = set(tx.connection.execute(text(_USABLE), {"words": words, "meaning": meaning}).scalars())
    return ScopeIndexes(words in there, meaning in there)


def build(address: str | Path, most: int) -> BuiltIndexes:
    """Make the indexes that scopes with more than `most` passages lack; drop those that no scope needs any more."""
    with _connected(address) as connection:
        if migrating.current(connection) != migrating.HEAD:
            # The address may hold a password, so it is not repeated.
            raise Misconfigured("There is no database of this version there. `nacre db migrate` makes it one.")
        for function in _FUNCTIONS:
            connection.exec_driver_sql(function)
        # Which scopes are large is asked of all of them.
        large = select(scopes.c.scope_id).where(scopes.c.next_seq - 1 > most).execution_options(all_scopes=True)
        ids = [ScopeId(each) for each in connection.execute(large).scalars()]
        lacks = _lacks_vector(connection) if ids else ""
        wanted = {words_name(each): _by_words(each) for each in ids}
        notes = [lacks] if lacks else []
        for each in ids if not lacks else ():
            name, made, note = _by_meaning(connection, each)
            wanted |= {name: made} if made else {}
            notes += [note] if note else []
        return _made(connection, wanted, tuple(notes))


def _made(connection: Connection, statements_by_name: dict[str, str], notes: tuple[str, ...]) -> BuiltIndexes:
    there = {row.relname: row.indisvalid for row in connection.execute(text(_THERE), _LIKE)}
    usable = {name for name, valid in there.items() if valid}
    dropped = [name for name in sorted(there) if name not in usable or name not in statements_by_name]
    made = [name for name in statements_by_name if name not in usable]
    for name in dropped:
        connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
    for name in made:
        connection.exec_driver_sql(f"CREATE INDEX CONCURRENTLY {name} ON {statements_by_name[name]}")
    if made:
        # Without, the database would not know how common each term is.
        connection.exec_driver_sql("ANALYZE passages, vectors")
    return BuiltIndexes(tuple(made), tuple(dropped), notes)


def _by_words(scope_id: ScopeId) -> str:
    return f"passages USING gin (nacre_terms(term_keys)) WHERE scope_id = '{scope_id}'"


def _by_meaning(connection: Connection, scope_id: ScopeId) -> tuple[str, str, str]:
    """The name and making of an index of the vectors that the scope got last, or why there is none."""
    newest = (
        "SELECT embedder, octet_length(data) - 4 FROM vectors WHERE scope_id = :scope ORDER BY revision DESC LIMIT 1"
    )
    row = connection.execute(text(newest), {"scope": scope_id}).one_or_none()
    if row is None:
        return "", "", ""
    space, dimensions = row
    if dimensions > MOST_DIMENSIONS:
        return "", "", f"Vectors of `{space}` have {dimensions} dimensions; pgvector indexes {MOST_DIMENSIONS} at most."
    quoted = space.replace("'", "''")
    made = (
        f"vectors USING hnsw ((CAST(nacre_numbers(data) AS vector({dimensions}))) vector_cosine_ops)"
        f" WHERE scope_id = '{scope_id}' AND embedder = '{quoted}'"
    )
    return meaning_name(scope_id, space), made, ""


def _lacks_vector(connection: Connection) -> str:
    """Why vectors cannot be indexed; nothing where they can. The extension is made where that is allowed."""
    try:
        connection.exec_driver_sql(_EXTENSION)
    except DBAPIError:
        return (
            "There is no pgvector: have someone who may run CREATE EXTENSION vector. Passages are found by words alone."
        )
    version = connection.execute(text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")).scalar_one()
    if tuple(map(int, version.split(".")[:2])) < VECTOR:
        return f"pgvector {version} is too old: 0.8 is needed. Passages are found by words alone."
    return ""


@contextmanager
def _connected(address: str | Path) -> Iterator[Connection]:
    """A connection whose statements each stand alone: beside writers, an index is made in no transaction."""
    if not dialects.is_postgresql(address):
        raise Misconfigured("Indexes of single scopes are for PostgreSQL. On SQLite a large scope is read through.")
    with translated():
        engine = dialects.make_engine(address, _UNLIMITED)
        try:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                yield connection
        finally:
            engine.dispose()
