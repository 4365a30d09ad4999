"""The graph as an agent meets it: blocks in its context, and tools."""

import pytest
from sqlalchemy import text

from nacre import Invalid, Nacre, NotFound, Settings
from nacre.domain.contexts import DOCUMENTED
from nacre.graph.reading.rendering import CONNECTIONS_HEADER
from nacre.tools import tools


@pytest.fixture
def rockbot(scope):
    """The document's example."""
    scope.graph.add("Alice", type="person", description="Backend lead")
    scope.graph.link("Alice", "works_on", "RockBot", confidence=0.9)
    scope.graph.link("RockBot", "uses", "RabbitMQ", confidence=0.85)
    scope.graph.link("Alice", "knows", "Bob", confidence=0.75)
    return scope


@pytest.fixture
def box(rockbot):
    return {tool.__name__: tool for tool in tools(rockbot)}


@pytest.mark.spec("R4")
def test_connections_are_injected_as_documented_with_names_and_best_first(rockbot, clock):
    clock.advance(days=3)
    context = rockbot.context("What is Alice doing?", session="s1", blocks=["connections"])

    block = next(message for message in context.messages if message.label == "graph")
    assert block.text == (
        "Related knowledge graph connections:\n"
        "- Alice --works_on--> RockBot (confidence=0.90)\n"
        "- RockBot --uses--> RabbitMQ (confidence=0.85)\n"
        "- Alice --knows--> Bob (confidence=0.75)"
    )
    assert rockbot.graph.get("Alice").last_referenced_at == clock.now
    assert rockbot.graph.get("Bob").last_referenced_at is None


@pytest.mark.spec("R3")
@pytest.mark.spec("R4")
def test_memories_seed_a_walk_of_one_hop(rockbot):
    rockbot.remember("Bob owns the green bicycle", category="general")
    rockbot.graph.link("Bob", "owns", value="a green bicycle")

    text_ = rockbot.context("who has a green bicycle?", session="s1", blocks=DOCUMENTED).text

    assert CONNECTIONS_HEADER in text_
    assert "Bob --owns--> a green bicycle" in text_
    assert "RabbitMQ" not in text_


@pytest.mark.spec("R3")
def test_at_most_fifteen_connections_are_injected(scope):
    for number in range(40):
        scope.graph.link("Hub", "knows", f"Spoke {number:02d}x", confidence=0.5 + number / 100)

    (message,) = scope.context("about Hub", budget=5_000, blocks=["connections"]).messages
    block = message.text

    assert block.count("\n- ") == 15
    assert "Spoke 39x" in block
    assert "Spoke 00x" not in block


@pytest.mark.spec("R6")
def test_switched_off_the_graph_is_left_alone_and_the_rest_works(database_url):
    with Nacre(database_url, settings=Settings(worker="off")) as nacre:
        nacre.scope("a").graph.link("Alice", "knows", "Bob")
    with Nacre(database_url, settings=Settings(worker="off", graph="off")) as nacre:
        scope = nacre.scope("a")
        scope.remember("Alice lives in Porto")
        context = scope.context("Where does Alice live?", session="s1")
        assert [message.label for message in context.messages] == ["memory"]
        assert scope.graph.get("Alice").last_referenced_at is None


@pytest.mark.spec("W4")
def test_the_profile_groups_by_kind_within_a_budget(scope, clock):
    for name, kind, description in (
        ("Hostinger", "organization", "VPS provider"),
        ("concise responses", "preference", None),
        ("dark mode", "preference", None),
        ("Maria", "person", "friend, developer"),
        ("John", "person", "colleague, DevOps"),
    ):
        scope.graph.add(name, type=kind, description=description)
        clock.advance(minutes=1)
    scope.graph.add("BTC", type="asset", properties={"price": "$67,663", "change": "-0.99% today"})

    assert scope.graph.profile() == (
        "[KNOWLEDGE GRAPH]\n"
        "People: John (colleague, DevOps), Maria (friend, developer)\n"
        "Assets: BTC ($67,663, -0.99% today)\n"
        "Preferences: dark mode, concise responses\n"
        "Organizations: Hostinger (VPS provider)"
    )
    small = scope.graph.profile("What does Hostinger cost?", budget=25)
    assert small == "[KNOWLEDGE GRAPH]\nOrganizations: Hostinger (VPS provider)"
    assert scope.graph.profile(budget=1) == ""


@pytest.mark.spec("W5")
def test_the_knowledge_graph_tool_searches_lists_gets_and_walks(box, rockbot):
    ask = box["knowledge_graph"]
    assert ask(action="search", query="who is Alice") == "[person] Alice — Backend lead"
    assert ask(action="list", type="people") == "[person] Alice — Backend lead"
    assert (
        ask(action="get", entity_id=str(rockbot.graph.get("Alice").id)).splitlines()[0]
        == "[person] Alice — Backend lead"
    )
    rockbot.graph.link("BTC", "price_data", "last_updated")
    rockbot.graph.link("BTC", "alert", value="threshold_70k")
    assert set(ask(action="neighbors", entity="BTC", depth=2).splitlines()) == {
        "BTC → price_data → last_updated",
        "BTC → alert → threshold_70k",
    }
    assert "Alice → works_on → RockBot → uses → RabbitMQ" in ask(action="neighbors", entity="Alice", depth=2)
    assert "RabbitMQ" not in ask(action="neighbors", entity="Alice", depth=1)
    with pytest.raises(Invalid):
        ask(action="dance")
    with pytest.raises(Invalid):
        ask(action="get")
    with pytest.raises(NotFound):
        ask(action="get", entity_id="nobody")


@pytest.mark.spec("G6")
def test_the_search_tool_falls_through_its_tiers(box, rockbot):
    ask = box["knowledge_graph_search"]
    walked = ask(query="*", entity_id="alice", max_depth=2).splitlines()
    assert walked[0].startswith("[unknown] RockBot (depth 1, via works_on: Alice → works_on → RockBot)")
    assert any("(depth 2, via uses: Alice → works_on → RockBot → uses → RabbitMQ)" in line for line in walked)
    rockbot.graph.link("Dan", "likes", value="tea")
    assert ask(query="x", entity_id="dan") == "Dan --likes--> tea"
    found = ask(query="rock").splitlines()
    assert found[0] == "[unknown] RockBot"
    assert set(found[1:]) == {"  RockBot --uses--> RabbitMQ", "  Alice --works_on--> RockBot"}
    assert ask(query="alice", entity_type="project").startswith("Nothing fits. The graph knows, among others:\n")
    assert len(ask(query="*").splitlines()) == 5
    with pytest.raises(Invalid):
        ask(query="*", max_depth=4)


@pytest.mark.spec("G6")
def test_the_search_tools_caps_hold(scope):
    for number in range(40):
        scope.graph.link("Hub", "knows", f"Spoke {number:02d}x")
    ask = {tool.__name__: tool for tool in tools(scope)}["knowledge_graph_search"]

    assert len(ask(query="*").splitlines()) == 30
    assert len(ask(query="*", entity_id="hub").splitlines()) == 20
    found = ask(query="spoke").splitlines()
    assert len([line for line in found if not line.startswith("  ")]) == 10
    assert len(ask(query="hub").splitlines()) == 6
    assert len(ask(query="zzz").splitlines()) == 11


def test_an_empty_graph_says_so(scope):
    ask = {tool.__name__: tool for tool in tools(scope)}
    assert ask["knowledge_graph_search"](query="x") == "The graph is empty."
    assert ask["knowledge_graph"](action="list") == "The graph is empty."


@pytest.mark.spec("G9")
def test_stats_and_the_picture(scope):
    for number in range(30):
        scope.graph.link("Hub", "knows", f"Spoke {number:02d}x")
    scope.graph.add("Loner", type="person")

    stats = scope.graph.stats()
    assert (stats.entity_count, stats.relation_count) == (32, 30)
    assert stats.entity_types == {"person": 1, "unknown": 31}
    small = scope.graph.picture(limit=5)
    assert small.entities[0].name == "Hub"
    assert (len(small.entities), len(small.relations)) == (5, 4)
    assert len(scope.graph.picture().relations) == 30


@pytest.mark.spec("W6")
def test_chats_do_not_see_each_others_graphs(nacre):
    here, there = (nacre.scope("assistant", user="ana", chat=chat) for chat in ("c1", "c2"))
    here.graph.link("BTC", "has_price", value="$67,663")

    assert there.graph.search() == []
    assert there.graph.mentioned("BTC") == []
    assert there.context("what about BTC?", session="s").text == ""
    with pytest.raises(NotFound):
        there.graph.get("BTC")
    assert [each.name for each in here.graph.mentioned("and BTC?")] == ["BTC"]


@pytest.mark.spec("W8")
def test_nothing_goes_by_itself_and_a_clean_up_by_age_is_one_call_with_a_dry_run(scope, clock):
    scope.graph.link("Old", "knows", "Older")
    clock.advance(days=400)
    scope.graph.add("New")
    scope.context("tell me about Old")
    border = clock.now.replace(year=clock.now.year - 1)
    assert scope.graph.stats().entity_count == 3

    counted = scope.graph.clean_up(untouched_since=border, dry_run=True)
    assert (counted.outcome.entities, counted.outcome.links) == (1, 1)
    assert scope.graph.stats().entity_count == 3
    done = scope.graph.clean_up(untouched_since=border)
    assert (done.outcome.entities, scope.graph.stats().entity_count) == (1, 2)
    scope.graph.undo(done.record.id)
    assert scope.graph.stats().relation_count == 1


@pytest.mark.spec("W2")
def test_the_views_show_the_graph_to_anyone_with_sql(nacre, clock):
    scope = nacre.scope("assistant", user="ana", chat="c1")
    john = scope.graph.add("John", type="person", properties={"role": "DevOps"})
    link = scope.graph.link("John", "works_at", "Hostinger", confidence=0.8)
    scope.graph.add("Gone")
    scope.graph.archive("Gone")
    with nacre.parts.database.read_all() as tx:
        nodes = tx.execute(text("SELECT * FROM knowledge_nodes ORDER BY name DESC").execution_options(all_scopes=True))
        found = [row._asdict() for row in nodes]
        edges = tx.execute(text("SELECT * FROM knowledge_relations").execution_options(all_scopes=True))
        edge = edges.one()._asdict()

    assert [row["name"] for row in found] == ["John", "Hostinger"]
    assert set(found[0]) >= {"id", "entity_type", "name", "properties", "chat_id", "created_at", "updated_at"}
    assert (found[0]["entity_type"], found[0]["chat_id"]) == ("person", "c1")
    assert "DevOps" in str(found[0]["properties"])
    assert str(found[0]["created_at"]).startswith("2026-05-01")
    assert set(edge) >= {"id", "from_node", "to_node", "relation_type", "weight", "created_at"}
    assert (edge["relation_type"], edge["weight"]) == ("works_at", 0.8)
    assert str(edge["from_node"]).replace("-", "") == john.id.hex
    assert str(edge["id"]).replace("-", "") == link.id.hex
