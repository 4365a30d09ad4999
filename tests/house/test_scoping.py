"""The scope guard catches what it is there to catch."""

import pytest
from sqlalchemy import and_, select

from nacre.store.schema import sources, turns
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
            scoping.check(None, statement)  # type: ignore[arg-type]


def test_a_scope_reaches_joined_tables_through_their_keys():
    joined = select(turns.c.id).join(sources, and_(sources.c.scope_id == turns.c.scope_id, sources.c.id == turns.c.id))
    scoping.check(None, joined.where(turns.c.scope_id == b"x"))  # type: ignore[arg-type]


def test_the_guard_stands_during_tests(nacre, scope):
    with nacre.parts.database.read(scope.scope) as tx, pytest.raises(AssertionError, match="No scope"):
        tx.execute(select(turns.c.id))
