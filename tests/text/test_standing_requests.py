"""What somebody wants for good, and the tone they say it in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.text.standing_requests import Sentiment, is_sensitive, sentiment, wishes


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
    assert [wish.unwanted for wish in wishes(text)] == [True]


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
    assert [wish.unwanted for wish in wishes(text)] == [False]


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
    assert list(wishes(text)) == []


@pytest.mark.parametrize(
    ("text", "tone"),
    [
        ("I told you already: no emojis", Sentiment.VERY_IRRITATED),
        ("How many times do I have to say it? Keep it short.", Sentiment.VERY_IRRITATED),
        ("STOP USING EMOJIS", Sentiment.VERY_IRRITATED),
        ("Stop using emojis!", Sentiment.VERY_IRRITATED),
        ("¡Te he dicho mil veces que no uses emojis!", Sentiment.VERY_IRRITATED),
        ("¿Cuántas veces? Deja de usar tablas", Sentiment.VERY_IRRITATED),
        ("Please stop using emojis", Sentiment.MILDLY_FRUSTRATED),
        ("That was too long again", Sentiment.MILDLY_FRUSTRATED),
        ("Otra vez en inglés. Responde en español", Sentiment.MILDLY_FRUSTRATED),
        ("I prefer tables", Sentiment.MINOR),
        ("Could you keep it short?", Sentiment.MINOR),
        ("Prefiero tablas", Sentiment.MINOR),
        ("The NASA and ESA launch is great!", Sentiment.MINOR),
    ],
)
def test_the_tone_of_a_text(text, tone):
    assert sentiment(text) is tone


@pytest.mark.parametrize(
    ("text", "sensitive"),
    [
        ("never store my password", True),
        ("always pay invoices at once", True),
        ("don't share API keys", True),
        ("keep transfers under $100", True),
        ("nunca guardes mi contraseña", True),
        ("paga siempre con tarjeta", True),
        ("keep it short", False),
        ("responde en español", False),
    ],
)
def test_security_credentials_and_money_are_sensitive(text, sensitive):
    assert is_sensitive(text) is sensitive


@given(st.text(max_size=200))
def test_a_wish_stands_where_it_says(text):
    for wish in wishes(text):
        assert text[slice(*wish.span)] == wish.text
