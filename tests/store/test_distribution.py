"""Tables that are spread over the nodes of a real Citus cluster. There is one where NACRE_TEST_CITUS names it."""

from uuid import uuid4

import psycopg
import pytest

from nacre import Nacre, Settings
from nacre.brain import health
from nacre.store.tables.schema import metadata
from tests import citus, days, plans, routing

pytestmark = pytest.mark.skipif(
    not citus.coordinator(), reason="NACRE_TEST_CITUS names no Citus cluster: docs/scale.md says how to start one."
)
OLDER = """
CREATE OR REPLACE FUNCTION note_link_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO link_history (scope_id, link_id, seq, event, at)
    VALUES (NEW.scope_id, NEW.id, (SELECT count(*) + 1 FROM link_history), lower(TG_OP), now());
    RETURN NULL;
END $$
"""
_PLACES = "SELECT logicalrelid::text, column_to_column_name(logicalrelid, partkey), colocationid FROM pg_dist_partition"


@pytest.fixture
def url(postgres_server):
    """A database that every node has, without tables."""
    with citus.empty_database(postgres_server, f"test_{uuid4().hex}") as made:
        yield made


def opened(url):
    return Nacre(url, settings=Settings(worker="off"))


def counts(url):
    with psycopg.connect(url) as connection:
        found = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchall() for name in metadata.tables}
    return {name: count for name, ((count,),) in found.items()}


def test_what_was_there_is_spread_once_and_beside_its_scope(url):
    with opened(url) as nacre:
        days.live(nacre, nacre.scope("assistant", "ana"))
        before = counts(url)
        with psycopg.connect(url) as connection:
            connection.execute(OLDER)

        assert health.distribute(nacre.parts) == len(metadata.tables)

        assert counts(url) == before
        assert health.distribute(nacre.parts) == 0
        with psycopg.connect(url) as connection:
            places = {name: (column, beside) for name, column, beside in connection.execute(_PLACES)}
        assert {column for column, _ in places.values()} == {"scope_id"}
        assert len({beside for _, beside in places.values()}) == 1
        assert set(places) >= set(metadata.tables)
        # An older database has a function that a cluster cannot run; it was replaced.
        days.live(nacre, nacre.scope("assistant", "bob"))
        assert all(finding.count == 0 for finding in nacre.check().findings)


@pytest.mark.spec("N15")
@pytest.mark.parametrize("passages", [1_000_000, 1], ids=["held in memory", "too large for memory"])
def test_a_shard_answers_every_statement_of_a_day_alone(postgres_url, passages):
    """As Citus plans it, not as the statement reads."""
    with Nacre(postgres_url, settings=Settings(worker="off", index_passages=passages)) as nacre:
        scope = nacre.scope("assistant", "ana")
        with plans.collected() as sent:
            days.live(nacre, scope)
        with nacre.parts.database.read(scope.scope) as tx:
            shards = {each.sql: routing.shards(tx.connection, each) for each in sent.values()}
    every = {each.sql for each in sent.values() if each.built.get_execution_options().get("all_scopes")}

    assert len(shards) > 100
    assert {sql: count for sql, count in shards.items() if count != 1 and sql not in every} == {}
    # Those that say they mean every scope are few, and really ask all shards.
    assert 0 < sum(shards[sql] > 1 for sql in every) < 20
