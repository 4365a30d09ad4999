"""Walks over the graph, on both databases."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid, Nacre, Scope
from nacre.domain import ids
from nacre.domain.graph_reports import Walk
from nacre.domain.ids import EntityId, LinkId
from nacre.domain.links import Link
from nacre.graph.reading import walks
from nacre.store.base.databases import Transaction
from tests.conftest import MovableClock
from tests.graph.rows import add_entity, add_link

SCOPE = Scope(agent="assistant", user="ana")
NOW = MovableClock().now


class Graph:
    """A graph that tests draw by name."""

    def __init__(self, tx: Transaction) -> None:
        self.tx = tx
        self.ids: dict[str, EntityId] = {}

    def entity(self, name: str, **columns) -> EntityId:
        if name not in self.ids:
            self.ids[name] = EntityId(add_entity(self.tx, name, **columns))
        return self.ids[name]

    def link(self, source: str, predicate: str, target: str, **columns) -> None:
        add_link(self.tx, self.entity(source), predicate, self.entity(target), **columns)

    def walk(self, *seeds: str, **options) -> Walk:
        return walks.walk(self.tx, [self.ids[seed] for seed in seeds], **options)

    def reached(self, *seeds: str, **options) -> dict[str, tuple[int, str, str]]:
        """Each entity with its depth, its path and the predicate it was reached by."""
        names = {key: name for name, key in self.ids.items()}
        nodes = self.walk(*seeds, **options).nodes
        return {
            names[node.entity_id]: (node.depth, ">".join(names[each] for each in node.path), node.via) for node in nodes
        }


@pytest.fixture
def graph(nacre: Nacre) -> Iterator[Graph]:
    """An empty graph in one scope."""
    with nacre.parts.database.write(SCOPE) as tx:
        yield Graph(tx)


@pytest.fixture
def work(graph: Graph) -> Graph:
    """The document's own example, and one hop more."""
    graph.link("Alice", "works_on", "RockBot")
    graph.link("RockBot", "uses", "RabbitMQ")
    graph.link("Bob", "works_on", "RockBot")
    graph.link("RabbitMQ", "depends_on", "Erlang")
    return graph


def test_n_hops_reach_exactly_that_far(work):
    assert work.reached("Alice", hops=1) == {"RockBot": (1, "Alice>RockBot", "works_on")}
    assert work.reached("Alice") == {
        "RockBot": (1, "Alice>RockBot", "works_on"),
        "RabbitMQ": (2, "Alice>RockBot>RabbitMQ", "uses"),
        "Bob": (2, "Alice>RockBot>Bob", "~works_on"),
    }
    assert work.reached("Alice", hops=3)["Erlang"] == (3, "Alice>RockBot>RabbitMQ>Erlang", "depends_on")


def test_no_hops_reach_nothing(work):
    assert work.walk("Alice", hops=0) == Walk(nodes=[], links=[], best=[], truncated=False)


def test_a_direction_can_be_chosen(work):
    assert set(work.reached("RockBot", direction="out", hops=1)) == {"RabbitMQ"}
    assert set(work.reached("RockBot", direction="in", hops=1)) == {"Alice", "Bob"}
    assert set(work.reached("Alice", direction="in")) == set()


def test_links_come_in_the_order_of_discovery_and_once(work):
    found = work.walk("Alice", "RockBot", hops=3).links

    assert found[0].predicate == "works_on"
    assert found[-1].predicate == "depends_on"
    assert len(found) == len({link.id for link in found}) == 4


def test_cycles_self_loops_and_double_links_are_walked_once(graph):
    graph.link("A", "knows", "B")
    graph.link("B", "knows", "C")
    graph.link("C", "knows", "A")
    graph.link("A", "knows", "A")
    graph.link("A", "manages", "B")

    walk = graph.walk("A", hops=10)

    assert len(walk.nodes) == 2
    assert len(walk.links) == 5
    assert not walk.truncated


def test_several_seeds_are_walked_together_and_are_not_results(graph):
    graph.link("A", "knows", "B")
    graph.link("B", "knows", "C")
    graph.link("D", "knows", "C")

    assert graph.reached("A", "B", "D", "A") == {"C": (1, "B>C", "knows")}


def test_a_plain_value_is_collected_and_leads_nowhere(graph):
    add_link(graph.tx, graph.entity("Ana"), "has_role", value="lead")

    walk = graph.walk("Ana")

    assert [link.value for link in walk.links] == ["lead"]
    assert walk.nodes == []


def test_archived_links_and_entities_are_never_crossed(graph):
    graph.entity("Gone", status="archived")
    graph.link("A", "knows", "Gone")
    graph.link("Gone", "knows", "B")
    graph.link("A", "knows", "C", status="archived")

    assert graph.walk("A") == Walk(nodes=[], links=[], best=[], truncated=False)
    assert graph.walk("Gone") == Walk(nodes=[], links=[], best=[], truncated=False)


def test_a_walk_stays_in_its_scope(work):
    other = replace(work.tx, scope=Scope(agent="assistant", user="bob"))

    assert walks.walk(other, list(work.ids.values())).links == []
    assert walks.walk(work.tx, [ids.new(NOW)]).links == []
    assert walks.walk(work.tx, []).links == []


def test_a_walk_can_look_back(graph):
    graph.link("Ana", "works_at", "Old", valid_from=NOW - timedelta(days=99), valid_to=NOW - timedelta(days=9))
    graph.link("Ana", "works_at", "New", valid_from=NOW - timedelta(days=9))
    graph.link("Ana", "works_at", "Next", valid_from=NOW + timedelta(days=9))

    assert set(graph.reached("Ana")) == {"New"}
    assert set(graph.reached("Ana", as_of=NOW - timedelta(days=10))) == {"Old"}
    assert set(graph.reached("Ana", as_of=NOW - timedelta(days=9))) == {"New"}
    assert set(graph.reached("Ana", as_of=NOW + timedelta(days=10))) == {"New", "Next"}


def test_one_hub_cannot_take_everything(graph):
    for number in range(12):
        graph.link("Hub", "contains", f"Part {number}", confidence=number / 12)
    graph.link("Ana", "knows", "Bob", confidence=0.01)

    walk = graph.walk("Hub", "Ana", hops=1, per_node=3)

    assert [link.confidence for link in walk.links] == [11 / 12, 10 / 12, 9 / 12, 0.01]
    assert walk.truncated
    assert not graph.walk("Hub", "Ana", hops=1, per_node=12).truncated


def test_rows_are_capped_and_every_seed_gets_some(graph):
    for number in range(12):
        graph.link("Hub", "contains", f"Part {number}")
    graph.link("Ana", "knows", "Bob", confidence=0.01)

    walk = graph.walk("Hub", "Ana", max_rows=4, per_node=None)

    assert len(walk.links) == 4
    assert {link.predicate for link in walk.links} == {"contains", "knows"}
    assert walk.truncated
    assert not graph.walk("Hub", "Ana", hops=1, max_rows=13, per_node=None).truncated


def test_a_walk_whose_time_is_up_says_so(work):
    assert work.walk("Alice", deadline_ms=0) == Walk(nodes=[], links=[], best=[], truncated=True)


def test_the_best_links_are_kept_and_not_the_first(graph):
    for number in range(20):
        graph.link("A", f"p{number}", f"B{number}", confidence=0.5)
    graph.link("B0", "matters", "C", confidence=0.9)

    walk = graph.walk("A")

    assert len(walk.links) == 21
    assert len(walk.best) == 15
    assert walk.best[0].predicate == "matters"
    assert [link.predicate for link in graph.walk("A", limit=1, relevance=about("p7")).best] == ["p7"]


@pytest.mark.parametrize(
    "options",
    [{"hops": -1}, {"hops": 11}, {"hops": True}, {"hops": 1.5}, {"limit": 0}, {"direction": "up"}, {"as_of": "now"}],
)
def test_a_walk_must_be_possible(work, options):
    with pytest.raises(Invalid):
        work.walk("Alice", **options)


edges = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14)


@given(edges, st.sets(st.integers(0, 6), min_size=1, max_size=3), st.integers(0, 4))
def test_every_entity_is_reached_by_a_shortest_way(sqlite_memory, drawn, seeds, hops):
    """Compared with plain breadth-first search over sets."""
    with sqlite_memory.parts.database.write(Scope(agent="a", user=str(ids.new(NOW)))) as tx:
        graph = Graph(tx)
        for number in range(7):
            graph.entity(str(number))
        for source, target in drawn:
            graph.link(str(source), "knows", str(target))
        walk = graph.walk(*map(str, sorted(seeds)), hops=hops)

    assert {node.entity_id: node.depth for node in walk.nodes} == {
        graph.ids[str(number)]: depth for number, depth in distances(drawn, seeds, hops).items() if depth
    }
    for node in walk.nodes:
        assert len(node.path) == node.depth + 1
        assert node.path[-1] == node.entity_id


@pytest.fixture(scope="module")
def sqlite_memory() -> Iterator[Nacre]:
    """One brain for many drawn graphs."""
    with Nacre(":memory:") as brain:
        yield brain


def distances(drawn: list[tuple[int, int]], seeds: set[int], hops: int) -> dict[int, int]:
    depth = dict.fromkeys(seeds, 0)
    for hop in range(1, hops + 1):
        for a, b in [*drawn, *((b, a) for a, b in drawn)]:
            if depth.get(a) == hop - 1:
                depth.setdefault(b, hop)
    return depth


def a_link(**columns) -> Link:
    """A link said just now."""
    key = ids.new(NOW)
    given = {"predicate": "knows", "created_at": NOW, "updated_at": NOW, **columns}
    return Link(id=LinkId(key), source=EntityId(key), **given)


def about(predicate: str) -> walks.Relevance:
    return lambda link: 1.0 if link.predicate == predicate else 0.1


def test_confidence_strength_recency_and_relevance_all_count():
    plain = a_link(confidence=0.8)
    links = {
        "sure": a_link(confidence=0.9),
        "plain": plain,
        "weak": a_link(confidence=0.8, strength=0.9),
        "old": a_link(confidence=0.8, updated_at=NOW - timedelta(days=90)),
        "beside": a_link(confidence=0.9, predicate="owns"),
    }
    ranked = walks.best(list(links.values()), 10, NOW, about("knows"))

    names = {link.id: name for name, link in links.items()}
    assert [names[link.id] for link in ranked] == ["sure", "plain", "weak", "old", "beside"]
    assert walks.recency(links["old"], NOW) == 0.5
    assert walks.recency(a_link(updated_at=NOW + timedelta(days=5)), NOW) == 1.0


def test_ties_keep_their_order_and_what_is_no_number_comes_last():
    links = [a_link(predicate="owns"), *(a_link() for _ in range(5))]

    assert walks.best(links[1:], 3, NOW) == links[1:4]
    assert walks.best(links, 6, NOW, lambda link: float("nan") if link.predicate == "owns" else 1.0)[-1] == links[0]
