"""Tables that only grow, in a part for each month on PostgreSQL: an old month is dropped, not deleted row by row.

Parts are ranges of an id, which begins with the time when it was made: the keys are those of SQLite, and whoever looks
for an id looks into one part. The history of a link is all in one part, that of the month in which the link was made.
There is a part for what is older than the first month, `…_before`, and one for what no other takes, `…_after`.
"""

import re
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import Connection, Table, event, text

from nacre.store.base import dialects
from nacre.store.tables.schema import audit, audit_rows, link_history

# By which id; what others refer to comes first.
PARTITIONED = {audit.name: "id", audit_rows.name: "audit_id", link_history.name: "link_id"}
MONTHS_AHEAD = 3
_MONTH = re.compile(r"_(\d{4})_(\d{2})$")

# Months since the year 0.
Month = int


def ahead(connection: Connection) -> list[str]:
    """Make the parts of the coming months, where they are missing; their names."""
    if connection.dialect.name != "postgresql" or not any(_missing(connection, table) for table in PARTITIONED):
        return []
    dialects.lock_for_migration(connection)
    # A table that is waited for holds up its writers.
    connection.execute(text("SET LOCAL lock_timeout = '5s'"))
    return [
        add(connection, table, month)
        for table in PARTITIONED
        for month in _missing(connection, table)
        if not _taken(connection, table, month)
    ]


def fill(connection: Connection, table: str, first: Month) -> None:
    """Make the parts from the first month on, and the one for what no other takes."""
    for month in range(first, max(first, this_month(connection)) + MONTHS_AHEAD + 1):
        add(connection, table, month)
    connection.exec_driver_sql(f"CREATE TABLE {table}_after PARTITION OF {table} DEFAULT")


def add(connection: Connection, table: str, month: Month) -> str:
    """Make the part of a month; its name."""
    year, index = divmod(month, 12)
    name = f"{table}_{year:04}_{index + 1:02}"
    bounds = f"FROM ('{first_id(month)}') TO ('{first_id(month + 1)}')"
    connection.exec_driver_sql(f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES {bounds}")
    return name


def this_month(connection: Connection) -> Month:
    """The month that the database lives in."""
    now: datetime = connection.execute(text("SELECT now()")).scalar_one()
    return month_of(now)


def month_of(moment: datetime) -> Month:
    """The month that a moment is in."""
    utc = moment.astimezone(UTC)
    return utc.year * 12 + utc.month - 1


def first_id(month: Month) -> UUID:
    """What every id that is made in a month is not less than."""
    year, index = divmod(month, 12)
    return UUID(int=int(datetime(year, index + 1, 1, tzinfo=UTC).timestamp() * 1000) << 80)


def _missing(connection: Connection, table: str) -> range:
    """The coming months without a part: those after the last one that has a part."""
    parts = connection.execute(
        text("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = CAST(:name AS regclass)"),
        {"name": table},
    )
    now = this_month(connection)
    found = [int(each[1]) * 12 + int(each[2]) - 1 for name in parts.scalars() if (each := _MONTH.search(name))]
    return range(max(found, default=now - 1) + 1, now + MONTHS_AHEAD + 1)


def _taken(connection: Connection, table: str, month: Month) -> bool:
    """Whether rows of a month are in the last part, because nobody made parts for too long. There they stay."""
    key = PARTITIONED[table]
    held = f"SELECT EXISTS (SELECT 1 FROM {table}_after WHERE {key} >= :first AND {key} < :next)"  # noqa: S608
    return bool(connection.execute(text(held), {"first": first_id(month), "next": first_id(month + 1)}).scalar())


def _with_the_table(table: Table, connection: Connection, **_options: object) -> None:
    if connection.dialect.name == "postgresql":
        first = this_month(connection)
        before = f"FOR VALUES FROM (MINVALUE) TO ('{first_id(first)}')"
        connection.exec_driver_sql(f"CREATE TABLE {table.name}_before PARTITION OF {table.name} {before}")
        fill(connection, table.name, first)


for _table in (audit, audit_rows, link_history):
    event.listen(_table, "after_create", _with_the_table)
