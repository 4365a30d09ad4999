"""Values that change their kind, date or price in the words of strangers: the later one holds, and no other ends."""

import pytest

from nacre import Nacre
from tests.extraction.tellings import beliefs, tell

pytestmark = pytest.mark.spec("W1")


@pytest.fixture
def nacre(sqlite_url, clock, brain_settings):
    """What is said is read alike on every database."""
    with Nacre(sqlite_url, settings=brain_settings, clock=clock) as brain:
        yield brain


@pytest.mark.parametrize(
    ("first", "then", "known"),
    [
        ("I'm vegetarian", "I'm married", {"diet/general/diet vegetarian", "profile/general/marital_status married"}),
        ("im vegan", "im single", {"diet/general/diet vegan", "profile/general/marital_status single"}),
        (
            "I'm pregnant",
            "I'm engaged",
            {"health/general/pregnancy pregnant", "profile/general/marital_status engaged"},
        ),
        ("Soy vegetariana", "Estoy casada", {"diet/general/diet vegetariana", "profile/general/marital_status casada"}),
        ("I'm married", "I'm retired", {"profile/general/marital_status married", "work/general/status retired"}),
        ("I'm single", "I'm married", {"profile/general/marital_status married"}),
        ("I'm engaged", "we got married!", {"profile/general/marital_status married"}),
        ("I'm unemployed", "I work at Acme", {"works_at Acme"}),
        ("I'm single", "I'm dating Sam", {"partner_of Sam"}),
        ("I'm vegetarian", "I'm no longer vegetarian", set()),
        ("I'm a vegetarian", "I stopped being vegetarian in April", set()),
        ("I'm vegan", "I eat meat again", {"diet/general/diet eat meat again"}),
        ("Soy vegetariano", "ya no soy vegetariano", set()),
        ("Háblame de usted, por favor", "Venga, tutéame", {"replies/general/formality Venga, tutéame"}),
        ("I'm a nurse.", "I'm a teacher now", {"work/general/role teacher"}),
        ("I'm a nurse.", "I used to be a nurse", set()),
        ("I'm a nurse.", "I'm retired", {"work/general/status retired"}),
    ],
)
def test_what_people_say_that_they_are_ends_only_its_own_kind(scope, clock, first, then, known):
    assert tell(scope, clock, first, then) == {f"ana {line}" for line in known}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The deadline for the report is June 20", "the deadline of the grant is 3 July"),
        ("my report deadline is June 20", "my grant deadline is July 3"),
        ("The report is due on June 20", "The grant is due July 3"),
        ("My flight to Rome is on June 20", "My flight to Oslo is on July 3"),
        ("my meeting with Tom is on June 20", "my meeting with Sara is on July 3"),
        ("La fecha límite del informe es el 20 de junio", "La fecha límite de la beca es el 3 de julio"),
    ],
)
def test_the_dates_of_two_things_are_two(scope, clock, first, then):
    assert {line.rpartition(" ")[2] for line in tell(scope, clock, first, then)} >= {"2026-06-20", "2026-07-03"}


@pytest.mark.parametrize(
    ("first", "then", "date"),
    [
        ("My report deadline is June 20", "The report deadline was moved to July 4", "2026-07-04"),
        ("My wedding is on June 20", "wedding got pushed to July 4", "2026-07-04"),
        ("My wedding is on June 20", "We postponed the wedding to July 4", "2026-07-04"),
        ("my flight to Rome is on June 20", "my flight was rescheduled for July 4", "2026-07-04"),
        ("I have a dentist appointment on June 20", "They moved my dentist appointment to July 4", "2026-07-04"),
        ("Mi boda es el 20 de junio", "Mi boda se aplazó al 4 de julio", "2026-07-04"),
        ("My exam is on June 20", "my exam got cancelled", None),
        ("My wedding is on June 20", "we called off the wedding", None),
    ],
)
def test_a_date_that_was_moved_is_the_only_one(scope, clock, first, then, date):
    known = tell(scope, clock, first, then)

    assert [line.rpartition(" ")[2] for line in known if "calendar" in line] == ([date] if date else [])


@pytest.mark.parametrize(
    ("text", "days"), [("My wedding is on May 20", 19), ("I have an exam on May 15", 14), ("My trip is in June", 60)]
)
def test_a_plan_is_over_when_its_day_has_passed(scope, clock, text, days):
    scope.observe("user", text)
    assert beliefs(scope)
    clock.advance(days=days)
    assert beliefs(scope)
    clock.advance(days=2)
    assert beliefs(scope) == set()


@pytest.mark.parametrize(
    "text",
    [
        "My rent went up to $950",
        "the landlord raised my rent to $950",
        "my rent is $950 now",
        "the price of the rent rose to $950",
    ],
)
def test_a_price_that_changed_takes_the_place_of_the_old_one(scope, clock, text):
    known = tell(scope, clock, "My rent is $900. My gym costs $40.", text)

    assert known == {"ana prices/rent/price $950", "ana prices/gym/price $40"}


def test_a_country_says_less_than_the_city_that_lies_in_it(scope, clock):
    known = tell(scope, clock, "We live in Paris, France.", "I live in France.")

    assert {line for line in known if "lives_in" in line} == {"ana lives_in Paris"}


@pytest.mark.parametrize("city", ["Austin, TX", "Charlotte, NC", "Graz, Austria", "Porto Alegre, Brazil"])
def test_a_city_may_bear_the_name_of_a_person(scope, clock, city):
    known = tell(scope, clock, f"Currently living in {city}!")

    assert {line for line in known if "lives_in" in line} == {f"ana lives_in {city.partition(',')[0]}"}


@pytest.mark.parametrize("said", ["my sister Ana visits for two weeks", "my sister Ana is here until friday"])
def test_whoever_is_here_for_a_while_is_kin_after_it(nacre, clock, said):
    scope = nacre.scope("a", user="walter")
    scope.observe("user", said)
    scope.learned()
    clock.advance(days=60)

    assert [link.predicate for link in scope.graph.links("Ana")] == ["family_of"]


@pytest.mark.parametrize(
    ("said", "held"), [("me n tom are done. dont ask", []), ("me and tom are done for today", ["partner_of"])]
)
def test_a_couple_is_done_when_nothing_else_is(nacre, said, held):
    scope = nacre.scope("a", user="walter")
    for each in ("my boyfriend is Tom", said):
        scope.observe("user", each)
    scope.learned()

    assert [link.predicate for link in scope.graph.links("Tom")] == held


@pytest.mark.parametrize(
    ("told", "ended", "holds"),
    [
        (("We're engaged.", "Came home as a married woman today."), "engaged", "marital_status married"),
        (("I'm 39 years old.", "I'm 40 today."), "age 39", "age 40"),
        (("I work at Holt Foods.", "First shift at the Denby clinic!"), "Holt Foods", "works_at Denby clinic"),
    ],
)
def test_a_day_that_is_named_is_when_a_state_began(nacre, clock, told, ended, holds):
    scope = nacre.scope("a", user="walter")
    tell(scope, clock, *told)
    clock.advance(days=60)
    known = beliefs(scope)

    assert any(each.endswith(holds) for each in known)
    assert not any(each.endswith(ended) for each in known)
