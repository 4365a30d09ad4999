"""A database that is closed leaves no connection open."""

import sqlite3

import psycopg
import pytest

from nacre import Misconfigured, Nacre, Settings, wiring
from nacre.domain.scopes import Scope
from nacre.store.databases import Database


def test_a_connection_in_use_when_the_database_closes_is_closed_when_it_comes_back(database_url):
    database = Database(database_url)
    with database.read(Scope(agent="a")) as tx:
        held = tx.connection.connection.dbapi_connection
        database.close()

    assert held is not None
    with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError), match="closed"):
        held.cursor()


def test_settings_that_are_refused_open_no_database(tmp_path):
    with pytest.raises(Misconfigured, match="needs an endpoint"):
        Nacre(tmp_path / "brain.db", settings=Settings(llm_model="tiny"))

    assert list(tmp_path.iterdir()) == []


def test_a_brain_that_cannot_be_put_together_leaves_no_connection_open(postgres_url, monkeypatch):
    """Or the fixture would fail it: the brain is still there, in the traceback of its error."""

    def broken(*_given):
        raise RuntimeError("on purpose")

    monkeypatch.setattr(wiring, "Traffic", broken)
    with pytest.raises(RuntimeError, match="on purpose"):
        Nacre(postgres_url, settings=Settings(embedder="off", worker="off"))
