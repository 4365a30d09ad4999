"""The tables spread over the nodes of a Citus cluster: all by their scope, so that a scope stays in one place."""

from collections.abc import Iterable

from sqlalchemy import Connection, text

from nacre.domain.errors import Misconfigured
from nacre.store.base import dialects
from nacre.store.base.databases import AllScopes
from nacre.store.tables import link_triggers, value_triggers
from nacre.store.tables.schema import metadata, scopes

# Triggers write within the scope of their row; Citus cannot know that they do.
TRIGGERS = "SET LOCAL citus.enable_unsafe_triggers TO on"


def statements() -> list[str]:
    """What distributes every table, those that others refer to first.

    Every key begins with the scope, and so does every foreign key: rows that belong together are on one node. No table
    is a reference table, because none is shared between scopes.
    """
    return _around(_by_table().values())


def distribute(tx: AllScopes) -> int:
    """Distribute the tables that are not yet; how many that were."""
    done = _distributed_tables(tx.connection)
    todo = {name: statement for name, statement in _by_table().items() if name not in done}
    if todo:
        dialects.lock_for_migration(tx.connection)
        for statement in _around(todo.values()):
            tx.connection.exec_driver_sql(statement)
    return len(todo)


def _around(distributing: Iterable[str]) -> list[str]:
    """What distributes tables with what comes before and after.

    Rows are inserted on their nodes, and what triggers write of rows is there already: they are made anew afterwards.
    The function that notes the history of links is replaced: that of an older database is one that Citus cannot run.
    """
    triggers = {**link_triggers.postgres_triggers(), **value_triggers.postgres_triggers()}
    dropped = [f"DROP TRIGGER {trigger}" for trigger in triggers]
    return [TRIGGERS, *dropped, link_triggers.noting_function(), *distributing, *triggers.values()]


def _by_table() -> dict[str, str]:
    others = [table.name for table in metadata.sorted_tables if table is not scopes]
    return {
        scopes.name: _distributed(scopes.name, "none"),
        **{name: _distributed(name, scopes.name) for name in others},
    }


def _distributed(table: str, beside: str) -> str:
    return f"SELECT create_distributed_table('{table}', '{scopes.c.scope_id.name}', colocate_with => '{beside}')"


def _distributed_tables(connection: Connection) -> set[str]:
    if connection.dialect.name != "postgresql" or not _has_citus(connection):
        raise Misconfigured("Distributing needs PostgreSQL with the Citus extension: CREATE EXTENSION citus.")
    return set(connection.execute(text("SELECT logicalrelid::text FROM pg_dist_partition")).scalars())


def _has_citus(connection: Connection) -> bool:
    return bool(connection.execute(text("SELECT 1 FROM pg_extension WHERE extname = 'citus'")).scalar())
