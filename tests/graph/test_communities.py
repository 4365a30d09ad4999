"""Communities: who belongs together, under what name, and when that is found out."""

from datetime import timedelta
from itertools import combinations
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid
from nacre.domain.communities import verdict
from nacre.domain.jobs import JobStatus
from nacre.graph.reading import communities
from nacre.store.graph.communities import StoredCommunities
from tests.graph import rows

TEAM = ("Ana", "Bea", "Carl", "Dora")
STACK = ("Kafka", "Redis", "Nginx", "Consul")


def clique(tx, people, predicate="works_with", **columns):
    """Entities that are all linked with each other."""
    known = {name: rows.add_entity(tx, name) for name in people}
    for one, other in combinations(people, 2):
        rows.add_link(tx, known[one], predicate, known[other], **columns)
    return known


@pytest.fixture
def write(nacre, scope):
    """A transaction of the scope, for rows."""
    return lambda: nacre.parts.database.write(scope.scope)


@pytest.fixture
def two_cliques(write):
    """Two groups of four and one weak link between them."""
    with write() as tx:
        known = clique(tx, TEAM) | clique(tx, STACK, "talks_to")
        rows.add_link(tx, known["Ana"], "uses", known["Kafka"], confidence=0.5, strength=0.2)
    return known


def members(scope):
    return [{member.name for member in each.members} for each in scope.knowledge.communities().items]


@pytest.mark.spec("S17")
def test_what_is_closely_linked_is_one_community(scope, two_cliques):
    refreshed = scope.knowledge.refresh_communities()

    assert (refreshed.communities, refreshed.members) == (2, 8)
    assert sorted(members(scope), key=min) == [set(TEAM), set(STACK)]


@pytest.mark.spec("S17")
def test_a_community_has_the_name_of_its_most_mentioned_member_and_the_density_of_its_links(scope, write):
    with write() as tx:
        known = {name: rows.add_entity(tx, name, mentions=seen) for name, seen in (("Ana", 1), ("Bea", 9), ("Carl", 3))}
        rows.add_link(tx, known["Ana"], "knows", known["Bea"])
        rows.add_link(tx, known["Bea"], "works_with", known["Ana"], strength=0.5)
        rows.add_link(tx, known["Bea"], "manages", known["Carl"], confidence=0.9)
    scope.knowledge.refresh_communities()

    (found,) = scope.knowledge.communities().items
    assert (found.name, found.member_count) == ("Bea", 3)
    # Two of three pairs are linked, however many links a pair has.
    assert found.cohesion == pytest.approx(2 / 3, abs=1e-4)
    assert [member.name for member in found.members] == ["Bea", "Carl", "Ana"]


@pytest.mark.spec("S17")
def test_a_summary_says_who_belongs_and_what_holds_them_together(scope, write):
    with write() as tx:
        known = {
            name: rows.add_entity(tx, name, mentions=seen) for name, seen in (("Ana", 3), ("RockBot", 2), ("Go", 1))
        }
        rows.add_link(tx, known["Ana"], "works_on", known["RockBot"])
        rows.add_link(tx, known["RockBot"], "uses", known["Go"], confidence=0.8)
    scope.knowledge.refresh_communities()

    (found,) = scope.knowledge.communities().items
    assert found.summary == "Ana, RockBot and Go. Strongest links: Ana works on RockBot; RockBot uses Go."


@pytest.mark.spec("S17")
def test_only_links_in_force_hold_a_community_together(scope, write, clock):
    with write() as tx:
        past, future = clock.now - timedelta(days=1), clock.now + timedelta(days=1)
        clique(tx, ("Ana", "Bea"))
        clique(tx, ("Carl", "Dora"), status="archived")
        clique(tx, ("Kafka", "Redis"), valid_to=past)
        clique(tx, ("Nginx", "Consul"), valid_from=future)
        clique(tx, ("Emil", "Fay"), strength=0.0)
        loner = rows.add_entity(tx, "Gus")
        rows.add_link(tx, loner, "knows", loner)
        rows.add_link(tx, loner, "prefers", value="tea")
    scope.knowledge.refresh_communities()

    assert members(scope) == [{"Ana", "Bea"}]


@pytest.mark.spec("S17")
def test_the_same_graph_gives_the_same_communities(scope, two_cliques, clock):
    scope.knowledge.refresh_communities()
    before = {each.id: (each.name, each.summary, each.created_at) for each in scope.knowledge.communities().items}
    clock.advance(days=1)
    again = scope.knowledge.refresh_communities()

    after = scope.knowledge.communities()
    assert {each.id: (each.name, each.summary, each.created_at) for each in after.items} == before
    assert (again.kept, after.refreshed_at) == (2, clock.now)


@pytest.mark.spec("S17")
def test_a_community_that_grows_keeps_its_id(scope, write, two_cliques, clock):
    scope.knowledge.refresh_communities()
    ids = {each.name: each.id for each in scope.knowledge.communities().items}
    clock.advance(days=1)
    with write() as tx:
        newcomer = rows.add_entity(tx, "Zoe", mentions=100)
        for name in TEAM:
            rows.add_link(tx, newcomer, "manages", two_cliques[name])
    scope.knowledge.refresh_communities()

    grown = scope.knowledge.communities().items[0]
    assert (grown.name, grown.member_count, grown.id) == ("Zoe", 5, ids["Ana"])


@given(
    st.lists(st.frozensets(st.integers(0, 12), min_size=1), max_size=4),
    st.lists(st.integers(0, 3), min_size=13, max_size=13),
)
def test_an_id_goes_to_one_group_that_shares_a_member(groups, before):
    held = StoredCommunities(
        created={}, members={UUID(int=place): UUID(int=100 + group) for place, group in enumerate(before)}
    )
    made = [[UUID(int=member) for member in group] for group in groups]

    kept = communities.matched(held, made)

    assert len(set(kept.values())) == len(kept)
    assert all(any(held.members[member] == kept[place] for member in made[place]) for place in kept)
    # A group is left without an id only when others took all it could have had.
    left = set(range(len(made))) - set(kept)
    assert all({held.members[member] for member in made[place]} <= set(kept.values()) for place in left)


@pytest.mark.spec("S17")
@pytest.mark.parametrize(
    ("modularity", "said"), [(0.61, "strong"), (0.6, "moderate"), (0.3, "moderate"), (0.29, "weak"), (-0.2, "weak")]
)
def test_a_verdict_on_the_modularity(modularity, said):
    assert verdict(modularity) == said


def test_the_modularity_of_the_last_refresh_is_told(scope, two_cliques):
    before = scope.knowledge.communities()
    refreshed = scope.knowledge.refresh_communities()

    after = scope.knowledge.communities()
    assert (before.items, before.count, before.modularity, before.verdict) == ((), 0, None, None)
    assert (after.modularity, after.verdict, after.count) == (refreshed.modularity, refreshed.verdict, 2)
    # Two equal halves with hardly a link between them: close to ½.
    assert after.modularity == pytest.approx(0.5, abs=0.02)


@pytest.mark.spec("S17")
def test_communities_are_refreshed_in_the_background_when_enough_links_changed(nacre, scope, clock):
    def grow(prefix, count):
        for place in range(count):
            scope.graph.link(f"{prefix}{place}", "knows", f"{prefix}{place + 1}")

    worker = nacre.parts.worker
    grow("few", communities.CHANGES - 1)
    worker.drain()
    assert scope.knowledge.communities().count == 0

    clock.advance(hours=1)
    grow("one", 1)
    worker.drain()
    first = scope.knowledge.communities()
    assert first.count > 0
    assert [job.status for job in scope.jobs.list()] == [JobStatus.DONE]

    # Half an hour is too soon, and an hour without changes is no reason.
    clock.advance(minutes=30)
    grow("more", communities.CHANGES)
    clock.advance(minutes=29)
    worker.drain()
    assert scope.knowledge.communities() == first
    clock.advance(minutes=31)
    worker.drain()
    second = scope.knowledge.communities()
    assert second.refreshed_at == clock.now
    clock.advance(hours=2)
    worker.drain()
    assert scope.knowledge.communities() == second


@pytest.mark.spec("S17")
def test_a_round_asks_once_however_many_make_it(nacre, scope, write):
    with write() as tx:
        clique(tx, [f"e{place}" for place in range(8)])

    database = nacre.parts.database
    assert [communities.request_due(database), communities.request_due(database)] == [1, 0]


def test_an_entity_that_left_while_groups_were_made_is_in_none(nacre, scope, two_cliques, write):
    with nacre.parts.database.read(scope.scope) as tx:
        found = communities.part(tx)
    scope.graph.archive("Ana")
    with write() as tx:
        communities.keep(tx, found)

    assert all("Ana" not in names for names in members(scope))
    assert all("Ana" not in each.summary for each in scope.knowledge.communities().items)


def test_communities_of_one_user_are_not_those_of_another(nacre, scope, two_cliques):
    other = nacre.scope("assistant", user="bob")
    scope.knowledge.refresh_communities()
    other.knowledge.refresh_communities()

    assert other.knowledge.communities().count == 0
    assert scope.knowledge.communities().count == 2


def test_pages_of_communities_are_checked_and_do_not_overlap(scope, two_cliques):
    scope.knowledge.refresh_communities()
    first, second = (scope.knowledge.communities(limit=1, offset=place).items[0].id for place in (0, 1))

    assert first != second
    for limit, offset in ((0, 0), (201, 0), (True, 0), (1, -1)):
        with pytest.raises(Invalid):
            scope.knowledge.communities(limit=limit, offset=offset)
