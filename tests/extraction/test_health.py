"""What somebody is allergic to, and what else they suffer from."""

import pytest

from nacre.domain.facts import Fact, NamedEntity
from nacre.models.readings import SubjectKind
from tests.extraction.readings import found, read, span

pytestmark = pytest.mark.spec("N10")


def told(facts: list[Fact]) -> list[str]:
    return [f"{(fact.path or fact.predicate or '').rpartition('/')[2]} {fact.value}" for fact in facts]


@pytest.mark.parametrize(
    ("text", "words", "learned"),
    [
        ("i've got asthma and i'm allergic to cats", "asthma", "conditions asthma"),
        ("got asthma, quite allergic to cats", "allergic to cats", "allergy cats"),
        ("bad shoulder, allergic to bee stings", "bad shoulder", "conditions bad shoulder"),
        ("tengo asma, alérgico a la penicilina", "asma", "conditions asma"),
        ("tengo asma, alérgico a la penicilina", "alérgico a la penicilina", "allergy penicilina"),
        ("eczema, a nut allergy and a limp", "eczema", "conditions eczema"),
        ("allergic to wasps, diabetic", "diabetic", "conditions diabetic"),
        ("wasps and bees, allergic to both", "wasps", "allergy wasps"),
        ("walnut and egg allergies", "walnut", "allergy walnut"),
        ("allergic to nuts. also allergic to latex", "allergic to latex", "allergy latex"),
        ("el polen me da alergia", "alergia", "allergy polen"),
    ],
)
def test_an_illness_beside_an_allergy_is_none(text, words, learned):
    assert told(read(text, found(text, words, "health"))) == [learned]


def test_what_gives_somebody_an_allergy_is_theirs():
    text = "mi mujer se llama Nuria y el perfume le da alergia"
    [fact] = read(text, found(text, "alergia", "health", subject=SubjectKind.MENTION, mention=span(text, "Nuria")))

    assert isinstance(fact.subject, NamedEntity)
    assert (fact.subject.name, fact.value) == ("Nuria", "perfume")


@pytest.mark.parametrize(
    ("text", "words", "predicate", "learned"),
    [
        ("tengo migrañas desde niña", "migrañas", "owns", "conditions migrañas"),
        ("tengo alergia al polen y a los gatos", "los gatos", "pet", "allergy gatos"),
    ],
)
def test_nobody_owns_what_they_suffer_from(text, words, predicate, learned):
    assert told(read(text, found(text, words, predicate))) == [learned]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("i work as a physio at AZ Maria hospital, mostly knees", "knees"),
        ("i'm a dentist, mainly root canals", "root canals"),
    ],
)
def test_what_somebody_treats_is_not_what_they_suffer_from(text, words):
    assert read(text, found(text, words, "health")) == []


@pytest.mark.parametrize(
    ("text", "learned"),
    [
        ("Sam has a severe nut allergy, we got the results today", ["Sam health/general/allergy nut"]),
        ("Max is allergic to wasps", ["Max health/general/allergy wasps"]),
        ("The guests have some allergies", []),
        ("I have no nut allergy", []),
    ],
)
def test_rules_know_who_has_an_allergy(said, text, learned):
    """Sam and Max are everyday words as well: what is said of them makes them people."""
    assert [line for line in said(text) if "allergy" in line] == learned
