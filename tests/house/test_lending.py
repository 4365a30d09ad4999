"""The PostgreSQL database that tests take turns with is as new for each of them, and no test may keep hold of it."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from nacre import Nacre, Settings
from nacre.store.base import dialects
from tests import postgres


@pytest.fixture
def lender(postgres_server: str, postgres_pattern: str) -> Iterator[postgres.Lender]:
    lender = postgres.Lender(postgres_server, postgres_pattern)
    yield lender
    lender.close()


def run(url: str, statement: str) -> None:
    engine = dialects.make_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def brain(url: str) -> Nacre:
    return Nacre(url, settings=Settings(embedder="off", worker="off"))


def test_a_test_finds_nothing_of_the_one_before(lender):
    with lender.lent() as first, brain(first) as nacre:
        nacre.scope("a", "ana").observe("user", "Ana lives in Rome and works with Bo.")
        nacre.scope("a", "ana").graph.link("Ana", "knows", "Bo")

    with lender.lent() as second, brain(second) as nacre:
        assert nacre.agents() == []
        assert nacre.scope("a", "ana").recall("Rome").hits == ()
    assert second == first


@pytest.mark.parametrize(
    "statement",
    [
        "DROP INDEX links_from",
        "ALTER TABLE links DISABLE TRIGGER link_history",
        "ALTER TABLE turns ADD COLUMN more text",
        "UPDATE alembic_version SET version_num = '9999'",
    ],
)
def test_whoever_changes_the_schema_is_the_last_to_have_it(lender, statement):
    with lender.lent() as first:
        run(first, statement)

    with lender.lent() as second:
        assert second != first


def asked(url: str, *statements: str) -> list[object]:
    """What one connection answers to each of some statements."""
    engine = dialects.make_engine(url)
    with engine.begin() as connection:
        answers = [connection.execute(text(statement)).scalar_one() for statement in statements]
    engine.dispose()
    return answers


def test_a_closed_connection_is_used_again_and_as_new(lender):
    process = "SELECT pg_backend_pid()"
    looks = (
        process,
        "SHOW work_mem",
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'",
        "SELECT count(*) FROM pg_class WHERE relname = 'left_behind'",
        "SELECT count(*) FROM pg_prepared_statements",
    )
    with lender.lent() as url:
        before = asked(url, *looks)
        assert asked(url, process) == before[:1]
        run(url, "SET work_mem = '8MB'; SELECT pg_advisory_lock(1); CREATE TEMP TABLE left_behind (a int)")
        asked(url, *["SELECT 1"] * 7)

    with lender.lent() as url:
        assert asked(url, *looks) == before


def test_a_connection_that_the_server_ended_is_not_used_again(lender):
    process = "SELECT pg_backend_pid()"
    with lender.lent() as url:
        (ended,) = asked(url, process)
        lender._connection.execute(text(f"SELECT pg_terminate_backend({ended}, 10000)"))

        assert asked(url, process) != [ended]


def test_after_many_loans_the_database_is_made_anew(lender, monkeypatch):
    monkeypatch.setattr(postgres, "MAX_LOANS", 2)
    urls = []
    for _ in range(3):
        with lender.lent() as url:
            urls.append(url)

    assert urls[0] == urls[1] != urls[2]


def test_a_connection_that_is_left_open_fails_the_test_that_left_it(lender, monkeypatch):
    monkeypatch.setattr(postgres, "PATIENCE_SECONDS", 0.1)
    left = []
    with pytest.raises(AssertionError, match="left connections"), lender.lent() as first:
        left.append(brain(first))

    with lender.lent() as second:
        assert second != first
    left[0].close()
