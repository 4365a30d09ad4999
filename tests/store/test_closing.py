"""A database that is closed leaves no connection open."""

import sqlite3

import psycopg
import pytest

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
