"""Full-text search over entities: FTS5 on SQLite, a stored `tsvector` with GIN on PostgreSQL.

Both are kept up by the database itself. On SQLite the scope is part of the indexed text, so that a search reads only
its own scope's postings.
"""

from sqlalchemy import Connection, Table, event

from nacre.store.schema import entities

_TABLE = """
CREATE VIRTUAL TABLE entities_fts USING fts5(
    scope, id UNINDEXED, name, description, tokenize = "unicode61 remove_diacritics 2", prefix = "2 3 4"
)
"""
_INSERT = """
CREATE TRIGGER entities_fts_insert AFTER INSERT ON entities BEGIN
    INSERT INTO entities_fts (scope, id, name, description)
    VALUES (hex(new.scope_id), new.id, new.name, coalesce(new.description, ''));
END
"""
_DELETE = """
CREATE TRIGGER entities_fts_delete AFTER DELETE ON entities BEGIN
    DELETE FROM entities_fts WHERE rowid IN (
        SELECT rowid FROM entities_fts WHERE entities_fts MATCH 'scope:' || hex(old.scope_id) AND id = old.id
    );
END
"""
_UPDATE = """
CREATE TRIGGER entities_fts_update AFTER UPDATE OF name, description ON entities
WHEN old.name IS NOT new.name OR old.description IS NOT new.description BEGIN
    UPDATE entities_fts SET name = new.name, description = coalesce(new.description, '') WHERE rowid IN (
        SELECT rowid FROM entities_fts WHERE entities_fts MATCH 'scope:' || hex(new.scope_id) AND id = new.id
    );
END
"""
_COLUMN = """
ALTER TABLE entities ADD COLUMN tsv tsvector
GENERATED ALWAYS AS (to_tsvector('simple', name || ' ' || coalesce(description, ''))) STORED
"""
_GIN = "CREATE INDEX entities_tsv ON entities USING gin (tsv)"

STATEMENTS = {"sqlite": (_TABLE, _INSERT, _DELETE, _UPDATE), "postgresql": (_COLUMN, _GIN)}


def create(connection: Connection) -> None:
    """Make what full-text search needs beside the table of entities."""
    for statement in STATEMENTS[connection.dialect.name]:
        connection.exec_driver_sql(statement)


@event.listens_for(entities, "after_create")
def _with_the_table(_table: Table, connection: Connection, **_options: object) -> None:
    create(connection)
