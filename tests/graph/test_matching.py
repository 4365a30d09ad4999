"""Which entities a message names, on both databases."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, event

from nacre import Nacre, Scope
from nacre.graph.identity import matching
from nacre.store.base.databases import Transaction
from tests.graph.rows import add_entity

SCOPE = Scope(agent="assistant", user="ana")


@pytest.fixture
def tx(nacre: Nacre) -> Iterator[Transaction]:
    """A transaction in one scope."""
    with nacre.parts.database.write(SCOPE) as tx:
        yield tx


def named(tx: Transaction, text: str) -> list[str]:
    """The names that are found in a text, in its order."""
    return [found.name for found in matching.find(tx, text)]


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    "message",
    ["Ask Alice.", "ALICE!", "alice's desk", "(Alice)", "is it alice", "Alice/Bob", "“Alice”", "Alice\u2019s"],
)
def test_a_name_is_found_as_a_whole_word_in_any_case(tx, message):
    add_entity(tx, "Alice")

    assert named(tx, message) == ["Alice"]


@pytest.mark.spec("R2")
@pytest.mark.parametrize("message", ["Malice", "Alices", "al ice", "Alice1", "Alic", "", "   ", "!?", "\x00\ud800"])
def test_a_name_is_not_found_inside_another_word(tx, message):
    add_entity(tx, "Alice")

    assert named(tx, message) == []


@pytest.mark.spec("R2")
def test_a_phrase_is_found_whole_and_an_alias_like_a_name(tx):
    devops = add_entity(tx, "Azure DevOps", kind="tool", also=["AzDO"])

    assert named(tx, "deploy via azure devops pipeline") == ["Azure DevOps"]
    assert named(tx, "azure and devops") == []
    found = matching.find(tx, "we moved to AZDO last week")
    assert [(each.entity_id, each.name, each.start, each.words) for each in found] == [(devops, "AzDO", 3, 1)]


@pytest.mark.spec("R2")
def test_names_of_one_or_two_characters_never_match_but_signed_ones_of_three_do(tx):
    for name in ("C++", ".NET", "C#", "Go", "R", "ดี", "はな", "Jo's", "Rust"):
        add_entity(tx, name, kind="technology")

    assert named(tx, "C#, Go, R, jo, ดี, はな and rust, c++ or asp.net, then .NET") == ["Rust", "C++", ".NET"]
    assert named(tx, "c and net") == []


def test_the_longest_name_wins_over_the_names_inside_it(tx):
    for name in ("Azure", "Azure DevOps", "DevOps"):
        add_entity(tx, name, kind="tool")

    assert named(tx, "Azure DevOps is up") == ["Azure DevOps"]
    assert named(tx, "Azure DevOps runs on Azure") == ["Azure DevOps", "Azure"]


def test_names_that_overlap_are_all_found(tx):
    for name in ("New York", "York Times"):
        add_entity(tx, name, kind="place")

    assert named(tx, "the New York Times") == ["New York", "York Times"]


def test_an_entity_is_found_once_and_a_shared_name_finds_all_who_bear_it(tx):
    rare = add_entity(tx, "Alex", slug="alex-1", mentions=1)
    frequent = add_entity(tx, "alex", slug="alex-2", mentions=9, also=["Sasha"])

    found = matching.find(tx, "Alex, Sasha and Alex")

    assert [each.entity_id for each in found] == [frequent, rare]


@pytest.mark.spec("R2")
def test_archived_entities_and_those_of_others_are_never_found(tx):
    add_entity(tx, "Alice", status="archived")
    add_entity(replace(tx, scope=Scope(agent="assistant", user="bob")), "Zelda")

    assert named(tx, "Alice and Zelda") == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("王小明", "我昨天见了王小明，他很好"),
        ("王明", "我昨天见了王明，他很好"),
        ("민수", "어제 민수를 만났다"),
        ("リサ", "昨日リサと話した"),
        ("中华人民共和国国家统计局", "据中华人民共和国国家统计局公布"),
        ("東京タワー", "東京タワーへ行く"),
        ("Ольга", "Спроси ОЛЬГА сейчас"),
        ("Straße", "die STRASSE entlang"),
        ("Ａｌｉｃｅ", "alice"),
    ],
)
def test_names_are_found_in_other_scripts(tx, name, message):
    add_entity(tx, name, slug="x")

    assert named(tx, message) == [name]


def test_one_character_of_an_unspaced_script_names_nobody(tx):
    add_entity(tx, "王", slug="x")

    assert named(tx, "王 王明 王") == []


def test_a_longer_unspaced_name_wins_over_one_inside_it(tx):
    add_entity(tx, "王明", slug="short")
    add_entity(tx, "王明月", slug="long")

    assert named(tx, "昨天见了王明月") == ["王明月"]


def test_a_name_of_eight_words_is_found(tx):
    name = "The Royal Society for the Protection of Birds"
    add_entity(tx, name)

    assert named(tx, f"I gave to {name.lower()} in May") == [name]


def test_only_the_first_two_thousand_words_count(tx):
    add_entity(tx, "Alice")

    assert named(tx, "word " * 1_999 + "Alice") == ["Alice"]
    assert named(tx, "word " * 2_000 + "Alice") == []
    assert named(tx, "x" * 1_000_000 + " Alice") == []


@pytest.mark.spec("R2")
def test_the_work_follows_the_message_and_not_the_catalogue(tx):
    """However many names there are, the same statements with the same keys are sent, each answered by an index."""
    message = "Ask Alice whether the release of Azure DevOps is done"
    add_entity(tx, "Alice")
    few = statements(tx, message)
    for number in range(300):
        add_entity(tx, f"Person {number}")

    assert statements(tx, message) == few
    assert len(few) == 1
    if tx.connection.dialect.name == "sqlite":
        statement, parameters = few[0]
        rows = tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        plan = " ".join(str(row[3]) for row in rows)
        assert "SCAN" not in plan
        assert "key=?" in plan


def statements(tx: Transaction, message: str) -> list[tuple[str, tuple[object, ...]]]:
    """What is sent to the database to match a message."""
    sent: list[tuple[str, tuple[object, ...]]] = []

    def note(connection, _cursor, statement, parameters, *_rest):
        # Other threads may be at work in the background.
        if connection is tx.connection:
            sent.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        matching.find(tx, message)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return sent


@given(st.text(max_size=200))
def test_no_message_is_too_strange(tx, text):
    assert named(tx, text) == []
