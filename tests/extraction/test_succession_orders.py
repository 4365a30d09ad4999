"""Orders of a succession: of the marks on one place that are found together the surest is set."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from nacre.domain.outdated_marks import MarkOutdated
from nacre.extraction.speeches import Speech
from nacre.extraction.successions import SpeechComparison, find_succession
from nacre.memory.statements import read_statements
from nacre.models.local_succession import LocalSuccession, SuccessionReading

pytestmark = pytest.mark.spec("N11")

BEGIN = datetime(2026, 5, 1, tzinfo=UTC)
TOLD = ("my physio is Dr. Okafor", "my physio is Benedikt", "my physio is Carla")


class Chances(LocalSuccession):
    """What a model would read in pairs with the first turn: the words of each from the fourth on."""

    def __init__(self, *chances):
        self.chances = dict(zip(TOLD[1:], chances, strict=True))

    def nearest(self, newer, older, most=6):
        return [place for place, text in enumerate(older) if newer in self.chances and text == TOLD[0]][:most]

    def read_pair(self, older, newer):
        return SuccessionReading(self.chances[newer.text], (13, len(older.text)), (13, len(newer.text)))


@pytest.mark.parametrize(("chances", "marks"), [((0.92, 0.999), [(2, False)]), ((0.999, 0.92), [(1, False)])])
def test_a_sure_mark_comes_instead_of_a_doubtful_one(chances, marks):
    speeches = [speech(number, text) for number, text in enumerate(TOLD)]
    compared = [
        SpeechComparison(speech=each, keys=(), others=(), marked={}, wide=speeches[:number])
        for number, each in enumerate(speeches)
    ]

    found = find_succession(compared, Chances(*chances))

    orders = [mark.operation for mark in found.marks]
    assert [(each.newer.int, each.doubtful) for each in orders if isinstance(each, MarkOutdated)] == marks


def speech(number, text):
    at = BEGIN + timedelta(days=number)
    return Speech(id=UUID(int=number), order=(at, UUID(int=number)), statements=read_statements(text, at))
