"""The SQLite file that tests take turns with is as new for each of them, and whoever keeps hold of it is the last."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select

from nacre import Nacre, Settings
from nacre.store.tables.schema import metadata
from tests import sqlite


@pytest.fixture
def lender(tmp_path: Path, sqlite_pattern: Path) -> Iterator[sqlite.Lender]:
    lender = sqlite.Lender(tmp_path, sqlite_pattern)
    yield lender
    lender.close()


def brain(path: str) -> Nacre:
    return Nacre(path, settings=Settings(embedder="off", worker="off"))


def driver(nacre: Nacre) -> object:
    """The connection that a brain reads with."""
    with nacre.parts.database.read_all() as tx:
        return tx.connection.connection.dbapi_connection


def test_a_test_finds_no_row_of_the_one_before(lender):
    with lender.lent() as first, brain(first) as nacre:
        nacre.scope("a", "ana").observe("user", "Ana lives in Rome and works with Bo.")
        nacre.scope("a", "ana").graph.link("Ana", "knows", "Bo", reason="They met")
        nacre.scope("a", "ana").ontology.set("Ana", "home/city", "Rome")

    with lender.lent() as second, brain(second) as nacre:
        with nacre.parts.database.read_all() as tx:
            for table in metadata.sorted_tables:
                rows = tx.execute(select(table).execution_options(all_scopes=True)).all()
                assert rows == [], table.name
        assert nacre.scope("a", "ana").recall("Rome").hits == ()
    assert second == first


def test_a_closed_connection_is_used_again_and_told_its_settings_anew(lender):
    with lender.lent() as path:
        with brain(path) as nacre:
            first = driver(nacre)
        with brain(path) as nacre, nacre.parts.database.read_all() as tx:
            again = tx.connection.connection.dbapi_connection
            settings = [
                tx.connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("foreign_keys", "secure_delete")
            ]

    assert again is first
    assert settings == [1, 1]


@pytest.mark.parametrize(
    "statement",
    [
        "DROP INDEX links_from",
        "DROP TRIGGER link_history_delete",
        "ALTER TABLE turns ADD COLUMN more text",
        "UPDATE alembic_version SET version_num = '9999'",
        "DELETE FROM sqlite_stat1",
        "INSERT INTO entities_fts (name) VALUES ('left behind')",
    ],
)
def test_whoever_changes_more_than_rows_is_the_last_to_have_it(lender, statement):
    with lender.lent() as first, closing(sqlite3.connect(first)) as connection, connection:
        connection.execute(statement)

    with lender.lent() as second:
        assert second != first


def test_whoever_leaves_a_connection_open_is_the_last_to_have_it(lender):
    with lender.lent() as first:
        left = brain(first)

    with lender.lent() as second:
        assert second != first
    left.close()


def test_a_connection_inside_a_transaction_is_not_used_again(lender):
    with lender.lent() as path:
        engine = create_engine(f"sqlite:///{path}", pool_reset_on_return=None)
        with engine.connect() as connection:
            first = connection.connection.cursor()
            first.execute("BEGIN")
        engine.dispose()

        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            first.execute("SELECT 1")


@pytest.mark.parametrize("limit", ["MAX_LOANS", "MAX_PAGES"])
def test_a_file_that_was_lent_often_or_has_grown_is_made_anew(lender, limit, monkeypatch):
    monkeypatch.setattr(sqlite, limit, 1)
    with lender.lent() as first:
        pass
    with lender.lent() as second:
        assert second != first


def test_a_failed_test_is_the_last_to_have_it(lender):
    with pytest.raises(ZeroDivisionError), lender.lent() as first:
        raise ZeroDivisionError

    with lender.lent() as second:
        assert second != first
