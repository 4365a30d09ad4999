"""Recall and context over HTTP: what narrows them, what they tell of themselves, and what they refuse."""

from collections.abc import Iterator
from typing import Any

import pytest

from nacre import Nacre, Settings
from nacre.domain.contexts import DOCUMENTED
from nacre.recall import relevance
from tests.cases import in_turn


@pytest.fixture
def brain(sqlite_url: str) -> Iterator[Nacre]:
    """A brain that ranks by meaning too, which is what scores were calibrated with."""
    with Nacre(sqlite_url, settings=Settings(worker="off")) as nacre:
        yield nacre


@pytest.fixture
def ask(client):
    """What `recall` replies to a question."""

    def send(query: str, **filters: Any) -> Any:
        return client.post("/v1/agents/a/recall", json={"query": query, **filters}).json()

    return send


@pytest.fixture
def build(client):
    """What `context` replies to a message."""

    def send(message: str, **options: Any) -> Any:
        return client.post("/v1/agents/a/context", json={"message": message, **options}).json()

    return send


def test_recall_keeps_to_the_categories_that_are_named_and_what_is_below_them(client, ask):
    kept = {"taste/drinks": "Ana drinks green tea", "taste": "Bruno hates tea", "work": "Tea is sold to Lisbon"}
    for category, text in kept.items():
        client.post("/v1/agents/a/remember", json={"text": text, "category": category})
    client.post("/v1/agents/a/observe", json={"role": "user", "text": "Tea, please."})

    def found(*categories: str) -> set[str]:
        return {hit["text"] for hit in ask("tea", categories=categories)["hits"]}

    assert found("taste") == {kept["taste"], kept["taste/drinks"]}
    assert found("taste/drinks", "work") == {kept["taste/drinks"], kept["work"]}
    assert found("elsewhere") == set()


def test_recall_tells_how_likely_anything_is_known_of_what_is_asked(client, ask):
    client.post("/v1/agents/a/observe", json={"role": "user", "text": "We drink green tea in the morning."})

    asked, other = ask("When do we drink tea?"), ask("Who won the election in Mongolia?")

    assert asked["related"] > 0.9
    assert asked["hits"][0]["score"] == round(asked["related"] * relevance.placement(1, 0), 4)
    assert other["related"] < 0.1


def test_recall_says_when_nothing_is_relevant_enough(client, ask):
    client.post("/v1/agents/a/observe", json={"role": "user", "text": "We drink green tea in the morning."})

    assert ask("When do we drink tea?", min_score=0.4)["hits"]
    left = ask("When do we drink tea?", min_score=0.9)
    assert left["hits"] == []
    assert left["notes"] == ["Nothing that is known bears on this with a score of 0.9 or more."]


def test_context_replays_the_session_within_the_budget(client):
    client.post("/v1/agents/a/remember", json={"text": "The launch is on May 3"})
    client.post("/v1/agents/a/observe", json={"role": "user", "text": "Hello there", "session": "s1"})

    context = client.post(
        "/v1/agents/a/context", json={"message": "when is the launch", "session": "s1", "budget": 300}
    ).json()

    assert [message["label"] for message in context["messages"]] == ["memory", "conversation"]
    assert all(message["text"] in context["text"] for message in context["messages"])
    assert context["tokens"] <= 300


def test_a_context_tells_its_lines_and_how_many_did_not_fit(client, build):
    places = ("old oak by the river", "tall reeds", "ruined water tower", "island in the lake")
    said = [{"role": "user", "text": f"Herons nest in the {place}.", "at": "2026-05-01T10:00:00Z"} for place in places]
    reply = client.post("/v1/agents/a/observe", json={"turns": said}).json()

    roomy, tight = (build("Where do herons nest?", budget=budget) for budget in (2_000, 90))

    shown = {item for line in roomy["lines"] for item in line["items"]}
    assert {each["id"] for each in reply["observations"]} <= shown
    assert all(line["text"] in roomy["text"] for line in roomy["lines"])
    assert {line["at"] for line in roomy["lines"]} == {"2026-05-01T10:00:00Z"}
    assert roomy["left_out"] == 0
    assert len(tight["lines"]) < len([line for line in roomy["lines"] if line["sure"]])
    assert tight["left_out"] > 0


def test_a_message_that_nothing_bears_on_has_an_empty_context(client, build):
    client.post("/v1/agents/a/observe", json={"role": "user", "text": "Herons nest in the old oak."})

    made = build("Who won the election in Mongolia?")

    assert (made["text"], made["lines"], made["left_out"], made["tokens"]) == ("", [], 0, 0)


def test_a_context_is_made_as_its_body_says(client, build):
    body = {"text": "The launch is on May 3", "category": "work"}
    key = client.post("/v1/agents/a/remember", json=body).json()["memory"]["id"]
    asked = {"message": "When is the launch?", "session": "s1"}

    assert f"[{key}]" in build(**asked, ids=True)["text"]
    assert key not in build(**asked)["text"]
    assert build(**asked, seen="omit")["lines"] == []
    assert build(**asked, seen="show")["lines"] != []
    assert build(**asked, min_score=0.9)["lines"] == []
    assert build(**asked, blocks=["episode"])["text"] == ""


def test_the_blocks_of_the_documents_are_there_by_name(client, build):
    body = {"text": "The launch is on May 3", "category": "work"}
    key = client.post("/v1/agents/a/remember", json=body).json()["memory"]["id"]
    asked = {"message": "When is the launch?", "session": "s1", "blocks": DOCUMENTED, "seen": "omit"}

    assert f"- [{key[-12:]}] (work): The launch is on May 3" in build(**asked)["text"]
    assert key[-12:] not in build(**asked)["text"]


@in_turn(
    ("route", "field", "value"),
    [
        ("recall", "min_score", 1.01),
        ("recall", "min_score", -1),
        ("recall", "min_score", "high"),
        ("recall", "categories", []),
        ("recall", "categories", "work"),
        ("context", "min_score", 2),
        ("context", "seen", "never"),
        ("context", "ids", "some"),
        ("context", "profile", "none"),
        ("context", "blocks", "memory"),
        ("context", "blocks", ["everything"]),
    ],
)
def test_a_value_that_cannot_be_right_is_refused_by_its_name(client, route, field, value):
    asked = {"recall": {"query": "tea"}, "context": {"message": "tea"}}[route]

    reply = client.post(f"/v1/agents/a/{route}", json={**asked, field: value})

    assert reply.status_code == 400
    error = reply.json()["error"]
    assert error["code"] == "invalid"
    assert error["details"]["field"].startswith(field)


def test_a_category_that_is_none_is_refused(client):
    reply = client.post("/v1/agents/a/recall", json={"query": "tea", "categories": ["work//launch"]})

    assert reply.status_code == 400
    assert reply.json()["error"]["details"]["field"] == "category"
