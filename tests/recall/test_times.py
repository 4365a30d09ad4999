"""Dates in a question, and the passages from then."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre.text import periods, times

NOW = datetime(2026, 11, 15, 9, tzinfo=UTC)


def day(year, month, day):
    return datetime(year, month, day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What did Ana buy on 3 June 2025?", day(2025, 6, 3), day(2025, 6, 4)),
        ("What did Ana buy on June 3rd, 2025?", day(2025, 6, 3), day(2025, 6, 4)),
        ("What happened on 2025-06-03?", day(2025, 6, 3), day(2025, 6, 4)),
        ("What did Ana paint in July 2025?", day(2025, 7, 1), day(2025, 8, 1)),
        ("Where was Ana in 2024?", day(2024, 1, 1), day(2025, 1, 1)),
        ("What did we say yesterday?", day(2026, 11, 14), day(2026, 11, 15)),
        ("What did we do last month?", day(2026, 10, 1), day(2026, 11, 1)),
        ("What did we do last week?", day(2026, 11, 8), day(2026, 11, 15)),
        ("What did we do this week?", day(2026, 11, 9), day(2026, 11, 16)),
        ("Where did Ana live 4 years ago?", day(2022, 1, 1), day(2023, 1, 1)),
        ("¿Qué compró Ana el 3 de junio de 2025?", day(2025, 6, 3), day(2025, 6, 4)),
    ],
)
def test_a_question_speaks_of_a_period(question, start, end):
    assert times.asked(question, NOW) == [times.Period(start, end)]


@pytest.mark.parametrize("question", ["What may Ana do?", "Did she march on?", "Room 2025?", "İstanbul in June", ""])
def test_a_question_may_speak_of_none(question):
    assert times.asked(question, NOW) == []


def test_a_month_without_its_year_may_be_of_any_year():
    (period,) = times.asked("When did Ana go camping in June?", NOW)

    assert period.yearless
    assert period.of_year(2023) == times.Period(day(2023, 6, 1), day(2023, 7, 1))
    assert times.Period(day(2024, 2, 29), day(2024, 3, 1), yearless=True).of_year(2023) is None


@pytest.mark.spec("S14")
def test_passages_from_then_come_first(scope):
    for month in (3, 6, 9):
        scope.observe(
            "user", "We went camping by the lake.", session=f"{month}", at=datetime(2025, month, 7, tzinfo=UTC)
        )

    for question, month in (("When did we go camping in June?", 6), ("Did we go camping on 7 September 2025?", 9)):
        first = scope.recall(question, explain=True)[0]
        assert first.at.month == month
        assert first.channels["time"] == 1


@pytest.mark.spec("S14")
def test_what_is_told_soon_afterwards_counts_for_half(scope):
    scope.observe("user", "The trip was lovely.", at=datetime(2025, 7, 5, tzinfo=UTC))

    assert scope.recall("How was the trip in June 2025?", explain=True)[0].channels["time"] == 0.5


ASKED_ON = datetime(2023, 5, 15, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What did I do during the last week of August 2022?", day(2022, 8, 25), day(2022, 9, 1)),
        ("what did we do last weekend", day(2023, 5, 13), day(2023, 5, 15)),
        ("Who came over this past weekend?", day(2023, 5, 13), day(2023, 5, 15)),
        ("¿Qué hicimos el fin de semana pasado?", day(2023, 5, 13), day(2023, 5, 15)),
        ("Where was I two weekends ago?", day(2023, 5, 6), day(2023, 5, 8)),
        ("Where were we at the end of summer 2022?", day(2022, 8, 14), day(2022, 9, 22)),
        ("¿Dónde estuve el verano pasado?", day(2022, 6, 1), day(2022, 9, 21)),
        ("What did I buy in early March 2023?", day(2023, 3, 1), day(2023, 3, 12)),
        ("¿Qué compré a finales de agosto de 2022?", day(2022, 8, 21), day(2022, 9, 2)),
        ("What did I bake in the past two weeks?", day(2023, 5, 1), day(2023, 5, 16)),
        ("¿Qué he leído en los últimos tres meses?", day(2023, 2, 11), day(2023, 5, 16)),
        ("What did I get for Valentine's day 2023?", day(2023, 2, 14), day(2023, 2, 15)),
        ("Who visited last Christmas?", day(2022, 12, 24), day(2022, 12, 27)),
        ("What did we eat at Easter 2023?", day(2023, 4, 7), day(2023, 4, 11)),
        ("Where was I two weeks before Christmas 2022?", day(2022, 12, 7), day(2022, 12, 16)),
        ("What did I plant two weeks ago?", day(2023, 4, 28), day(2023, 5, 5)),
        ("Which books did I read between March and May 2023?", day(2023, 3, 1), day(2023, 6, 1)),
    ],
)
def test_a_period_may_be_said_as_people_say_it(question, start, end):
    assert periods.asked(question, ASKED_ON) == [times.Period(start, end)]


@pytest.mark.parametrize(
    "question", ["I fall in love", "spring cleaning tips", "the weekend market", "How many days before the party?"]
)
def test_a_season_or_a_weekend_may_be_none(question):
    assert periods.asked(question, ASKED_ON) == []


def test_a_feast_without_its_year_may_be_of_any_year():
    (period,) = periods.asked("Who came for Christmas?", ASKED_ON)

    assert period.of_year(2020) == times.Period(day(2020, 12, 24), day(2020, 12, 27))


def test_relative_dates_count_from_when_it_is_asked(scope):
    """And unlike with `as_of`, what was said later is still found."""
    for month in (3, 4, 6):
        scope.observe("user", "I cleaned my shoes.", session=f"{month}", at=datetime(2023, month, 7, tzinfo=UTC))

    found = scope.recall("Which shoes did I clean last month?", asked_at=ASKED_ON)

    assert found[0].at.month == 4
    assert len(found) == 3
    assert "2023-04-07" in scope.context("Which shoes did I clean last month?", asked_at=ASKED_ON).text


def test_a_belief_is_current_as_of_when_it_is_asked(scope, clock):
    told = clock.now
    exam = f"{told + timedelta(days=30):%Y-%m-%d}"
    scope.ontology.set("Ana", "calendar/general/exam", exam)
    clock.advance(days=200)

    assert exam not in scope.context("When is Ana's exam?").text
    assert exam in scope.context("When is Ana's exam?", asked_at=told + timedelta(days=7)).text


def test_an_event_is_found_by_when_it_was_and_not_only_by_when_it_was_told(scope):
    monday = datetime(2023, 5, 15, 9, tzinfo=UTC)
    scope.observe("user", "I went to the market with Ana last Saturday.", session="1", at=monday)
    scope.observe("user", "I went to the market with Bob last Friday.", session="2", at=monday)

    assert "Bob" in scope.recall("With whom did I go to the market on 12 May 2023?")[0].text
