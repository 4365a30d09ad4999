"""Operations: one path, written down, and undone exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from nacre import Ambiguous, Conflict, Invalid, Nacre, NotFound, Settings
from nacre.domain.links import PREDICATES
from nacre.domain.memories import Status
from nacre.domain.operations import ArchiveEntity, MergeEntities, UpsertEntity, UpsertLink
from nacre.store.tables import schema
from tests import examples

GRAPH = (schema.entities, schema.aliases, schema.mentions, schema.links, schema.dedup_candidates)


def rows(nacre: Nacre, scope) -> dict[str, set[tuple[str, ...]]]:
    """Every row of the graph, as plain tuples."""
    found = {}
    with nacre.parts.database.read(scope.scope) as tx:
        for table in GRAPH:
            held = tx.execute(select(table).where(table.c.scope_id == tx.scope_id)).all()
            found[table.name] = {tuple(str(value) for value in row) for row in held}
    return found


@pytest.mark.spec("R1")
def test_entities_and_triples_hold_what_the_document_lists(scope, clock):
    said = scope.observe("user", "Alice likes her tea strong, says Bob", session="s1")
    alice = scope.graph.add(
        "Alice", type="person", aliases=["Al"], properties={"desk": "4"}, said_in=said.id, quote="Alice"
    )
    link = scope.graph.link(
        "Alice", "prefers", value="strong tea", confidence=0.75, said_in=said.id, quote="likes her tea strong"
    )

    assert (alice.type, alice.aliases, alice.properties) == ("person", ("Al",), {"desk": "4"})
    assert (alice.mentions, alice.created_at, alice.last_referenced_at) == (1, clock.now, None)
    assert (link.source, link.predicate, link.target, link.value) == (alice.id, "prefers", None, "strong tea")
    assert (link.confidence, link.evidence, link.quote) == (0.75, said.id, (6, 26))
    again = scope.graph.add("Alice", said_in=said.id, quote="Alice")
    assert again.mentions == 1
    with pytest.raises(Invalid):
        scope.graph.link("Alice", "prefers", value="weak tea", said_in=said.id, quote="likes her tea weak")
    with pytest.raises(NotFound):
        scope.graph.add("Alice", said_in=alice.id)


@pytest.mark.spec("G2")
def test_the_documents_vocabularies_are_known_and_others_are_normalised(scope):
    documented = """
    works_on manages reports_to collaborates_with belongs_to part_of depends_on blocks created completed assigned_to
    scheduled_for located_in based_at uses implements integrates_with related_to
    """
    assert set(documented.split()) <= PREDICATES
    kinds = "person organization project product technology task event document concept location"
    for kind in kinds.split(" "):
        assert scope.graph.add(f"a {kind}", type=kind.upper()).type == kind
    assert scope.graph.link("A one", "Reports To", "B one").predicate == "reports_to"
    assert scope.graph.link("A one", "worksAt", "B one").predicate == "works_at"
    odd = scope.graph.apply([UpsertEntity(name="Odd", type="wizard")])[0]
    assert (scope.graph.get("Odd").type, len(odd.outcome.warnings)) == ("unknown", 1)


@pytest.mark.spec("G8")
def test_an_upsert_unions_and_keeps_the_first_seen_and_the_surer(scope, clock):
    first = scope.graph.add(
        "John Doe", type="person", slug="john-doe", aliases=["Johnny"], properties={"team": "platform"}, confidence=0.9
    )
    clock.advance(days=1)
    again = scope.graph.add(
        "J. Doe", slug="john-doe", aliases=["JD the Third"], properties={"team": "web", "desk": "4"}, confidence=0.5
    )

    assert again.id == first.id
    assert (again.name, again.type, again.confidence) == ("John Doe", "person", 0.9)
    assert set(again.aliases) == {"Johnny", "J. Doe", "JD the Third"}
    assert again.properties == {"team": "platform", "desk": "4"}
    assert (again.created_at, again.updated_at) == (first.created_at, clock.now)
    surer = scope.graph.add("John Doe", description="Backend engineer", properties={"team": "web"}, confidence=0.95)
    assert (surer.id, surer.properties["team"], surer.description) == (first.id, "web", "Backend engineer")


def test_an_entity_is_named_by_id_slug_name_or_alias(scope):
    made = scope.graph.add("Project Alpha", type="project", aliases=["Alpha"])

    for selector in (made.id, str(made.id), "project-alpha", "Project Alpha", "project alpha", "ALPHA"):
        assert scope.graph.get(selector).id == made.id
    for unknown in ("beta", "00000000-0000-0000-0000-000000000000"):
        with pytest.raises(NotFound):
            scope.graph.get(unknown)


def test_names_become_ids_inside_the_operation_and_unknown_ones_become_entities(scope):
    """Facts 1.4: a new entity and a link that names it must meet."""
    alice = scope.graph.add("Alice", type="person")
    link = scope.graph.link("alice", "Works On", "RockBot", confidence=0.9)

    assert (link.source, link.predicate) == (alice.id, "works_on")
    stub = scope.graph.get("RockBot")
    assert (link.target, stub.type, stub.slug) == (stub.id, "unknown", "rockbot")
    assert [each.id for each in scope.graph.links("RockBot")] == [link.id]
    scope.graph.add("RockBot", type="project", description="An agent")
    assert scope.graph.get("RockBot").id == stub.id


def test_saying_a_link_again_makes_no_second_one(scope):
    first = scope.graph.link("Alice", "uses", value="a kettle", confidence=0.5)
    again = scope.graph.link("Alice", "uses", value="a kettle", confidence=0.8)
    weaker = scope.graph.link("Alice", "uses", value="a kettle", confidence=0.1)

    assert first.id == again.id == weaker.id
    assert (weaker.confidence, len(scope.graph.links("Alice"))) == (0.8, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"predicate": "!!!", "target": "B"},
        {"predicate": "uses"},
        {"predicate": "uses", "target": "B", "value": "b"},
        {"predicate": "related_to", "target": "B"},
        {"predicate": "uses", "target": "B", "confidence": 1.5},
        {"predicate": "uses", "target": ""},
        {"predicate": "uses", "value": "x" * 20_000},
    ],
)
def test_a_bad_link_is_refused_and_nothing_is_written(nacre, scope, wrong):
    scope.graph.add("A")
    before = rows(nacre, scope)
    with pytest.raises(Invalid):
        scope.graph.link("A", **wrong)
    assert rows(nacre, scope) == before


def test_archiving_an_entity_takes_its_links_and_undo_brings_all_back(nacre, scope):
    scope.graph.link("Alice", "knows", "Bob")
    scope.graph.link("Bob", "uses", value="tea")
    before = rows(nacre, scope)

    applied = scope.graph.archive("Bob", reason="left")

    assert (applied.outcome.entities, applied.outcome.links) == (1, 2)
    assert scope.graph.links("Alice") == []
    with pytest.raises(NotFound):
        scope.graph.get("Bob")
    scope.graph.undo(applied.record.id)
    assert rows(nacre, scope) == before


def test_a_dry_run_shows_what_would_happen_and_leaves_nothing(nacre, scope):
    scope.graph.add("Alice", confidence=0.2)
    scope.graph.link("Alice", "knows", "Bob", confidence=0.3)
    before, history = rows(nacre, scope), scope.graph.history()

    counted = scope.graph.prune(0.5, dry_run=True)

    assert (counted.outcome.entities, counted.outcome.links, counted.record) == (2, 1, None)
    assert rows(nacre, scope) == before
    assert scope.graph.history() == history


@pytest.mark.spec("G13")
def test_pruning_cascades_is_counted_and_can_be_undone(nacre, scope):
    scope.graph.add("Sure", confidence=0.9)
    scope.graph.add("Unsure", confidence=0.4)
    scope.graph.link("Sure", "knows", "Unsure", confidence=0.9)
    scope.graph.link("Sure", "uses", value="tea", confidence=0.3)
    scope.graph.link("Sure", "uses", value="water", confidence=0.9)
    before = rows(nacre, scope)

    pruned = scope.graph.prune(0.5)

    assert (pruned.outcome.entities, pruned.outcome.links) == (1, 2)
    assert [link.value for link in scope.graph.links("Sure")] == ["water"]
    with pytest.raises(NotFound):
        scope.graph.get("Unsure")
    scope.graph.undo(pruned.record.id)
    assert rows(nacre, scope) == before


def test_a_batch_is_all_or_none(nacre, scope):
    scope.graph.add("Alice")
    before = rows(nacre, scope)
    with pytest.raises(NotFound):
        scope.graph.apply([UpsertEntity(name="Bob"), ArchiveEntity(entity="nobody")])
    assert rows(nacre, scope) == before
    with pytest.raises(Invalid):
        scope.graph.apply([UpsertEntity(name=f"n{number}") for number in range(501)])
    assert rows(nacre, scope) == before


def test_a_batch_is_undone_together(nacre, scope):
    before = rows(nacre, scope)
    applied = scope.graph.apply(
        [UpsertEntity(name="Bob", type="person"), UpsertLink(source="Bob", predicate="uses", target="Tea")], actor="ana"
    )

    scope.graph.undo(applied[0].record.batch)

    assert rows(nacre, scope) == before
    assert [record.operation for record in scope.graph.history()] == ["undo", "create_link", "create_entity"]
    assert scope.graph.history()[1].actor == "ana"


def test_undo_names_what_refers_to_an_entity_that_would_go(scope):
    """Both databases forbid it by a foreign key, and neither says in words which operations stand in the way."""
    scope.graph.add("Boat")
    (made,) = scope.history(limit=1)
    scope.graph.link("Ana", "owns", "Boat")
    scope.ontology.set("Boat", "look/colour", "blue")

    later = [record.operation for record in scope.inspect(made.id).later]
    assert later == ["create_link", "set_claim_value"]
    with pytest.raises(Conflict, match=r"take these back first: create_link .* set_claim_value"):
        scope.undo(made.id)
    for record in scope.history(limit=2):
        scope.undo(record.id)
    scope.undo(made.id)
    assert [each.name for each in scope.graph.search("Boat")] == []


def test_undo_is_refused_while_something_later_rests_on_it(nacre, scope):
    first = scope.graph.apply([UpsertEntity(name="Bob", type="person")])[0]
    second = scope.graph.apply([UpsertEntity(name="Bob", description="A sailor")])[0]

    with pytest.raises(Conflict, match=str(second.record.id)):
        scope.graph.undo(first.record.id)
    scope.graph.undo(second.record.id)
    scope.graph.undo(first.record.id)
    with pytest.raises(NotFound):
        scope.graph.undo(first.record.id)
    with pytest.raises(NotFound):
        scope.graph.get("Bob")


@pytest.mark.spec("G5")
def test_a_merge_unions_everything_and_can_be_undone(nacre, scope, clock):
    scope.graph.add("John Doe", type="person", aliases=["Johnny"], properties={"team": "web"}, confidence=0.7)
    clock.advance(days=1)
    scope.graph.add(
        "J. Doe", type="person", description="Engineer", properties={"team": "api", "desk": "4"}, confidence=0.9
    )
    scope.graph.link("J. Doe", "works_on", "Alpha", confidence=0.9)
    scope.graph.link("John Doe", "works_on", "Alpha", confidence=0.6)
    scope.graph.link("J. Doe", "knows", "John Doe")
    scope.graph.link("Ana", "manages", "J. Doe")
    before = rows(nacre, scope)

    merged = scope.graph.merge("John Doe", "J. Doe")

    john = scope.graph.get("j. doe")
    assert (john.name, john.confidence, john.description) == ("John Doe", 0.9, "Engineer")
    assert set(john.aliases) == {"Johnny", "J. Doe"}
    assert john.properties == {"team": "web", "desk": "4", "team (j-doe)": "api"}
    said = {(link.predicate, link.confidence) for link in scope.graph.links("John Doe")}
    assert said == {("works_on", 0.9), ("manages", 1.0)}
    assert all(link.source != link.target for link in scope.graph.links("John Doe"))
    scope.graph.undo(merged.record.id)
    assert rows(nacre, scope) == before
    with pytest.raises(Invalid):
        scope.graph.merge("John Doe", "johnny")


people = st.sampled_from(["Ana", "Bob", "Cleo", "Dan"])
values = st.sampled_from(["tea", "code"])
confidences = st.sampled_from([0.2, 0.6, 1.0])
steps = st.one_of(
    st.builds(UpsertEntity, name=people, aliases=st.lists(people, max_size=2).map(tuple), confidence=confidences),
    st.builds(
        UpsertEntity, name=people, properties=st.dictionaries(values, values, max_size=2), confidence=confidences
    ),
    st.builds(
        UpsertLink, source=people, predicate=st.sampled_from(["knows", "uses"]), target=people, confidence=confidences
    ),
    st.builds(UpsertLink, source=people, predicate=st.just("likes"), value=values),
    st.builds(ArchiveEntity, entity=people),
    st.builds(MergeEntities, target=people, source=people),
)


@examples.costly()
@given(history=st.lists(steps, min_size=1, max_size=10))
def test_taking_back_any_history_step_by_step_restores_every_row(new_sqlite, history):
    with Nacre(new_sqlite(), settings=Settings(embedder="off", worker="off")) as nacre:
        scope = nacre.scope("a")
        states, done = [rows(nacre, scope)], []
        for operation in history:
            try:
                done.append(scope.graph.apply([operation])[0].record)
            except (NotFound, Invalid, Ambiguous):
                assert rows(nacre, scope) == states[-1]
                continue
            states.append(rows(nacre, scope))
        for record in reversed(done):
            assert rows(nacre, scope) == states.pop()
            assert record is not None
            scope.graph.undo(record.id)
        assert rows(nacre, scope) == states.pop()


def test_two_scopes_with_the_same_names_have_two_graphs(nacre, scope):
    other = nacre.scope("assistant", user="bob")
    scope.graph.link("Alice", "knows", "Bob")
    made = other.graph.add("Alice", type="person")

    assert other.graph.links("Alice") == []
    assert scope.graph.get("Alice").id != made.id
    mine = scope.graph.history()[0].id
    with pytest.raises(NotFound):
        other.graph.undo(mine)
    with pytest.raises(NotFound):
        other.graph.archive_link(scope.graph.links("Alice")[0].id)
    assert scope.graph.get("Alice").status is Status.ACTIVE


def test_a_link_that_ended_is_not_added_again_with_the_same_end(scope, clock):
    began, ended = clock.now, clock.advance(days=10)
    link = scope.graph.link("Ruth", "lives_in", "Braga", valid_from=began, valid_to=ended)
    clock.advance(days=1)

    assert scope.graph.link("Ruth", "lives_in", "Braga", valid_to=ended).id == link.id
    (then,) = scope.graph.links("Ruth", as_of=began)
    assert (then.valid_from, then.valid_to) == (began, ended)
