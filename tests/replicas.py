"""A PostgreSQL and a copy of it that is as far behind as a test wants."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text

from nacre.store.tables.schema import metadata


@dataclass(frozen=True)
class Pair:
    """The addresses of both."""

    first: str
    second: str

    @property
    def name_of_second(self) -> str:
        return str(make_url(self.second).database)

    def catch_up(self) -> None:
        """Have in the copy all that is in the first."""
        with connected(self.first) as source, connected(self.second) as target:
            target.execute(text("SET session_replication_role = replica"))
            # A copy of an older version lacks tables and columns.
            for table in [each for each in metadata.sorted_tables if inspect(target).has_table(each.name)]:
                target.execute(text(f"DELETE FROM {table.name}"))
                every = table.select().execution_options(all_scopes=True)
                held = {column["name"] for column in inspect(target).get_columns(table.name)} & set(table.c.keys())
                rows = [{name: row[name] for name in held} for row in source.execute(every).mappings()]
                if rows:
                    target.execute(table.insert(), rows)
            target.commit()


@contextmanager
def connected(address: str) -> Iterator[Connection]:
    """A connection of one's own."""
    engine = create_engine(make_url(address).set(drivername="postgresql+psycopg"))
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


@contextmanager
def reads_of(address: str) -> Iterator[list[str]]:
    """The statements that are sent to a database meanwhile."""
    name, sent = make_url(address).database, []

    def note(connection: Connection, _cursor: Any, sql: str, *_others: Any) -> None:
        if connection.engine.url.database == name:
            sent.append(sql)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)
