"""Forgetting: out of force with history, or purged without a trace."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from nacre import Invalid, Nacre, NotFound, Status
from nacre.domain.forgetting import Forgotten
from nacre.store.schema import metadata


@pytest.mark.spec("M10")
def test_a_forgotten_memory_is_out_of_force_and_known_as_of_before(scope, clock):
    made = scope.remember("The code word is swordfish")
    before = clock.now
    clock.advance(hours=1)

    assert scope.forget(made.memory.short) == Forgotten(memories=1)

    assert scope.memories.search("swordfish") == []
    assert list(scope.recall("swordfish")) == []
    assert [hit.id for hit in scope.recall("swordfish", as_of=before)] == [made.id]
    entry = scope.memories.get(made.id)
    assert (entry.status, entry.archived_at, entry.archive_reason) == (Status.ARCHIVED, clock.now, "forgotten")
    assert scope.forget(made.id) == Forgotten(memories=0)


@pytest.mark.spec("M10")
def test_everything_before_a_date(scope, clock):
    scope.observe("user", "old storm", session="s")
    scope.remember("old storm note")
    border = clock.advance(days=1)
    clock.advance(days=1)
    scope.observe("user", "new storm", session="s")
    scope.remember("another new storm remark")

    assert scope.forget(before=border) == Forgotten(memories=1, turns=1)

    assert {hit.text for hit in scope.recall("storm")} == {"new storm", "another new storm remark"}
    assert "old storm" not in scope.context("storm", session="s").text


@pytest.mark.spec("M10")
@pytest.mark.parametrize("purge", [False, True])
def test_everything_of_a_user_in_every_chat_and_of_nobody_else(nacre, clock, purge):
    chats = [nacre.scope("assistant", user="ana", chat=chat) for chat in (None, "c1", "c2")]
    others = [nacre.scope("assistant", user="bob"), nacre.scope("assistant"), nacre.scope("other", user="ana")]
    for scope in (*chats, *others):
        scope.observe("user", "the storm took our boat", session="s")
        scope.remember("storm warning tomorrow")
        scope.working("session/s").save("draft", "about the storm")
    clock.advance(seconds=1)

    report = nacre.forget_user("assistant", "ana", purge=purge)

    assert report == Forgotten(memories=3, turns=3, working=3, purged=purge)
    for scope in chats:
        assert list(scope.recall("storm")) == []
        assert scope.context("storm", session="s").text == ""
    for scope in others:
        assert len(scope.recall("storm")) == 2
        assert len(scope.working("session/s").list()) == 1


def rows(nacre: Nacre, scope) -> dict[str, int]:
    """How many rows each table holds for a scope."""
    with nacre.parts.database.read(scope.scope) as tx:
        return {
            table.name: tx.execute(
                select(func.count()).select_from(table).where(table.c.scope_id == tx.scope_id)
            ).scalar_one()
            for table in metadata.tables.values()
        }


@pytest.mark.spec("M10")
def test_a_purge_leaves_no_row_of_the_scope(nacre, scope):
    scope.observe("user", "the storm took our boat", session="s")
    scope.remember("storm warning", tags=["weather"])
    scope.remember("storm warning!")
    scope.context("storm", session="s")
    scope.working("session/s").save("draft", "about the storm")
    assert sum(rows(nacre, scope).values()) > 8

    scope.forget(everything=True, purge=True)

    assert set(rows(nacre, scope).values()) == {0}
    scope.remember("calm again")
    assert [hit.text for hit in scope.recall("storm calm")] == ["calm again"]


@pytest.mark.spec("M10")
def test_a_purge_leaves_no_bytes_in_the_file(sqlite_url):
    with Nacre(sqlite_url) as nacre:
        scope = nacre.scope("a", user="Wilhelmina-Quux")
        keep = nacre.scope("a", user="bob")
        keep.remember("Bob likes boats")
        made = scope.remember("The code word is xylophonist-7741", tags=["qwertyuiop"])
        scope.observe("user", "xylophonist-7741 is what I said", session="secret-session-9")
        scope.forget(made.id, purge=True)
        scope.forget(everything=True, purge=True)
        secrets = [b"xylophonist-7741", b"qwertyuiop", b"secret-session-9", b"Wilhelmina-Quux"]
        for path in Path(sqlite_url).parent.glob("brain.db*"):
            content = path.read_bytes()
            assert [secret for secret in secrets if secret in content] == [], path.name
        assert len(keep.recall("boats")) == 1


@pytest.mark.spec("M10")
def test_another_process_forgets_as_well(database_url):
    with Nacre(database_url) as here, Nacre(database_url) as there:
        made = here.scope("a").remember("The code word is swordfish")
        here.scope("a").observe("user", "say swordfish at the door", session="s")
        assert len(there.scope("a").recall("swordfish")) == 2
        here.scope("a").forget(made.id, purge=True)
        assert [hit.text for hit in there.scope("a").recall("swordfish")] == ["say swordfish at the door"]
        here.scope("a").forget(everything=True, purge=True)
        here.scope("a").remember("calm")
        assert list(there.scope("a").recall("swordfish")) == []


@pytest.mark.spec("M10")
def test_purging_before_a_date_keeps_what_came_after(scope, clock):
    scope.observe("user", "old storm", session="s")
    scope.remember("old storm note")
    border = clock.advance(days=1)
    scope.observe("user", "new storm", session="s")

    assert scope.forget(before=border, purge=True) == Forgotten(memories=1, turns=1, purged=True)
    assert [hit.text for hit in scope.recall("storm")] == ["new storm"]
    assert list(scope.recall("storm", as_of=border - timedelta(hours=1))) == []


def test_forgetting_needs_exactly_one_thing(scope):
    for arguments in ({}, {"everything": True, "memory": "0" * 12}):
        with pytest.raises(Invalid):
            scope.forget(**arguments)
    with pytest.raises(NotFound):
        scope.forget("0" * 12)


def test_a_foreign_memory_cannot_be_forgotten(nacre, scope):
    made = scope.remember("mine")
    with pytest.raises(NotFound):
        nacre.scope("assistant", user="bob").forget(made.id, purge=True)
    assert scope.memories.get(made.id).status is Status.ACTIVE


def test_forgetting_a_memory_takes_what_was_split_out_of_it(nacre, scope):
    made = scope.remember("I live in Porto. The launch of Pebble moved to May 31.")
    nacre.parts.worker.drain()
    assert len(scope.memories.search()) == 2

    assert scope.forget(made.id).memories == 2
    assert scope.memories.search() == []
    assert scope.forget(made.id, purge=True).memories == 3
    assert {name for name, count in rows(nacre, scope).items() if count} == {"scopes"}
