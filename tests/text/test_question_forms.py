"""What a message wants: something known, something made, or what anybody would get."""

import pytest

from nacre.text.question_forms import asks_how, is_impersonal, is_task


@pytest.mark.parametrize(
    "message",
    [
        "Design me a business card",
        "text for a save-the-date card",
        "fill in the moving notice, the address",
        "pls draft a note to my landlord",
        "can you book a table for four",
        "hazme el letrero otra vez",
        "birthday present ideas for mum",
        "armame la valija para el finde",
        "porfa búscame un hotel",
        "avísale al casero",
        "menú para la cena del sábado",
    ],
)
def test_what_is_to_be_made_for_somebody_is_a_task(message):
    assert is_task(message)


@pytest.mark.parametrize(
    "message",
    [
        "Write a haiku about rain.",
        "give me a hard riddle",
        "Escribe un poema corto sobre el mar",
        "contame otro chiste",
        "quién pintó el Guernica",
        "cuántos minutos tiene un año",
        "prove that there are infinitely many primes",
        "(17 + 4) * 3",
        "what's the capital of Peru",
        "who painted the ceiling",
        "how many grams in a pound",
        "Translate to French: good night",
        "write a python function that sorts words",
    ],
)
def test_what_anybody_would_get_is_nobodys(message):
    assert is_impersonal(message)
    assert not is_task(message)


@pytest.mark.parametrize("message", ["where do I live?", "what is my wifi password", "explain to my mum how I pay", ""])
def test_what_is_somebodys_own_is_not(message):
    assert not is_impersonal(message)


def test_how_something_is_done_is_asked_of_nobody():
    assert asks_how("how do I boil an egg")
    assert asks_how("ok so how to descale a kettle")
    assert not asks_how("how much rent do I pay")
