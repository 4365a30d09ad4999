"""Tables and indexes written anew, so that no bytes of deleted rows are left in them."""

from collections.abc import Iterable

from sqlalchemy import Connection, Engine

from nacre.domain.forgetting import ScrubReport
from nacre.store.base import dialects
from nacre.store.tables.schema import metadata

# Of a table that has become empty, the server would keep what it noted of the commonest values. A column that is given
# the type which it has loses that.
_NOTED = """
SELECT s.tablename, s.attname, format_type(a.atttypid, a.atttypmod)
FROM pg_stats s JOIN pg_attribute a ON a.attrelid = s.tablename::regclass AND a.attname = s.attname
WHERE s.schemaname = current_schema()
"""
_OWNED = "SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()"
_LEFT = "Only the owner of the database can rewrite what the server noted of values, in pg_statistic."


def rewrite(engine: Engine) -> ScrubReport:
    """Rewrite every table with its indexes; on SQLite, which overwrites what it deletes, the full-text index and log.

    On PostgreSQL each table in turn can neither be read nor written meanwhile.
    """
    if engine.dialect.name == "sqlite":
        return ScrubReport(tables=len(metadata.tables), pending=not dialects.scrub(engine))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # A large table takes as long as it takes.
        connection.exec_driver_sql("SET statement_timeout = 0")
        try:
            for table in metadata.sorted_tables:
                connection.exec_driver_sql(f"VACUUM (FULL, ANALYZE) {table.name}")
            return ScrubReport(tables=len(metadata.tables), notes=tuple(_forget_values(connection)))
        finally:
            connection.exec_driver_sql("RESET statement_timeout")


def _forget_values(connection: Connection) -> Iterable[str]:
    """Remove what the server noted of values that are gone; what it keeps all the same."""
    for table, column, kind in connection.exec_driver_sql(_NOTED).all():
        if table in metadata.tables and not _has_rows(connection, table):
            connection.exec_driver_sql(f'ALTER TABLE {table} ALTER COLUMN "{column}" TYPE {kind}')
    connection.exec_driver_sql("VACUUM (FULL) pg_catalog.pg_statistic")
    if not connection.exec_driver_sql(_OWNED).scalar():
        yield _LEFT


def _has_rows(connection: Connection, table: str) -> bool:
    return bool(connection.exec_driver_sql(f"SELECT EXISTS (SELECT FROM {table})").scalar())  # noqa: S608 - our names
