"""Indexes for what is removed and swept; on PostgreSQL, the scope in the full text, and the logs in parts by month."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Connection, inspect

from nacre.store.base import partitions
from nacre.store.tables import fulltext, link_triggers
from nacre.store.tables.columns import Id

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Find rows by what they hang from. No row of a log is copied on the way into its part."""
    op.create_index("audit_rows_by_audit", "audit_rows", ["scope_id", "audit_id"])
    op.create_index("documents_by_source", "documents", ["scope_id", "source_id"])
    op.create_index("dreams_by_end", "dreams", ["scope_id", "finished_at"])
    op.create_index("working_expired", "working", ["expires_at"])
    pinned = sa.text("pinned_at IS NOT NULL")
    op.drop_index("entities_pinned", "entities")
    op.create_index(
        "entities_pinned", "entities", ["scope_id", "pinned_at"], postgresql_where=pinned, sqlite_where=pinned
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE vectors DROP CONSTRAINT vectors_pkey")
        op.create_primary_key("vectors_pkey", "vectors", ["scope_id", "seq", "embedder"])
        op.execute("ALTER TABLE entities DROP COLUMN tsv")
        fulltext.create(op.get_bind())
        _partition(op.get_bind())
    else:
        _key_vectors_anew()


def _key_vectors_anew() -> None:
    """SQLite changes no key of a table; a new one takes its place."""
    op.rename_table("vectors", "vectors_before")
    op.drop_index("vectors_by_revision", "vectors_before")
    op.create_table(
        "vectors",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("embedder", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "seq"], ["passages.scope_id", "passages.seq"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("scope_id", "seq", "embedder"),
    )
    columns = "scope_id, seq, embedder, revision, data"
    op.execute(f"INSERT INTO vectors ({columns}) SELECT {columns} FROM vectors_before")  # noqa: S608 - no input in it
    op.drop_table("vectors_before")
    op.create_index("vectors_by_revision", "vectors", ["scope_id", "embedder", "revision"])


def _partition(connection: Connection) -> None:
    inspector = inspect(connection)
    foreign = {table: inspector.get_foreign_keys(table) for table in partitions.PARTITIONED}
    for table, keys in foreign.items():
        for key in keys:
            op.drop_constraint(str(key["name"]), table)
    op.execute("DROP TRIGGER link_history_fixed ON link_history")
    for table, column in partitions.PARTITIONED.items():
        _make_a_part(connection, table, column)
        for key in foreign[table]:
            _refer(table, key)
    op.execute(link_triggers.POSTGRES_FIXED)


def _make_a_part(connection: Connection, table: str, column: str) -> None:
    inspector = inspect(connection)
    keys, indexes = inspector.get_pk_constraint(table), inspector.get_indexes(table)
    old = f"{table}_before"
    op.rename_table(table, old)
    for name in (str(keys["name"]), *(str(index["name"]) for index in indexes)):
        op.execute(f"ALTER INDEX {name} RENAME TO {name.replace(table, old, 1)}")
    op.execute(f"CREATE TABLE {table} (LIKE {old} INCLUDING DEFAULTS) PARTITION BY RANGE ({column})")
    op.create_primary_key(str(keys["name"]), table, keys["constrained_columns"])
    for index in indexes:
        op.create_index(str(index["name"]), table, [str(each) for each in index["column_names"]])
    first = _first_free_month(connection, old, column)
    bounds = f"FROM (MINVALUE) TO ('{partitions.first_id(first)}')"
    op.execute(f"ALTER TABLE {table} ATTACH PARTITION {old} FOR VALUES {bounds}")
    partitions.fill(connection, table, first)


def _first_free_month(connection: Connection, table: str, column: str) -> int:
    """The month after this one, or after the last that rows are of: some clocks are ahead."""
    newest = connection.exec_driver_sql(f"SELECT {column} FROM {table} ORDER BY {column} DESC LIMIT 1").scalar()  # noqa: S608
    now = partitions.this_month(connection)
    while newest is not None and newest >= partitions.first_id(now + 1):
        now += 1
    return now + 1


def _refer(table: str, key: Any) -> None:
    op.create_foreign_key(
        key["name"],
        table,
        key["referred_table"],
        key["constrained_columns"],
        key["referred_columns"],
        ondelete=key["options"].get("ondelete"),
    )
