"""Who sees which documents: one's own, those of one's teams, and what the agent shares; nothing else."""

from itertools import cycle, product
from operator import attrgetter

import pytest

from nacre import Denied, Invalid, Kind, NotFound, Scope
from nacre.domain.documents import MAX_TEAMS, Visibility
from nacre.store.base import sharing

WORDS = "# {}\n\nThe ferry sails. See [[target]] and [[hub]]."


@pytest.fixture
def people(nacre):
    """Scopes of two agents, each of which keeps something of every kind that it may."""
    for agent in ("assistant", "other"):
        nacre.agent(agent).teams.set("platform", ["ana", "ben"])
        nacre.agent(agent).teams.set("design", ["cleo"])
    scopes = {
        (agent, user): nacre.scope(agent, user=user)
        for agent in ("assistant", "other")
        for user in ("ana", "ben", "cleo", None)
    }
    for (agent, user), scope in scopes.items():
        if user:
            scope.vault.save("hub.md", WORDS.format(f"{agent}-{user}"))
        if user in ("ana", "cleo"):
            team = "platform" if user == "ana" else "design"
            scope.vault.save("target.md", WORDS.format(f"{agent}-{team}"), team=team)
        if user is None:
            scope.vault.save("shared.md", WORDS.format(f"{agent}-shared"))
    return scopes


def allowed(agent: str, user: str | None) -> set[str]:
    """The titles of the documents that a user may see."""
    team = {"ana": "platform", "ben": "platform", "cleo": "design"}.get(user or "")
    return {f"{agent}-{name}" for name in (user, team, "shared") if name}


def titles(documents) -> set[str]:
    return {document.title for document in documents}


@pytest.mark.spec("G14")
def test_nobody_sees_what_is_not_theirs_in_any_way(people, clock):
    every = {each.id: each.title for scope in people.values() for each in scope.vault.list()}
    # Each way in turn, so that all meet documents of every kind.
    looks = cycle(attrgetter(name) for name in ("get", "links", "archive", "delete", "restore"))
    for (agent, user), scope in people.items():
        mine = allowed(agent, user)
        assert titles(scope.vault.list()) == titles(scope.vault.list(as_of=clock.now)) == mine
        assert {hit.text.split()[1] for hit in scope.recall("ferry sails", limit=50)} == mine
        assert titles(scope.vault.search("ferry", limit=50, origins=["vault"]).items) == mine
        for key, title in every.items():
            if title in mine:
                assert scope.vault.get(key).title == title
            else:
                look = next(looks)
                with pytest.raises(NotFound):
                    look(scope.vault)(key)
        links = scope.vault.links("shared.md")
        assert titles(link.document for link in links.outgoing if link.document) <= mine
        assert titles(link.source for link in [*links.backlinks, *scope.vault.broken()]) <= mine


@pytest.mark.spec("G14")
def test_links_lead_where_their_reader_may_go(people):
    ana, ben, cleo = (people["assistant", user] for user in ("ana", "ben", "cleo"))
    for scope, hub, target in ((ana, "ana", "platform"), (ben, "ben", "platform"), (cleo, "cleo", "design")):
        led = {link.target: link.document for link in scope.vault.links("shared.md").outgoing}
        assert {name: each.title for name, each in led.items() if each} == {
            "hub": f"assistant-{hub}",
            "target": f"assistant-{target}",
        }
    agent = people["assistant", None]
    assert [link.document for link in agent.vault.links("shared.md").outgoing] == [None, None]
    assert [link.target for link in agent.vault.broken()] == ["target", "hub"]


@pytest.mark.spec("G14")
def test_a_team_is_open_only_while_one_is_in_it(nacre, people):
    ben = people["assistant", "ben"]
    assert ben.vault.get("target.md").team == "platform"
    ben.vault.save("target.md", "The ferry is painted.", team="platform")
    assert people["assistant", "ana"].vault.get("target.md").content == "The ferry is painted."

    nacre.agent("assistant").teams.set("platform", ["ana"])

    for look in (ben.vault.get, ben.vault.links):
        with pytest.raises(NotFound):
            look("target.md")
    assert "The ferry is painted." not in {hit.text for hit in ben.recall("ferry painted")}
    with pytest.raises(Denied):
        ben.vault.save("target.md", "words", team="platform")
    with pytest.raises(Denied):
        ben.vault.save("target.md", "words", team="nobody has this team")
    assert ben.vault.list(team="platform") == []
    nacre.agent("assistant").teams.set("platform", ["ana", "ben"])
    assert ben.vault.get("target.md").content == "The ferry is painted."


def test_only_those_with_a_name_are_in_a_team_or_have_something_of_their_own(people):
    agent = people["assistant", None]
    with pytest.raises(Denied):
        agent.vault.save("a.md", "words", team="platform")
    with pytest.raises(Invalid):
        agent.vault.save("a.md", "words", visibility="personal")
    assert agent.vault.save("a.md", "words").document.visibility is Visibility.SHARED
    assert people["assistant", "ben"].vault.get("a.md").visibility is Visibility.SHARED


def test_one_path_may_be_of_each_kind_and_ones_own_comes_first(people):
    ana = people["assistant", "ana"]
    for visibility, team in (("shared", None), ("team", "platform"), ("personal", None)):
        ana.vault.save("same.md", f"This is {visibility}.", visibility=visibility, team=team)

    assert ana.vault.get("same.md").content == "This is personal."
    assert ana.vault.get("same.md", visibility="team").content == "This is team."
    assert ana.vault.get("same.md", visibility="shared").content == "This is shared."
    assert people["assistant", "ben"].vault.get("same.md").content == "This is team."
    assert people["assistant", "cleo"].vault.get("same.md").content == "This is shared."
    assert [each.visibility for each in ana.vault.list(visibility="team", prefix="same.md")] == [Visibility.TEAM]
    ana.vault.delete("same.md", visibility="shared")
    ana.vault.archive("same.md", visibility="personal")
    assert ana.vault.get("same.md").content == "This is team."


def test_chats_and_documents_of_teams_stay_apart(nacre, people):
    here, there = nacre.scope("assistant", user="ana", chat="c1"), nacre.scope("assistant", user="ana", chat="c2")
    here.vault.save("chat.md", "The ferry of this chat.")

    assert [each.path for each in there.vault.list(visibility="personal")] == []
    assert here.vault.get("target.md").team == there.vault.get("target.md").team == "platform"


def test_what_a_team_writes_reaches_no_graph(nacre, people):
    nacre.agent("assistant").share(knowledge_graph=True)
    ana = people["assistant", "ana"]
    ana.vault.save("secret.md", "Alice manages Project Alpha.", team="platform")
    assert [ana.graph.search("alice"), people["assistant", None].graph.search("alice")] == [[], []]

    ana.vault.save("open.md", "Alice manages Project Alpha.", visibility="shared")

    assert len(people["assistant", "cleo"].graph.search("alice")) == 1


@pytest.mark.parametrize(("graph", "memory"), list(product([False, True], repeat=2)))
def test_sharing_other_things_shares_no_documents(nacre, people, graph, memory):
    nacre.agent("assistant").share(knowledge_graph=graph, memory=memory)
    agent, ana = people["assistant", None], people["assistant", "ana"]
    agent.observe("user", "The ferry is a secret of the agent.")
    ana.remember("The ferry has a memory.")

    found = ana.recall("ferry sails", kinds=["document"], limit=50)
    assert {hit.text.split()[1] for hit in found} == allowed("assistant", "ana")
    assert "The ferry is a secret of the agent." not in {hit.text for hit in ana.recall("ferry", limit=50)}
    assert [hit.kind for hit in ana.recall("ferry memory", kinds=["memory"])] == [Kind.MEMORY]


def test_a_document_can_be_cited_by_whoever_may_read_it(people):
    ana, cleo = people["assistant", "ana"], people["assistant", "cleo"]
    source = ana.vault.get("target.md").source

    ana.graph.add("Ferry", said_in=source, quote="The ferry sails")

    with pytest.raises(NotFound):
        cleo.graph.add("Ferry", said_in=source, quote="The ferry sails")


def test_teams_have_members_and_limits(nacre):
    teams = nacre.agent("assistant").teams
    assert teams.list() == {}
    assert teams.set("b", ["zoe", "ana", "ana"]) == {"b": ["ana", "zoe"]}
    assert teams.set("a", ["ben"]) == {"a": ["ben"], "b": ["ana", "zoe"]}
    assert nacre.agent("other").teams.list() == {}
    nacre.agent("assistant").share(memory=True)
    assert teams.set("b", []) == {"a": ["ben"]}
    for bad in ("ana", [""], [7], None, ["x"] * 2 + ["\n"], [f"u{number}" for number in range(1_001)]):
        with pytest.raises(Invalid):
            teams.set("c", bad)
    with nacre.parts.database.write(Scope(agent="assistant")) as tx:
        sharing.save_teams(tx, {f"t{number}": ["ana"] for number in range(MAX_TEAMS)})
    with pytest.raises(Invalid):
        teams.set("one more", ["ana"])


def test_a_purged_user_is_in_no_team(nacre, people):
    nacre.forget_user("assistant", "ana", purge=True)

    assert nacre.agent("assistant").teams.list() == {"design": ["cleo"], "platform": ["ben"]}
    assert people["assistant", "ben"].vault.get("target.md").team == "platform"
