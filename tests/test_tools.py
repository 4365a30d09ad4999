"""The document's tools: names, parameters, and replies an agent can work with."""

import inspect

import pytest

from nacre import Denied, Invalid, NacreError, NotFound
from nacre.tools import tools
from tests.cases import in_turn

PARAMETERS = {
    "save_memory": ["content", "category", "tags"],
    "search_memory": ["query", "category", "tags"],
    "delete_memory": ["id"],
    "list_memory_categories": [],
    "knowledge_graph": ["action", "query", "type", "entity_id", "entity", "depth"],
    "knowledge_graph_search": ["query", "entity_type", "entity_id", "max_depth"],
    "vault_search": ["query", "limit", "visibility", "prefix"],
    "save_to_working_memory": ["key", "data", "ttl_minutes", "category", "tags"],
    "get_from_working_memory": ["key"],
    "list_working_memory": ["namespace"],
    "search_working_memory": ["query", "category", "tags", "namespace"],
    "delete_from_working_memory": ["key"],
}
REQUIRED = {"content", "query", "id", "key", "data"}


@pytest.fixture
def box(scope):
    """The tools of one session, by name."""
    return {tool.__name__: tool for tool in tools(scope, session="abc123")}


@pytest.mark.spec("M6")
@pytest.mark.spec("M13")
def test_every_tool_has_the_documents_name_and_parameters(box):
    assert {name: list(inspect.signature(tool).parameters) for name, tool in box.items()} == PARAMETERS
    for name, tool in box.items():
        assert tool.__doc__, name
        for parameter in inspect.signature(tool).parameters.values():
            optional = parameter.name not in REQUIRED or name == "search_working_memory"
            numbers = parameter.name in {"depth", "limit", "max_depth"}
            wanted = name == "knowledge_graph" and parameter.name == "action"
            free = optional or (name == "knowledge_graph" and parameter.name == "query")
            assert (parameter.default is parameter.empty) != ((free and not wanted) or numbers), (name, parameter.name)
            assert parameter.annotation is not parameter.empty


@pytest.mark.spec("M6")
def test_an_agent_saves_searches_browses_and_deletes(box):
    saved = box["save_memory"]("User is in Chicago", category="user-preferences/timezone", tags=["tz"])
    assert saved.startswith("Saved as [")
    key = saved.split("[")[1].split("]")[0]
    assert box["save_memory"]("User is in Chicago", category="user-preferences") == (
        f"Known already; reinforced [{key}] (user-preferences/timezone)."
    )
    line = f"- [{key}] (user-preferences/timezone): User is in Chicago"
    assert box["search_memory"]("where is the user?", category="user-preferences", tags=["tz"]) == line
    assert box["search_memory"]("Chicago", category="project-context") == "No memory fits."
    assert box["list_memory_categories"]() == "user-preferences/timezone (1)"
    assert box["delete_memory"](key) == f"Forgot [{key}]."
    assert box["delete_memory"](key) == f"[{key}] was forgotten already."
    assert box["search_memory"]("Chicago") == "No memory fits."
    assert box["list_memory_categories"]() == "No memories yet."


@pytest.mark.spec("M13")
def test_an_agent_works_with_scratch_space_across_namespaces(box, scope):
    other = {tool.__name__: tool for tool in tools(scope, namespace="subagent/t1b2c3")}
    other["save_to_working_memory"]("research_results", "The harbour master is Ines")

    stored = box["save_to_working_memory"](
        "emails_inbox", "12 unread", ttl_minutes=10, category="email", tags=["inbox"]
    )
    assert stored == "Stored session/abc123/emails_inbox until 2026-05-01 09:10:00 UTC."
    assert box["get_from_working_memory"]("emails_inbox") == "12 unread"
    assert box["get_from_working_memory"]("subagent/t1b2c3/research_results") == "The harbour master is Ines"
    assert box["list_working_memory"]() == (
        "- session/abc123/emails_inbox: expires in 10m00s, category: email, tags: inbox"
    )
    assert box["list_working_memory"]("subagent/t1b2c3") == "- subagent/t1b2c3/research_results: expires in 5m00s"
    assert box["search_working_memory"]("harbour", namespace="subagent") == (
        "- subagent/t1b2c3/research_results: The harbour master is Ines"
    )
    assert box["search_working_memory"](category="email", tags=["inbox"]) == "- session/abc123/emails_inbox: 12 unread"
    assert box["search_working_memory"]("harbour") == "Nothing fits in working memory."
    assert box["delete_from_working_memory"]("emails_inbox") == "Removed emails_inbox."
    assert box["delete_from_working_memory"]("emails_inbox") == "There was no emails_inbox."
    with pytest.raises(Denied):
        box["delete_from_working_memory"]("subagent/t1b2c3/research_results")


@in_turn(
    ("name", "arguments", "error"),
    [
        ("save_memory", {"content": ""}, Invalid),
        ("save_memory", {"content": "x", "category": "a b"}, Invalid),
        ("search_memory", {"query": " "}, Invalid),
        ("delete_memory", {"id": "0" * 12}, NotFound),
        ("delete_memory", {"id": "?"}, Invalid),
        ("get_from_working_memory", {"key": "nothing"}, NotFound),
        ("save_to_working_memory", {"key": "k", "data": "d", "ttl_minutes": 0}, Invalid),
        ("save_to_working_memory", {"key": "k", "data": "d", "ttl_minutes": float("nan")}, Invalid),
        ("save_to_working_memory", {"key": "k", "data": "d", "ttl_minutes": "5"}, Invalid),
        ("save_to_working_memory", {"key": "patrol/x/k", "data": "d"}, Denied),
    ],
)
def test_a_refusal_says_what_is_wrong(box, name, arguments, error):
    with pytest.raises(NacreError) as refused:
        box[name](**arguments)
    assert type(refused.value) is error
    assert str(refused.value).endswith(".")


def test_without_a_session_there_is_no_scratch_space(scope):
    assert [tool.__name__ for tool in tools(scope)] == list(PARAMETERS)[:7]
