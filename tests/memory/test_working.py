"""Working memory on both databases: namespaces, lifetimes, limits, search and the inventory."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from nacre import Denied, Invalid, Nacre, NotFound, Scope, Settings
from nacre.brain.working import WorkingMemory
from nacre.domain.errors import Full
from nacre.domain.working import MAX_ENTRIES, MAX_KEY, WorkingEntry
from nacre.memory import working as service
from nacre.store.evidence import working as rows
from nacre.store.tables.schema import working as table
from tests.cases import in_turn
from tests.conftest import MovableClock

SCOPE = Scope(agent="assistant", user="ana")
Open = Callable[..., WorkingMemory]


@pytest.fixture
def open_(nacre: Nacre) -> Open:
    """Opens working memory from a namespace."""
    return lambda namespace, scope=SCOPE: WorkingMemory(nacre.parts, scope, namespace)


@pytest.fixture
def own(open_: Open) -> WorkingMemory:
    """Working memory as a user's session sees it."""
    return open_("session/abc")


def keys(entries: list[WorkingEntry]) -> list[str]:
    """The keys of entries, in their order."""
    return [entry.key for entry in entries]


def stored(nacre: Nacre) -> int:
    """How many rows there are, expired or not, of whatever scope."""
    with nacre.parts.database.read(SCOPE) as tx:
        counted = select(func.count()).select_from(table).execution_options(all_scopes=True)
        return int(tx.execute(counted).scalar_one())


def test_an_entry_comes_back_as_it_was_saved(own, clock):
    saved = own.save(
        "inbox", "Héllo — 你好\n\ttwo lines", ttl=timedelta(hours=4), category="e-mail/in", tags=["b", "a", "b"]
    )

    assert saved == own.get("inbox") == own.get("session/abc/inbox")
    assert (saved.key, saved.value) == ("session/abc/inbox", "Héllo — 你好\n\ttwo lines")
    assert (saved.stored_at, saved.expires_at) == (clock.now, clock.now + timedelta(hours=4))
    assert (saved.category, saved.tags) == ("e-mail/in", ("b", "a"))


@pytest.mark.spec("M11")
def test_writes_go_to_the_own_namespace_by_plain_key_by_path_below_it_and_by_full_path(own):
    for key in ("inbox", "mail/inbox", "a/b/c/d", "session/abc/full"):
        own.save(key, "x")

    assert sorted(keys(own.list())) == [f"session/abc/{key}" for key in ("a/b/c/d", "full", "inbox", "mail/inbox")]


@pytest.mark.spec("M11")
@pytest.mark.parametrize("key", ["session/abcdef/x", "session/other/x", "patrol/heartbeat/x", "subagent/t1/x/y"])
def test_no_write_or_delete_reaches_another_namespace(open_, own, key):
    theirs = open_("/".join(key.split("/")[:2]))
    before = theirs.save(key, "theirs")

    with pytest.raises(Denied):
        own.save(key, "mine")
    with pytest.raises(Denied):
        own.delete(key)

    assert theirs.list() == [before]
    assert own.list() == []


@pytest.mark.spec("M11")
def test_reads_cross_namespaces_by_full_path_or_by_namespace(open_, own):
    open_("subagent/t1b2c3").save("research_results", "found it")
    open_("patrol/heartbeat").save("alerts/latest", "all is well")
    open_("flow/nightly").save("report", "done")

    assert own.get("subagent/t1b2c3/research_results").value == "found it"
    assert own.get("flow/nightly/report").value == "done"
    assert keys(own.list("subagent/t1b2c3")) == ["subagent/t1b2c3/research_results"]
    assert keys(own.list("patrol/")) == ["patrol/heartbeat/alerts/latest"]
    assert keys(own.search("well", namespace="patrol/heartbeat")) == ["patrol/heartbeat/alerts/latest"]
    assert own.list() == own.search("well") == own.list("nowhere") == []


def test_the_own_entry_comes_before_another_of_the_same_name(open_, own):
    open_("flow/nightly").save("report", "theirs")
    own.save("flow/nightly/report", "mine")
    assert own.get("flow/nightly/report").value == "mine"


@pytest.mark.spec("M11")
def test_a_prefix_ends_where_a_segment_ends(open_):
    names = ["abc", "abcdef", "ab", "a_c", "a%", "ABC", "%", "äbc"]
    for name, key in product(names, ["x", "x/y", "xy"]):
        open_(f"session/{name}").save(key, "v")
    open_("sessions/abc").save("x", "v")

    for name in names:
        assert sorted(keys(open_("patrol/p").list(f"session/{name}"))) == [
            f"session/{name}/x",
            f"session/{name}/x/y",
            f"session/{name}/xy",
        ]
        assert sorted(keys(open_("patrol/p").list(f"session/{name}/x"))) == [f"session/{name}/x", f"session/{name}/x/y"]
    assert len(open_("patrol/p").list("session")) == 3 * len(names)
    assert keys(open_("patrol/p").list("sessions")) == ["sessions/abc/x"]


segments = st.sampled_from(["a", "A", "ab", "_", "%", "ä", "研"])
paths = st.lists(segments, min_size=3, max_size=5)


@given(st.sets(paths.map("/".join), max_size=12), st.lists(segments, min_size=1, max_size=5))
def test_listing_agrees_with_comparing_segments(new_sqlite, written, prefix):
    with Nacre(new_sqlite(), settings=Settings(embedder="off"), clock=MovableClock()) as nacre:
        for path in sorted(written):
            WorkingMemory(nacre.parts, SCOPE, "/".join(path.split("/")[:2])).save(path, "v")
        listed = keys(WorkingMemory(nacre.parts, SCOPE, "session/abc").list("/".join(prefix)))
    assert listed == sorted(path for path in written if path.split("/")[: len(prefix)] == prefix)


def test_two_scopes_with_the_same_namespace_never_meet(open_):
    owners = [SCOPE, Scope(agent="assistant"), Scope(agent="assistant", user="bob"), Scope(agent="other", user="ana")]
    for number, owner in enumerate(owners):
        open_("session/abc", owner).save("secret", f"swordfish {number}")
    assert open_("session/abc", owners[0]).delete("secret")

    for number, owner in enumerate(owners[1:], 1):
        seen = open_("session/abc", owner)
        assert seen.get("secret").value == f"swordfish {number}"
        assert [entry.value for entry in seen.list("session")] == [f"swordfish {number}"]
        assert [entry.value for entry in seen.search("swordfish")] == [f"swordfish {number}"]
    with pytest.raises(NotFound):
        open_("session/abc", owners[0]).get("secret")


def test_the_longest_key_in_the_widest_characters_can_be_stored(own):
    key = "".join(chr(0x1F300 + number % 700) for number in range(MAX_KEY - len("session/abc/")))
    assert own.get(own.save(key, "v").key).value == "v"


@pytest.mark.spec("M12")
def test_an_entry_lives_for_five_minutes_or_as_long_as_it_says(own, clock):
    own.save("default", "v")
    own.save("short", "v", ttl=timedelta(seconds=1))
    own.save("long", "v", ttl=timedelta(days=30))

    lived = {key: own.get(key).expires_at - clock.now for key in ("default", "short", "long")}

    assert lived == {"default": timedelta(minutes=5), "short": timedelta(seconds=1), "long": timedelta(days=30)}


@pytest.mark.spec("M12")
def test_no_read_sees_an_entry_from_the_moment_it_expires(own, clock):
    own.save("storm", "storm")
    clock.advance(minutes=5, microseconds=-1)
    assert own.get("storm")
    clock.advance(microseconds=1)

    with pytest.raises(NotFound):
        own.get("storm")
    assert own.list() == own.list("session") == own.search() == own.search("storm") == []
    assert own.delete("storm") is False


@pytest.mark.spec("M12")
def test_saving_again_starts_a_new_life(own, clock):
    own.save("draft", "first", category="mail", tags=["a"])
    clock.advance(minutes=4)
    own.save("draft", "second")
    clock.advance(minutes=4)

    entry = own.get("draft")
    assert (entry.value, entry.category, entry.tags) == ("second", None, ())
    assert entry.stored_at == clock.now - timedelta(minutes=4)
    assert len(own.list()) == 1


@pytest.mark.spec("M12")
def test_a_full_namespace_refuses_another_key_and_says_so(open_, own):
    for number in range(MAX_ENTRIES):
        own.save(f"k{number}", "v")

    with pytest.raises(Full, match=r"`session/abc` is full: it holds 50 entries") as refused:
        own.save("one/more", "v")
    assert refused.value.code == "namespace_full"
    own.save("k7", "overwritten")
    assert own.get("k7").value == "overwritten"
    assert len(own.list()) == 50
    open_("session/abcdef").save("next door", "v")
    own.delete("k3")
    own.save("one/more", "v")
    assert len(own.list()) == 50


@pytest.mark.spec("M12")
def test_expired_entries_take_no_place_and_their_keys_are_new_ones(own, clock):
    own.save("old", "v", ttl=timedelta(minutes=1))
    clock.advance(minutes=2)
    for number in range(MAX_ENTRIES):
        own.save(f"k{number}", "v")

    with pytest.raises(Full):
        own.save("old", "v")
    clock.advance(minutes=5)
    own.save("old", "v")
    assert keys(own.list()) == ["session/abc/old"]


@pytest.mark.spec("M12")
def test_writers_at_once_fill_a_namespace_to_its_limit_and_not_beyond(nacre, database_url, clock):
    with Nacre(database_url, clock=clock) as other, ThreadPoolExecutor(8) as pool:
        spaces = [WorkingMemory(brain.parts, SCOPE, "session/abc") for brain in (nacre, other)]

        def try_to_save(number: int) -> bool:
            try:
                spaces[number % 2].save(f"k{number}", "v")
            except Full:
                return False
            return True

        saved = list(pool.map(try_to_save, range(80)))

        assert sum(saved) == MAX_ENTRIES
        assert sorted(keys(spaces[0].list())) == sorted(f"session/abc/k{n}" for n, done in enumerate(saved) if done)


@pytest.mark.spec("M12")
def test_a_sweep_removes_what_has_expired_in_every_scope_and_nothing_else(nacre, open_, own, clock):
    for owner in (SCOPE, Scope(agent="x"), Scope(agent="x", user="u", chat="c")):
        open_("patrol/heartbeat", owner).save("gone", "v")
        open_("patrol/heartbeat", owner).save("kept", "v", ttl=timedelta(hours=1))
    clock.advance(minutes=5)

    assert stored(nacre) == 6
    assert service.sweep_scope(nacre.parts.database, SCOPE) == 1
    assert service.sweep(nacre.parts.database) == 2
    assert service.sweep(nacre.parts.database) == 0
    assert stored(nacre) == 3
    assert keys(own.list("patrol")) == ["patrol/heartbeat/kept"]


def test_a_sweep_passes_over_what_a_writer_holds(postgres_url, clock):
    """A sweep that waited for a writer while the writer waits for it would be a deadlock."""
    with Nacre(postgres_url, clock=clock) as nacre, ThreadPoolExecutor(1) as pool:
        database = nacre.parts.database
        for namespace in ("session/abc", "session/next"):
            WorkingMemory(nacre.parts, SCOPE, namespace).save("k", "v")
        clock.advance(minutes=5)
        with database.write(SCOPE) as tx:
            rows.make_room(tx, "session/abc/other")
            assert pool.submit(service.sweep, database).result(timeout=120) == 1
        assert stored(nacre) == 0


def test_writing_keeps_what_has_expired_from_piling_up(nacre, own, clock):
    for number in range(200):
        own.save(f"k{number}", "v", ttl=timedelta(seconds=1))
        clock.advance(seconds=1)
    assert stored(nacre) == 1


@pytest.mark.spec("M12")
def test_entries_survive_a_restart_until_they_expire(database_url, clock):
    with Nacre(database_url, clock=clock) as nacre:
        short = WorkingMemory(nacre.parts, SCOPE, "session/abc").save("short", "v")
        long = WorkingMemory(nacre.parts, SCOPE, "session/abc").save("long", "v", ttl=timedelta(hours=1))
    with Nacre(database_url, clock=clock) as nacre:
        assert WorkingMemory(nacre.parts, SCOPE, "session/abc").list() == [long, short]
    clock.advance(minutes=5)
    with Nacre(database_url, clock=clock) as nacre:
        assert WorkingMemory(nacre.parts, SCOPE, "session/abc").list() == [long]


def test_a_clock_set_back_loses_nothing(own, clock):
    own.save("k", "v")
    clock.advance(days=-1)
    own.save("earlier", "v")
    assert keys(own.list()) == ["session/abc/k", "session/abc/earlier"]


def test_delete_says_whether_there_was_something(own):
    own.save("a/b", "v")
    assert own.delete("a/b") is True
    assert own.delete("a/b") is False
    own.save("c", "v")
    assert own.delete("session/abc/c") is True
    assert own.list() == []


def test_without_a_query_the_newest_come_first(own, clock):
    for key in ("first", "second", "third"):
        own.save(key, "v")
        clock.advance(seconds=1)
    own.save("first", "again")

    assert keys(own.search()) == [f"session/abc/{key}" for key in ("first", "third", "second")]
    assert keys(own.search(limit=2)) == ["session/abc/first", "session/abc/third"]
    assert own.list() == own.search()


def test_search_finds_by_key_value_tag_and_category(own):
    own.save("emails_inbox", "Ana asks about the launch", category="mail/inbox", tags=["unread"])
    own.save("weather-report", "Rain in Łódź tomorrow", category="forecast")
    own.save("会议", "下周发布新版本")

    for query, key in [
        ("emails", "emails_inbox"),
        ("launches", "emails_inbox"),
        ("unread", "emails_inbox"),
        ("mail", "emails_inbox"),
        ("weather", "weather-report"),
        ("łódź", "weather-report"),
        ("forecast", "weather-report"),
        ("发布", "会议"),
        ("会议", "会议"),
    ]:
        assert keys(own.search(query))[0] == f"session/abc/{key}", query


def test_search_ranks_by_meaning_too_but_never_needs_it(own, database_url, clock):
    own.save("note", "The physician saw the sick child")
    own.save("bill", "Invoice 2231 is overdue")

    assert keys(own.search("doctor"))[0] == "session/abc/note"
    with Nacre(database_url, settings=Settings(embedder="off"), clock=clock) as plain:
        words_only = WorkingMemory(plain.parts, SCOPE, "session/abc")
        assert words_only.search("doctor") == []
        assert keys(words_only.search("invoices")) == ["session/abc/bill"]


def test_search_filters_by_category_on_its_segments_and_by_all_tags(own):
    own.save("a", "storm", category="mail", tags=["x"])
    own.save("b", "storm", category="mail/inbox", tags=["x", "y"])
    own.save("c", "storm", category="mailing", tags=["y"])
    own.save("d", "storm")

    for query in (None, "storm"):
        assert sorted(keys(own.search(query, category="mail"))) == ["session/abc/a", "session/abc/b"]
        assert keys(own.search(query, category="mail/inbox")) == ["session/abc/b"]
        assert sorted(keys(own.search(query, tags=["y"]))) == ["session/abc/b", "session/abc/c"]
        assert keys(own.search(query, tags=["x", "y"], category="mail")) == ["session/abc/b"]
        assert own.search(query, tags=["z"]) == []
        assert len(own.search(query, limit=3)) == 3


@in_turn(
    ("field", "attempt"),
    [
        ("key", lambda w: w.save("", "v")),
        ("key", lambda w: w.save("a//b", "v")),
        ("key", lambda w: w.save("../x", "v")),
        ("key", lambda w: w.get("a\nb")),
        ("key", lambda w: w.get(None)),
        ("key", lambda w: w.delete("session/abc")),
        ("data", lambda w: w.save("k", "")),
        ("data", lambda w: w.save("k", "x" * 1_000_001)),
        ("data", lambda w: w.save("k", "nul\x00")),
        ("data", lambda w: w.save("k", {"a": 1})),
        ("ttl", lambda w: w.save("k", "v", ttl=timedelta(0))),
        ("ttl", lambda w: w.save("k", "v", ttl=300)),
        ("category", lambda w: w.save("k", "v", category="a b")),
        ("category", lambda w: w.search(category="")),
        ("tags", lambda w: w.save("k", "v", tags="urgent")),
        ("tags", lambda w: w.search(tags=[7])),
        ("query", lambda w: w.search("")),
        ("query", lambda w: w.search(7)),
        ("limit", lambda w: w.search(limit=0)),
        ("namespace", lambda w: w.search(namespace="/")),
        ("namespace", lambda w: w.list("")),
        ("namespace", lambda w: w.list("a//b")),
        ("namespace", lambda w: WorkingMemory(w._parts, SCOPE, "session")),
        ("namespace", lambda w: WorkingMemory(w._parts, SCOPE, "session/a/b")),
    ],
)
def test_bad_values_are_refused_by_name_and_nothing_is_written(nacre, own, field, attempt):
    with pytest.raises(Invalid) as refused:
        attempt(own)
    assert refused.value.field == field
    assert stored(nacre) == 0


def test_a_value_of_the_greatest_length_is_kept_whole(own):
    value = "界" * 1_000_000
    own.save("huge", value)
    assert own.get("huge").value == value
