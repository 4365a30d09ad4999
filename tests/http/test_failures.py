"""Every way a request can fail leaves in one envelope."""

from typing import Any, Protocol

import pytest
from starlette.testclient import TestClient

from nacre.domain import errors
from nacre.http import failures
from nacre.http.app import create_app
from tests.cases import in_turn

JSON = {"content-type": "application/json"}


class Response(Protocol):
    """What either client gives back."""

    def json(self) -> Any: ...


def error_of(reply: Response) -> dict[str, Any]:
    """The envelope's content, once its shape is checked."""
    body = reply.json()
    assert body.keys() == {"error"}
    assert body["error"].keys() == {"code", "message", "details"}
    assert body["error"]["message"].endswith(".")
    error: dict[str, Any] = body["error"]
    return error


@pytest.fixture
def raising(brain):
    """Sends a request to a route that raises the given error."""

    def send(error):
        app = create_app(brain)

        @app.get("/raise")
        def fail():
            raise error

        return TestClient(app, base_url="http://localhost", raise_server_exceptions=False).get("/raise")

    return send


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (errors.Invalid("text", "must not be empty"), 400, "invalid"),
        (errors.Denied("Not from here."), 403, "denied"),
        (errors.NotFound("memory", "x"), 404, "not_found"),
        (errors.Conflict("Taken."), 409, "conflict"),
        (errors.Misconfigured("A setting is wrong."), 500, "misconfigured"),
        (errors.SchemaTooNew("9999"), 500, "schema_too_new"),
        (errors.Unavailable("No answer."), 503, "unavailable"),
        (errors.Busy("Busy."), 503, "busy"),
        (errors.Closed(), 503, "closed"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_each_kind_of_error_has_its_status_and_code(raising, error, status, code):
    reply = raising(error)

    assert reply.status_code == status
    told = error_of(reply)
    assert (told["code"], told["message"], told["details"].get("field")) == (
        code,
        str(error),
        getattr(error, "field", None),
    )
    assert ("retry-after" in reply.headers) == (status == 503)


def test_every_error_of_the_tree_has_a_row_of_its_own_or_its_parents():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.NacreError)]

    rows = set(failures.STATUSES) - {errors.NacreError}
    assert [kind for kind in kinds if kind is not errors.NacreError and not rows & set(kind.__mro__)] == []


def test_a_bug_is_told_without_its_words(raising):
    reply = raising(RuntimeError("the password is hunter2"))

    assert reply.status_code == 500
    assert error_of(reply)["code"] == "internal"
    # The server cuts the connection after it.
    assert reply.headers["connection"] == "close"
    assert "hunter2" not in reply.text
    assert "Traceback" not in reply.text


def test_a_closed_brain_is_unavailable_not_broken(client, brain):
    brain.close()

    assert (client.get("/health").status_code, error_of(client.get("/health"))["code"]) == (503, "closed")


@in_turn(
    ("body", "field"),
    [
        ({}, "role"),
        ({"role": "user"}, "text"),
        ({"role": "robot", "text": "x"}, "role"),
        ({"role": "user", "text": 5}, "text"),
        ({"role": "user", "text": "   "}, "text"),
        ({"role": "user", "text": "a\x00b"}, "text"),
        ({"role": "user", "text": "x" * 1_000_001}, "text"),
        ({"role": "user", "text": "x", "at": 1746266400}, "at"),
        ({"role": "user", "text": "x", "at": "1746266400"}, "at"),
        ({"role": "user", "text": "x", "at": "yesterday"}, "at"),
        ({"role": "user", "text": "x", "at": "2026-05-03T10:00:00"}, "at"),
        ({"role": "user", "text": "x", "at": "0001-01-01T00:00:00+14:00"}, "at"),
        ({"role": "user", "text": "x", "sesion": "s1"}, "sesion"),
        ({"role": "user", "text": "x", "user": ""}, "user"),
        ({"role": "user", "text": "x", "user": "two\nlines"}, "user"),
        ({"turns": {}}, "turns"),
        ({"turns": [{"role": "user", "text": "x"}, {"role": "user"}]}, "turns[1].text"),
        ({"turns": [{"role": "user", "text": "x", "user": "ana"}]}, "turns[0].user"),
        ({"turns": [], "text": "x"}, "text"),
    ],
)
def test_a_wrong_turn_names_the_field(client, body, field):
    reply = client.post("/v1/agents/a/observe", json=body)

    assert reply.status_code == 400
    error = error_of(reply)
    assert (error["code"], error["details"]["field"]) == ("invalid", field)
    assert f"`{field}`" in error["message"]


@in_turn(
    ("route", "body", "field"),
    [
        ("recall", {"query": "x", "limit": 0}, "limit"),
        ("recall", {"query": "x", "limit": "5"}, "limit"),
        ("recall", {"query": "x", "limit": True}, "limit"),
        ("recall", {"query": "x", "explain": "yes"}, "explain"),
        ("recall", {"query": "x", "kinds": ["feeling"]}, "kinds[0]"),
        ("recall", {"query": "x", "since": "2026-05-03T00:00:00Z", "until": "2026-05-01T00:00:00Z"}, "since"),
        ("context", {"message": "x", "budget": 0}, "budget"),
        ("context", {"message": "x", "session": ""}, "session"),
        ("remember", {"text": "x", "category": "a b"}, "category"),
        ("remember", {"text": "x", "tags": "launch"}, "tags"),
        ("remember", {"text": "x", "tags": [str(number) for number in range(51)]}, "tags"),
        ("remember", {"text": "x", "metadata": {"k": 1}}, "metadata.k"),
    ],
)
def test_a_wrong_argument_names_the_field(client, route, body, field):
    reply = client.post(f"/v1/agents/a/{route}", json=body)

    assert (reply.status_code, error_of(reply)["code"], error_of(reply)["details"]["field"]) == (400, "invalid", field)


def test_a_name_too_long_for_an_agent_is_told(client):
    assert error_of(client.post(f"/v1/agents/{'a' * 201}/recall", json={"query": "x"}))["details"]["field"] == "agent"


@in_turn(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b'{"query": "x",}',
        b"\xff\xfe\x00{",
        b'{"query": "\xff"}',
        b"[" * 100_000,
        b'{"query": "x", "limit": ' + b"9" * 5_000 + b"}",
        b'{"query": "x", "limit": NaN}',
        b'{"query": "\\ud800"}',
        b'{"\\ud800": "x"}',
    ],
)
def test_a_body_that_is_not_the_right_json_is_refused(client, content):
    reply = client.post("/v1/agents/a/recall", content=content, headers=JSON)

    assert (reply.status_code, error_of(reply)["code"]) == (400, "invalid")


def test_a_field_with_an_endless_name_is_not_echoed_whole(client):
    reply = client.post("/v1/agents/a/recall", json={"query": "x", "y" * 100_000: 1})

    assert reply.status_code == 400
    assert len(reply.content) < 5_000


def test_a_form_is_told_that_json_is_wanted(client):
    """That is what `curl -d` sends, and what a page elsewhere may send without asking the browser first."""
    reply = client.post("/v1/agents/a/recall", content=b'{"query": "x"}', headers={"content-type": "text/plain"})

    assert reply.status_code == 400
    assert "application/json" in error_of(reply)["message"]


def test_an_unknown_route_is_not_found(remote):
    reply = remote.get("/nowhere")

    assert (reply.status_code, error_of(reply)["code"]) == (404, "not_found")


def test_a_wrong_method_names_those_that_are_allowed(client):
    for method, path, allowed in (
        ("GET", "/v1/agents/a/recall", "POST"),
        ("POST", "/v1/agents/a/memories/x", "GET, PATCH, HEAD"),
        ("PUT", "/v1/agents/a/users/team%2Fana", "DELETE"),
    ):
        reply = client.request(method, path)

        assert (reply.status_code, error_of(reply)["code"], reply.headers["allow"]) == (
            405,
            "method_not_allowed",
            allowed,
        )
