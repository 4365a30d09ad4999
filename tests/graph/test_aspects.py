"""Aspects: the sides of an entity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, select

from nacre import Conflict, Invalid, Nacre, NotFound, Settings, SlotConstrained
from nacre.domain.claim_operations import ArchiveAspect, CreateAspect, MergeAspects, RenameAspect
from nacre.store.tables import schema
from tests import examples


def keys(scope, entity="Ana"):
    return [aspect.key for aspect in scope.ontology.aspects(entity)]


def weigh(scope, name, weight=None):
    return scope.ontology.apply([CreateAspect(entity="Ana", name=name, weight=weight)])[0]


@pytest.fixture
def ana(scope):
    return scope.graph.add("Ana", type="person")


@pytest.mark.spec("S2")
def test_the_weightier_aspects_come_first(scope, ana):
    for name, weight in (("hobbies", 0.2), ("work", 0.9), ("family", None)):
        weigh(scope, name, weight)

    assert [(aspect.key, aspect.weight) for aspect in scope.ontology.aspects("Ana")] == [
        ("work", 0.9),
        ("family", 0.5),
        ("hobbies", 0.2),
    ]
    scope.ontology.set("Ana", "hobbies/favourite_game", "chess")
    scope.ontology.set("Ana", "work/employer", "Acme")
    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["Acme", "chess"]


@pytest.mark.spec("S2")
def test_one_name_is_one_aspect_however_it_is_spelled(scope, ana):
    for name in ("Home Life", "homeLife", "home-life", "HOME_LIFE"):
        weigh(scope, name)
    scope.ontology.set("Ana", "Home life/city", "Berlin")

    assert keys(scope) == ["home_life"]


@pytest.mark.spec("S2")
def test_aspects_of_two_entities_are_two(scope, ana):
    bob = scope.graph.add("Bob")
    scope.ontology.set("Ana", "home/city", "Berlin")
    scope.ontology.set("Bob", "home/city", "Paris")

    assert [scope.ontology.aspects(each)[0].entity for each in ("Ana", "Bob")] == [ana.id, bob.id]


@pytest.mark.spec("S2")
def test_the_database_itself_refuses_a_second_aspect_of_a_name(nacre, scope, ana):
    weigh(scope, "home")
    aspect = scope.ontology.aspects("Ana")[0]
    twin = {"entity_id": ana.id, "name": "Home", "key": "home", "weight": 0.5, "status": "active"}
    times = {"created_at": aspect.created_at, "updated_at": aspect.updated_at}

    with pytest.raises(Conflict), nacre.parts.database.write(scope.scope) as tx:
        tx.execute(insert(schema.aspects).values(scope_id=tx.scope_id, id=ana.id, **twin, **times))


@pytest.mark.spec("S2")
def test_a_learned_weight_is_kept_when_the_aspect_is_named_again(scope, ana):
    """In the seed system another write reset it to 0.5."""
    weigh(scope, "work", 0.8)
    weigh(scope, "Work")
    scope.ontology.set("Ana", "work/employer", "Acme")
    scope.remember("Ana works", structured={"aspects": [{"entityName": "Ana", "aspect": "work"}]})

    assert scope.ontology.aspects("Ana")[0].weight == 0.8
    weigh(scope, "work", 0.3)
    assert scope.ontology.aspects("Ana")[0].weight == 0.3


@pytest.mark.spec("S2")
def test_an_archived_aspect_takes_its_claims_along_and_is_undone(scope, clock, ana):
    scope.ontology.set("Ana", "home/city", "Berlin")
    scope.ontology.set("Ana", "work/employer", "Acme")
    clock.advance(minutes=1)
    before = scope.ontology.aspects("Ana")
    gone = scope.ontology.apply([ArchiveAspect(entity="Ana", aspect="Home", reason="private")], actor="bob")[0]

    assert (keys(scope), [claim.value for claim in scope.ontology.claims("Ana")]) == (["work"], ["Acme"])
    city = scope.ontology.versions("Ana", "home/city")[0]
    assert (city.status, city.archived_by, city.archive_reason) == ("deleted", "bob", "private")
    scope.ontology.undo(gone.record.id)
    assert scope.ontology.aspects("Ana") == before
    assert len(scope.ontology.claims("Ana")) == 2


@pytest.mark.spec("S2")
def test_writing_to_an_archived_aspect_brings_it_back(scope, ana):
    weigh(scope, "home", 0.8)
    scope.ontology.set("Ana", "home/city", "Berlin")
    scope.ontology.apply([ArchiveAspect(entity="Ana", aspect="home")])
    scope.ontology.set("Ana", "home/city", "Paris")

    aspect = scope.ontology.aspects("Ana")[0]
    assert (aspect.status, aspect.weight, aspect.archived_at) == ("active", 0.8, None)
    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["Paris"]


@pytest.mark.spec("S2")
def test_an_aspect_with_a_constraint_is_archived_by_force_only(scope, ana):
    scope.ontology.set("Ana", "diet/nuts_policy", "never", kind="constraint")

    with pytest.raises(SlotConstrained):
        scope.ontology.apply([ArchiveAspect(entity="Ana", aspect="diet")])
    scope.ontology.apply([ArchiveAspect(entity="Ana", aspect="diet", force=True)])
    assert keys(scope) == []


@pytest.mark.spec("S2")
def test_a_renamed_aspect_keeps_its_claims_and_a_taken_name_is_refused(scope, ana):
    scope.ontology.set("Ana", "home/city", "Berlin")
    weigh(scope, "work")

    with pytest.raises(Conflict, match="Merge"):
        scope.ontology.apply([RenameAspect(entity="Ana", aspect="home", new_name="Work")])
    scope.ontology.apply([RenameAspect(entity="Ana", aspect="home", new_name="Dwelling")])
    assert sorted(keys(scope)) == ["dwelling", "work"]
    assert [str(claim.slot) for claim in scope.ontology.claims("Ana")] == ["dwelling/general/city"]
    scope.ontology.apply([RenameAspect(entity="Ana", aspect="dwelling", new_name="DWELLING")])
    assert {aspect.name for aspect in scope.ontology.aspects("Ana")} == {"DWELLING", "work"}


@pytest.mark.spec("S2")
def test_merged_aspects_keep_every_version_and_the_higher_weight(scope, ana):
    weigh(scope, "job", 0.9)
    scope.ontology.set("Ana", "job/employer", "Acme")
    scope.ontology.set("Ana", "job/employer", "Globex")
    scope.ontology.set("Ana", "work/desk_number", "4")
    merged = scope.ontology.apply([MergeAspects(entity="Ana", target="work", source="job")])[0]

    assert [(aspect.key, aspect.weight) for aspect in scope.ontology.aspects("Ana")] == [("work", 0.9)]
    assert {claim.value for claim in scope.ontology.claims("Ana")} == {"Globex", "4"}
    assert [each.value for each in scope.ontology.versions("Ana", "work/employer")] == ["Globex", "Acme"]
    scope.ontology.undo(merged.record.id)
    assert sorted(keys(scope)) == ["job", "work"]


@pytest.mark.parametrize(
    "wrong", [ArchiveAspect(entity="Ana", aspect="none"), RenameAspect(entity="Ana", aspect="none", new_name="x")]
)
def test_an_aspect_that_is_not_there_is_not_found(scope, ana, wrong):
    with pytest.raises(NotFound):
        scope.ontology.apply([wrong])


def test_an_aspect_is_not_merged_into_itself(scope, ana):
    weigh(scope, "Home Life")
    with pytest.raises(Invalid):
        scope.ontology.apply([MergeAspects(entity="Ana", target="home life", source="homeLife")])


@pytest.mark.parametrize("weight", [-0.1, 1.1, True, "0.5", float("nan")])
def test_a_weight_is_a_fraction(weight):
    with pytest.raises(Invalid):
        CreateAspect(entity="Ana", name="home", weight=weight)


def test_another_tenants_aspects_are_out_of_reach(nacre, scope, ana):
    weigh(scope, "home")
    other = nacre.scope(agent="assistant", user="bob")

    with pytest.raises(NotFound):
        other.ontology.apply([ArchiveAspect(entity=ana.id, aspect="home")])
    assert keys(scope) == ["home"]


@examples.costly()
@given(st.lists(st.sampled_from(["home", "Home", "work", "WORK", "Work life", "workLife"]), max_size=8))
def test_there_is_one_row_for_each_key(new_sqlite, named):
    with Nacre(new_sqlite(), settings=Settings(worker="off", embedder="off")) as nacre:
        scope = nacre.scope(agent="a")
        scope.graph.add("Ana")
        for name in named:
            weigh(scope, name)
        with nacre.parts.database.read(scope.scope) as tx:
            aspects = schema.aspects
            held = tx.execute(select(aspects.c.key).where(aspects.c.scope_id == tx.scope_id)).scalars().all()

    spelled = {"home": "home", "work": "work", "work life": "work_life", "worklife": "work_life"}
    assert sorted(held) == sorted({spelled[name.lower()] for name in named})
