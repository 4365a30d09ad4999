"""The routes, over a real server where the network matters."""

import inspect
from typing import Any

import pytest
from pydantic_core import PydanticUndefined
from starlette.testclient import TestClient

from nacre import ScopedNacre, __version__
from nacre.domain.contexts import DEFAULT_BUDGET
from nacre.domain.plain import plain
from nacre.http import bodies, recall_bodies
from nacre.http.app import FAMILIES, create_app

GREETING = "Héllo — 你好, I live in Łódź 🦪"


def test_health_tells_the_version_and_the_database(remote):
    reply = remote.get("/health")

    assert reply.status_code == 200
    assert reply.json() == {"status": "ok", "version": __version__, "database": {"kind": "sqlite", "ok": True}}


def test_health_answers_on_both_databases(nacre):
    client = TestClient(create_app(nacre), base_url="http://localhost")

    assert client.get("/health").json()["database"]["ok"]


def test_what_is_observed_over_http_can_be_recalled_letter_by_letter(remote):
    observed = remote.post(
        "/v1/agents/a/observe", json={"role": "user", "text": GREETING, "session": "s1", "ref": "m1"}
    )
    hits = remote.post("/v1/agents/a/recall", json={"query": "who lives in Łódź"}).json()["hits"]

    assert observed.status_code == 201
    assert [hit["id"] for hit in hits] == [each["id"] for each in observed.json()["observations"]]
    assert hits[0]["text"] == hits[0]["source"]["quote"] == GREETING
    assert (hits[0]["source"]["session"], hits[0]["source"]["ref"]) == ("s1", "m1")


def test_an_agent_may_have_a_name_in_any_alphabet(remote):
    remote.post("/v1/agents/помощник 1/observe", json={"role": "user", "text": "tea"})

    assert len(remote.post("/v1/agents/помощник 1/recall", json={"query": "tea"}).json()["hits"]) == 1


def test_many_turns_are_observed_in_order(client):
    turns = [
        {"role": "user", "text": f"Line {number}", "at": f"2026-05-0{number}T10:00:00+02:00"} for number in (1, 2, 3)
    ]

    reply = client.post("/v1/agents/a/observe", json={"turns": turns})

    times = [each["at"] for each in reply.json()["observations"]]
    assert times == ["2026-05-01T08:00:00Z", "2026-05-02T08:00:00Z", "2026-05-03T08:00:00Z"]


def test_many_turns_are_kept_all_or_none(client):
    turns = [{"role": "user", "text": "tea"}, {"role": "user", "text": "  "}]

    reply = client.post("/v1/agents/a/observe", json={"turns": turns})

    assert reply.json()["error"]["details"]["field"] == "turns[1].text"
    assert client.post("/v1/agents/a/recall", json={"query": "tea"}).json()["hits"] == []


def test_two_users_do_not_see_each_other(remote):
    secrets = {"ana": "The code is 1111", "bob": "The code is 2222", None: "The code is 3333"}
    for user, text in secrets.items():
        remote.post("/v1/agents/a/observe", json={"user": user, "role": "user", "text": text})
        remote.post("/v1/agents/a/remember", json={"user": user, "text": text})

    for user, text in secrets.items():
        hits = remote.post("/v1/agents/a/recall", json={"user": user, "query": "code"}).json()["hits"]
        assert {hit["text"] for hit in hits} == {text}
        context = remote.post(
            "/v1/agents/a/context", json={"user": user, "message": "Which code is it?", "min_score": 0}
        ).json()
        assert [secret in context["text"] for secret in secrets.values()] == [each == text for each in secrets.values()]


def test_two_chats_of_a_user_do_not_see_each_other(client):
    client.post("/v1/agents/a/observe", json={"user": "ana", "chat": "c1", "role": "user", "text": "tea"})

    seen = [
        len(client.post("/v1/agents/a/recall", json={"user": "ana", "chat": chat, "query": "tea"}).json()["hits"])
        for chat in ("c1", "c2", None)
    ]
    assert seen == [1, 0, 0]


def test_recall_takes_every_filter_of_the_method(client):
    for day in (1, 2, 3):
        turn = {"role": "user", "text": f"tea on day {day}", "session": f"s{day}", "at": f"2026-05-0{day}T00:00:00Z"}
        client.post("/v1/agents/a/observe", json=turn)

    def found(**filters: Any) -> list[str]:
        hits = client.post("/v1/agents/a/recall", json={"query": "tea", **filters}).json()["hits"]
        return sorted(hit["text"][-1] for hit in hits)

    assert found() == ["1", "2", "3"]
    assert found(session="s2") == ["2"]
    assert found(since="2026-05-02T00:00:00Z") == ["2", "3"]
    assert found(until="2026-05-02T02:00:00+02:00") == ["1", "2"]
    assert found(kinds=["memory"]) == []
    assert found(min_score=1) == []
    assert len(found(limit=1)) == 1


def test_explain_fills_the_channels(client):
    client.post("/v1/agents/a/observe", json={"role": "user", "text": "tea"})

    plainly, explained = (
        client.post("/v1/agents/a/recall", json={"query": "tea", "explain": explain}).json()["hits"][0]["channels"]
        for explain in (False, True)
    )
    assert plainly == {}
    assert explained["lexical"] > 0


def test_replies_have_the_json_of_the_values_they_hold(client, brain):
    scope = brain.scope("a")
    memory = client.post(
        "/v1/agents/a/remember", json={"text": "I like tea", "tags": ["t"], "metadata": {"k": "v"}}
    ).json()["memory"]
    scope.observe("user", "More tea", speaker="Ana", session="s", ref="r")

    recalled = client.post("/v1/agents/a/recall", json={"query": "tea"}).json()
    context = client.post("/v1/agents/a/context", json={"message": "tea"}).json()

    assert recalled == plain(scope.recall("tea"))
    assert context.pop("budget") == DEFAULT_BUDGET
    assert context == plain(scope.context("tea"))
    assert (memory["content"], memory["tags"], memory["metadata"]) == ("I like tea", ["t"], {"k": "v"})


@pytest.mark.parametrize(
    ("body", "method"),
    [
        (bodies.TurnBody, ScopedNacre.observe),
        (bodies.RememberBody, ScopedNacre.remember),
        (recall_bodies.RecallBody, ScopedNacre.recall),
        (recall_bodies.ContextBody, ScopedNacre.context),
    ],
)
def test_a_body_has_the_names_and_defaults_of_its_method(body, method):
    own = {name: field for name, field in body.model_fields.items() if name not in bodies.Body.model_fields}
    # Who acts is what the door says, never the body.
    given = inspect.signature(method).parameters.items()
    parameters = {name: each for name, each in given if name not in ("self", "actor")}

    assert own.keys() == parameters.keys()
    for name, parameter in parameters.items():
        default = PydanticUndefined if parameter.default is parameter.empty else parameter.default
        assert own[name].default == ([] if default == () else default), name


def test_no_route_runs_on_the_event_loop_but_those_that_must_answer_while_all_threads_are_busy():
    on_the_loop = {
        route.path
        for family in FAMILIES
        for route in family.router.routes
        if inspect.iscoroutinefunction(getattr(route, "endpoint", None))
    }

    assert on_the_loop == {"/health/live", "/health/ready"}


@pytest.mark.parametrize(
    "model",
    [
        bodies.TurnBody,
        bodies.OneTurn,
        bodies.ManyTurns,
        bodies.RememberBody,
        recall_bodies.RecallBody,
        recall_bodies.ContextBody,
    ],
)
def test_the_examples_of_the_schema_are_valid(model):
    for example in model.model_json_schema()["examples"]:
        model.model_validate(example)


def test_the_schema_tells_limits_and_the_envelope_of_failures(client):
    schema = client.get("/openapi.json").json()

    assert schema["components"]["schemas"]["RecallBody"]["properties"]["limit"]["maximum"] == 1000
    for path in schema["paths"].values():
        for operation in path.values():
            codes = operation["responses"].keys()
            assert {"4XX", "5XX"} <= codes
            assert "422" not in codes


def test_whatever_the_schema_allows_in_an_address_fits_into_one(client):
    """Servers take 64 kB, of which a character may be twelve."""
    schema = client.get("/openapi.json").json()
    told = {
        (path, each["name"]): each["schema"].get("maxLength", 0)
        for path, methods in schema["paths"].items()
        for operation in methods.values()
        for each in operation.get("parameters", ())
    }

    assert {name: longest for name, longest in told.items() if longest > 5_000} == {}
    asked = {"/v1/agents/a/memories": "query", "/v1/agents/a/skills": "query", "/api/memory/search": "q"}
    for path, name in asked.items():
        assert client.get(path, params={name: "😀" * 4_000}).status_code == 200
        assert client.get(path, params={name: "a" * 4_001}).json()["error"]["code"] == "invalid"
