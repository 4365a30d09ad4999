import re

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, ForeignKeyConstraint, inspect, text

from nacre.store.base import dialects, migrating, partitions
from nacre.store.tables.schema import metadata

_PARTED = "|".join(partitions.PARTITIONED)
KEYED = "SELECT name FROM pragma_table_list WHERE wr AND schema = 'main'"
PART_OF = re.compile(rf"alembic_version|entities_fts_|({_PARTED})_(\d{{4}}_\d\d|before|after)$")


def described(connection: Connection) -> dict[str, object]:
    """Everything the database says about its tables, as plain values."""
    inspector = inspect(connection)
    # FTS5 keeps tables of its own beside the one it is asked for, and parts of a table are not tables of the schema.
    names = [name for name in inspector.get_table_names() if not PART_OF.match(name)]
    assert inspector.get_view_names() == ["knowledge_nodes", "knowledge_relations"]
    keyed = set(connection.exec_driver_sql(KEYED).scalars()) if connection.dialect.name == "sqlite" else set()
    return {
        name: {
            "columns": sorted((c["name"], str(c["type"]), c["nullable"]) for c in inspector.get_columns(name)),
            "key": inspector.get_pk_constraint(name)["constrained_columns"],
            "foreign": sorted(
                str((f["constrained_columns"], f["referred_table"], f["options"]))
                for f in inspector.get_foreign_keys(name)
                if not PART_OF.match(f["referred_table"])
            ),
            "indexes": sorted((i["name"], tuple(i["column_names"])) for i in inspector.get_indexes(name)),
            "without_rowid": name in keyed,
        }
        for name in names
    }


def ours(name: str | None, kind: str, _parents: object) -> bool:
    """What the databases keep for full-text search is written by hand; see store.fulltext."""
    by_hand = {"column": "tsv", "index": "entities_tsv"}
    if kind == "table":
        return not ((name or "") == "entities_fts" or PART_OF.match(name or ""))
    return not (kind in by_hand and (name or "").startswith(by_hand[kind]))


def whole(item: object, *_others: object) -> bool:
    """PostgreSQL keeps a reference to a table with parts once more for each part."""
    if not isinstance(item, ForeignKeyConstraint):
        return True
    return not PART_OF.match(item.elements[0].target_fullname.partition(".")[0])


def test_all_migrations_lead_to_the_schema_of_a_fresh_database(empty_database_url):
    engine = dialects.make_engine(empty_database_url)
    with engine.connect() as connection:
        dialects.begin_write(connection)
        migrating.upgrade(connection)
        migrated = described(connection)
        compared = MigrationContext.configure(connection, opts={"include_name": ours, "include_object": whole})
        assert compare_metadata(compared, metadata) == []
        connection.rollback()
    with engine.connect() as connection:
        dialects.begin_write(connection)
        metadata.create_all(connection)
        fresh = described(connection)
        connection.rollback()
    engine.dispose()

    assert migrated == fresh
    assert set(fresh) - {"entities_fts"} == set(metadata.tables)


def test_a_migrated_database_is_at_the_head_that_a_fresh_one_is_stamped_with(empty_database_url):
    engine = dialects.make_engine(empty_database_url)
    with engine.connect() as connection:
        dialects.begin_write(connection)
        migrating.upgrade(connection)
        assert migrating.current(connection) == migrating.HEAD
        connection.rollback()
    engine.dispose()


def test_scope_leads_every_key_and_every_index():
    for table in metadata.tables.values():
        assert next(column.name for column in table.primary_key) == "scope_id", table.name
        for constraint in table.foreign_key_constraints:
            assert constraint.column_keys[0] == "scope_id", table.name
        for index in table.indexes:
            # The directory of scopes is looked up by name; workers look for due jobs of every scope, and sweep it.
            if index.name not in {"scopes_by_agent", "jobs_due", "working_expired"}:
                assert next(iter(index.columns)).name == "scope_id", index.name


def test_a_database_of_a_newer_version_is_refused_untouched(empty_database_url):
    import pytest

    from nacre import Nacre, SchemaTooNew

    Nacre(empty_database_url).close()
    engine = dialects.make_engine(empty_database_url)
    with engine.connect() as connection:
        dialects.begin_write(connection)
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        connection.commit()
    with pytest.raises(SchemaTooNew, match="9999"):
        Nacre(empty_database_url)
    engine.dispose()
