"""Brings a database to this version's schema. A new one is made whole; an older one is upgraded step by step."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from nacre.domain.errors import SchemaTooNew
from nacre.store import migrations
from nacre.store.base import dialects, partitions, planner_statistics
from nacre.store.base.failures import translated
from nacre.store.tables import fulltext, link_triggers, value_triggers, views
from nacre.store.tables.schema import metadata

HEAD = "0016"
# Importing them adds their statements to the making of a new schema.
_BESIDE_THE_TABLES = (fulltext, link_triggers, partitions, value_triggers, views)
_SCRIPTS = Path(migrations.__file__).parent


def migrate(engine: Engine) -> None:
    """Make the schema current. Safe when many processes open the same database at once."""
    with engine.connect() as connection:
        connection.begin()
        if current(connection) == HEAD:
            return
    with engine.connect() as connection:
        dialects.begin_write(connection)
        dialects.lock_for_migration(connection)
        _bring_up(connection)
        connection.commit()


def revision_at(address: str | Path) -> str | None:
    """The revision of the database at an address, without changing it; None when it is new or not there."""
    with translated(), _engine(address) as engine:
        if engine.dialect.name == "sqlite" and not Path(engine.url.database or "").is_file():
            return None
        with engine.connect() as connection:
            connection.begin()
            return current(connection)


def is_known(revision: str) -> bool:
    """Whether this version of Nacre has a revision, so that it can go on from there."""
    return any(path.name.startswith(f"{revision}_") for path in (_SCRIPTS / "versions").glob("*.py"))


def migrate_at(address: str | Path) -> str | None:
    """Bring the database at an address up to date; the revision it had before."""
    before = revision_at(address)
    with translated(), _engine(address) as engine:
        migrate(engine)
    return before


@contextmanager
def _engine(address: str | Path) -> Iterator[Engine]:
    engine = dialects.make_engine(address)
    try:
        yield engine
    finally:
        engine.dispose()


def current(connection: Connection) -> str | None:
    """The revision the database is at; None when it is new."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the migration scripts up to `revision`."""
    # Alembic takes a fifth of a second to import, and almost no start needs it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise SchemaTooNew(str(current(connection))) from error


def make(connection: Connection, revision: str = HEAD) -> None:
    """Make the schema of a revision in a database that has none."""
    if revision != HEAD:
        upgrade(connection, revision)
    else:
        _bring_up(connection)


def _bring_up(connection: Connection) -> None:
    revision = current(connection)
    if revision is None:
        # A file without any table need not be asked about each of ours.
        new_file = connection.dialect.name == "sqlite" and not inspect(connection).get_table_names()
        metadata.create_all(connection, checkfirst=not new_file)
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
        connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})
    elif revision != HEAD:
        upgrade(connection)
    planner_statistics.write(connection)
