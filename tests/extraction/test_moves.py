"""A move leaves somebody in one place, and the place that was left is known as past."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre import Nacre
from nacre.domain.turns import Turn

pytestmark = pytest.mark.spec("W1")


@pytest.fixture
def nacre(sqlite_url, clock, brain_settings):
    """What is said is read alike on every database."""
    with Nacre(sqlite_url, settings=brain_settings, clock=clock) as brain:
        yield brain


def ends(scope, name, predicate, **given):
    """Where the links of one kind lead, in force or at a moment."""
    return sorted(scope.graph.get(link.target).name for link in found(scope, name, predicate, **given))


def found(scope, name, predicate, **given):
    links = scope.graph.links(name, **given) if scope.graph.search(name) else []
    return [link for link in links if link.predicate == predicate and link.source == scope.graph.get(name).id]


HOMES = [
    # who, the words, from where, to where, since when
    ("ana", "I moved from Lisbon to Porto in March", "Lisbon", "Porto", "2026-03-01"),
    ("ana", "I moved from Boston, MA to Denver, Colorado on April 2.", "Boston", "Denver", "2026-04-02"),
    ("ana", "I just moved to Porto from Lisbon.", "Lisbon", "Porto", None),
    ("ana", "I've relocated from Oslo to Bergen.", "Oslo", "Bergen", None),
    ("ana", "We moved from Madrid to Seville last month.", "Madrid", "Seville", "2026-04-01"),
    ("ana", "We left Lisbon for Porto.", "Lisbon", "Porto", None),
    ("ana", "I left Berlin and moved to Vienna in 2024.", "Berlin", "Vienna", "2024-01-01"),
    ("ana", "I traded London for Lisbon.", "London", "Lisbon", None),
    ("ana", "In January I moved from Quito to Lima.", "Quito", "Lima", "2026-01-01"),
    ("ana", "I moved in February from Prague to Brno.", "Prague", "Brno", "2026-02-01"),
    ("ana", "Moved from Rome to Milan yesterday.", "Rome", "Milan", "2026-04-30"),
    ("ana", "After moving from Lisbon to Porto, I bought a bike.", "Lisbon", "Porto", None),
    ("ana", "Since moving from Paris to Lyon we cook at home.", "Paris", "Lyon", None),
    ("ana", "Moving from Hamburg to Bremen was hard.", "Hamburg", "Bremen", None),
    ("ana", "I moved from Springfield to Shelbyville.", "Springfield", "Shelbyville", None),
    ("Ruth", "Ruth moved from Lisbon to Porto.", "Lisbon", "Porto", None),
    ("Ruth", "Ruth has moved to Porto from Lisbon.", "Lisbon", "Porto", None),
    ("Tom", "Tom left Denver for Chicago in 2025.", "Denver", "Chicago", "2025-01-01"),
    ("Ruth", "Ruth relocated from Dublin to Cardiff 3 weeks ago.", "Dublin", "Cardiff", "2026-04-10"),
    ("ana", "Me mudé de Lisboa a Oporto en marzo.", "Lisbon", "Porto", "2026-03-01"),
    ("ana", "Me he mudado de Sevilla a Bilbao.", "Seville", "Bilbao", None),
    ("ana", "Nos mudamos a Oporto desde Lisboa.", "Lisbon", "Porto", None),
    ("ana", "Nos fuimos a vivir de Quito a Bogotá en 2023.", "Quito", "Bogotá", "2023-01-01"),
    ("ana", "Dejé Lisboa por Oporto.", "Lisbon", "Porto", None),
    ("ana", "Dejamos Madrid por Valencia.", "Madrid", "Valencia", None),
    ("Carmen", "Carmen se mudó de Lisboa a Oporto.", "Lisbon", "Porto", None),
    ("Luis", "Luis dejó Granada por Málaga.", "Granada", "Málaga", None),
    ("ana", "i moved from lisbon to porto in march", "Lisbon", "Porto", "2026-03-01"),
    ("ana", "we left new york for los angeles", "New York", "Los Angeles", None),
    ("ana", "me mudé de lisboa a oporto", "Lisbon", "Porto", None),
]


@pytest.mark.parametrize("move", HOMES, ids=[each[1] for each in HOMES])
@pytest.mark.parametrize("known", [False, True], ids=["never said", "said before"])
def test_a_move_leaves_one_home_in_force_and_the_other_in_the_past(scope, clock, move, known):
    who, text, old, new, since = move
    if known:
        scope.observe("user", f"I live in {old}." if who == "ana" else f"{who} lives in {old}.")
        clock.advance(hours=3)
    told = clock()
    said = scope.observe("user", text)
    clock.advance(minutes=1)
    moved = datetime.fromisoformat(since).replace(tzinfo=UTC) if since else told

    (home,) = found(scope, who, "lives_in")
    assert (scope.graph.get(home.target).name, home.valid_from, home.valid_to) == (new, moved, None)
    (past,) = found(scope, who, "lives_in", as_of=moved - timedelta(seconds=1))
    assert (scope.graph.get(past.target).name, past.valid_to) == (old, moved)
    assert known or (past.evidence == said.id and past.quote)


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("settling into the new place in chapel allerton, boxes everywhere", "Chapel Allerton"),
        ("First night in the new house in Bruges, no curtains yet!", "Bruges"),
        ("Got the keys to our new flat in Harrogate today.", "Harrogate"),
        ("Our new flat in Bristol has a balcony.", "Bristol"),
        ("Ya tengo llaves: un estudio en el Cabanyal para mí sola.", "Cabanyal"),
        ("Primera noche en el piso nuevo de Benimaclet, sin muebles.", "Benimaclet"),
        ("We tried the new place in Soho, great ramen.", "Leeds"),
        ("My sister is settling into her new flat in Hull.", "Leeds"),
        ("First night in the hotel in Rome, lovely view.", "Leeds"),
    ],
)
def test_who_settles_into_a_new_place_lives_there(scope, clock, text, home):
    scope.observe("user", "I live in Leeds.")
    clock.advance(days=9)
    scope.observe("user", text)

    assert ends(scope, "ana", "lives_in") == [home]


@pytest.mark.parametrize(
    ("text", "jobs"),
    [
        ("Loving the new post at the Mumbles surgery, no nights!", ["Mumbles surgery"]),
        ("My new job at Bosch is great so far.", ["Bosch"]),
        ("My new job at Bosch starts in May.", ["Siemens"]),
        ("If I got the new job at Bosch I'd be happy.", ["Siemens"]),
    ],
)
def test_who_has_begun_a_new_job_has_left_the_old_one(scope, clock, text, jobs):
    scope.observe("user", "I work at Siemens.")
    clock.advance(days=9)
    scope.observe("user", text)

    assert ends(scope, "ana", "works_at") == jobs


JOBS = [
    ("John", "John left Hostinger and joined Acme.", "Hostinger", "Acme"),
    ("ana", "I left Acme and now work at Globex.", "Acme", "Globex"),
    ("ana", "I quit Acme to work for Globex.", "Acme", "Globex"),
    ("ana", "I switched jobs from Acme to Globex.", "Acme", "Globex"),
    ("Ruth", "Ruth left Google for Siemens in April.", "Google", "Siemens"),
    ("ana", "I moved from Google to IBM.", "Google", "IBM"),
    ("ana", "Dejé Acme y ahora trabajo en Globex.", "Acme", "Globex"),
    ("Luis", "Luis dejó Google por Telefónica.", "Google", "Telefónica"),
]


@pytest.mark.parametrize("change", JOBS, ids=[each[1] for each in JOBS])
@pytest.mark.parametrize("known", [False, True], ids=["never said", "said before"])
def test_a_change_of_jobs_leaves_one_in_force_and_the_other_in_the_past(scope, clock, change, known):
    who, text, old, new = change
    if known:
        scope.observe("user", f"I work at {old}." if who == "ana" else f"{who} works at {old}.")
        clock.advance(hours=3)
    scope.observe("user", text)
    clock.advance(minutes=1)

    (job,) = found(scope, who, "works_at")
    assert scope.graph.get(job.target).name == new
    assert ends(scope, who, "works_at", as_of=job.valid_from - timedelta(seconds=1)) == [old]


@pytest.mark.parametrize(
    "text",
    [
        "I switched from Acme to Globex.",
        "I moved from Acme to Globex.",
        "I left Acme for Globex.",
        "Pasé de Acme a Globex.",
        "I don't work at Acme, I work at Globex.",
        "No trabajo en Acme, trabajo en Globex.",
    ],
)
def test_words_that_do_not_tell_a_job_speak_of_the_one_that_is_held(scope, clock, text):
    scope.observe("user", "I work at Acme and I live in Porto.")
    clock.advance(days=1)
    scope.observe("user", text)

    assert ends(scope, "ana", "works_at") == ["Globex"]
    assert ends(scope, "ana", "lives_in") == ["Porto"]


@pytest.mark.parametrize("text", ["I switched from Acme to Globex.", "I switched from Samsung to Apple."])
def test_such_words_say_nothing_where_no_such_job_is_held(scope, text):
    scope.observe("user", text)

    assert not any(scope.graph.links(each.id) for each in scope.graph.search())


def test_somebody_else_is_where_it_is_said_and_nobody_else_is_touched(scope, clock):
    scope.observe("user", "Tom works at Apple. Ruth works at Apple.")
    clock.advance(days=1)
    scope.observe("user", "Tom doesn't work at Apple, he works at Adobe.")

    assert ends(scope, "Tom", "works_at") == ["Adobe"]
    assert ends(scope, "Ruth", "works_at") == ["Apple"]


PLANS = [
    "I am thinking of moving to Rome.",
    "I'm moving from Lisbon to Rome.",
    "I want to move to Rome.",
    "I might have moved to Rome.",
    "I almost moved to Rome.",
    "If I moved to Rome I would be happy.",
    "Should I move from Lisbon to Rome?",
    "Moving from Lisbon to Rome would be great.",
    "Estoy pensando en mudarme a Roma.",
    "Me mudo a Roma.",
    "Nos mudamos a Roma el mes que viene.",
]


@pytest.mark.parametrize("text", PLANS)
def test_a_plan_changes_nothing(scope, clock, text):
    scope.observe("user", "I live in Lisbon.")
    (before,) = found(scope, "ana", "lives_in")
    clock.advance(days=1)
    scope.observe("user", text)

    assert found(scope, "ana", "lives_in") == [before]


def test_a_move_that_is_made_for_a_day_is_in_force_from_that_day(scope, clock):
    scope.observe("user", "I live in Lisbon.")
    clock.advance(days=1)
    scope.observe("user", "I'm moving to Rome in June.")

    assert ends(scope, "ana", "lives_in") == ["Lisbon"]
    clock.advance(days=40)
    assert ends(scope, "ana", "lives_in") == ["Rome"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("we move to Rome tomorrow!", 1),
        ("tomorrow we're finally moving to Rome", 1),
        ("we're moving to Rome on saturday", 1),
        ("moving to Rome on may 13, cant wait", 12),
    ],
)
def test_a_home_begins_with_the_day_of_the_move_and_does_not_end_with_it(scope, clock, text, days):
    scope.observe("user", "I live in Lisbon.", at=clock() - timedelta(days=90))
    scope.observe("user", text)

    assert ends(scope, "ana", "lives_in") == ["Lisbon"]
    clock.advance(days=days)
    assert ends(scope, "ana", "lives_in") == ["Rome"]
    clock.advance(days=60)
    assert ends(scope, "ana", "lives_in") == ["Rome"]
    (line,) = [each for each in scope.context("where do i live?").lines if each.label == "belief"]
    assert "lives in Rome" in line.text
    assert "before: Lisbon" in line.text


@pytest.mark.parametrize(
    "text", ["I'm moving to Rome tomorrow until friday", "I'm moving to Rome tomorrow, for two weeks"]
)
def test_a_home_that_somebody_moves_to_for_a_while_replaces_none(scope, clock, text):
    scope.observe("user", "I live in Lisbon.", at=clock() - timedelta(days=90))
    scope.observe("user", text)

    clock.advance(days=30)
    assert ends(scope, "ana", "lives_in") == ["Lisbon"]


@pytest.mark.parametrize("text", ["we move to Rome every summer, on june 1", "moving to Rome on may 13 would be mad"])
def test_what_comes_every_year_and_what_is_not_meant_is_no_move(scope, clock, text):
    scope.observe("user", "I live in Lisbon.")
    scope.observe("user", text)

    clock.advance(days=60)
    assert ends(scope, "ana", "lives_in") == ["Lisbon"]


@pytest.mark.parametrize(
    ("first", "then", "home"),
    [
        ("I live in Berlin.", "I moved to Lisbon last month.", "Lisbon"),
        ("I live in Lisbon.", "I moved from Lisbon to Porto in March.", "Porto"),
        ("Vivo en Lisboa.", "Me mudé a Oporto en marzo.", "Porto"),
        ("I live in Berlin.", "I've lived in Lisbon since 2020.", "Lisbon"),
        ("I moved to Lisbon in April.", "I moved to Rome in 2019.", "Lisbon"),
    ],
)
def test_that_something_was_said_does_not_say_that_it_began_then(scope, clock, first, then, home):
    """The later statement wins, unless both are dated: then the later date does."""
    scope.observe("user", first)
    clock.advance(days=10)
    scope.observe("user", then)

    assert ends(scope, "ana", "lives_in") == [home]


def test_what_ended_before_it_was_said_held_before_the_move(scope, clock):
    scope.observe("user", "I live in Berlin.")
    clock.advance(days=10)
    scope.observe("user", "I moved to Lisbon last month.")

    april = datetime(2026, 4, 1, tzinfo=UTC)
    assert ends(scope, "ana", "lives_in", as_of=april) == ["Lisbon"]
    assert ends(scope, "ana", "lives_in", as_of=april - timedelta(days=1)) == ["Berlin"]


def test_an_older_text_that_comes_later_does_not_win(scope, clock):
    now = clock()
    scope.observe("user", "I live in Berlin.")
    clock.advance(days=1)
    scope.observe_many([Turn(role="user", text="I moved to Lisbon last month.", at=now - timedelta(days=40))])
    scope.observe_many([Turn(role="user", text="I no longer live in Berlin.", at=now - timedelta(days=30))])

    assert ends(scope, "ana", "lives_in") == ["Berlin"]


def test_a_claim_gives_way_to_a_later_statement_too(scope, clock):
    scope.observe("user", "My sister lives in Berlin.")
    clock.advance(days=10)
    scope.observe("user", "My sister moved from Berlin to Lisbon last month.")

    assert [(str(claim.slot), claim.value) for claim in scope.ontology.claims("ana")] == [
        ("relations/sister/lives_in", "Lisbon")
    ]


def test_the_place_that_somebody_without_a_name_left_is_an_earlier_version(scope):
    for _ in range(2):
        scope.observe("user", "My sister moved from Lisbon to Porto in March.")

    versions = scope.ontology.versions("ana", "relations/sister/lives_in")
    assert [(each.value, each.status) for each in versions] == [("Lisbon", "superseded"), ("Porto", "active")]
    scope.observe("user", "My sister no longer lives in Lisbon.")
    assert [claim.value for claim in scope.ontology.claims("ana")] == ["Porto"]


@pytest.mark.parametrize(
    ("held", "text", "left"),
    [
        ("I live in Porto.", "I no longer live in Lisbon.", ["Porto"]),
        ("I live in Porto.", "Ya no vivo en Lisboa.", ["Porto"]),
        ("I live in Porto.", "I used to live in Lisbon.", ["Porto"]),
        ("I live in Porto.", "I lived in Lisbon.", ["Porto"]),
        ("I live in Porto.", "I no longer live in Porto.", []),
        ("I work at Acme. I work at Globex, too.", "I left Acme.", ["Globex"]),
        ("I work at Acme.", "I left Globex.", ["Acme"]),
    ],
)
def test_a_retraction_ends_what_it_names_and_nothing_else(scope, clock, held, text, left):
    scope.observe("user", held)
    clock.advance(days=1)
    scope.observe("user", text)

    assert [*ends(scope, "ana", "lives_in"), *ends(scope, "ana", "works_at")] == left


def test_a_move_that_is_told_twice_is_known_once(scope, clock):
    for text in (
        "I moved from Lisbon to Porto in March.",
        "I moved from Lisbon to Porto.",
        "Me mudé de Lisboa a Oporto",
    ):
        scope.observe("user", text)
        clock.advance(days=1)

    assert ends(scope, "ana", "lives_in") == ["Porto"]
    assert ends(scope, "ana", "lives_in", as_of=datetime(2026, 2, 1, tzinfo=UTC)) == ["Lisbon"]


def test_moves_that_are_told_in_any_order_follow_each_other(scope):
    scope.observe("user", "I moved from Lisbon to Porto in 2024.")
    scope.observe("user", "I moved from Rome to Lisbon in 2019.")

    homes = [ends(scope, "ana", "lives_in", as_of=datetime(year, 6, 1, tzinfo=UTC)) for year in (2015, 2020, 2025)]
    assert homes == [["Rome"], ["Lisbon"], ["Porto"]]


def test_all_of_a_move_can_be_taken_back(scope, clock):
    scope.observe("user", "I live in Lisbon.")
    (before,) = found(scope, "ana", "lives_in")
    clock.advance(days=10)
    scope.observe("user", "I moved from Lisbon to Porto in March.")
    scope.graph.undo(scope.graph.history(limit=1)[0].batch)

    assert found(scope, "ana", "lives_in") == [before]
    assert found(scope, "ana", "lives_in", as_of=datetime(2026, 4, 1, tzinfo=UTC)) == []


def test_a_past_that_was_never_said_is_taken_back_with_its_move(scope):
    scope.observe("user", "Ruth moved from Lisbon to Porto in March.")
    scope.graph.undo(scope.graph.history(limit=1)[0].batch)

    assert scope.graph.search("Lisbon") == []


@pytest.mark.parametrize(
    ("text", "who", "city"),
    [
        ("I live in Paris, France.", "ana", "Paris"),
        ("We live in Boston, MA.", "ana", "Boston"),
        ("Vivo en Lyon, Francia.", "ana", "Lyon"),
        ("Ruth lives in Portland, Oregon, and works at Google.", "Ruth", "Portland"),
        ("I moved to Toronto, Ontario, Canada in March.", "ana", "Toronto"),
        ("i live in san francisco, california", "ana", "San Francisco"),
    ],
)
def test_a_city_is_not_lost_to_the_country_it_lies_in(scope, text, who, city):
    scope.observe("user", text)

    assert ends(scope, who, "lives_in") == [city]
