"""The graph as tables that people query by hand: `knowledge_nodes` and `knowledge_relations`."""

from sqlalchemy import Connection, Table, event

from nacre.store.tables.schema import links

_COLUMNS = {
    "sqlite": {"id": "lower(hex({}))", "time": "strftime('%Y-%m-%dT%H:%M:%fZ', {} / 1000000.0, 'unixepoch')"},
    "postgresql": {"id": "{}", "time": "{}"},
}
_NODES = """
CREATE VIEW knowledge_nodes AS
SELECT {id_e} AS id, e.type AS entity_type, e.name AS name, e.properties AS properties, s.chat AS chat_id,
       s.agent AS agent_id, s."user" AS user_id, {created_e} AS created_at, {updated_e} AS updated_at
FROM entities AS e JOIN scopes AS s ON s.scope_id = e.scope_id
WHERE e.status = 'active'
"""
_RELATIONS = """
CREATE VIEW knowledge_relations AS
SELECT {id_l} AS id, {from_l} AS from_node, {to_l} AS to_node, l.predicate AS relation_type, l.confidence AS weight,
       l.value AS value, s.chat AS chat_id, s.agent AS agent_id, s."user" AS user_id, {created_l} AS created_at
FROM links AS l JOIN scopes AS s ON s.scope_id = l.scope_id
WHERE l.status = 'active'
"""


def create(connection: Connection) -> None:
    """Make the views."""
    shown = _COLUMNS[connection.dialect.name]
    parts = {
        "id_e": shown["id"].format("e.id"),
        "created_e": shown["time"].format("e.created_at"),
        "updated_e": shown["time"].format("e.updated_at"),
        "id_l": shown["id"].format("l.id"),
        "from_l": shown["id"].format("l.source_entity"),
        "to_l": shown["id"].format("l.target_entity"),
        "created_l": shown["time"].format("l.created_at"),
    }
    for statement in (_NODES, _RELATIONS):
        connection.exec_driver_sql(statement.format(**parts))


@event.listens_for(links, "after_create")
def _with_the_table(_table: Table, connection: Connection, **_options: object) -> None:
    create(connection)
