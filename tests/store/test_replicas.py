"""A replica is read only where it has all that the database has; nobody is shown less."""

import logging

import pytest
from sqlalchemy import text

from nacre import Misconfigured, Nacre, Settings
from tests import days, postgres, replicas


@pytest.fixture(scope="module")
def second_lender(postgres_server, postgres_pattern):
    """Has the database that is the copy."""
    lender = postgres.Lender(postgres_server, postgres_pattern)
    yield lender
    lender.close()


@pytest.fixture
def pair(postgres_url, second_lender):
    """A database and a copy of it that takes over changes when it is told to."""
    with second_lender.lent() as second:
        yield replicas.Pair(postgres_url, second)


@pytest.fixture
def brain(pair, clock):
    """A brain with a replica."""
    with Nacre(pair.first, settings=Settings(worker="off", replica=pair.second), clock=clock) as nacre:
        yield nacre


def scope_of(brain):
    return brain.scope("assistant", "ana")


def test_a_replica_that_has_everything_is_read(brain, pair):
    scope_of(brain).observe("user", "The key is under the mat")
    pair.catch_up()
    with replicas.reads_of(pair.second) as reads:
        hits = scope_of(brain).recall("Where is the key?")

    assert [hit.text for hit in hits] == ["The key is under the mat"]
    assert any("FROM passages" in each for each in reads)


def test_what_was_just_written_is_seen_though_the_replica_is_behind(brain, pair):
    scope = scope_of(brain)
    scope.observe("user", "The key is under the mat")
    pair.catch_up()
    scope.observe("user", "The key is in the shed now")
    with replicas.reads_of(pair.second) as reads:
        hits = scope.recall("Where is the key?")

    assert len(hits.hits) == 2
    assert not any("FROM passages" in each for each in reads)


def test_what_another_process_wrote_is_seen_though_the_replica_is_behind(brain, pair, clock):
    scope_of(brain).observe("user", "The key is under the mat")
    pair.catch_up()
    with Nacre(pair.first, settings=Settings(worker="off"), clock=clock) as other:
        scope_of(other).observe("user", "The key is in the shed now")

    assert len(scope_of(brain).recall("Where is the key?").hits) == 2


def test_sharing_that_was_taken_back_is_not_read_from_a_replica_that_still_has_it(brain, pair):
    brain.agent("assistant").share(memory=True)
    scope_of(brain).remember("The key is under the mat")
    pair.catch_up()
    brain.agent("assistant").share(memory=False)

    assert brain.scope("assistant", "bob").recall("Where is the key?").hits == ()


def test_reports_are_read_from_the_replica_and_show_what_was_just_written(brain, pair):
    scope = scope_of(brain)
    scope.graph.add("Ana", type="person")
    pair.catch_up()
    with replicas.reads_of(pair.second) as reads:
        assert scope.knowledge.entity("Ana").entity.name == "Ana"
    assert any("FROM entities" in each for each in reads)

    scope.graph.add("Bob", type="person")
    assert scope.knowledge.entity("Bob").entity.name == "Bob"


def test_a_replica_that_does_not_answer_is_done_without(pair, clock, caplog):
    settings = Settings(worker="off", replica=pair.second.replace(pair.name_of_second, "nowhere"))
    with Nacre(pair.first, settings=settings, clock=clock) as nacre, caplog.at_level(logging.WARNING):
        scope_of(nacre).observe("user", "The key is under the mat")
        for _ in range(2):
            assert len(scope_of(nacre).recall("Where is the key?").hits) == 1

    assert len([each for each in caplog.records if "replica" in each.message]) == 1


def test_nothing_is_ever_written_to_the_replica(brain, pair):
    with replicas.reads_of(pair.second) as reads:
        days.live(brain, scope_of(brain))

    assert not [each for each in reads if each.startswith(("INSERT", "UPDATE", "DELETE"))]
    with replicas.connected(pair.second) as connection:
        assert connection.execute(text("SELECT count(*) FROM scopes")).scalar() == 0


def test_a_replica_needs_postgresql(sqlite_url, postgres_url):
    with pytest.raises(Misconfigured, match="replica"):
        Nacre(sqlite_url, settings=Settings(replica=postgres_url))


def test_connections_to_the_replica_are_measured(pair, clock):
    counting = Settings(worker="off", replica=pair.second, metrics="on")
    with Nacre(pair.first, settings=counting, clock=clock) as brain:
        scope_of(brain).observe("user", "The key is under the mat")
        pair.catch_up()
        with brain.parts.reader.read(scope_of(brain).scope):
            shown = brain.metrics().splitlines()

    assert "nacre_database_connections_in_use 1.0" in shown
