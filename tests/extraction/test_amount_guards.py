"""Amount guards: a newer amount takes the place of the one that is of its name, its unit or its size."""

import pytest

from nacre.extraction import amount_guards
from tests.extraction.readings import update_of

pytestmark = pytest.mark.spec("N11")


@pytest.mark.parametrize(
    ("older", "value", "newer", "now", "meant"),
    [
        ("the stall brings in 2,800 a month, rent is 950", "2,800", "rent went up to 1100", "1100", "950"),
        ("deja 28 mil al mes, pago 9500 de renta", "28 mil", "me subió la renta a 11 mil", "11 mil", "9500"),
        ("rent is 950, the stall brings in 2,800", "950", "rent went up to 1100", "1100", "950"),
        ("flour is 12, sugar is 9", "12", "they want 14 now", "14", "12"),
    ],
)
def test_of_two_amounts_the_one_that_is_spoken_of_is_outdated(older, value, newer, now, meant):
    update = update_of(older, newer, value, now)

    assert amount_guards.right_amount(older, newer, update).value == meant


@pytest.mark.parametrize(
    ("older", "value", "newer", "now", "another"),
    [
        ("we rent a flat, 1350/mo", "1350/mo", "labs are back, 88 now instead of 75", "88", True),
        ("i take 75 mcg", "75 mcg", "labs are back, 88 now instead of 75", "88", False),
        ("we rent a flat, 1350/mo", "1350/mo", "the dose goes up to 88", "88", True),
        ("we rent a flat, 1350/mo", "1350/mo", "it's 1600 from june", "1600", False),
        ("pago 9500 de renta", "9500", "me subieron la renta a 11 mil", "11 mil", False),
        ("the car is a 2014 one", "2014", "bought a 2019 one", "2019", False),
    ],
)
def test_an_amount_of_another_size_or_of_another_name_is_of_something_else(older, value, newer, now, another):
    update = update_of(older, newer, value, now)

    assert amount_guards.is_of_another_amount(older, newer, update) is another


@pytest.mark.parametrize(
    ("older", "value", "newer", "now", "meant"),
    [
        ("24 spreads, I charge 310 a spread", "310", "20 spreads in all", "20 spreads", "24 spreads"),
        (
            "I charge 11 cent a word, it has 60k words",
            "11 cent",
            "it shrinks to 44 thousand",
            "44 thousand",
            "60k words",
        ),
        ("bus on 17 May at 6am, 350 rand each", "6", "please top up to 380", "380", "350 rand"),
        ("the target is 45 million", "45 million", "I need 36 only", "36 only", "45 million"),
        ("concierto el 27 de marzo", "27 de marzo", "tocamos el 3 de abril", "3 de abril", "27 de marzo"),
    ],
)
def test_an_amount_takes_the_place_of_one_of_its_size(older, value, newer, now, meant):
    update = update_of(older, newer, value, now)
    righted = amount_guards.comparable_amount(older, newer, update)

    assert righted.value == meant
    assert not amount_guards.is_of_another_amount(older, newer, righted)


@pytest.mark.parametrize(
    ("value", "now", "same"),
    [
        ("1.000,50 €", "1000.50 €", True),
        ("1.000,50 €", "1000.50 €, as ever", True),
        ("1.000,50 €", "$1000.50", False),
        ("50 mg", "50 now", False),
        ("75 mcg", "88 mcg", False),
    ],
)
def test_an_amount_written_otherwise_is_no_change(value, now, same):
    update = update_of(value, now, value, now)
    assert amount_guards.is_same_amount(update) is same
