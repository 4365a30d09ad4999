"""The triggers that note values whose keys are yet to be worked out: no writer can leave it out.

The value of a link that leads to an entity is that entity's name, so renaming one notes all links to it.
"""

from sqlalchemy import Connection, Table, event

from nacre.store.tables.schema import attributes, entities, links

# What says whose the value of a row is, and what else the keys depend on.
_HOLDERS = {"links": "source_entity", "attributes": "aspect_id"}
_PARTS = {
    "links": ("source_entity", "predicate", "target_entity", "value"),
    "attributes": ("aspect_id", "group_key", "claim_key", "value"),
}
_TABLES = {table.name: table for table in (entities, links, attributes)}
_INTO = "INTO unkeyed_values (scope_id, holder_id, item_id)"
_NOTE = "INSERT {clash} {into} SELECT NEW.scope_id, NEW.{holder}, NEW.id WHERE true {done};"
_RENAME = (
    "DELETE FROM value_keys WHERE scope_id = NEW.scope_id AND item_id IN"
    " (SELECT l.id FROM links l WHERE l.scope_id = NEW.scope_id AND l.target_entity = NEW.id);"
    "INSERT {clash} {into} SELECT l.scope_id, l.source_entity, l.id FROM links l"
    " WHERE l.scope_id = NEW.scope_id AND l.target_entity = NEW.id {done};"
)
_FORGET = """
    DELETE FROM value_keys WHERE scope_id = OLD.scope_id AND item_id = OLD.id;
    DELETE FROM unkeyed_values WHERE scope_id = OLD.scope_id AND holder_id = OLD.{holder} AND item_id = OLD.id;
"""
_SQLITE_TRIGGER = "CREATE TRIGGER {table}_{does} AFTER {event} ON {table} {when} BEGIN {body} END"
_POSTGRES_FUNCTION = """
CREATE FUNCTION {table}_{does}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {body}
    RETURN NULL;
END $$
"""
_POSTGRES_TRIGGER = (
    "CREATE TRIGGER {table}_{does} AFTER {event} ON {table} FOR EACH ROW {when} EXECUTE FUNCTION {table}_{does}()"
)


def postgres_triggers() -> dict[str, str]:
    """What makes each trigger of PostgreSQL, by its name and table."""
    made = ((table, each) for table in _TABLES for each in _statements("postgresql", table))
    return {f"{each.split()[2]} ON {table}": each for table, each in made if each.startswith("CREATE TRIGGER")}


def create(connection: Connection, table: str) -> None:
    """Make the triggers of a table."""
    for statement in _statements(connection.dialect.name, table):
        connection.exec_driver_sql(statement)


def _statements(database: str, table: str) -> list[str]:
    if table == "entities":
        return _trigger(database, table, "rename_values", "UPDATE OF name", _RENAME, parts=("name",))
    parts = _PARTS[table]
    return [
        *_trigger(database, table, "add_value", "INSERT", _NOTE),
        *_trigger(database, table, "change_value", f"UPDATE OF {', '.join(parts)}", _FORGET + _NOTE, parts=parts),
        *_trigger(database, table, "remove_value", "DELETE", _FORGET),
    ]


def _trigger(database: str, table: str, does: str, event: str, body: str, *, parts: tuple[str, ...] = ()) -> list[str]:
    sqlite = database == "sqlite"
    differs = "IS NOT" if sqlite else "IS DISTINCT FROM"
    changed = " OR ".join(f"OLD.{name} {differs} NEW.{name}" for name in parts)
    told = {
        "table": table,
        "does": does,
        "event": event,
        "when": f"WHEN ({changed})" if parts else "",
        "body": body.format(
            clash="OR IGNORE" if sqlite else "",
            done="" if sqlite else "ON CONFLICT DO NOTHING",
            into=_INTO,
            holder=_HOLDERS.get(table, ""),
        ),
    }
    statements = (_SQLITE_TRIGGER,) if sqlite else (_POSTGRES_FUNCTION, _POSTGRES_TRIGGER)
    return [statement.format(**told) for statement in statements]


def _with_the_table(table: Table, connection: Connection, **_options: object) -> None:
    create(connection, table.name)


for _table in _TABLES.values():
    event.listen(_table, "after_create", _with_the_table)
