"""Looking through a graph: what is listed, in which order, and how much of it is shown."""

from datetime import timedelta
from threading import get_ident

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, event

from nacre import Invalid, Nacre, NotFound, Settings
from nacre.domain.operations import PinEntity, RenameEntity
from tests import examples
from tests.cases import in_turn
from tests.conftest import MovableClock
from tests.graph import rows


@pytest.fixture
def brain_settings() -> Settings:
    """The graph holds what a test puts there, and nothing that it only says."""
    return Settings(worker="off", extraction="off")


@pytest.fixture
def write(nacre, scope):
    """A transaction of the scope, for rows."""
    return lambda: nacre.parts.database.write(scope.scope)


def names(page):
    return [item.entity.name for item in page.items]


def test_entities_are_listed_in_the_order_of_the_document(scope, write, clock):
    """Pinned first, the last pinned before others; then by mentions, last change and name."""
    with write() as tx:
        day = timedelta(days=1)
        for name, columns in (
            ("Pinned early", {"pinned_at": tx.now - day}),
            ("Pinned late", {"pinned_at": tx.now}),
            ("Often", {"mentions": 9}),
            ("Seldom, changed late", {"mentions": 1}),
            ("Seldom b", {"mentions": 1, "updated_at": tx.now - day}),
            ("Seldom a", {"mentions": 1, "updated_at": tx.now - day}),
            ("Archived", {"mentions": 99, "status": "archived"}),
        ):
            rows.add_entity(tx, name, **columns)

    order = ["Pinned late", "Pinned early", "Often", "Seldom, changed late", "Seldom a", "Seldom b"]
    assert names(scope.knowledge.entities()) == order
    pages = [names(scope.knowledge.entities(limit=1, offset=place)) for place in range(8)]
    assert pages == [[name] for name in order] + [[], []]


@examples.costly()
@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.booleans()), max_size=9),
    st.integers(1, 4),
)
def test_pages_together_are_the_whole_list(kinds, limit):
    """However many are pinned and however many are alike, each entity is on one page."""
    clock = MovableClock()
    with Nacre(":memory:", settings=Settings(worker="off"), clock=clock) as nacre:
        scope = nacre.scope("assistant")
        with nacre.parts.database.write(scope.scope) as tx:
            for place, (seen, changed, pinned) in enumerate(kinds):
                columns = {"mentions": seen, "updated_at": tx.now - timedelta(days=changed), "slug": f"s{place}"}
                rows.add_entity(tx, "Same", pinned_at=tx.now if pinned else None, **columns)
        whole = [item.entity.id for item in scope.knowledge.entities().items]
        offsets = range(0, len(kinds) + limit, limit)
        paged = [item.entity.id for at in offsets for item in scope.knowledge.entities(limit=limit, offset=at).items]

    assert len(set(whole)) == len(kinds)
    assert paged == whole


def test_counts_are_of_what_is_in_force(scope):
    scope.graph.link("Ana", "works_on", "RockBot")
    scope.graph.link("RockBot", "owned_by", "Ana")
    old = scope.graph.link("Ana", "knows", "Bea")
    scope.graph.archive_link(old.id)
    scope.graph.link("Ana", "prefers", value="tea")
    scope.ontology.set("Ana", "taste/favourite_colour", "blue")
    scope.ontology.set("Ana", "taste/favourite_colour", "green")
    scope.ontology.set("Ana", "diet/nuts_policy", "never", kind="constraint")

    (ana,) = scope.knowledge.entities(q="ana").items
    counts = (ana.aspect_count, ana.attribute_count, ana.constraint_count, ana.dependency_count)
    assert counts == (2, 1, 1, 2)
    detail = scope.knowledge.entity("Ana")
    assert (detail.incoming_dependency_count, detail.outgoing_dependency_count) == (1, 1)
    assert detail.structural_density == sum(counts)


def test_a_page_costs_as_many_statements_however_long_it_is(scope, write):
    with write() as tx:
        for place in range(30):
            rows.add_entity(tx, f"Entity {place}", pinned_at=tx.now if place < 3 else None)

    def statements(call):
        # Other threads may be at work in the background.
        seen = []
        event.listen(Engine, "before_execute", listener := lambda *_given: seen.append(get_ident()))
        call()
        event.remove(Engine, "before_execute", listener)
        return seen.count(get_ident())

    short, long = (statements(lambda limit=limit: scope.knowledge.entities(limit=limit, offset=1)) for limit in (4, 29))
    assert short == long


@pytest.mark.parametrize("q", ["ROCK", "ockb", "rockbot", "rb-2", "ｒｏｃｋ"])
def test_a_part_of_any_name_finds_an_entity_in_any_case(scope, q):
    scope.graph.add("RockBot", aliases=["RB-2"])
    scope.graph.add("Paper")

    assert names(scope.knowledge.entities(q=q)) == ["RockBot"]


def test_signs_of_patterns_mean_themselves(scope):
    scope.graph.add("Ana")

    for q in ("%", "_", "a%a", "\\", "'; DROP TABLE entities; --"):
        assert names(scope.knowledge.entities(q=q)) == []


def test_names_without_spaces_are_found_by_a_part(scope):
    scope.graph.add("東京タワー", type="place")

    assert names(scope.knowledge.entities(q="京タ")) == ["東京タワー"]
    assert scope.knowledge.entity("東京").entity.name == "東京タワー"


def test_an_entity_is_found_exactly_then_by_its_beginning_then_by_a_part(scope, write):
    with write() as tx:
        for name, seen in (("Rock", 0), ("Rocket", 1), ("Rockery", 5), ("Hard Rock Hotel", 9)):
            rows.add_entity(tx, name, mentions=seen)

    found = {part: scope.knowledge.entity(part).entity.name for part in ("rock", "rocke", "rock hot", "hotel")}
    assert found == {"rock": "Rock", "rocke": "Rockery", "rock hot": "Hard Rock Hotel", "hotel": "Hard Rock Hotel"}
    by_id = scope.graph.get("Rock").id
    assert scope.knowledge.entity(by_id).entity.name == scope.knowledge.entity(str(by_id)).entity.name == "Rock"


def test_what_is_not_there_is_not_found(nacre, scope):
    theirs = nacre.scope("assistant", user="bob").graph.add("Secret")
    scope.graph.add("Ana")

    for selector in ("nobody", theirs.id, "Secret", "\u200b"):
        with pytest.raises(NotFound):
            scope.knowledge.entity(selector)
    with pytest.raises(NotFound):
        scope.knowledge.groups("Ana", "taste")


def test_a_tree_shows_aspects_groups_and_claims_within_its_limits(scope):
    for group, claims in (("drinks", ("tea_kind", "cup_size")), ("food", ("fruit",))):
        for claim in claims:
            scope.ontology.set("Ana", f"taste/{group}/{claim}", f"{claim} first")
    scope.ontology.set("Ana", "taste/drinks/tea_kind", "green")
    scope.ontology.set("Ana", "work/city", "Lisbon")

    tree = scope.knowledge.tree("Ana")
    taste = next(item for item in tree.items if item.aspect.key == "taste")
    assert (taste.attribute_count, taste.group_count, taste.claim_count) == (3, 2, 3)
    assert [(group.group_key, group.claim_count) for group in taste.groups] == [("drinks", 2), ("food", 1)]
    tea = next(claim for claim in taste.groups[0].claims if claim.claim_key == "tea_kind")
    assert (tea.active_count, tea.superseded_count, tea.preview) == (1, 1, "green")

    small = scope.knowledge.tree("Ana", max_aspects=1, max_groups=1, max_claims=1)
    assert [len(small.items), len(small.items[0].groups), len(small.items[0].groups[0].claims)] == [1, 1, 1]
    assert scope.knowledge.tree("Ana", depth=2).items[0].groups[0].claims == ()
    assert {item.groups for item in scope.knowledge.tree("Ana", depth=1).items} == {()}


def test_one_goes_down_the_tree_step_by_step(scope):
    scope.ontology.set("Ana", "Taste/Hot Drinks/tea_kind", "black")
    scope.ontology.set("Ana", "taste/hot_drinks/tea_kind", "green")
    scope.ontology.set("Ana", "taste/hot_drinks/sugar_policy", "never", kind="constraint")

    (aspect,) = scope.knowledge.aspects("Ana")
    (group,) = scope.knowledge.groups("Ana", aspect.aspect.id)
    claims = scope.knowledge.claims("Ana", "Taste", "Hot Drinks")
    assert (group.group_key, [claim.claim_key for claim in claims]) == ("hot_drinks", ["sugar_policy", "tea_kind"])
    here = ("Ana", "taste", "hot_drinks")
    assert [each.value for each in scope.knowledge.attributes(*here, "tea_kind")] == ["green"]
    assert [each.value for each in scope.knowledge.attributes(*here, "tea_kind", status="all")] == ["green", "black"]
    assert [each.value for each in scope.knowledge.attributes(*here, kind="constraint")] == ["never"]
    assert [each.value for each in scope.knowledge.attributes(*here, limit=1, offset=1)] == ["green"]


def test_dependencies_are_told_with_their_direction_and_names(scope):
    scope.graph.link("Ana", "works_on", "RockBot", strength=0.9)
    scope.graph.link("Bea", "knows", "Ana", strength=0.5)
    scope.graph.link("Ana", "prefers", value="tea")

    both = scope.knowledge.dependencies("Ana")
    assert [(each.direction, each.source_name, each.target_name) for each in both] == [
        ("outgoing", "Ana", "RockBot"),
        ("incoming", "Bea", "Ana"),
    ]
    assert [each.source_name for each in scope.knowledge.dependencies("Ana", direction="incoming")] == ["Bea"]
    assert [each.target_name for each in scope.knowledge.dependencies("Ana", direction="outgoing")] == ["RockBot"]


def test_the_pinned_are_listed_by_when_they_were_pinned(scope, clock):
    for name in ("Ana", "Bea", "Carl"):
        scope.graph.add(name)
    for name in ("Bea", "Ana"):
        clock.advance(minutes=1)
        scope.ontology.apply([PinEntity(entity=name)])

    assert [each.name for each in scope.knowledge.pinned()] == ["Ana", "Bea"]
    assert names(scope.knowledge.entities()) == ["Ana", "Bea", "Carl"]


@pytest.mark.parametrize("shares", [False, True])
def test_stats_say_what_is_known_and_what_it_covers(nacre, scope, shares):
    nacre.agent("assistant").share(memory=shares)
    covered = scope.remember("Ana leads the RockBot team").memory
    scope.remember("It rained in Lisbon")
    scope.graph.add("Ana", type="person", said_in=covered.source, quote="Ana")
    scope.graph.link("Ana", "works_on", "RockBot")
    scope.ontology.set("Ana", "work/city", "Lisbon")
    scope.ontology.set("Ana", "diet/nuts_policy", "never", kind="constraint")

    stats = scope.knowledge.stats()
    assert (stats.entity_count, stats.aspect_count, stats.attribute_count, stats.constraint_count) == (2, 2, 1, 1)
    assert (stats.dependency_count, stats.memory_count, stats.unassigned_memory_count) == (1, 2, 1)
    assert (stats.coverage_percent, stats.average_aspect_weight) == (50.0, 0.5)
    assert (stats.feedback_updated_aspect_count, stats.max_weight_aspect_count, stats.min_weight_aspect_count) == (
        0,
        0,
        0,
    )


def test_nothing_covers_nothing(scope):
    stats = scope.knowledge.stats()

    assert (stats.entity_count, stats.memory_count, stats.coverage_percent) == (0, 0, 0.0)


def test_a_constellation_nests_the_weightiest_within_its_limits(scope):
    for place in range(4):
        scope.ontology.set("Ana", f"aspect{place}/first_claim", "x", importance=place / 10)
        scope.ontology.set("Ana", f"aspect{place}/second_claim", "y", importance=0.9)
    scope.graph.link("Ana", "works_on", "RockBot", strength=0.4)
    scope.graph.link("RockBot", "uses", "Ana", strength=0.9)

    drawn = scope.knowledge.constellation(aspects=2, attributes=1, dependencies=1)
    ana = next(each for each in drawn.entities if each.entity.name == "Ana")
    assert [[claim.value for claim in aspect.attributes] for aspect in ana.aspects] == [["y"], ["y"]]
    assert [link.predicate for link in drawn.dependencies] == ["uses"]
    assert (len(scope.knowledge.constellation(limit=1).entities), drawn.proposals, drawn.dreams) == (1, (), ())


def test_a_constellation_shows_agents_that_share_and_no_others(nacre, scope):
    scope.graph.link("Ana", "knows", "Bea")
    open_scope, closed_scope = (nacre.scope(agent, user="ana") for agent in ("open", "closed"))
    open_scope.graph.link("Carl", "knows", "Dora")
    open_scope.ontology.set("Carl", "work/city", "Lisbon")
    closed_scope.graph.add("Secret")
    nacre.scope("open", user="bob").graph.add("Private")
    nacre.agent("open").share(read_policy="shared")

    drawn = scope.knowledge.constellation()
    shown = {(each.agent, each.entity.name) for each in drawn.entities}
    assert shown == {("assistant", "Ana"), ("assistant", "Bea"), ("open", "Carl"), ("open", "Dora")}
    assert len(drawn.dependencies) == 2
    carl = next(each for each in drawn.entities if each.entity.name == "Carl")
    assert carl.aspects[0].attributes[0].value == "Lisbon"
    assert {each.agent for each in scope.knowledge.constellation(shared=False).entities} == {"assistant"}
    nacre.agent("open").share(read_policy="isolated")
    assert {each.agent for each in scope.knowledge.constellation().entities} == {"assistant"}


def test_a_constellation_keeps_the_hubs_and_what_is_pinned(scope):
    for name in ("Bea", "Carl", "Dora"):
        scope.graph.link("Ana", "knows", name)
    scope.graph.link("Bea", "likes", value="tea")
    scope.graph.add("Eve")
    scope.graph.apply([PinEntity(entity="Eve")])

    drawn = scope.knowledge.constellation(limit=2)

    assert [(each.entity.name, each.degree) for each in drawn.entities] == [("Eve", 0), ("Ana", 3)]
    assert drawn.dependencies == ()
    assert (drawn.totals.entities, drawn.totals.dependencies) == (5, 3)


def test_a_constellation_moves_through_time_as_a_whole(scope, clock):
    began = clock()
    scope.graph.link("Tom", "lives_in", "Berlin")
    scope.graph.add("Rock", type="project")
    scope.ontology.set("Tom", "work/role", "intern")
    clock.advance(hours=24)
    scope.graph.link("Tom", "lives_in", "Berlin", valid_to=clock())
    scope.graph.link("Tom", "lives_in", "Lisbon")
    scope.graph.apply([RenameEntity(entity="Rock", new_name="RockBot"), PinEntity(entity="RockBot")])
    scope.ontology.set("Tom", "work/role", "lead")
    scope.ontology.propose([PinEntity(entity="Tom")])
    changed = clock()
    clock.advance(hours=24)

    def seen(moment):
        drawn = scope.knowledge.constellation(as_of=moment)
        tom = next(each for each in drawn.entities if each.entity.name == "Tom")
        ends = {each.entity.id: each.entity.name for each in drawn.entities}
        return (
            {name for name in ends.values() if name != "Tom"},
            [ends[link.target] for link in drawn.dependencies],
            [claim.value for side in tom.aspects for claim in side.attributes],
            any(each.entity.pinned for each in drawn.entities),
            len(drawn.proposals),
        )

    assert seen(began) == ({"Berlin", "Rock"}, ["Berlin"], ["intern"], False, 0)
    assert seen(changed) == ({"Berlin", "RockBot", "Lisbon"}, ["Lisbon"], ["lead"], True, 1)
    assert seen(None) == seen(changed)
    before = scope.knowledge.constellation(as_of=began - timedelta(days=1))
    assert (before.entities, before.totals.entities) == ((), 0)
    assert (before.range.earliest, before.range.latest) == (began, changed)


def test_a_constellation_knows_the_community_of_each_entity(scope):
    for one in ("Ana", "Bea", "Carl"):
        for other in ("Ana", "Bea", "Carl"):
            if one != other:
                scope.graph.link(one, "knows", other)
    scope.graph.add("Loner")
    scope.knowledge.refresh_communities()

    drawn = scope.knowledge.constellation()

    [community] = drawn.communities
    assert community.member_count == 3
    assert {each.entity.name: each.community for each in drawn.entities} == {
        **dict.fromkeys(("Ana", "Bea", "Carl"), community.id),
        "Loner": None,
    }


def test_a_shared_graph_is_looked_through_by_all_its_users(nacre, scope):
    nacre.agent("assistant").share(knowledge_graph=True)
    scope.graph.add("RockBot")

    assert names(nacre.scope("assistant", user="bob").knowledge.entities()) == ["RockBot"]


@in_turn(
    "call",
    [
        lambda knowledge: knowledge.entities(limit=0),
        lambda knowledge: knowledge.entities(limit=201),
        lambda knowledge: knowledge.entities(limit=True),
        lambda knowledge: knowledge.entities(offset=-1),
        lambda knowledge: knowledge.entities(offset="0"),
        lambda knowledge: knowledge.entities(q=""),
        lambda knowledge: knowledge.entities(q="\x00"),
        lambda knowledge: knowledge.entities(q="x" * 201),
        lambda knowledge: knowledge.entities(type="flurbo"),
        lambda knowledge: knowledge.tree("Ana", max_aspects=101),
        lambda knowledge: knowledge.tree("Ana", max_claims=201),
        lambda knowledge: knowledge.tree("Ana", depth=4),
        lambda knowledge: knowledge.attributes("Ana", "taste", status="gone"),
        lambda knowledge: knowledge.attributes("Ana", "taste", kind="rumour"),
        lambda knowledge: knowledge.dependencies("Ana", direction="sideways"),
        lambda knowledge: knowledge.constellation(limit=5_001),
        lambda knowledge: knowledge.constellation(attributes=251),
    ],
)
def test_what_cannot_be_right_is_refused(scope, call):
    scope.ontology.set("Ana", "taste/favourite_colour", "blue")

    with pytest.raises(Invalid):
        call(scope.knowledge)


def test_an_entity_was_last_mentioned_when_somebody_spoke_of_it_and_not_when_it_was_looked_up(scope, clock):
    said = clock.now
    turn = scope.observe("user", "Maya founded Larkspur in Utrecht.")
    scope.graph.add("Maya", type="person", said_in=turn.id, quote="Maya")
    clock.advance(days=9)
    scope.context("What does Maya do?", session="s1", blocks=["connections"])

    (drawn,) = [each for each in scope.knowledge.constellation().entities if each.entity.name == "Maya"]
    listed = {each.entity.name: each.last_mentioned_at for each in scope.knowledge.entities().items}
    assert listed["Maya"] == said == scope.knowledge.entity("Maya").last_mentioned_at == drawn.last_mentioned_at
