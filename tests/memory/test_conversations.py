"""Conversations: the last turns of a session, and a log that no failure can lose."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid, Nacre, Turn
from nacre.brain.conversations import Conversations
from nacre.memory.conversations import consume_in
from tests import examples


@pytest.fixture
def conversations(nacre, scope) -> Conversations:
    return Conversations(nacre.parts, scope.scope)


def say(scope, session: str | None, *texts: str) -> None:
    scope.observe_many(Turn(role="user", text=text, session=session) for text in texts)


def texts(said) -> list[str]:
    return [each.turn.text for each in said]


@pytest.mark.spec("M15")
def test_the_last_twenty_turns_of_a_session_are_replayed_oldest_first(scope, conversations):
    say(scope, "s1", *(f"one {number}" for number in range(30)))
    say(scope, "s2", "two")
    say(scope, None, "three")

    assert texts(conversations.last("s1")) == [f"one {number}" for number in range(10, 30)]
    assert texts(conversations.last("s1", limit=2)) == ["one 28", "one 29"]
    assert texts(conversations.last("s2")) == ["two"]
    assert conversations.last("never heard of") == []


def test_a_replayed_turn_says_who_said_it_and_when(scope, conversations, clock):
    at = clock.now - timedelta(days=1)
    observed = scope.observe("assistant", "你好", speaker="Nacre", session="s", at=at, ref="m-1")

    said = conversations.last("s")[0]

    assert (said.id, said.at) == (observed.id, at)
    assert said.turn == Turn(role="assistant", text="你好", speaker="Nacre", session="s", at=at, ref="m-1")


@pytest.mark.spec("M15")
def test_a_reader_is_given_every_turn_once_and_in_order(scope, conversations):
    say(scope, "s1", "a", "b")
    scope.remember("Not a turn")
    say(scope, None, "c")

    unread = conversations.unread("dreams")
    assert texts(unread) == ["a", "b", "c"]
    assert conversations.unread("dreams") == unread
    assert conversations.consume("dreams", unread[1].seq) is True
    assert texts(conversations.unread("dreams")) == ["c"]
    assert conversations.consume("dreams", unread[2].seq) is True
    assert conversations.unread("dreams") == []
    say(scope, "s2", "d")
    assert texts(conversations.unread("dreams")) == ["d"]


@pytest.mark.spec("M15")
def test_a_cycle_that_fails_is_given_the_same_turns_again(nacre, scope, conversations):
    """The log of the system this follows was cleared even when the pass over it had failed."""
    say(scope, "s1", "a", "b")
    unread = conversations.unread("dreams")

    def cycle() -> None:
        with nacre.parts.database.write(scope.scope) as tx:
            assert consume_in(tx, "dreams", unread[-1].seq) is True
            raise RuntimeError("the model did not answer")

    with pytest.raises(RuntimeError, match="model"):
        cycle()
    assert conversations.unread("dreams") == unread


@pytest.mark.spec("M15")
def test_consuming_leaves_the_turns_where_they_are(scope, conversations):
    say(scope, "s1", "The whale sings", "b")
    conversations.consume("dreams", conversations.unread("dreams")[-1].seq)

    assert texts(conversations.last("s1")) == ["The whale sings", "b"]
    assert scope.recall("whale")[0].text == "The whale sings"
    assert texts(conversations.unread("another")) == ["The whale sings", "b"]


def test_consuming_twice_or_backwards_is_harmless(scope, conversations):
    say(scope, "s1", "a", "b", "c")
    seqs = [said.seq for said in conversations.unread("dreams")]

    assert conversations.consume("dreams", seqs[1]) is True
    assert conversations.consume("dreams", seqs[1]) is False
    assert conversations.consume("dreams", seqs[0]) is False
    assert texts(conversations.unread("dreams")) == ["c"]


def test_a_reader_cannot_run_ahead_of_what_was_said(scope, conversations):
    """Or it would never be given the turns that come to stand there."""
    for attempt in (1, 2**62):
        with pytest.raises(Invalid) as refused:
            conversations.consume("dreams", attempt)
        assert refused.value.field == "seq"
    say(scope, "s1", "a")
    with pytest.raises(Invalid):
        conversations.consume("dreams", conversations.unread("dreams")[-1].seq + 1)
    assert texts(conversations.unread("dreams")) == ["a"]


def test_a_long_log_is_read_in_pieces(scope, conversations):
    say(scope, "s1", *(f"turn {number}" for number in range(25)))
    read: list[str] = []
    while piece := conversations.unread("dreams", limit=10):
        read += texts(piece)
        conversations.consume("dreams", piece[-1].seq)

    assert read == [f"turn {number}" for number in range(25)]


@examples.costly()
@given(st.lists(st.sampled_from(["say", "read", "fail"]), max_size=30))
def test_whatever_fails_and_whenever_nothing_is_read_twice_or_never(new_sqlite, steps):
    with Nacre(new_sqlite()) as nacre:
        scope = nacre.scope("a")
        conversations = Conversations(nacre.parts, scope.scope)
        said: list[str] = []
        kept: list[str] = []
        for number, step in enumerate([*steps, "read"]):
            if step == "say":
                said.append(f"turn {number}")
                say(scope, None, said[-1])
                continue
            unread = conversations.unread("r")
            if step == "read" and unread:
                kept += texts(unread)
                conversations.consume("r", unread[-1].seq)
        assert kept == said


def test_readers_lose_nothing_that_others_write_meanwhile(nacre, scope, conversations):
    read: list[str] = []

    def drain() -> None:
        if piece := conversations.unread("dreams"):
            read.extend(texts(piece))
            conversations.consume("dreams", piece[-1].seq)

    with ThreadPoolExecutor(4) as pool:
        writing = [pool.submit(say, scope, f"s{writer}", f"{writer}-{n}") for n in range(15) for writer in range(3)]
        while not all(each.done() for each in writing):
            drain()
    drain()

    assert sorted(read) == sorted(f"{writer}-{number}" for writer in range(3) for number in range(15))


def test_sessions_are_listed_by_when_something_was_last_said_in_them(scope, conversations, clock):
    begin = clock.now
    for session, minutes in (("s1", 0), ("s2", 1), ("s1", 2), ("s3", 1)):
        scope.observe("user", "x", session=session, at=begin + timedelta(minutes=minutes))
    scope.observe("user", "of no session")

    listed = conversations.sessions()

    assert [each.session for each in listed] == ["s1", "s3", "s2"]
    assert (listed[0].turns, listed[0].first_at, listed[0].last_at) == (2, begin, begin + timedelta(minutes=2))
    assert [each.session for each in conversations.sessions(limit=1)] == ["s1"]


@pytest.mark.parametrize("purge", [False, True])
def test_what_was_forgotten_is_neither_replayed_nor_read_nor_listed(scope, conversations, clock, purge):
    say(scope, "s1", "a", "b")
    say(scope, "s2", "c")
    read = conversations.unread("dreams")
    border = clock.advance(minutes=1)
    say(scope, "s1", "d")
    scope.forget(before=border, purge=purge)

    assert texts(conversations.last("s1")) == texts(conversations.unread("dreams")) == ["d"]
    assert [(each.session, each.turns, each.first_at) for each in conversations.sessions()] == [("s1", 1, border)]
    assert conversations.consume("dreams", read[-1].seq) is True
    assert texts(conversations.unread("dreams")) == ["d"]


def test_the_log_and_its_readers_survive_a_restart(database_url):
    with Nacre(database_url) as nacre:
        scope = nacre.scope("a")
        say(scope, "s", "a", "b")
        conversations = Conversations(nacre.parts, scope.scope)
        conversations.consume("dreams", conversations.unread("dreams")[0].seq)
    with Nacre(database_url) as nacre:
        conversations = Conversations(nacre.parts, nacre.scope("a").scope)
        assert texts(conversations.unread("dreams")) == ["b"]
        assert texts(conversations.last("s")) == ["a", "b"]


def test_conversations_of_another_scope_are_not_there(nacre, scope, conversations):
    say(scope, "s", "a")
    other = nacre.scope("assistant", user="bob")
    theirs = Conversations(nacre.parts, other.scope)
    say(other, "s", "their own", "and more")

    assert texts(theirs.last("s")) == texts(theirs.unread("dreams")) == ["their own", "and more"]
    theirs.consume("dreams", theirs.unread("dreams")[-1].seq)
    assert texts(conversations.unread("dreams")) == ["a"]
    assert [each.turns for each in conversations.sessions()] == [1]


@pytest.mark.parametrize(
    ("field", "attempt"),
    [
        ("session", lambda c: c.last("")),
        ("session", lambda c: c.last(None)),
        ("limit", lambda c: c.last("s", limit=0)),
        ("limit", lambda c: c.unread("r", limit=1_001)),
        ("limit", lambda c: c.sessions(limit="5")),
        ("reader", lambda c: c.unread("")),
        ("reader", lambda c: c.consume("r" * 201, 1)),
        ("seq", lambda c: c.consume("r", 0)),
        ("seq", lambda c: c.consume("r", -1)),
        ("seq", lambda c: c.consume("r", 2**63)),
        ("seq", lambda c: c.consume("r", "1")),
        ("seq", lambda c: c.consume("r", True)),
    ],
)
def test_bad_values_are_refused_by_name(scope, conversations, field, attempt):
    say(scope, "s", "a")
    with pytest.raises(Invalid) as refused:
        attempt(conversations)
    assert refused.value.field == field
    assert texts(conversations.unread("r")) == ["a"]
