"""Brings a database to this version's schema. A new one is made whole; an older one is upgraded step by step."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from nacre.domain.errors import SchemaTooNew
from nacre.store import dialects, fulltext, link_triggers, views
from nacre.store.schema import metadata

HEAD = "0005"
# Importing them adds their statements to the making of a new schema.
_BESIDE_THE_TABLES = (fulltext, link_triggers, views)
_SCRIPTS = Path(__file__).parent / "migrations"


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


def _bring_up(connection: Connection) -> None:
    revision = current(connection)
    if revision is None:
        metadata.create_all(connection)
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
        connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})
    elif revision != HEAD:
        upgrade(connection)
