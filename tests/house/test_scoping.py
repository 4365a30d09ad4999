"""The scope guard catches what it is there to catch."""

import pytest
from sqlalchemy import and_, bindparam, select

from nacre.store.tables.columns import Id
from nacre.store.tables.schema import sources, turns
from tests import scoping


def test_a_statement_without_its_scope_fails():
    for statement in (
        select(turns.c.id),
        select(turns.c.id).where(turns.c.session == "s"),
        select(turns.c.id).join(sources, sources.c.id == turns.c.id).where(turns.c.scope_id == b"x"),
        turns.delete().where(turns.c.seq == 1),
        sources.update().values(text="x"),
    ):
        with pytest.raises(AssertionError, match="No scope"):
            scoping.check(statement)


def test_a_scope_reaches_joined_tables_through_their_keys():
    joined = select(turns.c.id).join(sources, and_(sources.c.scope_id == turns.c.scope_id, sources.c.id == turns.c.id))
    scoping.check(joined.where(turns.c.scope_id == b"x"))


def test_the_guard_stands_during_tests(nacre, scope):
    with nacre.parts.database.read(scope.scope) as tx, pytest.raises(AssertionError, match="No scope"):
        tx.execute(select(turns.c.id))


def test_a_statement_about_two_scopes_fails(nacre, scope):
    """Each time: a statement that passed for one scope may be given two."""
    other = turns.alias()
    both = select(turns.c.id).join(other, other.c.id == turns.c.id)
    both = both.where(
        turns.c.scope_id == bindparam("scope", type_=Id), other.c.scope_id == bindparam("scope_2", type_=Id)
    )
    here, there = scope.scope.id, nacre.scope("assistant", "bob").scope.id
    with nacre.parts.database.read(scope.scope) as tx:
        tx.execute(both, {"scope": here, "scope_2": here})
        for _ in range(4):
            with pytest.raises(AssertionError, match="Two scopes"):
                tx.execute(both, {"scope": here, "scope_2": there})


def test_a_statement_that_passed_for_all_scopes_does_not_pass_for_one(nacre, scope):
    """It is the same statement to the cache of compiled statements."""
    every = select(turns.c.id).where(turns.c.session == "s")
    with nacre.parts.database.read(scope.scope) as tx:
        tx.execute(every.execution_options(all_scopes=True))
        for _ in range(2):
            with pytest.raises(AssertionError, match="No scope"):
                tx.execute(every)
