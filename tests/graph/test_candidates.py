"""The queue of likely duplicates, on both databases."""

from collections.abc import Iterator
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid, NotFound, Scope
from nacre.domain.duplicates import Decision, DuplicateCandidate
from nacre.domain.operations import DismissDuplicate
from nacre.graph.identity import resolution
from nacre.graph.identity.resolution import ComparedPair
from nacre.graph.operations import path
from nacre.store.base.databases import Database, Transaction
from nacre.store.graph import candidates as queue
from tests import examples
from tests.graph.rows import add_entity

SCOPE = Scope(agent="assistant", user="ana")
OTHER = Scope(agent="assistant", user="bob")

_slugs = count()


@pytest.fixture
def database(database_url: str, clock) -> Iterator[Database]:
    found = Database(database_url, clock)
    yield found
    found.close()


@pytest.fixture
def tx(database: Database) -> Iterator[Transaction]:
    with database.write(SCOPE) as found:
        yield found


def put(tx: Transaction, name: str, **columns: Any) -> UUID:
    return add_entity(tx, name, slug=f"slug-{next(_slugs)}", **columns)


def queued(tx: Transaction, pairs: list[ComparedPair]) -> int:
    return queue.add(tx, [(pair.a, pair.b, pair.similarity) for pair in pairs])


def pending(tx: Transaction, limit: int = 50, offset: int = 0) -> list[DuplicateCandidate]:
    return queue.listed(tx, Decision.PENDING, limit=limit, offset=offset)


def dismiss(tx: Transaction, key: UUID) -> DuplicateCandidate:
    path.apply(tx, [DismissDuplicate(candidate=key)], actor="ana")
    return queue.get(tx, key)


def test_a_pair_waits_once_whichever_comes_first(tx):
    a, b = put(tx, "Ana"), put(tx, "Anna")

    assert queue.add(tx, [(a, b, 0.9), (b, a, 0.95)]) == 1
    assert queue.add(tx, [(b, a, 0.99)]) == 0

    (waiting,) = pending(tx)
    assert (waiting.entity_a, waiting.entity_b, waiting.similarity) == (min(a, b), max(a, b), 0.95)
    assert queue.get(tx, waiting.id) == waiting


def test_what_waits_is_listed_by_similarity_in_pages(tx):
    keys = [put(tx, f"Ana {letter}") for letter in "abcdef"]
    queue.add(tx, [(keys[0], key, 0.9 + at / 100) for at, key in enumerate(keys[1:])])

    pages = [pending(tx, limit=2, offset=offset) for offset in (0, 2, 4, 6)]

    assert [len(page) for page in pages] == [2, 2, 1, 0]
    shown = [waiting.similarity for page in pages for waiting in page]
    assert shown == sorted(shown, reverse=True)


def test_a_dismissed_pair_never_returns(tx, clock):
    put(tx, "Jon Smith"), put(tx, "John Smith")
    queued(tx, resolution.scan(tx, None))
    (waiting,) = pending(tx)

    gone = dismiss(tx, waiting.id)

    assert (gone.status, gone.decided_at) == (Decision.DISMISSED, clock.now)
    assert resolution.scan(tx, None) == []
    assert resolution.candidates(tx, [waiting.entity_a], None) == []
    assert queue.add(tx, [(waiting.entity_a, waiting.entity_b, 1.0)]) == 0
    assert pending(tx) == []
    assert queue.get(tx, waiting.id) == gone


def test_dismissed_pairs_do_not_take_the_place_of_others(tx):
    put(tx, "Lena Park"), put(tx, "LENA PARK")
    queued(tx, resolution.scan(tx, None))
    dismiss(tx, pending(tx)[0].id)
    c, d = put(tx, "Jon Smith"), put(tx, "John Smith")

    assert [{pair.a, pair.b} for pair in resolution.scan(tx, None, limit=1)] == [{c, d}]


def test_only_what_waits_can_be_dismissed(tx):
    a, b = put(tx, "Ana"), put(tx, "Anna")
    queue.add(tx, [(a, b, 0.9)])
    (waiting,) = pending(tx)
    dismiss(tx, waiting.id)

    with pytest.raises(NotFound):
        dismiss(tx, waiting.id)
    with pytest.raises(NotFound):
        dismiss(tx, uuid4())
    assert queue.get(tx, waiting.id).status is Decision.DISMISSED


def test_a_pair_nobody_queued_can_be_kept_apart(tx):
    a, b = put(tx, "Ana Silva"), put(tx, "ANA SILVA")
    queue.keep_apart(tx, b, a)

    assert pending(tx) == []
    assert resolution.scan(tx, None) == []


def test_a_pair_whose_entity_is_gone_does_not_wait(tx):
    a, b = put(tx, "Ana"), put(tx, "Anna", status="archived")
    queue.add(tx, [(a, b, 0.9)])

    assert pending(tx) == []


def test_another_scope_sees_nothing_of_the_queue(database):
    with database.write(SCOPE) as tx:
        queue.add(tx, [(put(tx, "Ana"), put(tx, "Anna"), 0.9)])
        (waiting,) = pending(tx)
    with database.write(OTHER) as theirs:
        assert pending(theirs) == []
        assert queue.decided(theirs) == set()
        with pytest.raises(NotFound):
            queue.get(theirs, waiting.id)
        with pytest.raises(NotFound):
            dismiss(theirs, waiting.id)


def test_an_entity_is_no_duplicate_of_itself(tx):
    a = put(tx, "Ana")

    with pytest.raises(Invalid):
        queue.add(tx, [(a, a, 1.0)])
    with pytest.raises(Invalid):
        queue.add(tx, [(a, uuid4(), float("nan"))])
    assert queue.add(tx, []) == 0


@examples.costly()
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), max_size=12))
def test_a_decided_pair_stays_decided(database, steps):
    """Adding, dismissing and scanning in any order."""
    with database.write(Scope(agent=f"agent {next(_slugs)}")) as tx:
        keys = [put(tx, "Ana Silva") for _ in range(5)]
        dismissed = set()
        for one, other, dismissing in steps:
            if one != other:
                queue.add(tx, [(keys[one], keys[other], 0.95)])
            waiting = pending(tx)
            if dismissing and waiting:
                gone = dismiss(tx, waiting[0].id)
                dismissed.add((gone.entity_a, gone.entity_b))
            open_ = {(pair.a, pair.b) for pair in resolution.scan(tx, None)}
            assert not open_ & dismissed
            assert len(open_) + len(dismissed) == 10
            assert not {(each.entity_a, each.entity_b) for each in pending(tx)} & dismissed
