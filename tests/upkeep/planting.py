"""Databases with faults planted behind Nacre's back or left by an earlier version, and what a checkup says of them."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, create_engine, make_url, text

from nacre.domain.doctor_reports import CheckFinding, DoctorReport, Severity
from nacre.store.base import dialects, migrating
from nacre.store.tables.schema import metadata


@contextmanager
def behind_its_back(url: str) -> Iterator[Connection]:
    """A connection of somebody who does not care for foreign keys and triggers."""
    on_postgresql = url.startswith("postgresql")
    address = make_url(url).set(drivername="postgresql+psycopg") if on_postgresql else f"sqlite:///{url}"
    engine = create_engine(address)
    with engine.begin() as connection:
        if on_postgresql:
            # What a transaction sets is set on the nodes of a cluster as well; elsewhere this means nothing.
            connection.execute(text("SET LOCAL citus.propagate_set_commands TO local"))
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        yield connection
    engine.dispose()


def plant(url: str, *statements: str) -> None:
    with behind_its_back(url) as connection:
        for statement in statements:
            connection.execute(text(statement))


def rows(url: str) -> dict[str, list[str]]:
    """Everything that a database holds."""
    with behind_its_back(url) as connection:
        return {
            name: sorted(map(str, connection.execute(text(f"SELECT * FROM {name}")).all())) for name in metadata.tables
        }


def wrong(found: DoctorReport) -> dict[str, CheckFinding]:
    return {each.name: each for each in found.findings if each.verdict is not Severity.OK}


def upgraded(url: str, revision: str) -> None:
    """A database as an earlier version left it."""
    engine = dialects.make_engine(url)
    with engine.connect() as connection:
        dialects.begin_write(connection)
        migrating.upgrade(connection, revision)
        connection.commit()
    engine.dispose()
