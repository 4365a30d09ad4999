"""The tone in which somebody says something."""

import pytest

from nacre.text.sentiments import Sentiment, sentiment


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
