"""How many connections a process has, how long anything on them may take, and what a caller sees when it is over."""

import time

import pytest
from sqlalchemy import text

from nacre import Busy, Nacre, Settings, Unavailable
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import Database
from nacre.store.base.dialects import Pool

SCOPE = Scope(agent="a")


@pytest.fixture
def opened():
    """Opens databases, and closes them."""
    held = []

    def make(address, **limits):
        held.append(Database(address, pool=Pool(**limits)))
        return held[-1]

    yield make
    for each in held:
        each.close()


def asked(database, question):
    with database.read(SCOPE) as tx:
        return tx.execute(text(question)).scalar()


def test_a_call_that_gets_no_connection_in_time_says_so(database_url, opened):
    database = opened(database_url, size=1, overflow=0, wait_seconds=1)

    with database.read(SCOPE), pytest.raises(Unavailable, match="No connection to the database came free"):
        asked(database, "SELECT 1")
    assert asked(database, "SELECT 1") == 1


def test_a_statement_that_takes_too_long_is_ended(postgres_url, opened):
    database = opened(postgres_url, statement_seconds=1)

    with pytest.raises(Unavailable, match="took too long"):
        asked(database, "SELECT pg_sleep(30)")
    assert asked(database, "SELECT 1") == 1


def test_a_lock_that_is_not_given_in_time_is_given_up(postgres_url, opened):
    first, second = opened(postgres_url), opened(postgres_url, lock_seconds=1)

    with first.write(SCOPE) as tx:
        scopes.advance(tx)
        with pytest.raises(Busy), second.write(SCOPE) as waiting:
            scopes.advance(waiting)
    with second.write(SCOPE) as tx:
        scopes.advance(tx)


def test_a_transaction_that_says_nothing_is_ended_and_leaves_nothing_behind(postgres_url, opened):
    database = opened(postgres_url, idle_seconds=1)

    def dawdle():
        with database.write(SCOPE) as tx:
            scopes.advance(tx)
            time.sleep(2)
            scopes.advance(tx)

    with pytest.raises(Unavailable):
        dawdle()

    with database.read(SCOPE) as tx:
        assert scopes.state(tx) == scopes.ScopeState()


def test_a_connection_that_is_cut_is_reported_and_the_next_call_works(postgres_url, opened):
    database, other = opened(postgres_url), opened(postgres_url)

    def write_and_be_cut():
        with database.write(SCOPE) as tx:
            scopes.advance(tx)
            asked(other, f"SELECT pg_terminate_backend({tx.execute(text('SELECT pg_backend_pid()')).scalar()})")
            scopes.advance(tx)

    with pytest.raises(Unavailable, match="does not answer"):
        write_and_be_cut()

    with database.write(SCOPE) as tx:
        scopes.advance(tx)
        assert scopes.state(tx) != scopes.ScopeState()


def test_idle_connections_that_were_cut_are_not_noticed(postgres_url, opened):
    database, other = opened(postgres_url), opened(postgres_url)
    # Other tests' connections to the same database rest there, too.
    own = asked(database, "SELECT pg_backend_pid()")
    idle = f"pid = {own} AND state = 'idle' AND application_name = 'nacre'"
    assert asked(other, f"SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE {idle}") == 1

    assert asked(database, "SELECT 1") == 1


@pytest.mark.parametrize(("behind_pooler", "limit"), [(False, "1min"), (True, "0")])
def test_behind_a_pooler_nothing_outlasts_a_transaction(postgres_url, opened, behind_pooler, limit):
    database = opened(postgres_url, behind_pooler=behind_pooler)
    for _ in range(10):
        asked(database, "SELECT count(*) FROM alembic_version")

    assert asked(database, "SHOW statement_timeout") == limit
    assert (asked(database, "SELECT count(*) FROM pg_prepared_statements") == 0) == behind_pooler


def test_an_address_may_name_the_program_and_limits_itself(postgres_url, opened):
    joined = "&" if "?" in postgres_url else "?"
    database = opened(f"{postgres_url}{joined}application_name=mine&options=-c%20statement_timeout%3D5s")

    assert asked(database, "SHOW application_name") == "mine"
    assert asked(database, "SHOW statement_timeout") == "5s"


def test_the_settings_decide(postgres_url):
    settings = Settings(worker="off", pool_size=2, pool_overflow=1, statement_seconds=7, lock_seconds=8, idle_seconds=9)
    with Nacre(postgres_url, settings=settings) as nacre, nacre.parts.database.read(SCOPE) as tx:
        shown = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "application_name")
        assert [tx.execute(text(f"SHOW {name}")).scalar() for name in shown] == ["7s", "8s", "9s", "nacre"]
        assert tx.connection.engine.pool.status().startswith("Pool size: 2 ")
