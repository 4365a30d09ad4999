"""SQLite is told that a scope has many rows, so that it goes to the rows it needs."""

import re

import pytest

from nacre import Nacre, Settings, Turn
from nacre.store.base import dialects, migrating
from tests import plans

# These have a row for each turn, word or fact of a scope.
LARGE = {"passages", "vectors", "sources", "turns", "mentions", "aliases", "entities", "links", "attributes", "audit"}


def searched_by_scope_alone(connection, statement):
    steps = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement.sql}", statement.values)]
    found = (re.match(r"SEARCH (\w+) USING .*\(scope_id=\?\)$", step) for step in steps)
    return {each[1] for each in found if each} & LARGE


@pytest.fixture
def lived(tmp_path):
    with Nacre(tmp_path / "brain.db", settings=Settings(worker="off")) as nacre:
        yield nacre


def test_what_is_heard_recalled_and_put_into_context_is_found_by_its_key(lived):
    scope = lived.scope("assistant", user="ana")
    scope.observe_many([Turn(role="user", text="My colleague John works at Hostinger.", session="s1")])
    scope.remember("The launch moved to May 3", category="project-context/launch")

    with plans.collected() as sent:
        scope.observe("user", "He moved to Berlin with Mary, who works at Initech.", session="s1")
        scope.recall("What does John do at Hostinger?")
        scope.context("tell John about the launch", session="s1", budget=800)

    with lived.parts.database.read(scope.scope) as tx:
        found = {each.sql: searched_by_scope_alone(tx.connection, each) for each in sent.values()}
    assert len(found) > 30
    assert {sql: tables for sql, tables in found.items() if tables} == {}


def test_a_file_that_knew_nothing_of_its_rows_learns_it_when_it_is_brought_up_to_date(tmp_path):
    engine = dialects.make_engine(tmp_path / "older.db")
    with engine.connect() as connection:
        dialects.begin_write(connection)
        migrating.make(connection, "0006")
        connection.commit()

    migrating.migrate(engine)

    with engine.connect() as connection:
        told = connection.exec_driver_sql("SELECT idx, stat FROM sqlite_stat1").all()
    engine.dispose()
    assert ("mentions_by_source", "1000000 100000 5") in told
    assert ("sqlite_autoindex_passages_1", "1000000 100000 1") in told
