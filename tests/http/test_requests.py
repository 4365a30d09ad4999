"""Every request has an id and a line, and neither says what was asked."""

import json
import logging

import pytest
from starlette.testclient import TestClient

from nacre.http.app import create_app
from nacre.telemetry import logs

RECALL = "/v1/agents/secret/recall"


@pytest.fixture
def lines(caplog):
    """The lines of requests."""
    caplog.set_level(logging.INFO, logs.REQUESTS)
    return lambda: [record for record in caplog.records if record.name == logs.REQUESTS]


def test_an_id_that_the_caller_gives_comes_back(client):
    assert client.get("/health", headers={"X-Request-Id": "abc-1.2:x"}).headers["x-request-id"] == "abc-1.2:x"


@pytest.mark.parametrize("given", [None, "", "two words", "x" * 101, "é", '"quoted"'])
def test_a_request_without_a_usable_id_is_given_one(client, given):
    headers = {} if given is None else {"X-Request-Id": given.encode()}
    first, second = (client.get("/health", headers=headers).headers["x-request-id"] for _ in range(2))

    assert len(first) == len(second) == 32
    assert first != second


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/nowhere", None, 404),
        ("DELETE", RECALL, None, 405),
        ("POST", RECALL, {"query": "tea", "limit": 0}, 400),
        ("POST", RECALL, {"quest": "tea"}, 400),
        ("GET", "/v1/agents/secret/jobs?statsu=dead", None, 400),
    ],
)
def test_every_failure_names_the_request(client, method, path, body, status):
    reply = client.request(method, path, json=body, headers={"X-Request-Id": "r1"})

    assert (reply.status_code, reply.headers["x-request-id"]) == (status, "r1")
    assert reply.json()["error"]["details"]["request_id"] == "r1"


def test_what_is_refused_before_any_route_names_the_request(client):
    reply = client.get("/health", headers={"X-Request-Id": "r1", "Host": "elsewhere.example"})

    assert (reply.status_code, reply.json()["error"]["details"]) == (403, {"request_id": "r1"})


def test_a_mistake_of_the_server_names_the_request(brain, lines):
    app = create_app(brain)

    def broken() -> None:
        raise ZeroDivisionError

    app.add_api_route("/broken", broken)
    client = TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False)
    reply = client.get("/broken", headers={"X-Request-Id": "r1"})

    assert (reply.status_code, reply.headers["x-request-id"]) == (500, "r1")
    assert reply.json()["error"]["details"] == {"request_id": "r1"}
    assert (lines()[0].levelname, lines()[0].status, lines()[0].route) == ("WARNING", 500, "/broken")


def test_a_request_is_one_line_that_says_what_was_called_and_not_what_was_asked(client, lines):
    client.post(RECALL, json={"query": "sesame"}, headers={"X-Request-Id": "r1", "Authorization": "Bearer sesame"})
    client.get("/v1/agents/secret/memories?query=sesame")
    client.get("/sesame")

    for formatter in (logs.JsonLines(), logs.TextLines()):
        written = "".join(formatter.format(record) for record in lines())
        assert "sesame" not in written
        assert "secret" not in written
    told = [(each.method, each.route, each.status) for each in lines()]
    assert told == [
        ("POST", "/v1/agents/{agent}/recall", 401),
        ("GET", "/v1/agents/{agent}/memories", 200),
        ("GET", "other", 404),
    ]
    assert all(each.ms >= 0 for each in lines())


def test_the_line_of_a_request_carries_its_id(client, capsys):
    handler = logging.StreamHandler()
    handler.setFormatter(logs.JsonLines())
    logger = logging.getLogger(logs.REQUESTS)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        client.get("/health", headers={"X-Request-Id": "r1"})
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)

    told = json.loads(capsys.readouterr().err)
    assert (told["request_id"], told["route"], told["status"], told["level"]) == ("r1", "/health", 200, "info")
