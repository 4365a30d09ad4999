"""A new value is judged against the values that share a key with it, and comes to the same as against all."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import Table, delete, select

from nacre import ScopedNacre
from nacre.domain.claim_operations import RecordClaim
from nacre.domain.claims import Cardinality, Claim
from nacre.domain.links import DISLIKES, PREFERS
from nacre.domain.operation_results import OperationResult
from nacre.domain.operations import MergeEntities, RenameEntity
from nacre.domain.recording_operations import RecordLink
from nacre.graph.beliefs import peers, value_keys, values
from nacre.graph.beliefs.supersession import Action, ValueVerdict, judge
from nacre.store.tables import schema
from tests import examples
from tests.conftest import MovableClock
from tests.graph.test_supersession import LATER, START, claim, slot


def words(block: str) -> list[str]:
    return block.split()


WORDS = words("""
    tea teas coffee coffees car cars city cities box boxes knife knives child children person people mouse mice
    lápiz lapices class classes Williams William news React Native Postgres Redis C C++ Java the a los la an
    not no never doesn't does smoke smokes smoking use uses on in with called 3 5 three 16 1,000 1000
    3.5 March Saturdays $20 % yes sí true off 是 否 茶 咖啡 不 喝茶 不喝茶 お茶 ラーメン 없음 커피 Zürich ñandú nandu
    favourite colour is blue green launch May nothing none any more longer ya
""")
SIGNS = (" ", " ", " ", " ", ", ", " (", "; ", ": ", "-", "/", "'", "", ". ", " and ", " — ")


@st.composite
def texts(draw: st.DrawFn, most: int = 5) -> str:
    """Few words in many orders, so that values often have some in common."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=most))
    signs = draw(st.lists(st.sampled_from(SIGNS), min_size=len(words), max_size=len(words)))
    text = "".join(
        f"{sign if place else ''}{word}" for place, (sign, word) in enumerate(zip(signs, words, strict=True))
    )
    return draw(
        st.sampled_from((text, text.capitalize(), text.upper(), f"the {text}", f"likes {text}", f"no longer {text}"))
    )


LEADS = (
    "I like {}.", "I don't like {} any more.", "Not {}, but {}.", "It is {}, not {}.", "{} isn't right, it is {}.",
    "We switched from {} to {}.", "Actually {}.", "I used to like {}.", "Also {}.", "{} instead of {}",
    "I left {} for {}.", "我喜欢{}，不是{}。", "{}不是{}", "{} this week.", "{}", "x'no {} and {}", "3不是{}5 {}",
    "no es {} sino {}",
)  # fmt: skip


@st.composite
def sentences(draw: st.DrawFn, value: str, others: list[str]) -> str:
    lead = draw(st.sampled_from(LEADS))
    filled = [draw(st.sampled_from([value, *others])) for _ in range(lead.count("{}"))]
    return lead.format(*filled)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[str], str, str | None]:
    held = draw(st.lists(texts(), min_size=3, max_size=12))
    value = draw(texts() | st.sampled_from(held))
    return held, value, draw(st.none() | sentences(value, held))


def narrowed(held: list[Claim], value: str, said: str | None) -> list[Claim]:
    """What a slot of many values would be read for: those with a key in common, and two that are there."""
    wanted = value_keys.judged_keys(value, said)
    if wanted is None:
        return held
    return [each for place, each in enumerate(held) if place < 2 or wanted & value_keys.held_keys(each.value)]


def outcome(verdict: ValueVerdict) -> ValueVerdict:
    # Nobody looks at what a review in a slot of several values is about: it may be any.
    return replace(verdict, over=()) if verdict.action is Action.REVIEW else verdict


@pytest.mark.slow
@examples.cheap()
@given(cases(), st.sampled_from([("uses", Cardinality.MULTI), ("thing", None), (None, None)]), st.data())
@example((["酒", "喝茶", "茶 3"], "茶", "喝茶不是酒"), ("uses", Cardinality.MULTI), None)
@example((["tea", "x", "35"], "coffee", "3不是tea5 35, not x"), ("uses", Cardinality.MULTI), None)
def test_the_narrowed_judgement_is_that_over_all(case, place, data):
    texts_held, value, said = case
    key, cardinality = place
    since = [START + timedelta(days=data.draw(st.integers(0, 40)) if data else at) for at, _ in enumerate(texts_held)]
    held = [claim(text, key, since=at) for text, at in zip(texts_held, since, strict=True)]
    over_all = judge(slot(key), cardinality, held, value, at=LATER, said=said)
    over_few = judge(slot(key), cardinality, narrowed(held, value, said), value, at=LATER, said=said)
    if key is None and (over_few.action is Action.REVIEW or over_few.until):
        # Such a verdict names the last of all statements, so all are read then.
        return
    assert outcome(over_few) == outcome(over_all)


@examples.cheap()
@given(texts(), texts())
def test_values_that_say_the_same_share_a_key(one, other):
    wanted = value_keys.same_keys(one)
    if wanted is not None and values.same(one, other):
        assert wanted & value_keys.held_keys(other)


@examples.cheap()
@given(st.text("aeiosyzclmnpr", min_size=1, max_size=6), st.sampled_from(["s", "es", "ies", "ces"]))
def test_a_word_and_its_plural_have_one_root(one, ending):
    many = one[:-1] + ending if len(ending) == 3 else one + ending
    if values.same(one, many):
        assert value_keys.root(one) == value_keys.root(many)


def test_irregular_plurals_have_the_root_of_their_singular():
    assert all(value_keys.root(one) == value_keys.root(many) for one, many in values.IRREGULAR.items())


def like(value: str, **more: Any) -> RecordLink:
    return RecordLink(source="Ana", predicate=more.pop("predicate", PREFERS), value=value, **more)


def likes_thing(name: str, **more: Any) -> RecordLink:
    return RecordLink(source="Ana", predicate=more.pop("predicate", PREFERS), target=name, **more)


def observation(value: str, **more: Any) -> RecordClaim:
    return RecordClaim(entity="Ana", aspect="notes", claim=more.pop("claim", "uses"), value=value, **more)


def live(scope: ScopedNacre, clock: MovableClock) -> None:
    """A life with many values in one slot, most of which have to do with others of it."""

    def do(*orders: Any) -> list[OperationResult]:
        clock.advance(minutes=1)
        return scope.ontology.apply(orders)

    for place in range(16):
        do(likes_thing(f"Novel {place}"), like(f"tea from shop {place}"), observation(f"Tool{place}"))
    do(likes_thing("Chess Club"), like("tennis"), like("3 cats"), observation("Postgres"), observation("smokes"))
    do(like("tennis on Saturdays"), like("5 cats"), observation("Postgres 16"), observation("doesn't smoke"))
    do(like("Tennis, on saturdays"), likes_thing("Novel 3", predicate=DISLIKES), likes_thing("Go Club"))
    do(RenameEntity(entity="Go Club", new_name="Shogi Society"))
    do(likes_thing("Shogi Society", predicate=DISLIKES))
    taken_back = do(likes_thing("Novel 5", retracted=True))[0].audit
    assert taken_back
    do(likes_thing("Novel 7", said="Not Novel 7."), like("ramen", said="I like ramen, not tea from shop 4."))
    do(likes_thing("Opera", instead_of=entity_named(scope, "Novel 9")))
    scope.ontology.undo(taken_back)
    do(likes_thing("Novel 5", said="I still like Novel 5."), MergeEntities(target="Chess Club", source="Novel 11"))
    do(likes_thing("Chess Club", retracted=True), observation("nothing"), observation("Redis", retracted=True))
    for place in range(16):
        do(observation(f"the door {place} is green", claim=None), observation(f"Rule {place}", kind="constraint"))
    do(observation("the door 3 is blue", claim=None), observation("the door is away this week", claim=None))
    do(observation("no Rule 3"), observation("rule 5", kind="constraint"))


def entity_named(scope: ScopedNacre, name: str) -> UUID:
    return UUID(str(next(each.id for each in rows(scope, schema.entities) if each.name == name)))


def rows(scope: ScopedNacre, table: Table) -> list[Any]:
    with scope._parts.database.read(scope.scope) as tx:
        return list(tx.execute(select(table).where(table.c.scope_id == tx.scope_id)))


def memory_of(scope: ScopedNacre) -> list[tuple[object, ...]]:
    names = {row.id: row.name for row in rows(scope, schema.entities)}
    said = [
        (row.value, row.status, row.kind, row.version, row.decision, row.valid_from, row.valid_to)
        for row in rows(scope, schema.attributes)
    ]
    held = [
        (row.predicate, names.get(row.target_entity), row.value, row.status, row.valid_from, row.valid_to)
        for row in rows(scope, schema.links)
    ]
    return sorted(said, key=repr) + sorted(held, key=repr)


def test_a_life_leaves_the_same_whether_slots_are_read_whole_or_by_keys(nacre, clock, monkeypatch):
    begun = clock.now
    left = []
    for few in (10**6, 1):
        monkeypatch.setattr(peers, "FEW", few)
        clock.now = begun
        scope = nacre.scope(f"agent {few}")
        live(scope, clock)
        left.append(memory_of(scope))
    assert left[0] == left[1]


def test_removing_a_value_for_good_removes_its_keys(scope, monkeypatch):
    monkeypatch.setattr(peers, "FEW", 1)
    for place in range(4):
        scope.ontology.apply([like(f"tea {place}"), observation(f"Tool{place}")])
    assert rows(scope, schema.value_keys)
    with scope._parts.database.write(scope.scope) as tx:
        for table in (schema.links, schema.attributes):
            tx.execute(delete(table).where(table.c.scope_id == tx.scope_id))
    assert rows(scope, schema.value_keys) == rows(scope, schema.unkeyed_values) == []
