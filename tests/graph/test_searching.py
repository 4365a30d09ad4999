"""Search and listing of entities, on both databases."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from nacre import Invalid, Nacre, Scope
from nacre.graph.reading import searching
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import entities
from tests.cases import in_turn
from tests.graph.rows import add_entity

SCOPE = Scope(agent="assistant", user="ana")


@pytest.fixture
def tx(nacre: Nacre) -> Iterator[Transaction]:
    """A transaction in one scope."""
    with nacre.parts.database.write(SCOPE) as tx:
        yield tx


def found(tx: Transaction, query: str, **options) -> list[str]:
    """The names of what a search finds, in its order."""
    return [entity.name for entity in searching.search(tx, query, **options)]


@pytest.fixture
def people(tx: Transaction) -> Transaction:
    """A small catalogue."""
    add_entity(tx, "John Smith", description="Leads the platform team")
    add_entity(tx, "Johanna Berg", description="Works on billing")
    add_entity(tx, "Project Alpha", kind="project", description="The platform rewrite, led by John Smith")
    add_entity(tx, "C++", kind="technology", also=["cpp"])
    add_entity(tx, "Old John", status="archived")
    return tx


@pytest.mark.spec("G3")
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("joh", {"John Smith", "Johanna Berg", "Project Alpha"}),
        ("JOHN", {"John Smith", "Project Alpha"}),
        ("project al", {"Project Alpha"}),
        ("al project", {"Project Alpha"}),
        ("smith platform", {"John Smith", "Project Alpha"}),
        ("john billing", set()),
        ("ohn", set()),
        ("rewrite", {"Project Alpha"}),
    ],
)
def test_all_words_must_begin_words_of_the_name_or_the_description(people, query, names):
    assert set(found(people, query)) == names


@pytest.mark.spec("G3")
def test_a_hit_in_the_name_comes_before_one_in_the_description(people):
    assert found(people, "john smith") == ["John Smith", "Project Alpha"]
    assert found(people, "smit") == ["John Smith", "Project Alpha"]


def test_who_goes_by_the_query_comes_first_whatever_the_text_says(people):
    add_entity(people, "C", kind="technology", description="c c++ c c++ c")

    assert found(people, "c++")[0] == "C++"
    assert found(people, "CPP") == ["C++"]


@pytest.mark.spec("G3")
def test_the_type_is_part_of_the_question(people):
    assert found(people, "john", type="project", limit=1) == ["Project Alpha"]
    assert found(people, "john", type="people") == ["John Smith"]
    with pytest.raises(Invalid):
        found(people, "john", type="spaceship")


def test_pages_follow_each_other_without_gaps(tx):
    for number in range(7):
        add_entity(tx, f"Server {number}", kind="system")

    pages = [found(tx, "serv", limit=3, offset=offset) for offset in (0, 3, 6, 9)]

    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert len({name for page in pages for name in page}) == 7


@pytest.mark.spec("G3")
def test_other_scopes_are_not_searched(people):
    other = replace(people, scope=Scope(agent="assistant", user="bob"))

    assert found(other, "john") == []
    assert found(other, people.scope_id.hex) == []
    assert searching.newest(other) == []


def test_the_scope_itself_is_not_text(people):
    assert found(people, people.scope_id.hex) == []


@in_turn(
    "query",
    [
        "",
        "  ",
        "!!!",
        '"',
        "'",
        "\\",
        "john OR",
        "NEAR(",
        "name:john",
        "*",
        "a:* & b",
        "' | 'x",
        "^john",
        "{",
        "\x00",
        "\ud800",
    ],
)
def test_signs_and_operators_of_the_databases_mean_nothing(people, query):
    assert "Old John" not in found(people, query)


def test_punctuation_beside_words_does_not_matter(people):
    assert found(people, '"John", (Smith)! AND') == []
    assert found(people, '"John", (Smith)!')[0] == "John Smith"
    assert found(people, "j'ohn") == []


@pytest.mark.parametrize(
    ("name", "query"),
    [("王小明", "王小"), ("Ольга Иванова", "ольг ив"), ("node.js", "node.j"), ("O'Brien", "o'brien"), ("🚀", "🚀")],
)
def test_other_scripts_and_signs_are_found(tx, name, query):
    add_entity(tx, name, slug="x")

    assert found(tx, query) == [name]


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("José Núñez", "jose nun"),
        ("Jose", "JOSÉ"),
        ("Jose\u0301", "jos\u00e9"),
        ("Søren Łukasz", "soren lukasz"),
        ("Soren", "Søren"),
        ("Æther", "aether"),
        ("Αθήνα", "αθηνα"),
        ("Nguyễn", "nguyen"),
        ("Семён", "семен"),
    ],
)
def test_accents_do_not_matter_to_either_side(tx, name, query):
    add_entity(tx, "Nobody", description=f"Like {name}?")
    add_entity(tx, name, slug="x")

    assert found(tx, query) == [name, "Nobody"]


def test_letters_of_other_scripts_are_not_taken_for_others(tx):
    add_entity(tx, "Йод", slug="x")

    assert found(tx, "иод") == []
    assert found(tx, "йод") == ["Йод"]


def test_a_word_is_cut_at_every_sign_and_its_parts_stand_together(tx):
    for number, name in enumerate(["node.js", "save_js", "a/js-b"]):
        add_entity(tx, name, slug=f"x{number}")
    add_entity(tx, "Mail", description="ana@example.org, v1.2, 1.2.3")
    expected: dict[str, set[str]] = {
        "js": {"node.js", "save_js", "a/js-b"},
        "node.js": {"node.js"},
        "js.node": set(),
        "save": {"save_js"},
        "nod": {"node.js"},
        "no.js": set(),
        "“js”": {"node.js", "save_js", "a/js-b"},
        "example.org": {"Mail"},
        "ana": {"Mail"},
        "1.2": {"Mail"},
        "b+js": set(),
    }

    assert {query: set(found(tx, query)) for query in expected} == expected


def test_huge_queries_are_bounded(people):
    assert found(people, "x" * 100_000) == []
    assert found(people, "john " * 10_000)[0] == "John Smith"


@pytest.mark.parametrize("options", [{"limit": 0}, {"limit": 1_001}, {"offset": -1}, {"offset": True}, {"limit": "3"}])
def test_pages_must_be_possible(tx, options):
    with pytest.raises(Invalid):
        found(tx, "john", **options)


@given(st.text(max_size=60))
def test_no_query_is_too_strange(tx, text):
    assert searching.search(tx, text) == []


def test_a_changed_description_is_searched_as_it_is_now(tx):
    key = add_entity(tx, "Ana", description="likes tea")
    it = (entities.c.scope_id == tx.scope_id, entities.c.id == key)
    tx.execute(update(entities).where(*it).values(description="coffee"))

    assert found(tx, "tea") == []
    assert found(tx, "coff") == ["Ana"]


@pytest.mark.spec("G3")
def test_postgresql_answers_from_its_stored_index(postgres_url):
    with Nacre(postgres_url) as nacre, nacre.parts.database.read(Scope(agent="a")) as tx:
        found = tx.connection.exec_driver_sql("SELECT indexdef FROM pg_indexes WHERE indexname = 'entities_tsv'")
        assert any("USING gin (tsv)" in row for row in found.scalars())


def test_the_newest_are_listed_first_and_archived_ones_not_at_all(tx):
    for age, name in enumerate(["Ana", "Bob", "Cleo"]):
        moment = tx.now - timedelta(days=age)
        add_entity(tx, name, created_at=moment, updated_at=moment)
    long_ago = tx.now - timedelta(days=9)
    add_entity(tx, "Alpha", kind="project", created_at=long_ago, updated_at=long_ago)
    add_entity(tx, "Gone", status="archived")

    assert [entity.name for entity in searching.newest(tx)] == ["Ana", "Bob", "Cleo", "Alpha"]
    assert [entity.name for entity in searching.newest(tx, limit=2, offset=1)] == ["Bob", "Cleo"]
    assert [entity.name for entity in searching.newest(tx, type="project")] == ["Alpha"]
