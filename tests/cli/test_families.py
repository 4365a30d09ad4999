"""The other families of commands: memory, working, token, history, sessions, summaries, agent, dreams."""

import json

import pytest


@pytest.fixture
def told(nacre_command):
    """Runs a command that must succeed, and reads its JSON."""

    def invoke(*arguments: str):
        ran = nacre_command(*arguments, "--json")
        assert ran.code == 0, ran.err
        return json.loads(ran.out)

    return invoke


@pytest.mark.spec("S20")
def test_memories_are_listed_searched_shown_and_forgotten(told, nacre_command):
    tea = told("remember", "Ana drinks tea.", "--category", "taste/drinks", "--tag", "ana")["memory"]["id"]
    told("remember", "The launch is on May 3.", "--category", "project")

    assert len(told("memory", "list")) == 2
    assert [each["memory"]["id"] for each in told("memory", "list", "--category", "taste", "--tag", "ana")] == [tea]
    assert told("memory", "search", "tea")[0]["memory"]["id"] == tea
    assert told("memory", "show", tea[-12:])["content"] == "Ana drinks tea."
    assert told("memory", "categories") == {"taste/drinks": 1, "project": 1}
    assert told("memory", "importance", tea, "0.9")["importance"] == 0.9
    assert [each["record"]["operation"] for each in told("memory", "history", tea)] == ["set_importance", "remember"]
    assert [each["quote"] for each in told("memory", "evidence", tea)] == ["Ana drinks tea."]
    assert nacre_command("memory", "categories").out.splitlines() == ["project\t1", "taste/drinks\t1"]
    assert nacre_command("memory", "list", "--category", "project").out.count("\t") == 5
    assert nacre_command("memory", "forget", tea).out.startswith("Forgot 1 memories")
    assert told("memory", "forget", "--everything", "--purge")["purged"]
    assert nacre_command("memory", "list").err == "Nothing found.\n"
    assert nacre_command("memory", "forget").code == 2
    assert nacre_command("memory", "show", "0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e").code == 1


def test_a_memory_that_replaces_another_says_so_and_the_other_says_where_it_went(told, nacre_command):
    old = told("remember", "The rent is 1,200 euro")["memory"]["id"]
    lines = nacre_command("remember", "The rent is now 1,300 euro").out.splitlines()
    assert lines[1] == f"It replaces {old[-12:]}."

    ended = told("memory", "show", old)
    assert (ended["archive_reason"], len(ended["replaced_by"])) == ("replaced", 1)
    assert lines[0].split()[1] == ended["replaced_by"][0][-12:]
    assert f"replaced_by\t{ended['replaced_by'][0]}" in nacre_command("memory", "show", old).out

    told("remember", "The stove is red")
    asked = nacre_command("remember", "The stove is blue").out.splitlines()[1]
    assert asked.startswith("It may replace another: see `nacre ontology proposals show ")
    proposal = asked.split()[-1].rstrip("`.")
    assert told("ontology", "proposals", "show", proposal)["operation"] == "replace_memory"


@pytest.mark.spec("S20")
def test_working_memory_is_kept_by_namespace(told, nacre_command):
    told("working", "save", "plan", "first the tests", "--namespace", "session/a", "--ttl", "600", "--tag", "x")

    assert told("working", "get", "plan", "--namespace", "session/a")["value"] == "first the tests"
    assert [each["key"] for each in told("working", "list", "--namespace", "session/a")] == ["session/a/plan"]
    assert told("working", "list", "--namespace", "session/b") == []
    assert len(told("working", "list", "--below", "session/a")) == 1
    assert len(told("working", "search", "tests", "--namespace", "session/a", "--tag", "x")) == 1
    assert nacre_command("working", "get", "plan").code == 1
    assert nacre_command("working", "save", "plan", "x", "--ttl", "0").code == 2
    assert told("working", "delete", "plan", "--namespace", "session/a") == {"deleted": True}
    assert nacre_command("working", "delete", "plan", "--namespace", "session/a").out == "There was none.\n"


@pytest.mark.spec("S20")
def test_tokens_are_issued_listed_and_revoked(told, nacre_command):
    issued = told("token", "issue", "laptop", "--role", "readonly", "--for-agent", "assistant")
    assert issued["secret"].startswith(issued["token"]["prefix"])
    plain = nacre_command("token", "issue", "other")
    assert plain.out.count("\n") == 1
    assert "cannot be shown again" in plain.err

    listed = told("token", "list")

    assert [each["name"] for each in listed] == ["other", "laptop"]
    assert "secret" not in json.dumps(listed)
    assert told("token", "revoke", issued["token"]["id"])["revoked_at"]
    assert told("token", "denials") == []
    assert nacre_command("token", "issue", "x", "--for-user", "ana").code == 2
    assert nacre_command("token", "issue", "x", "--role", "king").code == 2


@pytest.mark.spec("S20")
def test_what_was_done_is_listed_and_undone(told, nacre_command):
    told("ontology", "entity", "create", "Ana", "--reason", "she exists")
    [done] = told("history")
    assert (done["operation"], done["reason"]) == ("create_entity", "she exists")
    assert "create_entity" in nacre_command("history").out

    told("undo", done["id"])

    assert told("knowledge", "entities")["items"] == []
    assert nacre_command("undo", done["id"]).code == 1
    assert nacre_command("undo", "garbage").code == 2


def test_sessions_and_their_summaries(told, nacre_command):
    for text in ("We moved the launch to May 3.", "Marta writes the release notes."):
        told("observe", text, "--session", "s1", "--speaker", "Ana")

    assert [(each["session"], each["turns"]) for each in told("sessions", "list")] == [("s1", 2)]
    assert len(told("sessions", "show", "s1", "--limit", "1")) == 1
    assert "May 3" in nacre_command("summaries", "make", "s1").out
    assert [each["session"] for each in told("summaries", "list")] == ["s1"]
    assert told("summaries", "show", "s1")["turns"] == 2
    assert len(told("summaries", "search", "launch")["hits"]) == 1
    assert nacre_command("summaries", "show", "s2").code == 1
    assert [each["session_key"] for each in told("knowledge", "sessions", "Marta")["summaries"]] == ["s1"]


def test_what_an_agent_shares_is_shown_and_changed(told, nacre_command):
    assert told("agent", "show", "assistant")["share_memory"] is False
    changed = told("agent", "share", "assistant", "--graph", "--policy", "shared")
    assert (changed["share_knowledge_graph"], changed["share_memory"], changed["read_policy"]) == (
        True,
        False,
        "shared",
    )
    assert told("agent", "share", "assistant", "--no-graph")["read_policy"] == "shared"
    assert told("agent", "list") == ["assistant"]
    assert nacre_command("agent", "list").out == "assistant\n"


def test_dreams_are_listed_and_their_breakers_reset(told, nacre_command):
    told("remember", "The launch moved to May 3.")
    nacre_command("dream")
    assert [each["status"] for each in told("dreams", "list")] == ["done"]
    assert told("dreams", "reset", "consolidation") == {"was_paused": False}


def test_a_value_alone_is_shown_by_names_and_values(nacre_command):
    nacre_command("ontology", "entity", "create", "Ana", "--type", "person")

    shown = dict(line.split("\t") for line in nacre_command("ontology", "entity", "show", "Ana").out.splitlines())

    assert (shown["name"], shown["type"], shown["confidence"]) == ("Ana", "person", "1.000")
    assert "description" not in shown
