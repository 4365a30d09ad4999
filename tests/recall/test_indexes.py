"""The index is derived: whatever happened, it equals one built from the rows."""

from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Nacre, Scope, Turn
from nacre.recall import rows
from nacre.recall.index import Index, View
from nacre.recall.indexes import Indexes, in_step
from nacre.store.evidence import passages
from nacre.store.reads import hit_rows
from tests import examples
from tests.conftest import MovableClock

ARRAYS = ("seq", "kind", "role", "session", "speaker", "at", "ended", "length", "before", "after")
SPACE_TEXT = ["space"]


def postings_of(view: View) -> set[tuple[int, int, int]]:
    """Every (term, passage, count) of a view, however its runs are cut."""
    found = set()
    for run in view.runs:
        for place, key in enumerate(run.keys):
            own = slice(run.starts[place], run.starts[place + 1])
            found |= {
                (int(key), int(doc), int(count)) for doc, count in zip(run.docs[own], run.counts[own], strict=True)
            }
    return found


def assert_equals_fresh(nacre: Nacre, scope: Scope) -> None:
    """The index this brain holds equals one loaded from the rows by someone who has never seen them."""
    space = nacre.parts.embedder.embed(SPACE_TEXT).space if nacre.parts.embedder else None
    with nacre.parts.database.read(scope) as tx:
        held = nacre.parts.indexes.view(tx, space)
        fresh = in_step(tx, Index(), space).view
        assert held.turns == rows.load(tx, fresh, held.turns, None)
    for name in ARRAYS:
        assert np.array_equal(getattr(held, name), getattr(fresh, name)), name
    assert postings_of(held) == postings_of(fresh)
    assert (held.speakers, held.languages, held.session_count) == (fresh.speakers, fresh.languages, fresh.session_count)
    for name, matrix in fresh.vectors.items():
        assert np.array_equal(held.vectors[name].values, matrix.values)
        assert np.array_equal(held.vectors[name].scales, matrix.scales)


words = st.sampled_from(
    ["river", "bank", "boat", "captain", "harbour", "storm", "sail", "anchor", "río", "niño", "船", "Łódź"]
)
texts = st.lists(words, min_size=1, max_size=6).map(" ".join)
sessions = st.sampled_from([None, "s1", "s2"])
turns = st.builds(Turn, role=st.sampled_from(["user", "assistant"]), text=texts, session=sessions)
steps = st.one_of(
    st.tuples(st.just("observe"), st.lists(turns, min_size=1, max_size=4)),
    st.tuples(st.just("observe elsewhere"), st.lists(turns, min_size=1, max_size=4)),
    st.tuples(st.just("remember"), texts),
    st.tuples(st.just("end"), st.integers(0, 50)),
    st.tuples(st.just("recall"), texts),
    st.tuples(st.just("restart"), st.none()),
)


class Life:
    """Two brains on one database, standing for two processes."""

    def __init__(self, url: str) -> None:
        self.url, self.clock = url, MovableClock()
        self.here, self.elsewhere = self._open(), self._open()
        self.scope = Scope(agent="a")
        self.items: list[UUID] = []

    def _open(self) -> Nacre:
        return Nacre(self.url, clock=self.clock)

    def step(self, action: str, value: Any) -> None:
        self.clock.advance(seconds=1)
        here = self.here.scope("a")
        match action:
            case "observe":
                self.items += [each.id for each in here.observe_many(value)]
            case "observe elsewhere":
                self.items += [each.id for each in self.elsewhere.scope("a").observe_many(value)]
            case "remember":
                self.items.append(here.remember(value).id)
            case "end" if self.items:
                with self.elsewhere.parts.database.write(self.scope) as tx:
                    passages.end(tx, [self.items[value % len(self.items)]])
            case "recall":
                assert here.recall(value, limit=100).hits == self.elsewhere.scope("a").recall(value, limit=100).hits
            case "restart":
                self.here.close()
                self.here = self._open()

    def close(self) -> None:
        self.here.close()
        self.elsewhere.close()


@examples.costly()
@given(history=st.lists(steps, max_size=12))
def test_after_any_history_the_index_equals_one_built_from_scratch(new_sqlite, history):
    life = Life(new_sqlite())
    try:
        for action, value in history:
            life.step(action, value)
        assert_equals_fresh(life.here, life.scope)
        assert_equals_fresh(life.elsewhere, life.scope)
    finally:
        life.close()


def test_a_long_history_agrees_on_both_databases(database_url):
    life = Life(database_url)
    for number in range(60):
        life.step(
            "observe" if number % 3 else "observe elsewhere",
            [Turn(role="user", text=f"storm {number}", session=str(number % 4))],
        )
        if number % 7 == 0:
            life.step("end", number)
        if number % 10 == 0:
            life.step("recall", "storm")
    assert_equals_fresh(life.here, life.scope)
    assert len(life.here.scope("a").recall("storm", limit=100)) == len(
        life.elsewhere.scope("a").recall("storm", limit=100)
    )
    life.close()


def test_an_ended_passage_is_gone_now_but_known_as_of_then(scope, nacre, clock):
    said = scope.observe("user", "The harbour is open")
    before = clock.now
    clock.advance(hours=1)
    with nacre.parts.database.write(scope.scope) as tx:
        passages.end(tx, [said.id])

    assert list(scope.recall("harbour")) == []
    assert [hit.id for hit in scope.recall("harbour", as_of=before)] == [said.id]
    assert list(scope.recall("harbour", as_of=clock.now + timedelta(hours=1))) == []


def test_a_turn_is_read_from_the_database_once(scope, monkeypatch):
    read: list[int] = []
    load = hit_rows.load

    def noted(tx, seqs, then):
        read.extend(chain(*seqs.values()))
        return load(tx, seqs, then)

    monkeypatch.setattr(hit_rows, "load", noted)
    scope.observe_many(Turn(role="user", text=f"storm {number}") for number in range(4))
    scope.recall("storm")
    scope.observe("user", "another storm")

    assert {hit.text for hit in scope.recall("storm")} == {"another storm", *(f"storm {number}" for number in range(4))}
    assert sorted(read) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("kept", [0, 3])
def test_turns_are_kept_within_bounds(scope, monkeypatch, kept):
    monkeypatch.setattr(rows, "MOST_KEPT", kept)
    scope.observe_many(Turn(role="user", text=f"storm {number}") for number in range(5))
    assert len(scope.recall("storm")) == len(scope.recall("storm")) == 5


def test_what_is_purged_is_kept_by_no_process(database_url):
    life = Life(database_url)
    for said in ("the first storm", "the second storm"):
        life.step("observe", [Turn(role="user", text=said, at=life.clock.now)])
    assert len(life.here.scope("a").recall("storm")) == 2
    life.elsewhere.scope("a").forget(before=life.clock.now - timedelta(seconds=1), purge=True)

    assert [hit.text for hit in life.here.scope("a").recall("storm")] == ["the second storm"]
    assert_equals_fresh(life.here, life.scope)
    life.elsewhere.scope("a").forget(everything=True, purge=True)
    life.step("observe", [Turn(role="user", text="a storm of its own")])
    assert [hit.text for hit in life.here.scope("a").recall("storm")] == ["a storm of its own"]
    life.close()


def test_a_clock_that_stands_still_makes_no_old_index_current(sqlite_url):
    clock = MovableClock()
    with Nacre(sqlite_url, clock=clock) as here, Nacre(sqlite_url, clock=clock) as elsewhere:
        ana, again = (nacre.scope("a", user="ana") for nacre in (here, elsewhere))
        ana.observe("user", "a storm that nobody may know of")
        assert len(ana.recall("storm")) == 1
        again.forget(everything=True, purge=True)
        for number in range(4):
            again.observe("user", f"storm {number}")

        assert {hit.text for hit in ana.recall("storm")} == {f"storm {number}" for number in range(4)}


def test_what_one_user_read_is_shown_to_no_other(nacre):
    for user in ("ana", "ben"):
        nacre.scope("x", user=user).observe("user", f"the storm of {user}")
    for user in ("ana", "ben", "ana"):
        assert [hit.text for hit in nacre.scope("x", user=user).recall("storm")] == [f"the storm of {user}"]


def test_the_least_recently_used_index_is_dropped_when_memory_is_short(sqlite_url):
    with Nacre(sqlite_url) as nacre:
        for user in "abc":
            nacre.scope("x", user=user).observe_many(Turn(role="user", text=f"storm {n}") for n in range(50))
        small = Indexes(limit_bytes=1)
        for user in "abcab":
            with nacre.parts.database.read(Scope(agent="x", user=user)) as tx:
                assert len(small.view(tx, None)) == 50
        assert list(small._held) == [Scope(agent="x", user="b").id]


def test_a_database_that_went_back_in_time_is_read_anew(sqlite_url, tmp_path):
    """A file restored from a backup under a running process has a lower revision than the index."""
    from nacre.store.tables import schema

    with Nacre(sqlite_url) as nacre:
        scope = nacre.scope("x")
        scope.observe("user", "first storm")
        scope.observe("user", "second storm")
        assert len(scope.recall("storm")) == 2
        with nacre.parts.database.write(scope.scope) as tx:
            mine = {"scope_id": tx.scope_id}
            for table in (schema.vectors, schema.passages):
                tx.execute(table.delete().where(table.c.scope_id == mine["scope_id"], table.c.seq == 2))
            tx.execute(schema.scopes.update().where(schema.scopes.c.scope_id == mine["scope_id"]).values(revision=1))
        assert len(scope.recall("storm")) == 1


@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_scores_do_not_depend_on_how_the_passages_arrived(tmp_path, count):
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    said = [
        Turn(
            role="user",
            text=f"storm {n % 5} over harbour {n % 3}",
            session=str(n % 4),
            at=noon + timedelta(minutes=n),
        )
        for n in range(50)
    ]
    with Nacre(tmp_path / "one.db") as one, Nacre(tmp_path / "many.db") as many:
        one.scope("a").observe_many(said)
        for start in range(0, 50, count):
            many.scope("a").observe_many(said[start : start + count])
            many.scope("a").recall("storm")
        for question in ("storm harbour", "harbour 2", "storm 4 over"):
            expected = [(hit.text, hit.score) for hit in one.scope("a").recall(question, limit=50)]
            assert [(hit.text, hit.score) for hit in many.scope("a").recall(question, limit=50)] == expected
