"""What an agent shares: a graph or memories among its users, and its graph with other agents, each for itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Denied, Invalid, Nacre, NotFound, ReadPolicy, Settings, SharingSettings
from nacre.domain.hits import Kind
from nacre.domain.operations import SourceQuote, UpsertLink
from nacre.domain.scopes import Scope
from nacre.store.base import sharing
from nacre.store.evidence import sources
from nacre.store.graph import links
from tests import examples
from tests.cases import in_turn
from tests.conftest import MovableClock
from tests.graph.test_operations import rows


@pytest.fixture
def ana(nacre):
    return nacre.scope("assistant", user="ana")


@pytest.fixture
def bob(nacre):
    return nacre.scope("assistant", user="bob", chat="c1")


def names(graph) -> set[str]:
    return {entity.name for entity in graph.search(limit=100)}


def texts(scope) -> set[str]:
    return {match.memory.content for match in scope.memories.search(limit=100)}


def test_what_is_read_ahead_of_one_agent_is_taken_for_no_other(nacre, ana):
    for _ in range(3):
        # What is built once is sent ahead from its third time on.
        nacre.agent("assistant").share(memory=False)
        with nacre.parts.settled.read(ana.scope) as tx:
            assert sharing.of(tx) == SharingSettings()
        nacre.agent("assistant").share(memory=True)
        with nacre.parts.settled.read(ana.scope) as tx:
            assert sharing.of(tx) == sharing.of(tx) == SharingSettings(share_memory=True)
            assert sharing.of(tx.moved(Scope(agent="other", user="ana"))) == SharingSettings()


@pytest.mark.spec("G11")
def test_nothing_is_shared_unless_an_agent_is_told_to(nacre, ana, bob):
    ana.graph.link("Alice", "works_on", "RockBot")
    ana.remember("the boat needs new paint")

    assert nacre.agent("assistant").sharing() == SharingSettings()
    assert names(bob.graph) == set()
    assert texts(bob) == set()
    assert "Alice" not in bob.context("What about Alice and the boat?", session="s").text
    with pytest.raises(NotFound):
        bob.graph.get(ana.graph.get("Alice").id)


@pytest.mark.spec("G11")
def test_a_shared_graph_is_one_for_all_users_and_chats_and_memories_stay_apart(nacre, ana, bob):
    nacre.agent("assistant").share(knowledge_graph=True)

    ana.graph.link("Alice", "works_on", "RockBot")
    bob.graph.link("RockBot", "uses", "RabbitMQ")
    ana.remember("the boat needs new paint")

    for scope in (ana, bob, nacre.scope("assistant")):
        assert names(scope.graph) == {"Alice", "RockBot", "RabbitMQ"}
    assert "- Alice works on RockBot" in bob.context("What is Alice up to?").text
    assert ana.graph.get("Alice").last_referenced_at is not None
    assert texts(bob) == set()
    assert [hit.text for hit in bob.recall("boat paint")] == []
    assert "new paint" not in bob.context("the boat", session="s").text
    assert names(nacre.scope("other", user="ana").graph) == set()


@pytest.mark.spec("G11")
def test_shared_memories_are_one_for_all_users_and_the_graph_stays_apart(nacre, ana, bob):
    nacre.agent("assistant").share(memory=True)

    made = ana.remember("the boat needs new paint", category="project-context/boat")
    ana.graph.link("Alice", "works_on", "RockBot")

    assert texts(bob) == {"the boat needs new paint"}
    assert bob.memories.get(made.memory.short).id == made.id
    assert bob.memories.categories() == {"project-context/boat": 1}
    assert [evidence.quote for evidence in bob.memories.evidence(made.id)] == ["the boat needs new paint"]
    assert bob.remember("the boat needs new paint", category="project-context/boat").id == made.id
    assert bob.memories.set_importance(made.id, 0.9).importance == 0.9
    assert names(bob.graph) == set()
    assert texts(nacre.scope("other", user="ana")) == set()
    assert bob.forget(made.id).memories == 1
    assert texts(ana) == set()


@pytest.mark.spec("G11")
def test_settings_are_independent_kept_and_seen_by_other_processes(database_url):
    with Nacre(database_url, settings=Settings(worker="off")) as here, Nacre(database_url) as there:
        graph, watching = here.scope("a", user="u").graph, there.scope("a", user="v").graph
        assert here.agent("a").share(knowledge_graph=True) == SharingSettings(share_knowledge_graph=True)
        assert here.agent("a").share(read_policy="shared", memory=True) == SharingSettings(
            share_knowledge_graph=True, share_memory=True, read_policy=ReadPolicy.SHARED
        )
        graph.add("Alice")
        assert names(watching) == {"Alice"}
        there.agent("a").share(knowledge_graph=False)
        assert names(graph) == set()
        assert here.agent("b").sharing() == SharingSettings()
        assert here.agents() == ["a"]
    with Nacre(database_url) as later:
        assert later.agent("a").sharing() == SharingSettings(share_memory=True, read_policy=ReadPolicy.SHARED)


@pytest.mark.spec("G11")
def test_switching_moves_nothing_and_loses_nothing(nacre, ana, bob):
    agent = nacre.agent("assistant")
    ana.graph.add("Personal")
    ana.remember("A personal note")
    agent.share(knowledge_graph=True, memory=True)
    assert (names(ana.graph), texts(ana)) == (set(), set())
    bob.graph.add("Common")
    bob.remember("A common note")
    assert (names(ana.graph), texts(ana)) == ({"Common"}, {"A common note"})

    agent.share(knowledge_graph=False, memory=False)
    assert (names(ana.graph), texts(ana)) == ({"Personal"}, {"A personal note"})
    assert (names(bob.graph), texts(bob)) == (set(), set())
    agent.share(knowledge_graph=True, memory=True)
    assert (names(ana.graph), texts(ana)) == ({"Common"}, {"A common note"})


@pytest.mark.spec("G11")
@pytest.mark.parametrize("purge", [False, True])
def test_a_user_who_is_forgotten_takes_from_what_is_shared_only_what_a_purge_must(nacre, ana, bob, purge):
    """What rests on nothing but purged words goes with them; else what is shared stays."""
    ana.remember("A personal note")
    nacre.agent("assistant").share(knowledge_graph=True, memory=True)
    said = ana.observe("user", "Alice works on RockBot")
    ana.graph.link("Alice", "works_on", "RockBot", said_in=said.id)
    ana.remember("the boat needs new paint")

    report = nacre.forget_user("assistant", "ana", purge=purge)

    assert (report.memories, report.turns) == (1, 1)
    assert names(bob.graph) == (set() if purge else {"Alice", "RockBot"})
    assert texts(bob) == {"the boat needs new paint"}
    assert ana.recall("Alice RockBot", kinds=["turn"]).hits == ()
    assert nacre.agent("assistant").sharing().share_memory


@pytest.mark.spec("G11")
def test_evidence_goes_with_what_is_said_in_a_shared_graph(nacre, ana, bob):
    nacre.agent("assistant").share(knowledge_graph=True)
    said = ana.observe("user", "I heard that Alice works on RockBot.")

    link = ana.graph.link("Alice", "works_on", "RockBot", said_in=said.id, quote="Alice works on RockBot")
    ana.graph.add("Alice", said_in=said.id)

    assert (link.evidence, link.quote) == (said.id, (13, 35))
    with nacre.parts.graphs.read(bob.scope) as tx:
        assert links.by_id(tx, [link.id])[link.id].evidence == said.id
        assert sources.text_of(tx, said.id)[13:35] == "Alice works on RockBot"
    assert bob.recall("Alice RockBot").hits == ()
    ana.graph.undo(bob.graph.history()[0].id)
    assert ana.recall("Alice RockBot")[0].id == said.id


@pytest.mark.spec("G11")
def test_a_graph_of_ones_own_may_rest_on_a_shared_memory(nacre, ana, bob):
    nacre.agent("assistant").share(memory=True)
    memory = bob.remember("Alice works on RockBot").memory

    link = ana.graph.link("Alice", "works_on", "RockBot", said_in=memory.source)

    assert (link.evidence, link.quote) == (memory.source, (0, 22))


@pytest.mark.spec("G11")
def test_nobody_cites_what_another_user_said(nacre, ana, bob):
    said = ana.observe("user", "Alice works on RockBot")
    for graph in (False, True):
        nacre.agent("assistant").share(knowledge_graph=graph)
        with pytest.raises(NotFound):
            bob.graph.link("Alice", "works_on", "RockBot", said_in=said.id)
    nacre.agent("assistant").share(knowledge_graph=False, memory=True)
    with pytest.raises(NotFound):
        bob.graph.link("Alice", "works_on", "RockBot", said_in=said.id)


def test_a_dry_run_in_a_shared_graph_leaves_no_evidence_behind(nacre, ana):
    nacre.agent("assistant").share(knowledge_graph=True)
    said = ana.observe("user", "it rained all night")
    evidence = SourceQuote(source=said.id, quote=(0, 5))
    link = UpsertLink(source="Alice", predicate="works_on", target="RockBot", evidence=evidence)
    whole = nacre.scope("assistant")
    before = rows(nacre, whole)

    assert ana.graph.apply([link], dry_run=True)[0].outcome.links == 1

    assert rows(nacre, whole) == before
    with nacre.parts.database.read(whole.scope) as tx, pytest.raises(NotFound):
        sources.text_of(tx, said.id)


@pytest.mark.spec("G11")
def test_other_agents_read_a_graph_only_where_its_policy_is_shared(nacre, ana):
    ana.graph.link("Alice", "works_on", "RockBot")
    ana.remember("the boat needs new paint")
    guest = nacre.scope("researcher", user="ana").graph_of("assistant")
    reads = {
        "get": lambda: guest.get("Alice"),
        "links": lambda: guest.links("Alice"),
        "search": lambda: guest.search("Alice"),
        "mentioned": lambda: guest.mentioned("Alice"),
        "walk": lambda: guest.walk(["Alice"]),
        "profile": guest.profile,
        "stats": guest.stats,
        "picture": guest.picture,
    }
    assert {name for name in dir(guest) if not name.startswith("_")} == set(reads)

    for read in reads.values():
        with pytest.raises(Denied):
            read()
    nacre.agent("assistant").share(read_policy="shared")
    for read in reads.values():
        assert read()
    assert guest.get("Alice") == ana.graph.get("Alice")
    assert texts(nacre.scope("researcher", user="ana")) == set()
    nacre.agent("assistant").share(read_policy="isolated")
    with pytest.raises(Denied):
        guest.search()


@pytest.mark.spec("G11")
def test_another_agent_reads_as_the_same_user_or_what_all_users_share(nacre, ana, bob):
    agent = nacre.agent("assistant")
    agent.share(read_policy="shared")
    ana.graph.add("Personal")
    researcher = nacre.scope("researcher", user="bob", chat="c1")

    assert names(researcher.graph_of("assistant")) == set()
    with pytest.raises(NotFound):
        researcher.graph_of("assistant").get("Personal")
    bob.graph.add("Bobs")
    assert names(researcher.graph_of("assistant")) == {"Bobs"}
    agent.share(knowledge_graph=True)
    ana.graph.add("Common")
    assert names(researcher.graph_of("assistant")) == {"Common"}


@pytest.mark.spec("G11")
def test_an_agent_that_is_not_there_is_denied_in_the_same_words(nacre, ana):
    ana.graph.add("Alice")
    scope = nacre.scope("researcher")
    said = []
    for agent in ("assistant", "nobody"):
        with pytest.raises(Denied) as denied:
            scope.graph_of(agent).stats()
        said.append(str(denied.value).replace(agent, "…"))
    assert said[0] == said[1]


@in_turn(
    "wrong",
    [{"knowledge_graph": 1}, {"memory": "yes"}, {"read_policy": "public"}, {"read_policy": ""}, {"read_policy": 7}],
)
def test_a_setting_that_cannot_be_right_changes_nothing(nacre, wrong):
    agent = nacre.agent("assistant")
    agent.share(memory=True)
    with pytest.raises(Invalid):
        agent.share(**wrong)
    assert agent.sharing() == SharingSettings(share_memory=True)
    with pytest.raises(Invalid):
        nacre.agent("")
    with pytest.raises(Invalid):
        nacre.scope("a").graph_of("a\nb")


def test_each_kind_has_one_home():
    scope, agent = Scope(agent="a", user="u", chat="c"), Scope(agent="a")
    of_the_graph = {Kind.CLAIM, Kind.LINK}
    for graph in (False, True):
        for memory in (False, True):
            places = SharingSettings(share_knowledge_graph=graph, share_memory=memory).places(scope)
            shared = (of_the_graph if graph else set()) | ({Kind.MEMORY} if memory else set())
            assert places.get(agent, frozenset()) == shared
            assert places[scope] == set(Kind) - shared
            assert SharingSettings(share_knowledge_graph=graph, share_memory=memory).places(agent) == {agent: set(Kind)}


graph_steps = st.tuples(st.just("graph"), st.integers(0, 2), st.sampled_from(["Ana", "Bob", "Cleo"]))
memory_steps = st.tuples(st.just("memory"), st.integers(0, 2), st.integers(0, 9))
switches = st.tuples(st.just("share"), st.sampled_from(["knowledge_graph", "memory"]), st.booleans())


@examples.costly()
@given(history=st.lists(st.one_of(graph_steps, memory_steps, switches), max_size=14))
def test_what_each_user_sees_follows_the_settings_at_every_step(new_sqlite, history):
    """Against a model: a graph and a set of memories for each home, and the setting that says whose is in use."""
    with Nacre(new_sqlite(), settings=Settings(embedder="off", worker="off"), clock=MovableClock()) as nacre:
        users = [nacre.scope("a", user="u"), nacre.scope("a", user="v"), nacre.scope("b", user="u")]
        kept: dict[tuple[str, str], set[str]] = {}
        shared = {"knowledge_graph": False, "memory": False}

        def home(what: str, who: int) -> set[str]:
            whole = shared["knowledge_graph" if what == "graph" else "memory"] and who < 2
            return kept.setdefault((what, "a" if whole else str(users[who].scope)), set())

        for kind, who, what in history:
            match kind:
                case "share":
                    nacre.agent("a").share(**{who: what})
                    shared[who] = what
                case "graph":
                    users[who].graph.add(what)
                    home("graph", who).add(what)
                case _:
                    users[who].remember(f"Harbour {what} has berths", category=f"harbours/h{what}")
                    home("memory", who).add(f"Harbour {what} has berths")
            for number_, user in enumerate(users):
                assert names(user.graph) == home("graph", number_)
                assert texts(user) == home("memory", number_)
                recalled = {hit.text for hit in user.recall("harbour berths", limit=100)}
                assert recalled == home("memory", number_)
