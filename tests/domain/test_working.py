"""Keys of working memory: what they mean, whose they are, and which are none."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Denied, Invalid
from nacre.domain import working
from nacre.domain.working import (
    WorkingEntry,
    check_namespace,
    check_prefix,
    namespace_of,
    own_path,
    readable_paths,
    session_namespace,
)

OWN = "session/abc"

# A small alphabet with the roots in it, so that keys often look like paths into someone's namespace.
segments = st.sampled_from(["session", "patrol", "subagent", "abc", "abcdef", "notes", "研究", "Ä b", "%", "_"])
keys = st.lists(segments, min_size=1, max_size=5).map("/".join)
namespaces = st.tuples(segments, segments).map("/".join)
# What a session may be called, and above all what a segment cannot hold.
odd = st.sampled_from("/%.2F\x85\u2028 a")
sessions = st.text(odd | st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20).filter(str.strip)


@given(namespaces, keys)
def test_whatever_the_key_a_write_stays_in_its_namespace_or_is_refused(namespace, key):
    try:
        path = own_path(namespace, key)
    except (Denied, Invalid):
        return
    assert namespace_of(path) == namespace
    assert path in (key, f"{namespace}/{key}")
    assert len(path.split("/")) >= 3


@given(namespaces, keys)
def test_what_a_writer_wrote_the_same_key_and_the_full_path_read_first(namespace, key):
    try:
        path = own_path(namespace, key)
    except (Denied, Invalid):
        return
    assert readable_paths(namespace, key)[0] == path
    assert readable_paths(namespace, path) == (path,)


@given(namespaces, namespaces, keys)
def test_a_reader_anywhere_can_mean_any_entry_by_its_full_path(reader, owner, key):
    path = f"{owner}/{key}"
    assert path in readable_paths(reader, path)


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("inbox", "session/abc/inbox"),
        ("session", "session/abc/session"),
        ("mail/inbox", "session/abc/mail/inbox"),
        ("mail/2026/05/inbox", "session/abc/mail/2026/05/inbox"),
        ("session/abc/inbox", "session/abc/inbox"),
        ("session/abc/mail/inbox", "session/abc/mail/inbox"),
        ("Session/abcdef/inbox", "session/abc/Session/abcdef/inbox"),
        ("会议 记录", "session/abc/会议 记录"),
    ],
)
def test_a_key_is_relative_unless_it_begins_like_a_namespace(key, path):
    assert own_path(OWN, key) == path


@pytest.mark.parametrize(
    "key", ["session/abcdef/x", "session/ab/x", "session/ABC/x", "patrol/abc/x", "subagent/t1/a/b"]
)
def test_a_path_into_another_namespace_is_denied_by_name(key):
    with pytest.raises(Denied, match=f"`{namespace_of(key)}`.*`session/abc` only"):
        own_path(OWN, key)


def test_a_namespace_of_another_kind_has_its_own_root():
    assert own_path("flow/a", "flow/a/x") == "flow/a/x"
    assert own_path("flow/a", "x/y/z") == "flow/a/x/y/z"
    with pytest.raises(Denied):
        own_path("flow/a", "flow/b/x")


@pytest.mark.parametrize("key", ["session/abc", "patrol/heartbeat"])
def test_a_namespace_is_no_key(key):
    for read_or_write in (own_path, readable_paths):
        with pytest.raises(Invalid, match="names no entry"):
            read_or_write(OWN, key)


NO_PATHS: list[object] = ["", " ", "/", "//", "/a", "a//b", "a/ /b", ".", "..", "a/../b", "./a", "k" * 513]
NO_PATHS += ["a\nb", "a\x00b", "a\x7fb", "a\x85b", "a\u2028b", "\ud800", None, 7, b"key", ["key"]]


@pytest.mark.parametrize("path", [*NO_PATHS, "a/b/", "k" * 502])
def test_what_is_no_key_is_refused_by_name(path):
    for read_or_write in (own_path, readable_paths):
        with pytest.raises(Invalid) as refused:
            read_or_write(OWN, path)
        assert refused.value.field == "key"


@pytest.mark.parametrize("path", NO_PATHS)
def test_what_is_no_namespace_is_refused_by_name(path):
    for check in (check_namespace, check_prefix):
        with pytest.raises(Invalid) as refused:
            check(path)
        assert refused.value.field == "namespace"


@pytest.mark.parametrize("path", ["session", "session/a/b", "session/a/", "session/" + "a" * 293])
def test_a_namespace_has_two_segments(path):
    with pytest.raises(Invalid):
        check_namespace(path)


def test_a_prefix_may_end_with_its_slash():
    assert check_prefix("patrol/") == check_prefix("patrol") == "patrol"
    with pytest.raises(Invalid):
        check_prefix("patrol//")


@given(sessions, sessions)
def test_every_session_has_a_namespace_of_its_own(one, other):
    assert check_namespace(session_namespace(one)).startswith("session/")
    assert (session_namespace(one) == session_namespace(other)) == (one == other)


@pytest.mark.parametrize(
    ("session", "namespace"),
    [
        ("abc123", "session/abc123"),
        ("chat/1", "session/chat%2F1"),
        ("..", "session/%2E%2E"),
        ("a%2Fb", "session/a%252Fb"),
    ],
)
def test_a_session_keeps_its_name_where_a_segment_can_hold_it(session, namespace):
    assert session_namespace(session) == namespace


@pytest.mark.parametrize(
    "ttl", [timedelta(0), timedelta(milliseconds=999), timedelta(days=30, seconds=1), timedelta(-1), 300, True, "5m"]
)
def test_a_lifetime_is_a_span_from_a_second_to_thirty_days(ttl):
    with pytest.raises(Invalid) as refused:
        working.check_ttl(ttl)
    assert refused.value.field == "ttl"
    assert working.check_ttl(timedelta(seconds=1)) == timedelta(seconds=1)
    assert working.check_ttl(timedelta(days=30)) == timedelta(days=30)
    assert working.check_ttl(None) == timedelta(minutes=5)


def test_search_sees_key_value_tags_and_category_as_words():
    now = datetime(2026, 5, 1, tzinfo=UTC)
    entry = WorkingEntry(
        key="session/abc/e_mail-inbox",
        value="Ana wrote",
        stored_at=now,
        expires_at=now,
        category="work/e-mail",
        tags=("unread",),
    )
    assert entry.searchable == "session abc e mail inbox Ana wrote unread work e mail"
    assert entry.namespace == "session/abc"
