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
