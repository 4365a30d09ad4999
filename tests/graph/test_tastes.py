"""A dislike reads as a dislike wherever the graph is put into words."""

import io
from datetime import timedelta

import pytest

from nacre.mcp import resources
from nacre.tools import tools


def profile(scope, **given):
    return scope.graph.profile(**given).splitlines()[1:]


@pytest.mark.spec("W4")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("I can't stand night shifts.", "Dislikes: night shifts"),
        ("I hate olives.", "Dislikes: olives"),
        ("No soporto el ruido.", "Dislikes: ruido"),
        ("No me gustan los lunes grises.", "Dislikes: lunes grises"),
        ("I prefer dark mode.", "Preferences: dark mode"),
    ],
)
def test_a_profile_tells_likes_from_dislikes(scope, text, line):
    scope.observe("user", text, session="s1")

    assert profile(scope) == ["People: ana", line]
    assert line in scope.context("ok", session="s2", blocks=["knowledge_graph"]).text


@pytest.mark.spec("W4")
def test_both_groups_stand_beside_each_other(scope):
    scope.observe("user", "I love hiking. I hate olives. I can't stand night shifts. I work at Google.")

    assert profile(scope) == [
        "People: ana",
        "Preferences: hiking",
        "Dislikes: night shifts, olives",
        "Organizations: Google",
    ]


def test_the_links_in_force_decide_and_earlier_ones_at_their_time(scope, clock):
    scope.observe("user", "I love coffee.")
    clock.advance(days=1)
    scope.observe("user", "I can't stand coffee.")
    clock.advance(days=1)

    assert "Dislikes: coffee" in profile(scope)
    assert "Preferences: coffee" in profile(scope, as_of=clock() - timedelta(days=1, hours=1))
    scope.observe("user", "I love coffee again.")
    assert "Preferences: coffee" in profile(scope)
    scope.observe("user", "I no longer like coffee.")
    assert profile(scope) == ["People: ana"]


def test_what_one_likes_and_another_dislikes_names_both(scope):
    scope.observe("user", "Ruth loves coffee. Tom hates coffee.")

    assert profile(scope) == ["People: Tom, Ruth", "Preferences: coffee (Ruth)", "Dislikes: coffee (Tom)"]


def test_a_preference_that_no_link_is_about_stays_one(scope):
    scope.graph.add("concise responses", type="preference")

    assert profile(scope) == ["Preferences: concise responses"]
    assert scope.graph.tastes([scope.graph.get("concise responses").id]) == {}


def test_tools_say_who_dislikes_a_thing(scope):
    scope.observe("user", "I hate olives. I love figs.")
    ask = {tool.__name__: tool for tool in tools(scope)}

    listed = ask["knowledge_graph"](action="list", type="preference").splitlines()
    assert sorted(listed) == ["[preference] figs", "[preference] olives — disliked by ana"]
    assert "ana → dislikes → olives" in ask["knowledge_graph"](action="neighbors", entity="ana")
    got = ask["knowledge_graph"](action="get", entity_id="olives")
    assert got == "[preference] olives — disliked by ana\nana --dislikes--> olives"
    reached = ask["knowledge_graph_search"](query="tastes", entity_id="ana")
    assert "[preference] olives — disliked by ana (depth 1, via dislikes: ana → dislikes → olives)" in reached
    scope.observe("user", "I no longer like figs.")
    assert "[preference] figs — no longer liked or disliked" in ask["knowledge_graph"](action="search", query="figs")


def test_notes_and_resources_say_who_dislikes_a_thing(scope):
    scope.observe("user", "I hate olives. Ruth loves olives. I love figs.")
    out = io.StringIO()
    scope.transfer.export(out, format="markdown")

    assert "# olives\n\n*preference, liked by Ruth, disliked by ana*" in out.getvalue()
    assert "# figs\n\n*preference*" in out.getvalue()
    assert "\nolives (preference, liked by Ruth, disliked by" in resources.read(scope, "nacre://entity/olives")
    listed = {each.name: each.description for each in resources.listing(scope)}
    assert listed["olives"] == "preference, liked by Ruth, disliked by ana"
