"""The guard that watches revisions fails what it should."""

import pytest

from nacre.store.base import scopes
from nacre.store.base.journals import Journal
from nacre.store.tables.schema import entities


def test_a_graph_that_changes_without_a_new_revision_fails_the_test(scope, nacre):
    key = scope.graph.add("Ana").id

    with pytest.raises(AssertionError, match="without a new revision"), nacre.parts.database.write(scope.scope) as tx:
        Journal(tx, "test").update(entities, {"id": key}, {"mentions": 7})

    with nacre.parts.database.write(scope.scope) as tx:
        Journal(tx, "test").update(entities, {"id": key}, {"mentions": 8})
        scopes.advance(tx)
    assert scope.graph.get("Ana").mentions == 8
