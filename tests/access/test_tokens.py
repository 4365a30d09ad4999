"""Tokens open what they are for, and nothing else."""

from datetime import timedelta

import pytest

from nacre import Denied, Invalid, Nacre, NotFound, RateLimited, Settings, Unauthenticated
from nacre.access.limits import Limiter
from nacre.brain import enter
from nacre.domain.access import LOCAL, AccessRole, Permission
from nacre.store.tables.schema import api_keys
from tests.cases import in_turn

pytestmark = pytest.mark.spec("S19")


@pytest.fixture
def brain_settings():
    return Settings(worker="off", auth="team")


def door(nacre, secret=None, permission=Permission.RECALL, *, at_home=False):
    return enter(nacre, secret, permission, called="GET /x", address="10.0.0.9", at_home=at_home)


def test_a_token_is_shown_once_and_kept_as_a_digest(nacre):
    issued = nacre.tokens.issue("ci", "agent", agent="assistant")

    assert issued.secret.startswith(issued.token.prefix)
    assert [token.prefix for token in nacre.tokens.list()] == [issued.token.prefix]
    with nacre.parts.database.read_all() as tx:
        row = tx.execute(api_keys.select().execution_options(all_scopes=True)).one()
    assert issued.secret.removeprefix(f"{issued.token.prefix}_").encode() not in b"".join(
        value if isinstance(value, bytes) else str(value).encode() for value in row
    )


def test_the_roles_have_the_documents_permissions():
    everything = set(Permission)
    assert AccessRole.ADMIN.permissions == everything
    assert AccessRole.OPERATOR.permissions == everything - {Permission.ADMIN}
    assert {each.value for each in AccessRole.AGENT.permissions} == {
        "remember",
        "recall",
        "modify",
        "forget",
        "recover",
        "documents",
    }
    assert AccessRole.READONLY.permissions == {Permission.RECALL}


def test_a_role_opens_exactly_what_it_may(nacre):
    for role in AccessRole:
        secret = nacre.tokens.issue("t", role).secret
        for permission in Permission:
            if permission in role.permissions:
                assert door(nacre, secret, permission).scope("a", "u").scope.user == "u"
            else:
                with pytest.raises(Denied, match="no permission"):
                    door(nacre, secret, permission).scope("a", "u")


def test_a_bound_token_reaches_its_own_agent_and_user_alone(nacre):
    secret = nacre.tokens.issue("t", "agent", agent="assistant", user="ana").secret

    assert str(door(nacre, secret).scope().scope) == "assistant/ana"
    assert str(door(nacre, secret).scope("assistant", "ana", "c1").scope) == "assistant/ana/c1"
    for agent, user in (("other", "ana"), ("assistant", "ben"), ("other", None)):
        with pytest.raises(Denied, match="alone"):
            door(nacre, secret).scope(agent, user)
    with pytest.raises(Denied):
        door(nacre, secret).agent("assistant")
    with pytest.raises(Denied):
        door(nacre, secret).server()


def test_a_token_of_an_agent_opens_the_agent_and_not_the_server(nacre):
    secret = nacre.tokens.issue("t", "admin", agent="assistant").secret

    assert door(nacre, secret, Permission.ADMIN).agent("assistant").sharing()
    with pytest.raises(Denied):
        door(nacre, secret, Permission.ADMIN).server()


def test_a_token_ends_when_it_expires_or_is_revoked(nacre, clock):
    short = nacre.tokens.issue("short", "readonly", expires_at=clock() + timedelta(hours=1))
    long = nacre.tokens.issue("long", "readonly")
    door(nacre, short.secret)
    clock.advance(hours=1)

    nacre.tokens.revoke(long.token.id)
    for issued in (short, long):
        with pytest.raises(Unauthenticated):
            door(nacre, issued.secret)
    assert nacre.tokens.revoke(long.token.id).revoked_at == clock()


@pytest.mark.parametrize(
    "secret", [None, "", "x", "nacre_", "nacre_000000000000_nothing", "nacre_" + "é" * 400, "a_b_c"]
)
def test_what_is_no_token_opens_nothing(nacre, secret):
    nacre.tokens.issue("t", "admin")
    with pytest.raises(Unauthenticated):
        door(nacre, secret)


def test_a_token_with_one_letter_changed_opens_nothing(nacre):
    secret = nacre.tokens.issue("t", "admin").secret
    with pytest.raises(Unauthenticated):
        door(nacre, secret[:-1] + ("a" if secret[-1] != "a" else "b"))


def test_the_last_use_is_noted(nacre, clock):
    issued = nacre.tokens.issue("t", "readonly")
    assert issued.token.last_used_at is None
    clock.advance(minutes=5)
    door(nacre, issued.secret)

    assert nacre.tokens.list()[0].last_used_at == clock()


@pytest.mark.parametrize(
    ("auth", "with_token", "at_home", "who"),
    [
        ("local", False, True, "local"),
        ("local", True, True, "t"),
        ("local", False, False, None),
        ("local", True, False, None),
        ("hybrid", False, True, "local"),
        ("hybrid", True, True, "t"),
        ("hybrid", False, False, None),
        ("hybrid", True, False, "t"),
        ("team", False, True, None),
        ("team", True, True, "t"),
        ("team", False, False, None),
        ("team", True, False, "t"),
    ],
)
def test_each_mode_lets_in_whom_it_should(sqlite_url, auth, with_token, at_home, who):
    """In local mode not even a token opens the door from elsewhere; a token always counts as what it is."""
    with Nacre(sqlite_url, settings=Settings(worker="off", auth=auth)) as nacre:
        secret = nacre.tokens.issue("t", "readonly").secret if with_token else None
        if who is None:
            with pytest.raises(Unauthenticated):
                door(nacre, secret, at_home=at_home)
        else:
            principal = door(nacre, secret, at_home=at_home).principal
            assert principal.name == who
            assert (principal == LOCAL) == (who == "local")


def test_denied_calls_are_on_record(nacre, clock):
    secret = nacre.tokens.issue("t", "readonly", agent="assistant")
    with pytest.raises(Denied):
        door(nacre, secret.secret, Permission.FORGET).scope("assistant", "ana")
    clock.advance(seconds=1)
    with pytest.raises(Unauthenticated):
        door(nacre, "nacre_no_such")

    last, first = nacre.tokens.denials()
    assert (first.token_id, first.permission, first.agent, first.user) == (
        secret.token.id,
        Permission.FORGET,
        "assistant",
        "ana",
    )
    assert (last.token_id, last.called) == (None, "GET /x")
    clock.advance(hours=24 * 31)
    with pytest.raises(Unauthenticated):
        door(nacre)
    assert len(nacre.tokens.denials()) == 1


@in_turn(
    ("arguments", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "t", "role": "god"}, "role"),
        ({"name": "t", "user": "ana"}, "agent"),
        ({"name": "t", "agent": "a\n"}, "agent"),
    ],
)
def test_a_token_that_cannot_be_right_is_refused(nacre, arguments, field):
    with pytest.raises(Invalid) as refused:
        nacre.tokens.issue(**arguments)
    assert refused.value.field == field
    assert nacre.tokens.list() == []


def test_a_token_does_not_begin_expired(nacre, clock):
    with pytest.raises(Invalid, match="ahead"):
        nacre.tokens.issue("t", expires_at=clock())


def test_an_unknown_token_cannot_be_revoked(nacre):
    with pytest.raises(NotFound):
        nacre.tokens.revoke("01890000-0000-7000-8000-000000000000")


def test_callers_are_counted_each_on_their_own():
    now = [0.0]
    limiter = Limiter(3, lambda: now[0])
    for _ in range(3):
        limiter.take("a")
    with pytest.raises(RateLimited) as refused:
        limiter.take("a")
    assert refused.value.retry_after == 20
    limiter.take("b")
    now[0] = 20.0
    limiter.take("a")
    with pytest.raises(RateLimited):
        limiter.take("a")


def test_no_limit_lets_everything_through():
    limiter = Limiter(0)
    for _ in range(1_000):
        limiter.take("a")
