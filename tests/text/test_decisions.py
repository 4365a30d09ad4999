import pytest

from nacre.text import decisions


@pytest.mark.parametrize(
    "decides",
    [
        "We've agreed to use tabs.",
        "You must never deploy on a Friday",
        "Always use tabs.",
        "Rule: tabs only",
        "Tabs. Under no circumstances spaces!",
        "Don't ever push to main",
        "Nunca borres la base de datos",
        "Está prohibido desplegar los viernes",
        "Norma: solo tabuladores",
    ],
)
def test_texts_that_lay_something_down(decides):
    assert decisions.lays_down(decides)


@pytest.mark.parametrize(
    "tells",
    [
        "I always use the stairs",
        "She knows the policy",
        "Should we always use tabs?",
        "Have we decided yet?",
        "We have not decided yet",
        "She is undecided",
        "Ana nunca llega tarde",
        "",
        "\n\n",
    ],
)
def test_texts_that_lay_nothing_down(tells):
    assert not decisions.lays_down(tells)
