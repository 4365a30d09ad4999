"""A call that is sent twice is carried out once."""

import threading
from contextlib import ExitStack
from datetime import timedelta

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from nacre import Nacre, Settings, Unavailable
from nacre.brain.doors import IdempotencyKeys
from nacre.domain.access import LOCAL, Permission
from nacre.http.app import create_app
from nacre.http.idempotency import KeyedCall
from nacre.store.base import replies as stored_replies
from nacre.store.base import row_inserts
from nacre.store.base.replies import KEPT, LEASE
from nacre.store.evidence import turns
from nacre.store.tables.schema import replies
from tests.waits import HANGS

KEY = "Idempotency-Key"
OBSERVE = "/v1/agents/a/observe"
TEA = {"user": "ana", "role": "user", "text": "I like tea"}


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off", auth="hybrid", rate_limit=0)


def client_of(brain):
    return TestClient(
        create_app(brain), base_url="http://127.0.0.1", client=("127.0.0.1", 1), raise_server_exceptions=False
    )


@pytest.fixture
def client(nacre):
    with client_of(nacre) as client:
        yield client


def said(nacre, user="ana"):
    return len(nacre.scope("a", user).recall("tea", kinds=["turn"]).hits)


def kept(nacre):
    with nacre.parts.database.read_all() as tx:
        return tx.execute(replies.select().execution_options(all_scopes=True)).all()


def test_the_same_call_with_the_same_key_is_carried_out_once(nacre, client):
    first = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    second = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})

    assert (second.status_code, second.json()) == (first.status_code, first.json()) == (201, first.json())
    assert second.headers["content-type"] == first.headers["content-type"]
    assert (first.headers.get("idempotency-replayed"), second.headers["idempotency-replayed"]) == (None, "true")
    assert said(nacre) == 1


def test_without_a_key_or_with_another_a_call_is_another_call(nacre, client):
    for headers in ({}, {}, {KEY: "k1"}, {KEY: "k2"}):
        assert client.post(OBSERVE, json=TEA, headers=headers).status_code == 201

    assert said(nacre) == 4


@pytest.mark.parametrize(
    ("path", "body"),
    [(OBSERVE, {**TEA, "text": "I like coffee"}), ("/v1/agents/b/observe", TEA), (f"{OBSERVE}?x=1", TEA)],
    ids=["body", "agent", "query"],
)
def test_a_key_for_another_call_is_refused(nacre, client, path, body):
    client.post(OBSERVE, json=TEA, headers={KEY: "k1"})

    reply = client.post(path, json=body, headers={KEY: "k1"})

    # Parameters that no route knows are refused before the key is looked at.
    assert reply.status_code == (400 if "?" in path else 409)
    assert reply.json()["error"]["code"] == ("invalid" if "?" in path else "conflict")
    assert said(nacre) == 1


def test_keys_of_two_callers_do_not_meet(nacre, client):
    bearers = [
        {"authorization": f"Bearer {nacre.tokens.issue('t', 'agent', agent='a', user=user).secret}"}
        for user in ("ana", "ana")
    ]
    for bearer in (*bearers, {}):
        reply = client.post(OBSERVE, json=TEA, headers={KEY: "k1", **bearer})
        assert (reply.status_code, reply.headers.get("idempotency-replayed")) == (201, None)

    assert said(nacre) == 3


def test_a_token_that_was_revoked_is_given_nothing_again(nacre, client):
    issued = nacre.tokens.issue("t", "agent", agent="a", user="ana")
    headers = {KEY: "k1", "authorization": f"Bearer {issued.secret}"}
    client.post(OBSERVE, json=TEA, headers=headers)
    nacre.tokens.revoke(issued.token.id)

    assert client.post(OBSERVE, json=TEA, headers=headers).status_code == 401


def test_what_is_kept_outlives_the_server(database_url, clock, brain_settings):
    answers = []
    for _ in range(2):
        with Nacre(database_url, settings=brain_settings, clock=clock) as nacre, client_of(nacre) as client:
            answers.append(client.post(OBSERVE, json=TEA, headers={KEY: "k1"}))
            assert said(nacre) == 1

    assert answers[0].json() == answers[1].json()
    assert "idempotency-replayed" in answers[1].headers


def test_of_many_servers_one_carries_it_out(database_url, brain_settings):
    """The others answer alike, or say that it is under way."""
    start, seen = threading.Barrier(4, timeout=HANGS), []

    def send(client):
        start.wait()
        reply = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
        seen.append((reply.status_code, "idempotency-replayed" in reply.headers, reply.headers.get("retry-after")))

    with ExitStack() as stack:
        brains = [stack.enter_context(Nacre(database_url, settings=brain_settings)) for _ in range(4)]
        clients = [stack.enter_context(client_of(nacre)) for nacre in brains]
        for client in clients:
            assert client.post(OBSERVE, json={}).status_code == 400
        threads = [threading.Thread(target=send, args=[client]) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert seen.count((201, False, None)) == 1
        assert set(seen) <= {(201, False, None), (201, True, None), (409, False, "1")}
        assert said(brains[0]) == 1


def test_a_call_under_way_is_not_begun_again(nacre, client, clock):
    """Until so much time has passed that whoever began it must be dead."""
    call = KeyedCall(IdempotencyKeys(nacre), "k1", {"method": "POST", "path": OBSERVE}, set())
    running = client.build_request("POST", OBSERVE, json=TEA)
    call._called.update(running.content)
    call.take(LOCAL, Permission.REMEMBER, nacre.scope("a", "ana").scope.id)

    waiting = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    assert (waiting.status_code, waiting.json()["error"]["code"]) == (409, "still_running")
    assert waiting.headers["retry-after"] == "1"
    clock.advance(seconds=LEASE.total_seconds())
    assert client.post(OBSERVE, json=TEA, headers={KEY: "k1"}).status_code == 201
    assert said(nacre) == 1


def test_a_key_is_free_again_after_a_day(nacre, client, clock):
    client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    clock.advance(seconds=(KEPT - timedelta(seconds=1)).total_seconds())
    assert "idempotency-replayed" in client.post(OBSERVE, json=TEA, headers={KEY: "k1"}).headers
    clock.advance(seconds=1)

    assert "idempotency-replayed" not in client.post(OBSERVE, json=TEA, headers={KEY: "k1"}).headers
    assert (said(nacre), len(kept(nacre))) == (2, 1)


def test_what_was_answered_is_not_kept_for_longer_though_nobody_calls(nacre, client, clock):
    client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    clock.advance(hours=24)

    nacre.parts.worker.drain()
    assert kept(nacre) == []


def test_a_refusal_is_given_again_and_a_mistake_is_not(nacre, client, monkeypatch):
    missing = {"operation": "01890000-0000-7000-8000-000000000000"}
    refused = [client.post("/v1/agents/a/undo", json=missing, headers={KEY: "k1"}) for _ in range(2)]
    assert [reply.status_code for reply in refused] == [404, 404]
    assert refused[0].json() == refused[1].json()
    assert "idempotency-replayed" in refused[1].headers

    stored = turns.new_rows

    def failing(*_arguments):
        raise Unavailable("Not now.")

    monkeypatch.setattr(turns, "new_rows", failing)
    assert client.post(OBSERVE, json=TEA, headers={KEY: "k2"}).status_code == 503
    monkeypatch.setattr(turns, "new_rows", lambda *_: 1 / 0)
    assert client.post(OBSERVE, json=TEA, headers={KEY: "k2"}).status_code == 500
    monkeypatch.setattr(turns, "new_rows", stored)
    assert client.post(OBSERVE, json=TEA, headers={KEY: "k2"}).status_code == 201
    assert said(nacre) == 1


def away(*_arguments):
    raise Unavailable("The database does not answer.")


def test_a_key_that_cannot_be_given_back_is_given_back_with_the_next_call(nacre, client, monkeypatch):
    """The database goes in the middle of a call, so the key of what came to nothing stays behind for a moment."""
    with monkeypatch.context() as patched:
        patched.setattr(turns, "new_rows", away)
        patched.setattr(stored_replies, "release", away)
        reply = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "unavailable")

    assert client.post(OBSERVE, json=TEA, headers={KEY: "k1"}).status_code == 201
    assert said(nacre) == 1


def test_what_was_carried_out_is_answered_and_not_begun_again_though_its_answer_cannot_be_kept(
    nacre, client, monkeypatch
):
    with monkeypatch.context() as patched:
        patched.setattr(stored_replies, "answer", away)
        assert client.post(OBSERVE, json=TEA, headers={KEY: "k1"}).status_code == 201

    again = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    assert (again.status_code, again.json()["error"]["code"], said(nacre)) == (409, "still_running", 1)


def test_a_call_whose_commit_was_not_answered_is_not_begun_again(nacre, client, monkeypatch):
    """It may have been carried out, and here it was."""
    commit, observe = Connection.commit, turns.new_rows
    writing: list[bool] = []

    def watched(*given):
        writing.append(True)
        return observe(*given)

    def cut(connection):
        commit(connection)
        if writing:
            writing.clear()
            raise OperationalError("COMMIT", None, Exception("cut"), connection_invalidated=True)

    with monkeypatch.context() as patched:
        patched.setattr(turns, "new_rows", watched)
        patched.setattr(Connection, "commit", cut)
        reply = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "commit_lost")

    again = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    assert (again.status_code, again.json()["error"]["code"], said(nacre)) == (409, "still_running", 1)


def test_nor_is_one_whose_commit_was_sent_with_its_last_rows(nacre, client, monkeypatch):
    """PostgreSQL is sent both at once, so the connection goes while rows are stored, and the rows may be there."""
    add = row_inserts.add

    def cut(connection, parts, *, last=False):
        add(connection, parts, last=last)
        if last:
            connection.commit()
            raise OperationalError("COMMIT", None, Exception("cut"), connection_invalidated=True)

    with monkeypatch.context() as patched:
        patched.setattr(row_inserts, "add", cut)
        reply = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "commit_lost")

    again = client.post(OBSERVE, json=TEA, headers={KEY: "k1"})
    assert (again.status_code, again.json()["error"]["code"], said(nacre)) == (409, "still_running", 1)


@pytest.mark.parametrize("key", ["", "x" * 201, "tab\there", "\x7f", "é"])
def test_a_key_must_be_printable_and_short(client, key):
    reply = client.post(OBSERVE, json=TEA, headers={KEY: key.encode("latin-1")})

    assert (reply.status_code, reply.json()["error"]["details"]["field"]) == (400, KEY)


def test_two_keys_are_one_too_many(client):
    assert client.post(OBSERVE, json=TEA, headers=[(KEY, "a"), (KEY, "b")]).status_code == 400


def test_reading_needs_no_key_and_keeps_none(nacre, client):
    assert client.get("/v1/agents/a/memories", headers={KEY: "k1"}).status_code == 200
    assert client.post(OBSERVE, json={"text": 1}, headers={KEY: "k2"}).status_code == 400
    assert client.post(OBSERVE, json=TEA, headers={KEY: "k2"}).status_code == 201
    assert len(kept(nacre)) == 1


def test_a_purge_takes_the_answers_about_its_scope_along_and_is_itself_answered_again(nacre, client):
    for user in ("ana", "ben"):
        client.post("/v1/agents/a/remember", json={"user": user, "text": f"{user} likes saffron"}, headers={KEY: user})
    forget = {"user": "ana", "everything": True, "purge": True}

    first = client.post("/v1/agents/a/forget", json=forget, headers={KEY: "gone"})
    again = client.post("/v1/agents/a/forget", json=forget, headers={KEY: "gone"})

    assert first.json()["memories"] == again.json()["memories"] == 1
    assert "idempotency-replayed" in again.headers
    quoted = b"".join(row.body for row in kept(nacre))
    assert b"ben likes saffron" in quoted
    assert b"ana likes saffron" not in quoted


def test_a_purge_of_what_an_agent_shares_takes_the_answers_to_all_its_users_along(nacre, client):
    nacre.agent("a").share(memory=True)
    body = {"user": "ana", "text": "The vault code is saffron"}
    made = client.post("/v1/agents/a/remember", json=body, headers={KEY: "k1"}).json()["memory"]

    forget = {"user": "ben", "memory": made["id"], "purge": True}
    assert client.post("/v1/agents/a/forget", json=forget).status_code == 200

    assert not [row for row in kept(nacre) if b"saffron" in row.body]


def test_the_secret_of_a_token_is_not_kept_for_a_second_answer(nacre, client):
    first = client.post("/v1/tokens", json={"name": "t"}, headers={KEY: "k1"})
    again = client.post("/v1/tokens", json={"name": "t"}, headers={KEY: "k1"})

    assert (first.status_code, again.status_code) == (201, 409)
    assert "secret" in again.json()["error"]["message"]
    assert len(nacre.tokens.list()) == 1
    assert first.json()["secret"].encode() not in b"".join(row.body for row in kept(nacre))


def test_a_long_answer_is_given_again_as_it_was(nacre, client):
    """Long answers are compressed on their way, and kept as they are."""
    for number in range(30):
        nacre.scope("a").remember(f"Cup number {number} of tea was {'very ' * 20}good")
    body = {"query": "tea", "limit": 30}

    first, again = (client.post("/v1/agents/a/recall", json=body, headers={KEY: "k1"}) for _ in range(2))

    assert first.headers["content-encoding"] == again.headers["content-encoding"] == "gzip"
    assert first.json() == again.json()
    assert len(again.content) > 1_000
