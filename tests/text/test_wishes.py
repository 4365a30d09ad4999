"""What somebody wants for good."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.text.instructions import find_wishes


@pytest.mark.parametrize(
    "text",
    [
        "Stop using emojis.",
        "please don't call me Annie",
        "Never send me PDFs",
        "No emojis, please",
        "I hate it when you apologise",
        "Your answers are too long",
        "Deja de usar emojis",
        "No me llames Anita",
        "por favor no uses tablas",
        "No me gusta que repitas todo",
    ],
)
def test_what_is_not_wanted(text):
    assert [wish.unwanted for wish in find_wishes(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "Please keep it shorter",
        "could you answer in Spanish?",
        "Always put the summary first",
        "From now on, use metric units",
        "I'd prefer tables",
        "I'd rather have the short version",
        "call me Ana",
        "Prefiero respuestas breves",
        "responde en español",
        "A partir de ahora, pon el resumen primero",
        "¿podrías responder siempre en catalán?",
    ],
)
def test_what_is_wanted(text):
    assert [wish.unwanted for wish in find_wishes(text)] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "Send the report to Bruno",
        "Can you check the weather?",
        "Don't forget the milk",
        "don't worry about it",
        "stop the server",
        "The answer was short",
        "I never eat meat!",
        "I always take the bus",
        "You never use French in Lyon",
        "Never mind",
        "Ella siempre canta",
        "I told Bruno about the boat",
        "Do you always answer in Spanish?",
        "¿Por qué no usas tablas?",
        "Manda el informe a Bruno",
        "",
        "ok",
        "茶が好きです",
        "\x00\x07",
        "x" * 400 + " always",
    ],
)
def test_tasks_questions_and_chatter_are_no_wishes(text):
    assert list(find_wishes(text)) == []


@given(st.text(max_size=200))
def test_a_wish_stands_where_it_says(text):
    for wish in find_wishes(text):
        assert text[slice(*wish.span)] == wish.text
