"""Small rows in the tree of their key, on SQLite; of vectors only those in an index that came after their passages."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_TABLES = (
    "turns",
    "statement_keys",
    "recall_ledger",
    "mentions",
    "value_keys",
    "unkeyed_values",
    "audit_rows",
)


def upgrade() -> None:
    """Write small tables anew, where a database has such trees. Older vectors stay in the index."""
    later = sa.text("revision > 0")
    op.drop_index("vectors_by_revision", "vectors")
    op.create_index(
        "vectors_by_revision",
        "vectors",
        ["scope_id", "embedder", "revision"],
        postgresql_where=later,
        sqlite_where=later,
    )
    if op.get_bind().dialect.name == "sqlite":
        for table in _TABLES:
            _write_anew(table)


def _write_anew(table: str) -> None:
    connection = op.get_bind()
    # The table first, then its indexes; those that SQLite makes by itself have no words.
    made = "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'index'"
    create, *indexes = connection.exec_driver_sql(made, (table,)).scalars().all()
    keys = "SELECT '\"' || name || '\"' FROM pragma_table_info(?) WHERE pk ORDER BY pk"
    key = ", ".join(connection.exec_driver_sql(keys, (table,)).scalars())
    # Not renamed: triggers of other tables name this one.
    op.execute(f"CREATE TEMP TABLE moved AS SELECT * FROM {table}")  # noqa: S608 - no input in it
    op.execute(f"DROP TABLE {table}")
    op.execute(f"{create} WITHOUT ROWID")
    op.execute(f"INSERT INTO main.{table} SELECT * FROM temp.moved ORDER BY {key}")  # noqa: S608 - no input in it
    op.execute("DROP TABLE temp.moved")
    for index in indexes:
        op.execute(index)
