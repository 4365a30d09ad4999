"""On PostgreSQL the logs are kept in a part for each month."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from nacre import Nacre, Settings
from nacre.domain import ids
from nacre.store.base import partitions
from nacre.store.base.databases import Database
from nacre.work.schedules import make_partitions
from tests import postgres, replicas
from tests.upkeep.planting import upgraded

WITHOUT_WORKER = Settings(worker="off")


def parts_of(connection, table):
    named = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = CAST(:name AS regclass) ORDER BY 1"
    return list(connection.execute(text(named), {"name": table}).scalars())


def drop(connection, table, part):
    connection.execute(text(f"ALTER TABLE {table} DETACH PARTITION {part}"))
    connection.execute(text(f"DROP TABLE {part}"))


@pytest.fixture
def own_database(postgres_server, postgres_pattern):
    """A database whose tables may be changed."""
    with postgres.database(postgres_server, postgres_pattern) as url:
        yield url


def remembered(address, clock):
    """A brain that has learned something; its scope."""
    with Nacre(address, settings=WITHOUT_WORKER, clock=clock) as nacre:
        scope = nacre.scope("assistant", "ana")
        scope.observe("user", "Ana works at Northwind in Lisbon")
        scope.graph.link("Ana", "knows", "Bob")
        scope.ontology.set("Ana", "taste/general/colour", "green")


def test_a_row_is_kept_with_the_month_of_its_id(own_database, clock):
    clock.now = datetime.now(UTC)
    remembered(own_database, clock)
    with replicas.connected(own_database) as connection:
        kept = {
            table: set(connection.execute(text(f"SELECT DISTINCT tableoid::regclass::text FROM {table}")).scalars())
            for table in partitions.PARTITIONED
        }

    assert kept == {table: {f"{table}_{clock.now:%Y_%m}"} for table in partitions.PARTITIONED}


@pytest.mark.parametrize("moment", [datetime(2024, 2, 29, tzinfo=UTC), datetime(2026, 12, 31, 23, 59, tzinfo=UTC)])
def test_an_id_lies_between_the_first_ids_of_its_month_and_the_next(moment):
    month = partitions.month_of(moment)

    assert partitions.first_id(month) <= ids.new(moment) < partitions.first_id(month + 1)


def test_coming_months_are_made_once(own_database):
    database = Database(own_database)
    with replicas.connected(own_database) as connection:
        *_, last = (name for name in parts_of(connection, "audit") if name[-1].isdigit())
        drop(connection, "audit_rows", last.replace("audit", "audit_rows"))
        drop(connection, "audit", last)
        connection.commit()

    made = [make_partitions(database), make_partitions(database)]
    database.close()

    assert made == [[last, last.replace("audit", "audit_rows")], []]


def test_sqlite_has_no_parts(sqlite_url):
    database = Database(sqlite_url)
    assert make_partitions(database) == []
    database.close()


def test_an_old_part_is_dropped_and_the_rest_goes_on(own_database, clock):
    remembered(own_database, clock)
    with replicas.connected(own_database) as connection:
        for table in ("audit_rows", "audit", "link_history"):
            drop(connection, table, f"{table}_before")
        connection.commit()

    clock.now = datetime.now(UTC)
    with Nacre(own_database, settings=WITHOUT_WORKER, clock=clock) as nacre:
        scope = nacre.scope("assistant", "ana")
        assert scope.graph.history() == []
        scope.graph.link("Ana", "knows", "Cleo")
        assert scope.graph.history()
        assert len(scope.graph.links("Ana")) >= 2


def test_logs_that_were_one_table_become_the_first_part_with_every_row(postgres_server, own_database, clock):
    remembered(own_database, clock)
    with postgres.database(postgres_server) as old:
        upgraded(old, "0006")
        replicas.Pair(own_database, old).catch_up()

        with Nacre(old, settings=WITHOUT_WORKER, clock=clock) as nacre:
            scope = nacre.scope("assistant", "ana")
            with Nacre(own_database, settings=WITHOUT_WORKER, clock=clock) as new:
                assert scope.graph.history() == new.scope("assistant", "ana").graph.history()
            (link,) = (each for each in scope.graph.links("Ana") if each.predicate == "knows")
            assert [each.event for each in scope.ontology.link_history(link.id)] == ["insert"]
            assert [each.name for each in scope.graph.search("ana")] == ["Ana"]
            scope.undo(scope.graph.history()[0].id)
            assert scope.recall("Where does Ana work?")[0].text == "Ana works at Northwind in Lisbon"
        with replicas.connected(old) as connection:
            assert connection.execute(text("SELECT count(*) FROM audit_before")).scalar_one() > 3
            assert parts_of(connection, "audit")[-2:] == ["audit_after", "audit_before"]
