"""Finding duplicates, on both databases."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Scope
from nacre.domain import ids
from nacre.domain.entities import EntityType
from nacre.domain.ids import EntityId
from nacre.graph.identity import resolution
from nacre.graph.identity.resolution import ComparedPair, decide, judge
from nacre.models.embedders import Vectors
from nacre.models.static_embedder import StaticEmbedder
from nacre.store.base.databases import Database, Transaction
from nacre.store.graph.candidates import ComparableEntity
from nacre.text import names
from tests.graph.rows import add_entity

SCOPE = Scope(agent="assistant", user="ana")
OTHER = Scope(agent="assistant", user="bob")
LOCAL = StaticEmbedder()

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


class Remote:
    """An embedder that must not be asked."""

    local = False
    threshold = 0.5

    def embed(self, texts: Any) -> Vectors:
        raise AssertionError("a remote embedder was asked")

    embed_question = embed

    def close(self) -> None:
        pass


def put(tx: Transaction, name: str, **columns: Any) -> UUID:
    return add_entity(tx, name, slug=f"slug-{next(_slugs)}", **columns)


def named(name: str, *also: str, kind: EntityType = EntityType.PERSON) -> ComparableEntity:
    keyed = tuple(sorted((names.match_key(each), each) for each in (name, *also)))
    return ComparableEntity(id=EntityId(ids.new(datetime.now(UTC))), name=name, type=kind, keyed=keyed)


def verdict(a: ComparableEntity, b: ComparableEntity, cosine: float | None = None, **options: Any) -> str:
    return judge(a, b, cosine, **options).verdict


def found(pairs: list[ComparedPair]) -> dict[frozenset[UUID], str]:
    return {frozenset((pair.a, pair.b)): pair.verdict for pair in pairs}


# What two signals say


@pytest.mark.parametrize(
    ("cosine", "name", "expected"),
    [
        (0.98, 0.85, "merge"),
        (1.0, 1.0, "merge"),
        (0.98, 0.8499, "flag"),
        (0.9799, 0.92, "flag"),
        (0.90, 0.0, "flag"),
        (0.8999, 0.9299, "apart"),
        (0.2, 0.93, "flag"),
        (None, 0.93, "flag"),
        (None, 0.9299, "apart"),
        (None, 1.0, "flag"),
    ],
)
def test_the_table_of_verdicts(cosine, name, expected):
    assert decide(cosine, name) == expected


def test_a_shared_name_merges_only_where_no_embedder_speaks():
    assert decide(None, 1.0, shared=True) == "merge"
    assert decide(0.5, 1.0, shared=True) == "flag"


# What the entities themselves say


@pytest.mark.parametrize("cosine", [None, 0.99])
def test_types_are_never_crossed_unless_one_is_unknown(cosine):
    person, place = named("Jordan"), named("Jordan", kind=EntityType.PLACE)

    assert verdict(person, place, cosine) == "apart"
    assert verdict(person, named("Jordan", kind=EntityType.UNKNOWN), cosine) == "merge"


@pytest.mark.parametrize(("a", "b"), [("Ana Silva", "Ana Silvo"), ("Alice", "Alicia"), ("Dr. Ana Silva", "Ana Souza")])
def test_persons_with_different_surnames_are_never_merged_unasked(a, b):
    assert verdict(named(a), named(b), 0.99) == "flag"


def test_a_maiden_name_among_the_aliases_is_for_a_person_to_decide():
    assert verdict(named("Monica Geller", "Monica Bing"), named("Monica Bing")) == "flag"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Phase 1", "Phase 2"),
        ("Plan A", "Plan B"),
        ("Olympics 2020", "Olympics 2024"),
        ("release 1.0.0", "release 1.1.0"),
        ("Sala 11-12", "Sala 11-11"),
    ],
)
@pytest.mark.parametrize("cosine", [None, 1.0])
def test_names_that_differ_in_a_number_or_letter_are_apart(a, b, cosine):
    kind = EntityType.PROJECT

    assert verdict(named(a, kind=kind), named(b, kind=kind), cosine) == "apart"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Section 1.2.1", "Section 1.1.2"),
        ("192.168.0.1", "192.168.1.0"),
        ("tren de Lisboa a Oporto", "tren de Oporto a Lisboa"),
        ("Chelsea against Arsenal", "Arsenal against Chelsea"),
    ],
)
def test_things_whose_names_say_the_same_in_another_order_are_for_a_person_to_decide(a, b):
    kind = EntityType.PROJECT

    assert verdict(named(a, kind=kind), named(b, kind=kind), 1.0) == "flag"


def test_mr_and_mrs_are_two_people():
    assert verdict(named("Mr. Geller"), named("Mrs. Geller"), 0.99) == "apart"


def test_a_number_in_one_name_alone_is_for_a_person_to_decide():
    kind = EntityType.PRODUCT

    assert verdict(named("Windows", kind=kind), named("Windows 10", kind=kind), 0.99) == "flag"


def test_what_anyone_may_be_called_names_no_one():
    assert verdict(named("Honey"), named("honey")) == "flag"


def test_an_own_name_among_the_aliases_of_another_merges_when_nothing_else_goes_by_it():
    full, short = named("John Doe", "Johnny"), named("Johnny")

    assert verdict(full, short) == "merge"
    assert verdict(full, short, unique=False) == "flag"


def test_an_alias_that_two_share_is_flagged():
    assert verdict(named("John Doe", "Johnny"), named("John Smith", "Johnny")) == "flag"


def test_a_short_name_is_no_reason_to_merge():
    kind = EntityType.TOOL

    assert verdict(named("Go", kind=kind), named("go", kind=kind)) == "flag"


persons = st.sampled_from(["Ana", "Ana Silva", "A. Silva", "Silva, Ana", "Mr. Silva", "日本 太郎", "Plan 1", "?"])
kinds = st.sampled_from([EntityType.PERSON, EntityType.UNKNOWN, EntityType.PROJECT])
entities = st.builds(
    lambda name, also, kind: named(name, *also, kind=kind), persons, st.sets(persons, max_size=2), kinds
)


@given(entities, entities, st.none() | st.sampled_from([0.0, 0.9, 0.98, 1.0]), st.booleans())
def test_the_order_of_two_entities_does_not_matter(a, b, cosine, unique):
    assert judge(a, b, cosine, unique=unique) == judge(b, a, cosine, unique=unique)


# Finding them


@pytest.mark.parametrize("embedder", [None, Remote()])
def test_names_decide_without_a_local_embedder(tx, embedder):
    a, b = put(tx, "PostgreSQL", kind="tool", also=["Postgres"]), put(tx, "postgres", kind="tool")
    c, d = put(tx, "Jon Smith"), put(tx, "John Smith")
    put(tx, "Redis", kind="tool")

    pairs = resolution.scan(tx, embedder)

    assert found(pairs) == {frozenset((a, b)): "merge", frozenset((c, d)): "flag"}
    assert all(pair.cosine is None and pair.a < pair.b for pair in pairs)


def test_the_same_words_about_one_name_merge(tx):
    text = "The main database of the billing system in Lisbon."
    a = put(tx, "Billing store", kind="system", description=text)
    b = put(tx, "Billing Store", kind="system", description=text)

    assert found(resolution.scan(tx, LOCAL)) == {frozenset((a, b)): "merge"}
    assert found(resolution.candidates(tx, [b], LOCAL)) == {frozenset((a, b)): "merge"}


def test_names_decide_where_the_embedder_understands_nothing(tx):
    a, b = put(tx, "🦊🦊🦊", kind="project"), put(tx, "🦊🦊🦊", kind="project")

    (pair,) = resolution.scan(tx, LOCAL)

    assert (pair.cosine, pair.verdict) == (None, "merge")
    assert {pair.a, pair.b} == {a, b}


def test_one_name_with_two_stories_is_flagged(tx):
    a = put(tx, "Maria", description="A dentist in Porto who keeps bees.")
    b = put(tx, "Maria", description="The quarterly invoice reviewer at Northwind.")

    assert found(resolution.scan(tx, LOCAL)) == {frozenset((a, b)): "flag"}


def test_a_scan_finds_what_only_the_vectors_show(tx):
    text = "The old quayside depot at the harbour, a warehouse that ships northern timber and salted fish to Bergen."
    a = put(tx, "Quayside", kind="place", description=text)
    b = put(tx, "Old depot", kind="place", description=text)
    put(tx, "Library", kind="place", description="quiet rooms full of novels")

    assert found(resolution.scan(tx, LOCAL)) == {frozenset((a, b)): "flag"}
    assert resolution.scan(tx, None) == []


def test_archived_entities_and_other_scopes_are_left_out(database):
    with database.write(OTHER) as theirs:
        put(theirs, "Ana Silva")
    with database.write(SCOPE) as tx:
        mine = put(tx, "Ana Silva")
        put(tx, "Ana Silva", status="archived")

        assert resolution.scan(tx, LOCAL) == []
        assert resolution.candidates(tx, [mine], LOCAL) == []


def test_an_empty_scope_and_unknown_ids_give_nothing(tx):
    assert resolution.scan(tx, LOCAL) == []
    assert resolution.candidates(tx, [], LOCAL) == []
    assert resolution.candidates(tx, [uuid4()], LOCAL) == []


def test_many_of_one_name_meet_without_meeting_all(tx):
    several = [put(tx, "Ana Silva") for _ in range(60)]

    pairs = resolution.scan(tx, None, limit=10_000)

    assert {key for pair in pairs for key in (pair.a, pair.b)} == set(several)
    assert len(pairs) < 60 * 10


def test_the_limit_keeps_the_most_alike(tx):
    put(tx, "Jon Smith"), put(tx, "John Smith")
    a, b = put(tx, "Lena Park"), put(tx, "LENA PARK")

    assert found(resolution.scan(tx, None, limit=1)) == {frozenset((a, b)): "merge"}


def test_a_threshold_may_be_raised(tx):
    put(tx, "Jon Smith"), put(tx, "John Smith")

    assert resolution.scan(tx, None, threshold=0.99) == []


sets = st.lists(
    st.tuples(
        st.sampled_from(
            ["Ana Silva", "A. Silva", "Anna Silva", "Silva Ana", "ana", "東京大学", "東京大學", "Plan 1", "Plan 2"]
        ),
        st.sampled_from(["person", "unknown", "project"]),
        st.sampled_from([None, "A dentist.", "A dentist in Porto."]),
    ),
    max_size=8,
)


@pytest.mark.parametrize("embedder", [None, LOCAL])
@given(rows=sets)
def test_a_scan_can_be_repeated_and_agrees_with_each_entity_alone(database, embedder, rows):
    with database.write(Scope(agent=f"agent {next(_slugs)}")) as tx:
        keys = [put(tx, name, kind=kind, description=text) for name, kind, text in rows]

        pairs = resolution.scan(tx, embedder)
        alone = [found(resolution.candidates(tx, [key], embedder)) for key in keys]

        assert pairs == resolution.scan(tx, embedder)
        assert len({(pair.a, pair.b) for pair in pairs}) == len(pairs)
        by_names = {pair for each in alone for pair in each}
        assert by_names <= set(found(pairs))
        for key, each in zip(keys, alone, strict=True):
            assert set(each) == {pair for pair in by_names if key in pair}


def test_vectors_that_point_the_same_way_meet():
    rng = np.random.default_rng(1)
    base = rng.standard_normal((200, 64)).astype(np.float32)
    near = base + 0.1 * rng.standard_normal((200, 64)).astype(np.float32)
    vectors = np.concatenate([base, near, np.zeros((3, 64), dtype=np.float32)])

    met = {(a, b) for block in resolution._directions(vectors) for a in block for b in block}

    assert all((at, at + 200) in met for at in range(200))
    assert all(max(pair) < 400 for pair in met)
