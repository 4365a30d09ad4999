"""Segments of passages: an index loaded from them is the one loaded from the rows, and they go with the rows."""

from functools import partial

import pytest
from sqlalchemy import delete, func, select

from nacre import Nacre, Scope, Turn
from nacre.domain.hits import Kind
from nacre.extraction.learning import Learner
from nacre.recall import passage_columns
from nacre.recall.index import Index
from nacre.recall.indexes import in_step
from nacre.store.base import scopes
from nacre.store.evidence import passage_segments as stored
from nacre.store.evidence import passages
from nacre.store.tables import schema
from nacre.work.passage_segments import write_missing
from tests.recall.test_indexes import assert_equals_fresh

SIZE = 8


def told(scope, count: int) -> None:
    scope.observe_many(
        Turn(
            role="user" if number % 3 else "assistant",
            text=f"storm {number} over the harbour of Łódź",
            session=f"s{number % 4}" if number % 5 else None,
            speaker=("Ana", "Ben", None)[number % 3],
        )
        for number in range(count)
    )


def packed(nacre: Nacre, scope) -> int:
    """How many passages a segment was written for."""
    return write_missing(nacre.parts.database, scope.scope, size=SIZE)


def segments(nacre: Nacre, scope: Scope) -> int:
    with nacre.parts.database.read(scope) as tx:
        mine = select(func.count()).where(schema.passage_segments.c.scope_id == tx.scope_id)
        return int(tx.execute(mine).scalar_one())


def test_an_index_loaded_from_segments_is_the_one_loaded_from_rows(nacre, scope):
    told(scope, 3)
    # The index that this process holds is loaded now, and kept in step by rows alone.
    assert len(scope.recall("storm")) == 3
    told(scope, 3 * SIZE)
    scope.remember("The harbour is closed")

    assert packed(nacre, scope) == 3 * SIZE
    assert packed(nacre, scope) == 0
    assert_equals_fresh(nacre, scope.scope)


def test_what_ended_or_came_back_after_its_segment_was_written_is_told_by_its_row(nacre, scope, clock):
    told(scope, 2 * SIZE)
    assert packed(nacre, scope) == 2 * SIZE
    clock.advance(hours=1)
    with nacre.parts.database.write(scope.scope) as tx:
        _, revision = passages.end_turns(tx, clock.now)
    with nacre.parts.database.read(scope.scope) as tx:
        assert (in_step(tx, Index(), None).view.ended < passage_columns.FOREVER).all()
    with nacre.parts.database.write(scope.scope) as tx:
        passages.resume_turns(tx, revision)
    with nacre.parts.database.read(scope.scope) as tx:
        assert (in_step(tx, Index(), None).view.ended == passage_columns.FOREVER).all()


def test_segments_are_read_in_place_of_rows(nacre, scope):
    told(scope, SIZE)
    packed(nacre, scope)
    with nacre.parts.database.write(scope.scope) as tx:
        tx.execute(delete(schema.passages).where(schema.passages.c.scope_id == tx.scope_id))
        view = in_step(tx, Index(), None).view
    assert len(view) == SIZE


def test_a_purge_leaves_no_segment_and_they_are_written_again(nacre, scope):
    told(scope, 2 * SIZE)
    secret = scope.remember("The key lies under the anchor").memory
    told(scope, SIZE)
    packed(nacre, scope)
    assert segments(nacre, scope.scope) == 3

    scope.forget(secret.id, purge=True)

    assert segments(nacre, scope.scope) == 0
    assert packed(nacre, scope) == 3 * SIZE
    assert_equals_fresh(nacre, scope.scope)
    assert [hit for hit in scope.recall("anchor key") if hit.kind is Kind.MEMORY] == []


def test_a_segment_made_before_a_purge_is_not_stored_after_it(nacre, scope):
    told(scope, SIZE)
    secret = scope.remember("The key lies under the anchor").memory
    with nacre.parts.database.read(scope.scope) as tx:
        before = scopes.state(tx)
        columns = passage_columns.from_rows(passages.next_ones(tx, after_seq=0, limit=SIZE))
    scope.forget(secret.id, purge=True)

    with nacre.parts.database.write(scope.scope) as tx:
        assert not stored.add(tx, passage_columns.pack(columns), first_seq=1, last=SIZE, read=before)
    assert segments(nacre, scope.scope) == 0


def test_whoever_is_second_to_write_a_segment_leaves_the_first(nacre, scope):
    told(scope, 2 * SIZE)
    with nacre.parts.database.read(scope.scope) as tx:
        purged = scopes.state(tx)
    packed(nacre, scope)

    with nacre.parts.database.write(scope.scope) as tx:
        assert not stored.add(tx, b"", first_seq=SIZE + 1, last=2 * SIZE, read=purged)
    assert segments(nacre, scope.scope) == 2


def test_writing_ends_with_the_segment_at_hand(nacre, scope):
    told(scope, 3 * SIZE)
    goes_on = iter((True, True, False))

    assert write_missing(nacre.parts.database, scope.scope, lambda: next(goes_on), size=SIZE) == 2 * SIZE


def test_a_scope_is_packed_when_everything_of_it_was_learned(nacre, scope):
    told(scope, 2 * SIZE)
    after = partial(write_missing, nacre.parts.database, size=SIZE)

    assert Learner(nacre.parts.database, writes=True, after=after).settle_all()

    assert segments(nacre, scope.scope) == 2


def test_no_scope_reads_the_segments_of_another(nacre, scope):
    told(scope, SIZE)
    packed(nacre, scope)
    other = nacre.scope("elsewhere")
    other.observe("user", "calm")

    with nacre.parts.database.read(other.scope) as tx:
        assert list(stored.in_order(tx)) == []
        assert len(in_step(tx, Index(), None).view) == 1


@pytest.mark.parametrize("names", [[], [None], ["a", None, "b", "a"]])
def test_a_column_of_names_keeps_them_in_order(names):
    column = passage_columns.NameColumn.of(names)

    assert [None if place < 0 else column.names[place] for place in column.places] == names
