"""Entities: their fields, their pins, their way out and back, and the order in which they are listed."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Conflict, Invalid, Nacre, NotFound, Settings
from nacre.domain.operations import ArchiveEntity, PinEntity, RenameEntity, RestoreEntity, RetypeEntity, UnpinEntity
from nacre.store.graph import entities
from tests import examples
from tests.conftest import MovableClock
from tests.graph import rows


def listed(scope, **wanted):
    return [item.entity.name for item in scope.knowledge.entities(**wanted).items]


def do(scope, *operations, actor="caller"):
    return scope.ontology.apply(operations, actor=actor)[-1]


@pytest.mark.spec("S1")
def test_one_name_is_one_entity_however_it_is_written(scope):
    ana = scope.graph.add("Ana María", type="person")

    for spelling in ("ana maría", "  ANA   MARÍA ", "Ana  María"):
        assert scope.graph.add(spelling.strip()).id == ana.id
    assert scope.graph.get("ana-maria").id == ana.id
    assert listed(scope) == ["Ana María"]


@pytest.mark.spec("S1")
def test_mentions_count_the_places_that_speak_of_an_entity(nacre, scope):
    first = scope.observe("user", "Zora called, and Zora wrote")
    second = scope.observe("user", "Zora again")
    for source in (first, second, second):
        entity = scope.graph.add("Zora", said_in=source.id, quote="Zora")

    with nacre.parts.database.read(scope.scope) as tx:
        places = entities.mentions_of(tx, entity.id)
    assert {(first.id, 0, 4), (second.id, 0, 4)} <= set(places)
    assert entity.mentions == len(places)


@pytest.mark.spec("S1")
def test_a_pinned_entity_is_pinned_once_and_can_be_unpinned(scope, clock):
    scope.graph.add("Ana")
    pinned = clock()
    do(scope, PinEntity(entity="Ana"))
    clock.advance(hours=1)
    do(scope, PinEntity(entity="Ana"))

    assert scope.graph.get("Ana").pinned_at == pinned
    undone = do(scope, UnpinEntity(entity="Ana"))
    assert scope.graph.get("Ana").pinned_at is None
    scope.ontology.undo(undone.record.id)
    assert scope.graph.get("Ana").pinned_at == pinned


@pytest.mark.spec("S1")
def test_a_pinned_entity_is_archived_by_force_only(scope):
    scope.graph.add("Ana")
    do(scope, PinEntity(entity="Ana"))

    with pytest.raises(Conflict, match="pinned"):
        do(scope, ArchiveEntity(entity="Ana"))
    assert scope.graph.prune(1.0).outcome.entities == 0
    do(scope, ArchiveEntity(entity="Ana", force=True))
    with pytest.raises(NotFound):
        scope.graph.get("Ana")


@pytest.mark.spec("S1")
def test_an_archived_entity_says_when_by_whom_and_why(nacre, scope, clock):
    ana = scope.graph.add("Ana")
    scope.graph.link("Ana", "knows", "Bob")
    scope.ontology.set("Ana", "home/city", "Berlin")
    clock.advance(hours=1)

    gone = do(scope, ArchiveEntity(entity="Ana", reason="left the company"), actor="bob")

    assert (gone.outcome.entities, gone.outcome.links, gone.outcome.claims) == (1, 1, 1)
    image = next(change.after for change in gone.changes if change.table == "entities")
    assert (image["status"], image["archived_by"], image["archive_reason"]) == ("archived", "bob", "left the company")
    assert (image["archived_at"], image["id"]) == (clock().isoformat(), str(ana.id))
    assert (listed(scope), scope.graph.links("Bob")) == (["Bob"], [])


@pytest.mark.spec("S1")
def test_a_restored_entity_comes_back_with_what_went_with_it(scope, clock):
    ana = scope.graph.add("Ana", type="person", aliases=["Annie"])
    scope.graph.link("Ana", "knows", "Bob")
    scope.graph.link("Ana", "uses", value="a kettle")
    scope.ontology.set("Ana", "home/city", "Berlin")
    dropped = scope.ontology.set("Ana", "home/street", "Main Street")
    scope.ontology.archive(dropped.id)
    clock.advance(hours=1)
    do(scope, ArchiveEntity(entity="Ana"))
    clock.advance(hours=1)

    do(scope, RestoreEntity(entity="ana"))

    back = scope.graph.get("Annie")
    assert (back.id, back.status, back.archived_at, back.archive_reason) == (ana.id, "active", None, None)
    assert {link.predicate for link in scope.graph.links("Ana")} == {"knows", "uses"}
    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["Berlin"]
    with pytest.raises(Conflict, match="in force already"):
        do(scope, RestoreEntity(entity="ana"))


def test_a_link_to_what_is_still_archived_does_not_come_back(scope, clock):
    scope.graph.link("Ana", "knows", "Bob")
    clock.advance(hours=1)
    do(scope, ArchiveEntity(entity="Ana"), ArchiveEntity(entity="Bob"))

    do(scope, RestoreEntity(entity="ana"))

    assert scope.graph.links("Ana") == []


@pytest.mark.spec("S1")
def test_entities_are_listed_in_the_order_of_the_document(nacre, scope, clock):
    """Pinned first and the last pinned before the others; then mentions, the last change, and the name."""
    now = clock()
    with nacre.parts.database.write(scope.scope) as tx:
        for name, columns in {
            "b by name": {"mentions": 1},
            "a by name": {"mentions": 1},
            "changed": {"mentions": 1, "updated_at": now + timedelta(hours=1)},
            "mentioned": {"mentions": 9},
            "pinned first": {"pinned_at": now},
            "pinned last": {"pinned_at": now + timedelta(hours=1)},
            "pinned and mentioned": {"pinned_at": now, "mentions": 5},
            "archived": {"mentions": 99, "status": "archived"},
        }.items():
            rows.add_entity(tx, name, **columns)

    order = ["pinned last", "pinned and mentioned", "pinned first", "mentioned", "changed", "a by name", "b by name"]
    assert listed(scope) == order
    assert [listed(scope, limit=2, offset=offset) for offset in (1, 2, 3)] == [order[1:3], order[2:4], order[3:5]]


ages = st.integers(0, 2)
facts = st.tuples(st.none() | ages, ages, ages, st.sampled_from("abc"))


@examples.costly()
@given(st.lists(facts, max_size=6))
def test_the_order_is_total_and_pages_fit_together(new_sqlite, known):
    clock = MovableClock()
    with Nacre(new_sqlite(), settings=Settings(worker="off", embedder="off"), clock=clock) as nacre:
        scope = nacre.scope(agent="a")
        with nacre.parts.database.write(scope.scope) as tx:
            for place, (pinned, mentions, changed, name) in enumerate(known):
                pinned_at = None if pinned is None else clock() + timedelta(hours=pinned)
                columns = {"mentions": mentions, "updated_at": clock() + timedelta(hours=changed)}
                rows.add_entity(tx, f"{name}{place}", pinned_at=pinned_at, **columns)
        found = [item.entity for item in scope.knowledge.entities().items]
        paged = [name for offset in range(len(known)) for name in listed(scope, limit=1, offset=offset)]

    def place_of(entity):
        pinned = entity.pinned_at.timestamp() if entity.pinned_at else 0
        return (-pinned, -entity.mentions, -entity.updated_at.timestamp(), entity.name)

    assert [each.name for each in found] == [each.name for each in sorted(found, key=place_of)] == paged
    assert len(found) == len(known)


def test_a_new_name_that_is_taken_is_refused(scope):
    scope.graph.add("Ana")
    scope.graph.add("Bob", aliases=["Bobby"])

    with pytest.raises(Conflict, match="Merge"):
        do(scope, RenameEntity(entity="Ana", new_name="bobby"))
    do(scope, RenameEntity(entity="Ana", new_name="Anna"))
    assert (scope.graph.get("Ana").name, scope.graph.get("ana").aliases) == ("Anna", ("Ana",))


def test_a_wrong_type_is_put_right_and_can_be_taken_back(scope, clock):
    scope.observe("user", "Voltarc says that prices go up.")
    assert scope.graph.get("Voltarc").type == "person"
    before = clock.now
    clock.advance(minutes=1)

    done = do(scope, RetypeEntity(entity="Voltarc", type="Company"))

    found = scope.graph.get("Voltarc")
    assert (found.type, found.mentions) == ("organization", 1)
    assert scope.graph.get("Voltarc", as_of=before).type == "person"
    assert [each.name for each in scope.graph.search("Voltarc", type="organization")] == ["Voltarc"]
    scope.undo(done.record.id)
    assert scope.graph.get("Voltarc").type == "person"


def test_a_type_that_nobody_knows_corrects_nothing(scope):
    scope.graph.add("Ana", type="person")

    with pytest.raises(Invalid, match="`type` must be one of"):
        RetypeEntity(entity="Ana", type="starship")
    do(scope, RetypeEntity(entity="Ana", type="unknown"))
    assert scope.graph.get("Ana").type == "unknown"


@pytest.mark.parametrize("operation", [PinEntity, UnpinEntity, ArchiveEntity, RestoreEntity])
def test_another_tenants_entity_is_out_of_reach(nacre, scope, operation):
    ana = scope.graph.add("Ana")
    other = nacre.scope(agent="assistant", user="bob")

    with pytest.raises(NotFound):
        do(other, operation(entity=ana.id))
    assert scope.graph.get("Ana") == ana
    assert listed(other) == []


@pytest.mark.parametrize("entity", ["", " ", "a\nb", None, 5, "x" * 201])
@pytest.mark.parametrize("operation", [PinEntity, ArchiveEntity, RestoreEntity])
def test_what_names_nothing_is_refused(operation, entity):
    with pytest.raises(Invalid):
        operation(entity=entity)
