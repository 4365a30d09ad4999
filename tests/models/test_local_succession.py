"""The succession model that ships: what it reads in two turns, and which turns it is asked about."""

from nacre.models import local_succession
from nacre.models.readings import SpokenTurn


def test_words_of_both_turns_are_whole_and_of_their_own_turn():
    older, newer = "We train at 18:30 on Fridays.", "The hall is taken, so we train at 20:00 now."
    read = local_succession.load().read_pair(SpokenTurn("Mira", older), SpokenTurn("Mira", newer))
    assert read is not None
    assert "18:30" in older[slice(*read.was)]
    assert "20:00" in newer[slice(*read.now)]


def test_turns_without_words_are_not_compared():
    model = local_succession.load()
    assert model.read_pair(SpokenTurn("user", "   "), SpokenTurn("user", "I moved.")) is None
    assert model.nearest("I moved.", []) == []


def test_news_among_other_news_is_compared_with_what_it_is_about():
    older = (
        "First week done. My boss is Nives and she is very funny. I get the 7:12 train and read all the way.",
        "The cat had to swallow his tablet at night and spat it out on the bed.",
        "Small wins everywhere at the museum this week.",
    )
    newer = "The cat takes a gel now, no more spitting at night. And they have axed my train, so it's the 6:52."
    assert set(local_succession.load().nearest(newer, older, most=2)) == {0, 1}
