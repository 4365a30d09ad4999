"""The triggers that write the history of links: no writer can leave it out.

Times inside `before` and `after` are microseconds since 1970 and ids are hexadecimal, on both databases. `at` is the
moment of the write as the scope knows it, so that an undo, which puts old rows back, is still dated when it was done.
"""

from sqlalchemy import Connection, Table, event

from nacre.store.tables.schema import links

IDS = ("source_entity", "target_entity", "aspect_id", "source_id")
TIMES = ("valid_from", "valid_to", "archived_at")
_PLAIN = ("predicate", "value", "confidence", "strength", "reason", "status", "archived_by", "archive_reason")

_SQLITE_TRIGGER = """
CREATE TRIGGER link_history_{event} AFTER {event} ON links BEGIN
    INSERT INTO link_history (scope_id, link_id, seq, event, at, before, after)
    VALUES (
        {row}.scope_id, {row}.id,
        (SELECT coalesce(max(seq), 0) + 1 FROM link_history WHERE scope_id = {row}.scope_id AND link_id = {row}.id),
        '{name}',
        coalesce((SELECT changed_at FROM scopes WHERE scope_id = {row}.scope_id), {row}.updated_at),
        {before}, {after}
    );
END
"""
_SQLITE_FIXED = """
CREATE TRIGGER link_history_fixed BEFORE UPDATE ON link_history BEGIN
    SELECT raise(ABORT, 'The history of links is only ever added to.');
END
"""
_POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION note_link_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    row links;
    last integer;
    moment timestamptz;
BEGIN
    IF TG_OP = 'DELETE' THEN row := OLD; ELSE row := NEW; END IF;
    -- Read before, each by itself: a cluster knows no query inside the values of an insert.
    SELECT max(h.seq) INTO last FROM link_history h WHERE h.scope_id = row.scope_id AND h.link_id = row.id;
    SELECT s.changed_at INTO moment FROM scopes s WHERE s.scope_id = row.scope_id;
    INSERT INTO link_history (scope_id, link_id, seq, event, at, before, after)
    VALUES (
        row.scope_id, row.id, coalesce(last, 0) + 1, lower(TG_OP), coalesce(moment, row.updated_at),
        CASE WHEN TG_OP <> 'INSERT' THEN {before} END,
        CASE WHEN TG_OP <> 'DELETE' THEN {after} END
    );
    RETURN NULL;
END $$
"""
_POSTGRES_TRIGGER = """
CREATE TRIGGER link_history AFTER INSERT OR UPDATE OR DELETE ON links FOR EACH ROW EXECUTE FUNCTION note_link_history()
"""
_POSTGRES_FIXED_FUNCTION = """
CREATE FUNCTION refuse_link_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The history of links is only ever added to.';
END $$
"""
POSTGRES_FIXED = """
CREATE TRIGGER link_history_fixed BEFORE UPDATE ON link_history FOR EACH ROW EXECUTE FUNCTION refuse_link_history()
"""


def create(connection: Connection) -> None:
    """Make the triggers."""
    for statement in _statements(connection.dialect.name):
        connection.exec_driver_sql(statement)


def postgres_triggers() -> dict[str, str]:
    """What makes each trigger of PostgreSQL, by its name and table."""
    return {
        "link_history ON links": _POSTGRES_TRIGGER.strip(),
        "link_history_fixed ON link_history": POSTGRES_FIXED.strip(),
    }


def noting_function() -> str:
    """The function of PostgreSQL that writes the history, in place of the one that is there."""
    return _POSTGRES_FUNCTION.format(before=_postgres_image("OLD"), after=_postgres_image("NEW")).strip()


def _statements(database: str) -> list[str]:
    if database == "postgresql":
        return [noting_function(), _POSTGRES_TRIGGER, _POSTGRES_FIXED_FUNCTION, POSTGRES_FIXED]
    old, new = _sqlite_image("old"), _sqlite_image("new")
    images = {"INSERT": ("new", "NULL", new), "UPDATE": ("new", old, new), "DELETE": ("old", old, "NULL")}
    triggers = [
        _SQLITE_TRIGGER.format(event=name, name=name.lower(), row=row, before=before, after=after)
        for name, (row, before, after) in images.items()
    ]
    return [*triggers, _SQLITE_FIXED]


def _sqlite_image(row: str) -> str:
    # hex(NULL) is an empty text, not NULL.
    ids = [f"'{name}', CASE WHEN {row}.{name} IS NULL THEN NULL ELSE lower(hex({row}.{name})) END" for name in IDS]
    plain = [f"'{name}', {row}.{name}" for name in (*_PLAIN, *TIMES)]
    return f"json_object({', '.join([*ids, *plain])})"


def _postgres_image(row: str) -> str:
    ids = [f"'{name}', replace({row}.{name}::text, '-', '')" for name in IDS]
    times = [f"'{name}', (extract(epoch FROM {row}.{name}) * 1000000)::bigint" for name in TIMES]
    plain = [f"'{name}', {row}.{name}" for name in _PLAIN]
    return f"json_build_object({', '.join([*ids, *times, *plain])})"


@event.listens_for(links, "after_create")
def _with_the_table(_table: Table, connection: Connection, **_options: object) -> None:
    create(connection)
