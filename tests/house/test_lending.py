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
