"""Orders of a succession: of the marks on one place that are found together the surest is set."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from nacre.domain.outdated_marks import MarkOutdated
from nacre.extraction.speeches import Speech
from nacre.extraction.successions import SpeechComparison, find_succession
from nacre.memory.statements import read_statements
from nacre.models.local_succession import LocalSuccession, SuccessionReading
from nacre.store.evidence.outdated import PlaceMark

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


class Weights(LocalSuccession):
    """A model that finds every weight outdated by every later one, the first by the last most surely of all."""

    def __init__(self):
        pass

    def nearest(self, newer, older, most=6):
        return list(range(len(older)))

    def read_pair(self, older, newer):
        return SuccessionReading(
            0.991 + 0.004 * ("94" in older.text), *((0, len(each.text)) for each in (older, newer))
        )


def test_the_last_of_three_values_takes_the_place_of_the_second():
    speeches = [speech(number, text) for number, text in enumerate(("94 kilos", "88 kilos", "83 kilos"))]
    found = [
        find_succession([SpeechComparison(speech=each, keys=(), others=(), marked=marked, wide=wide)], Weights())
        for each, marked, wide in (
            (speeches[1], {}, speeches[:1]),
            (speeches[2], {(speeches[0].id, 0): PlaceMark("94 kilos", doubtful=False)}, speeches[:2]),
        )
    ]

    orders = [mark.operation for each in found for mark in each.marks]
    assert [(each.older.int, each.newer.int) for each in orders if isinstance(each, MarkOutdated)] == [(0, 1), (1, 2)]


class Surest(LocalSuccession):
    """A model that is as sure of each older turn as is told, whatever comes later."""

    def __init__(self, chances):
        self.chances = chances

    def nearest(self, newer, older, most=6):
        return list(range(len(older)))

    def read_pair(self, older, newer):
        half = newer.text.index(",")
        now = (0, half) if "choir" in older.text else (half + 2, len(newer.text))
        return SuccessionReading(self.chances[older.text], (0, len(older.text)), now)


@pytest.mark.parametrize(("chance", "doubtful"), [(0.9985, False), (0.985, True), (0.95, None)])
def test_what_a_turn_changes_besides_needs_more_to_be_sure(chance, doubtful):
    older = [speech(0, "choir is on Mondays"), speech(1, "the bakery opens at nine")]
    newer = speech(2, "rehearsals moved to Fridays, breakfast at eight")
    compared = SpeechComparison(speech=newer, keys=(), others=(), marked={}, wide=older)

    found = find_succession([compared], Surest({older[0].statements.text: 0.999, older[1].statements.text: chance}))

    orders = [mark.operation for mark in found.marks]
    marks = {each.older.int: each.doubtful for each in orders if isinstance(each, MarkOutdated)}
    assert marks == {0: False} | ({} if doubtful is None else {1: doubtful})


def test_each_of_two_values_of_one_clause_is_marked():
    older = speech(0, "we need two bedrooms under £950 by 30 June")
    newer = speech(1, "1,050 at most")
    before = {(older.id, 0): PlaceMark("30 June", doubtful=False)}
    compared = SpeechComparison(speech=newer, keys=(), others=(), marked=before, wide=[older])
    begin = older.statements.text.index("£950")

    class Price(Surest):
        def read_pair(self, _older, now):
            return SuccessionReading(0.999, (begin, begin + 4), (0, len(now.text)))

    (mark,) = find_succession([compared], Price({})).marks

    assert isinstance(mark.operation, MarkOutdated)
    assert mark.operation.quote == (begin, begin + 4)
