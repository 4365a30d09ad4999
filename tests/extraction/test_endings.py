"""What people say is over is over, in whatever words, and nothing else is."""

from datetime import UTC, datetime

import pytest

from nacre import Nacre
from nacre.domain.facts import Polarity
from nacre.domain.turns import Turn
from nacre.extraction.rule_extraction import extract
from tests.extraction.tellings import beliefs, tell

pytestmark = pytest.mark.spec("W1")


@pytest.fixture
def nacre(sqlite_url, clock, brain_settings):
    """What is said is read alike on every database."""
    with Nacre(sqlite_url, settings=brain_settings, clock=clock) as brain:
        yield brain


JOBS = """
I quit Acme
quit acme too
i quit my job
I quit
I got laid off
I've been made redundant
got fired today
I lost my job
I retired last month
im retired
Today was my last day at Acme
My last day at acme was Friday
Acme let me go
they fired me
I resigned
I'm not with Acme any more
i dont work there anymore
I finally left Acme
left acme in april
I parted ways with Acme
My contract with Acme ended
I'm between jobs
I got the sack
Me despidieron
He dejado Acme
Me jubilé
Ya no trabajo en Acme
""".strip().splitlines()


@pytest.mark.parametrize("text", JOBS)
def test_a_job_that_ended_is_over_with_or_without_its_name(scope, clock, text):
    known = tell(scope, clock, "I work at Acme. I live in Porto. Tom works at Acme.", text)

    assert "ana works_at Acme" not in known
    assert {"ana lives_in Porto", "Tom works_at Acme"} <= known


@pytest.mark.parametrize(
    "text",
    ["Tom quit", "tom left acme", "Tom got laid off", "Acme fired Tom", "Tom is retired", "A Tom lo despidieron"],
)
def test_the_job_of_somebody_else_ends_for_them_alone(scope, clock, text):
    known = tell(scope, clock, "Tom works at Acme. I work at Acme.", text)

    assert "Tom works_at Acme" not in known
    assert "ana works_at Acme" in known


COUPLES = """
Frank and I got divorced
frank and i broke up
I got divorced
we split up last year
My husband and I split up
I'm divorced now
i'm single again
Frank left me
my husband passed away
Frank and I are no longer together
Frank and I aren't together anymore
I broke up with Frank
My divorce from Frank is final
My marriage ended
Frank is now my ex
Me divorcié de Frank
Frank y yo nos separamos
It's over with Frank
Frank and I are splitting up
""".strip().splitlines()


@pytest.mark.parametrize("text", COUPLES)
def test_a_couple_that_parted_is_none(scope, clock, text):
    known = tell(scope, clock, "I'm married to Frank. Ruth is my friend.", text)

    assert "ana partner_of Frank" not in known
    assert "ana friend_of Ruth" in known


@pytest.mark.parametrize("text", ["Ruth died on Monday", "ruth passed away last week"])
def test_a_friend_who_died_is_no_friend_of_today(scope, clock, text):
    known = tell(scope, clock, "My friend Ruth picks me up on Sundays. I'm married to Frank.", text)

    assert "ana friend_of Ruth" not in known
    assert "ana partner_of Frank" in known


@pytest.mark.parametrize(
    "text",
    [
        "stopped the simvastatin, my legs ached",
        "I came off simvastatin last week",
        "legs ache, so I binned the simvastatin",
    ],
)
def test_a_medicine_that_was_stopped_is_not_taken(scope, text):
    def taken() -> list[str]:
        return [each.claim.value for each in scope.ontology.explain(entity="ana", path="health/medicines")]

    scope.ontology.set("ana", "health/medicines", "simvastatin")
    scope.ontology.set("ana", "health/medicines", "ramipril")
    scope.observe("user", text)

    assert taken() == ["ramipril"]


PETS = """
Rex died
rex died yesterday
My dog passed away
my poor dog died
Our dog Rex died
We had to put Rex down
we lost rex last month
I gave Rex to my sister
I gave Rex away
We rehomed Rex
Rex ran away
Rex is no longer with us
I don't have a dog anymore
Mi perro murió
Se murió Rex
""".strip().splitlines()


@pytest.mark.parametrize("text", PETS)
def test_an_animal_that_is_gone_is_known_by_its_name_or_its_kind(scope, clock, text):
    known = tell(scope, clock, "I have a dog named Rex and a cat named Mia.", text)

    assert "ana owns Rex" not in known
    assert "ana owns Mia" in known


THINGS = """
I sold my car
sold the car last week
I gave my car to my brother
I gave Tom my car
I got rid of the car
My car was stolen
my car got totaled
I no longer own a car
i dont have a car anymore
we sold our old car
I traded in my car
My cousin took the car off my hands
""".strip().splitlines()


@pytest.mark.parametrize("text", THINGS)
def test_a_thing_that_was_given_away_is_not_owned(scope, clock, text):
    known = tell(scope, clock, "I bought a car. I own a guitar.", text)

    assert "ana owns car" not in known
    assert "ana owns guitar" in known


TASTES = """
I can't stand coffee
i can't stand coffee anymore
I've gone off coffee
i've really gone off coffee lately
I'm not into coffee any more
not into coffee anymore
I'm no longer a fan of coffee
I'm sick of coffee
I'm so over coffee
I gave up coffee
I don't drink coffee any more
coffee isn't my thing any more
Coffee no longer appeals to me
I've lost interest in coffee
I used to love coffee
""".strip().splitlines()


@pytest.mark.parametrize("text", TASTES)
def test_a_liking_that_passed_is_none(scope, clock, text):
    known = tell(scope, clock, "I love coffee. I like tea.", text)

    assert "ana prefers coffee" not in known
    assert "ana prefers tea" in known


KEPT = """
I quit smoking
I quit the gym
I left Acme early today
I left my keys at Acme
I left Porto this morning
I left Frank at the station
I'm done with work for today
I stopped at Acme
I gave Rex a bath
I gave Frank a present
I sold my bike to Frank
My neighbour's dog died
My grandmother died
My phone died
My boss retired
My sister got divorced
Tom and Nina got divorced
Frank quit his job
Frank and I split the bill
Acme let Tom go
I didn't quit my job
I almost quit Acme
I might quit my job
I'm thinking of leaving Acme
Did I quit my job?
If I got fired I'd move
I'll retire in 2040
I can't stand Mondays
I'm tired of winter
I lost my keys
we lost the game
I used to work at Globex
I used to live in Galway
The meeting was moved to May 20
no way
Sorry, Frank
Mi abuelo murió
""".strip().splitlines()


@pytest.mark.parametrize("text", KEPT)
def test_nothing_ends_that_was_not_named(scope, clock, text):
    known = tell(
        scope, clock, "I work at Acme. I live in Porto. I'm married to Frank. I love coffee. My dog is Rex.", text
    )

    assert {
        *("ana works_at Acme", "ana lives_in Porto", "ana partner_of Frank", "ana prefers coffee", "ana owns Rex")
    } <= known


@pytest.mark.parametrize(
    ("held", "text"),
    [
        ("I work at Acme. I also work at Globex.", "I quit my job"),
        ("I have a dog named Rex and a dog named Bo.", "My dog died"),
    ],
)
def test_words_that_may_mean_two_things_end_neither(scope, clock, held, text):
    before = tell(scope, clock, held)

    assert tell(scope, clock, text) == before


@pytest.mark.parametrize(
    "text",
    [
        "I started a new job at Globex last month",
        "I work at Globex now",
        "Now I work at Globex",
        "I just joined Globex",
        "I switched jobs and now work at Globex",
        "My new employer is Globex",
        "Ahora trabajo en Globex",
        "I work at Globex, not Acme",
        "I'm not at Acme, I'm at Globex",
    ],
)
def test_a_job_that_is_told_as_a_change_ends_the_one_before(scope, clock, text):
    known = tell(scope, clock, "I work at Acme.", text)

    assert {line for line in known if "works_at" in line} == {"ana works_at Globex"}


@pytest.mark.parametrize(
    "text", ["I also work at Globex.", "I work at Globex, too.", "I've worked at Globex in the past."]
)
def test_a_second_job_ends_no_other(scope, clock, text):
    assert "ana works_at Acme" in tell(scope, clock, "I work at Acme.", text)


MEANT = """
no, I meant Dallas
Sorry, I meant Dallas
wait no, dallas
oops, Dallas I mean
Not Houston, Dallas.
I meant Dallas, not Houston
I said Houston but I meant Dallas
no i live in dallas not houston
No, quise decir Dallas
""".strip().splitlines()


@pytest.mark.parametrize("text", MEANT)
def test_what_was_meant_takes_the_place_of_what_was_said_in_the_turn_before(scope, clock, text):
    known = tell(scope, clock, "I live in Houston.", text)

    assert {line for line in known if "lives_in" in line} == {"ana lives_in Dallas"}


@pytest.mark.parametrize("text", ["no way", "Sorry, Frank", "no, I meant it", "not really, no"])
def test_what_corrects_nothing_says_nothing_again(text):
    recent = extract("Well, as I said, I live in Houston. My husband is Frank.").facts

    assert extract(text, recent=recent).facts == ()


@pytest.mark.parametrize("text", ["I live in Houston, I mean Dallas.", "i live in houston. no wait, dallas."])
def test_what_was_meant_may_follow_at_once(scope, clock, text):
    assert {line for line in tell(scope, clock, text) if "lives_in" in line} == {"ana lives_in Dallas"}


def test_a_correction_is_of_what_the_same_person_said(scope, clock):
    said = [("Ruth", "I live in Houston."), ("Tom", "I live in Boston."), ("Ruth", "Sorry, I meant Dallas.")]
    scope.observe_many([Turn(role="user", text=text, speaker=who, session="s") for who, text in said])

    assert {"Ruth lives_in Dallas", "Tom lives_in Boston"} <= beliefs(scope)


def test_a_first_week_there_confirms_a_job_and_ends_only_the_last_one(scope, clock):
    known = tell(scope, clock, "I work at Tesco", "I got the job at Aldi!", "first week at Aldi done, it's great")

    assert "ana works_at Aldi" in known
    assert "ana works_at Tesco" not in known


@pytest.mark.parametrize("text", ["My wife Carol passed two years ago.", "My wife Carol died in 2024"])
def test_who_is_named_in_the_words_of_a_death_was_and_is_not(scope, clock, text):
    assert "ana partner_of Carol" not in tell(scope, clock, text)


@pytest.mark.parametrize(
    ("before", "after", "holds"),
    [
        ("my manager is called Denise", "new boss is Dr Anwar, seems lovely", "ana reports_to Dr Anwar"),
        ("I live in Dayton", "All settled in Columbus now", "ana lives_in Columbus"),
        ("I work at Pomelo", "dejo Pomelo, me hago autónoma", ""),
    ],
)
def test_a_change_in_everyday_words_leaves_the_new_value_alone(scope, clock, before, after, holds):
    known = tell(scope, clock, before, after)

    assert {each for each in known if each.startswith(("ana reports_to", "ana lives_in", "ana works_at"))} == (
        {holds} if holds else set()
    )


def test_thanks_and_greetings_after_a_statement_correct_nothing():
    (fact,) = extract("my wedding is on june 3. Sorry folks", at=datetime(2026, 3, 2, tzinfo=UTC)).facts

    assert fact.value == "2026-06-03"


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("i am allergic to peanuts so no satay", "peanuts"),
        ("I have coeliac disease so no bread for me", "coeliac"),
        ("I don't eat meat because I love animals", "meat"),
    ],
)
def test_what_follows_from_a_statement_does_not_deny_it(scope, clock, text, holds):
    assert any(holds in each for each in tell(scope, clock, text))


def test_an_age_is_of_the_name_that_it_stands_beside(scope, clock):
    known = tell(scope, clock, "Our daughter Clare has Poppy (6) and Finn (3), and there is Owen who's 14")

    for name, age in (("Poppy", 6), ("Finn", 3), ("Owen", 14)):
        assert any(each.startswith(f"{name} ") and each.endswith(f"age {age}") for each in known)


def test_no_more_of_something_takes_back_nothing_that_was_just_said():
    facts = extract("My rent is 900 euros. no more payments", at=datetime(2026, 3, 2, tzinfo=UTC)).facts

    assert facts
    assert not any(fact.polarity is Polarity.RETRACTED for fact in facts)
