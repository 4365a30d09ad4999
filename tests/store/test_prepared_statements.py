"""Statements that are run again and again, on the driver's own cursor: the same as through SQLAlchemy."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, Select, bindparam, event, insert, select, update

from nacre.domain.errors import Conflict
from nacre.domain.scopes import Scope
from nacre.store.base import prepared_statements, scopes
from nacre.store.base.databases import Database, Transaction
from nacre.store.base.row_inserts import NewRows, RowInsert
from nacre.store.tables.schema import settings

SCOPE = Scope(agent="assistant", user="ana")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def tx(database: Database) -> Iterator[Transaction]:
    with database.write(SCOPE) as tx:
        scopes.ensure(tx)
        yield tx


def row(tx: Transaction, name: str) -> dict[str, object]:
    return {"scope_id": tx.scope_id, "name": name, "value": {"of": name}}


def test_rows_are_the_same_however_often_a_statement_is_run(tx: Transaction) -> None:
    adding = insert(settings)
    named = (
        select(settings.c.name, settings.c.value, settings.c.scope_id)
        .where(settings.c.scope_id == bindparam("scope"), settings.c.name.in_(bindparam("names", expanding=True)))
        .order_by(settings.c.name)
    )
    tx.execute(adding, [row(tx, name) for name in "abc"])

    found = [
        (rows, [dict(each) for each in tx.execute(named, {"scope": tx.scope_id, "names": list(names)}).mappings()])
        for rows, names in [(2, "ab"), (2, "bc"), (2, "ab"), (3, "abc"), (0, ""), (1, "c")]
    ]

    assert prepared_statements.find(tx.connection, named, {"scope": tx.scope_id, "names": []})
    assert [len(mappings) for _, mappings in found] == [rows for rows, _ in found]
    assert found[0][1] == found[2][1] == [row(tx, "a"), row(tx, "b")]


def test_lists_of_nearly_the_same_length_are_one_statement(tx: Transaction) -> None:
    tx.execute(insert(settings), [row(tx, name) for name in "abcdefghi"])
    named = select(settings.c.name).where(
        settings.c.scope_id == bindparam("scope"), settings.c.name.in_(bindparam("names", expanding=True))
    )
    sent: list[str] = []
    for _ in range(3):
        tx.execute(named, {"scope": tx.scope_id, "names": ["a"]})

    event.listen(tx.connection, "before_cursor_execute", lambda *told: sent.append(told[2]))
    found = [
        sorted(tx.execute(named, {"scope": tx.scope_id, "names": set("abcdefghi"[:length])}).scalars())
        for length in (5, 6, 8, 9)
    ]

    assert found == [list("abcdefghi"[:length]) for length in (5, 6, 8, 9)]
    assert len(sent) == 4
    assert len(set(sent)) == 2


def test_a_statement_made_of_a_prepared_one_is_another(tx: Transaction) -> None:
    tx.execute(insert(settings), [row(tx, name) for name in "ab"])
    every = select(settings.c.name).where(settings.c.scope_id == bindparam("scope"))
    for _ in range(4):
        tx.execute(every, {"scope": tx.scope_id})

    narrower = every.where(settings.c.name == "a")

    assert [tx.execute(narrower, {"scope": tx.scope_id}).scalars().all() for _ in range(4)] == [["a"]] * 4


def test_a_change_writes_the_columns_it_is_given_and_counts_its_rows(tx: Transaction) -> None:
    tx.execute(insert(settings), [row(tx, name) for name in "ab"])
    mine = update(settings).where(settings.c.scope_id == bindparam("scope"))

    counts = [tx.execute(mine, {"scope": tx.scope_id, "value": number}).rowcount for number in range(4)]

    assert counts == [2] * 4
    values = select(settings.c.value).where(settings.c.scope_id == tx.scope_id)
    assert tx.execute(values).scalars().all() == [3, 3]


def test_what_the_driver_refuses_is_told_as_ever(database: Database) -> None:
    adding = insert(settings)
    with database.write(SCOPE) as tx:
        scopes.ensure(tx)
        for name in "abc":
            tx.execute(adding, [row(tx, name)])

    with pytest.raises(Conflict, match="refused"), database.write(SCOPE) as tx:
        tx.execute(adding, [row(tx, "a")])


def test_listeners_hear_of_every_run(tx: Transaction) -> None:
    heard: list[Any] = []

    def note(_connection: object, _cursor: object, _sql: str, _values: object, context: Any, many: bool) -> None:
        heard.append((context.invoked_statement, list(context.compiled_parameters), many))

    state = select(settings.c.name).where(settings.c.scope_id == bindparam("scope"))
    event.listen(Engine, "before_cursor_execute", note)
    try:
        for _ in range(4):
            tx.execute(state, {"scope": tx.scope_id})
        tx.insert_all([NewRows(RowInsert(settings), [tuple(row(tx, name).values()) for name in "ab"])])
    finally:
        event.remove(Engine, "before_cursor_execute", note)

    assert heard[:4] == [(state, [{"scope": tx.scope_id}], False)] * 4
    assert heard[4][1:] == ([row(tx, "a"), row(tx, "b")], True)


def test_a_first_statement_that_fails_leaves_a_connection_as_good_as_new(database: Database) -> None:
    adding = insert(settings)
    with database.write(SCOPE) as tx:
        scopes.ensure(tx)
        for name in "abc":
            tx.execute(adding, [row(tx, name)])

    for _ in range(3):
        with pytest.raises(Conflict, match="refused"), database.write(SCOPE) as tx:
            tx.execute(adding, [row(tx, "a")])
    with database.write(SCOPE) as tx:
        tx.execute(adding, [row(tx, "d")])

    with database.read(SCOPE) as tx:
        assert tx.execute(named_of(tx)).scalars().all() == list("abcd")


@pytest.mark.parametrize("last", [False, True])
def test_rows_that_are_sent_together_are_there_together_or_not_at_all(database: Database, last: bool) -> None:
    into = RowInsert(settings)

    def rows(tx: Transaction, names: str) -> list[NewRows]:
        return [NewRows(into, [tuple(row(tx, name).values()) for name in part]) for part in names.split("|")]

    with database.write(SCOPE) as tx:
        scopes.ensure(tx)
        tx.insert_all(rows(tx, "a|bc|"), last=last)

    with pytest.raises(Conflict, match="refused"), database.write(SCOPE) as tx:
        tx.insert_all(rows(tx, "d|a|e"), last=last)

    with database.read(SCOPE) as tx:
        found = select(settings.c.name, settings.c.value).where(settings.c.scope_id == tx.scope_id)
        assert sorted(map(tuple, tx.execute(found))) == [(name, {"of": name}) for name in "abc"]


def named_of(tx: Transaction) -> Select[tuple[str]]:
    return select(settings.c.name).where(settings.c.scope_id == tx.scope_id).order_by(settings.c.name)
