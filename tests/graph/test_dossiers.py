"""All that there is about one entity."""

from datetime import timedelta

import pytest

from nacre import Invalid, NotFound, Settings
from nacre.domain.operations import AddAlias


@pytest.fixture
def brain_settings() -> Settings:
    """The graph holds what a test puts there, and nothing that it only says."""
    return Settings(worker="off", extraction="off")


def test_beliefs_hold_every_version_with_the_words_around_it(scope, clock):
    first = scope.observe("user", "Hello. The launch is on May 3. Please tell Ana.", speaker="Tom", session="s1")
    scope.ontology.set("Pebble", "schedule/launch/date", "May 3", said_in=first.id, quote="The launch is on May 3.")
    then = clock()
    clock.advance(hours=24)
    scope.ontology.set("Pebble", "schedule/launch/date", "May 9")
    scope.ontology.add("Pebble", "schedule/launch/guest", "Bea")

    [side] = scope.dossiers.beliefs("Pebble").aspects
    [group] = side.groups
    date, guest = group.claims

    assert (side.aspect.name, group.group, date.path) == ("schedule", "launch", "schedule/launch/date")
    assert [(each.claim.value, each.holds) for each in date.versions] == [("May 9", True), ("May 3", False)]
    assert ([each.claim.value for each in guest.versions], date.total, guest.total) == (["Bea"], 2, 1)
    words = date.versions[1].citation
    assert (words.before, words.quote, words.after) == ("Hello. ", "The launch is on May 3.", " Please tell Ana.")
    assert (words.speaker, words.session, words.kind, words.at) == ("Tom", "s1", "turn", then)
    assert date.versions[0].citation is None
    past = scope.dossiers.beliefs("Pebble", as_of=then, versions=1).aspects[0].groups[0].claims[0]
    assert [(each.claim.value, each.holds) for each in past.versions] == [("May 3", True)]


def test_connections_lead_both_ways_and_to_plain_values(scope, clock):
    said = scope.observe("user", "Ana uses Rust.")
    scope.graph.link("Ana", "uses", "Rust", said_in=said.id, quote="uses Rust", strength=0.9)
    scope.graph.link("Bea", "knows", "Ana", strength=0.5)
    scope.graph.link("Ana", "likes", value="tea", strength=0.1)
    then = clock()
    clock.advance(hours=1)
    scope.graph.link("Ana", "uses", "Rust", valid_to=clock())
    clock.advance(hours=1)

    now = scope.dossiers.connections("Ana")
    past = scope.dossiers.connections("Ana", as_of=then)

    assert [(each.direction, each.link.predicate) for each in now] == [("incoming", "knows"), ("outgoing", "likes")]
    assert (now[0].source.name, now[1].target, now[1].link.value) == ("Bea", None, "tea")
    assert [each.link.predicate for each in past] == ["uses", "knows", "likes"]
    assert past[0].citation.quote == "uses Rust"
    assert [each.link.predicate for each in scope.dossiers.connections("Ana", direction="incoming")] == ["knows"]
    assert len(scope.dossiers.connections("Ana", limit=1, offset=1)) == 1


def test_the_memories_of_an_entity_are_those_that_speak_of_it(nacre):
    """In which memory a name stands is found by extraction."""
    scope = nacre.scope("assistant", user="ben")
    kept = scope.remember(
        "Ana drinks tea.",
        structured={
            "aspects": [
                {"entityName": "Ana", "aspect": "taste", "attributes": [{"claimKey": "drink", "content": "tea"}]}
            ]
        },
    )
    scope.remember("The weather is fine.")

    assert [each.id for each in scope.dossiers.memories("Ana")] == [kept.memory.id]
    [place] = scope.dossiers.mentions("Ana")
    assert (place.quote, place.after) == ("Ana", " drinks tea.")


def test_a_timeline_tells_what_was_done_and_can_be_gone_back_through(scope):
    scope.graph.add("Ana", type="person")
    scope.ontology.set("Ana", "work/role", "intern")
    scope.graph.link("Ana", "knows", "Bea")
    scope.graph.apply([AddAlias(entity="Ana", alias="Annie")])
    scope.graph.add("Nobody")

    told = scope.dossiers.timeline("Ana")

    assert [each.record.operation for each in told] == ["add_alias", "create_link", "set_claim_value", "create_entity"]
    assert [each.touched[0] for each in told] == ["aliases", "links", "aspects", "aliases"]
    rest = scope.dossiers.timeline("Ana", before=told[1].record.id, limit=1)
    assert [each.record.operation for each in rest] == ["set_claim_value"]
    scope.undo(told[0].record.id)
    assert scope.graph.get("Ana").aliases == ()


def test_what_cannot_be_right_is_refused(scope):
    scope.graph.add("Ana")

    for call in (
        lambda: scope.dossiers.beliefs("Ana", versions=51),
        lambda: scope.dossiers.connections("Ana", direction="sideways"),
        lambda: scope.dossiers.mentions("Ana", limit=0),
        lambda: scope.dossiers.memories("Ana", offset=-1),
        lambda: scope.dossiers.timeline("Ana", before="x"),
    ):
        with pytest.raises(Invalid):
            call()
    with pytest.raises(NotFound):
        scope.dossiers.timeline("Ana", before="0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e")
    with pytest.raises(NotFound):
        scope.dossiers.beliefs("Nobody")


def test_no_entity_of_another_scope_has_a_page(nacre, scope):
    other = nacre.scope("assistant", user="somebody else")
    key = scope.graph.add("Ana").id

    for call in (other.dossiers.beliefs, other.dossiers.connections, other.dossiers.timeline):
        with pytest.raises(NotFound):
            call(key)


def test_before_an_entity_was_known_nothing_was_believed_of_it(scope, clock):
    scope.ontology.set("Ana", "work/role", "intern")

    past = scope.dossiers.beliefs("Ana", as_of=clock() - timedelta(days=1))

    versions = [
        each for side in past.aspects for group in side.groups for claim in group.claims for each in claim.versions
    ]
    assert [each.holds for each in versions] == [False]
