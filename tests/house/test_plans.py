"""What is sent often is answered from an index, by both databases, and by one node of a cluster."""

import pytest
from sqlalchemy import exists, select

from nacre import Settings
from nacre.store.reads import scope_indexes
from nacre.store.tables.schema import metadata, sources, turns
from tests import days, plans, routing

# The rounds that go by the clock look at every scope; the directory of scopes has one small row for each.
DIRECTORY = "scopes"


@pytest.fixture(params=["held in memory", "too large for memory"])
def brain_settings(request):
    return Settings(worker="off", index_passages=1_000_000 if request.param == "held in memory" else 1)


@pytest.fixture
def sent(nacre, scope, database_url, brain_settings):
    """The statements of a day; where its scope is too large for memory, without and with indexes of its own."""
    with plans.collected() as found:
        days.live(nacre, scope)
    if brain_settings.index_passages == 1 and database_url.startswith("postgresql"):
        scope_indexes.build(database_url, 1)
        with plans.collected() as more:
            days.ask(scope)
        found |= more
    return list(found.values())


def test_no_statement_of_a_day_reads_a_whole_table(nacre, scope, sent):
    with nacre.parts.database.read(scope.scope) as tx:
        read = {each.sql: plans.read_whole(tx.connection, each) - _allowed(each) for each in sent}

    assert {sql: tables for sql, tables in read.items() if tables} == {}


def _allowed(statement):
    # The second holds only the scopes that are behind, which is what is asked for.
    return {DIRECTORY, "scopes_unread"} if statement.built.get_execution_options().get("all_scopes") else set()


def test_whoever_removes_a_row_finds_what_hangs_from_it_by_an_index():
    """Else removing many rows of a large scope takes the square of their number."""
    for table in metadata.tables.values():
        paths = [list(table.primary_key), *(list(index.columns) for index in table.indexes)]
        for key in table.foreign_key_constraints:
            columns = set(key.columns)
            assert any(set(path[: len(columns)]) == columns for path in paths), (table.name, key.column_keys)


def test_every_statement_of_a_day_can_be_answered_by_one_node(sent):
    """Each place that names a table says whose rows; those that mean every scope say so."""
    one = [each for each in sent if not each.built.get_execution_options().get("all_scopes")]

    assert len(one) > 100
    assert {each.sql: found for each in one if (found := list(routing.unrouted(each.built)))} == {}


def test_a_table_that_is_named_twice_needs_its_scope_twice():
    other = turns.alias()
    beside = select(turns.c.id).where(turns.c.scope_id == b"x", turns.c.seq == other.c.seq)
    inside = select(turns.c.id).where(turns.c.scope_id == b"x", turns.c.id.in_(select(turns.c.id)))
    sound = select(turns.c.id).where(
        turns.c.scope_id == b"x",
        exists().where(sources.c.scope_id == turns.c.scope_id, sources.c.id == turns.c.id),
    )

    assert [list(routing.unrouted(each)) for each in (beside, inside, sound)] == [["turns"], ["turns"], []]
