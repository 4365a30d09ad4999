"""Plain statements in the words of strangers, read by rules alone."""

import pytest

from nacre.extraction.rule_extraction import extract

pytestmark = pytest.mark.spec("W1")


@pytest.mark.parametrize(
    ("text", "about", "what"),
    [
        ("They made me team lead on Friday, so I have six reports.", "work/general/role", "team lead"),
        ("My degree is in law, though I never practised.", "study/general/subject", "law"),
        ("I'm training to be a nurse.", "study/general/subject", "nurse"),
        ("Our car's a Fiat Panda.", "possessions/general/car", "Fiat Panda"),
        ("The gate code at our building is 4471, please keep it.", "possessions/general/gate_code", "4471"),
        ("Our customer number with the bank is 55-20871.", "possessions/general/customer_number", "55-20871"),
        ("Renting a room in Utrecht from an old lady.", "lives_in", "Utrecht"),
        ("Home is a narrowboat near Oxford these days.", "lives_in", "Oxford"),
        (
            "My favourite tea is genmaicha these days and no longer Darjeeling.",
            "taste/general/favourite_tea",
            "genmaicha",
        ),
        ("Sufro de migrañas, casi siempre.", "health/general/conditions", "migrañas"),
        ("Llevo diez años en Bogotá.", "lives_in", "Bogotá"),
        ("Tenemos un Renault Clio rojo.", "owns", "Renault Clio"),
        ("Bailo tango los viernes.", "related_to", "tango"),
        ("Mi comida favorita en el mundo es el ceviche.", "taste/general/favourite_food", "ceviche"),
    ],
)
def test_plain_statements_of_strangers_are_understood(text, about, what):
    found = [
        (fact.predicate or fact.path, fact.object.name if fact.object else fact.value) for fact in extract(text).facts
    ]

    assert (about, what) in found


@pytest.mark.parametrize("text", ["The number of users is 500.", "My sister's locker number is 12."])
def test_a_count_and_anothers_number_are_not_kept_as_ones_own(text):
    assert extract(text).facts == ()
