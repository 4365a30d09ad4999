"""The succession model marks what a later turn makes outdated where rules see nothing, and leaves the rest alone."""

import pytest

from nacre import Nacre, Settings
from nacre.domain.hits import HitStanding
from nacre.extraction import amount_guards, succession_guards
from nacre.extraction.succession_readings import LIKELY
from nacre.memory.pairs import Update
from nacre.models import local_succession
from nacre.models.local_succession import SuccessionReading
from nacre.models.readings import SpokenTurn
from nacre.store.evidence import outdated
from tests.extraction.readings import update_of

pytestmark = pytest.mark.spec("N11")

READER = Settings(worker="off", extraction="reader")
TOLD = (
    "My physio is Dr. Okafor, on Mondays at noon.",
    "What stretches help after a long flight?",
    "Dr. Okafor retired, my physio is a young guy called Benedikt now.",
)


@pytest.fixture
def nacre(sqlite_url, clock):
    """Marks are kept alike on every database."""
    with Nacre(sqlite_url, settings=READER, clock=clock) as brain:
        yield brain


def test_what_a_later_turn_replaces_is_marked_with_both_values(scope, clock):
    observe(scope, clock, *TOLD)
    by_text = {hit.text: hit for hit in scope.recall("Who is my physio?")}

    old = by_text[TOLD[0]]
    # The reader learned the day, too, and nobody said that it had changed.
    assert old.standing is HitStanding.MIXED
    (mark,) = old.outdated
    assert "Okafor" in mark.value
    assert "Benedikt" in mark.new_value
    assert by_text[TOLD[2]].standing in (None, HitStanding.CURRENT)


def test_a_memory_is_compared_in_the_background(nacre, scope, clock):
    for told in (TOLD[0], TOLD[2]):
        scope.remember(told)
        nacre.parts.worker.drain()
        clock.advance(days=1)

    marked = {hit.text: [mark.new_value for mark in hit.outdated] for hit in scope.recall("Who is my physio?")}

    assert marked == {"ana's physio is Dr. Okafor, on Mondays at noon.": ["Benedikt"], TOLD[2]: []}


def test_what_rests_on_a_memory_ends_with_its_words_though_it_was_split(nacre, scope, clock):
    for told in (
        "I sing in a choir called Low Tide. We meet on Tuesdays.",
        "The choir goes by Blue Harbour from now on, the old name was taken.",
    ):
        scope.remember(told)
        nacre.parts.worker.drain()
        clock.advance(days=1)

    members = [link for link in scope.graph.links("ana") if link.predicate == "member_of" and link.target]

    assert [scope.graph.get(link.target).name for link in members] == ["Blue Harbour"]


def test_another_dose_is_of_the_same_medicine(scope, clock):
    observe(scope, clock, "I'm on bisoprolol 5mg for my heart", "heart still racing so it's 10mg as of today")

    assert {claim.value for claim in scope.ontology.claims("ana") if claim.slot.claim == "medicines"} == {
        "bisoprolol 10mg"
    }


def test_the_order_of_reading_changes_no_mark(nacre, clock):
    one, all_at_once = nacre.scope("one", user="ana"), nacre.scope("all", user="ana")
    observe(one, clock, *TOLD, settle=True)
    observe(all_at_once, clock, *TOLD)

    assert outdated_texts(one) == outdated_texts(all_at_once) == {TOLD[0]}


def test_a_mark_of_the_model_is_taken_back_like_any_operation(scope, clock):
    observe(scope, clock, *TOLD)
    marks = [each for each in scope.history() if each.operation == "mark_outdated"]
    for mark in marks:
        scope.undo(mark.id)

    assert marks
    assert not any(hit.outdated for hit in scope.recall("Who is my physio?"))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I drive a diesel Golf.", "My brother bought a red Fiesta last week."),
        ("I live in Leeds with two flatmates.", "What is the weather like in Lisbon in May?"),
        ("My daughter plays the cello.", "The neighbour's son practises drums all day."),
    ],
)
def test_what_others_have_and_what_is_asked_replaces_nothing(older, newer):
    read = local_succession.load().read_pair(SpokenTurn("user", older), SpokenTurn("user", newer))
    assert read is not None
    assert read.chance < 0.5


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "Our daughter Tess plays goalie, practice is Tuesday and Friday at 6 in the evening.",
            "Carla's for it, Tess is dead against, Owen only asked about lakes.",
        ),
        (
            "Mojca's over for dinner saturday. pudding ideas? she's vegan",
            "back from Trieste, farewell weekend with Mojca. she drove off to Graz this afternoon",
        ),
    ],
)
def test_what_rules_conclude_is_turned_down_where_the_model_finds_it_unlikely(scope, clock, older, newer):
    observe(scope, clock, older, newer)

    assert outdated_texts(scope, older) == set()


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I listen to books on Audible every morning.", "Killed my Audible today, it was 12 quid a month."),
        ("I fly to Denver on Friday.", "Argh, Dallas, not Denver!"),
    ],
)
def test_what_the_model_upholds_or_does_not_understand_stays_marked(scope, clock, older, newer):
    observe(scope, clock, older, newer)

    assert outdated_texts(scope, older) == {older}


def test_what_rules_find_for_a_new_value_leaves_nothing_else_to_the_model(scope, clock):
    older = "For the choir website we deploy to Heroku and keep recordings on B2."
    newer = "The price was too much. Site's running on Fly since yesterday, recordings untouched."
    observe(scope, clock, older, newer)

    marks = {mark.value for hit in scope.recall(older) for mark in hit.outdated}
    assert marks == {"Heroku"}


def test_two_pages_replace_nothing_of_each_other(scope, clock):
    """Encyclopaedias tell of many drummers: none of them takes the place of another."""
    page = (
        "{} is an American drummer, best known as a founding member of the rock band {}. Born in {}, he began to play "
        "at the age of nine, studied percussion for two years, and joined his first group as a student. He was "
        "inducted into the {} Hall of Fame, and lives in {} with his family, where he teaches young players."
    )
    pages = (
        page.format("Aaron Vale", "Northern Lights", "Ohio", "Classic Drummer", "Dayton"),
        page.format("Boris Hunt", "Glass Harbour", "Texas", "Modern Drummer", "Austin"),
    )
    observe(scope, clock, *pages)

    assert not any(hit.outdated for hit in scope.recall("Which drummer is in a Hall of Fame?"))


def test_words_that_a_belief_quotes_carry_the_mark_of_their_turn(scope, clock):
    observe(scope, clock, "i signed up for pilates tuesday evenings with Priya", "pilates moved to thursdays")

    lines = scope.context("plan my week with pilates").text.splitlines()

    (quoted,) = [line for line in lines if "hobbies: pilates" in line]
    assert quoted.endswith("outdated since 2026-05-03: tuesday evenings → thursdays)")


def observe(scope, clock, *texts, settle=False):
    """Tell a scope one text a day; with `settle`, each is learned before the next is told."""
    for number, text in enumerate(texts):
        clock.advance(days=1)
        scope.observe("user", text, session=f"day {number}")
        if settle:
            scope.learned()
    scope.learned()


def outdated_texts(scope, question="Who is my physio?"):
    return {hit.text for hit in scope.recall(question) if hit.outdated}


@pytest.mark.parametrize(
    ("older", "was", "newer", "another"),
    [
        ("two lads, Owen whos 14 and Rhys 11", "Rhys 11", "Owen turned 15 on saturday", True),
        ("two lads, Owen whos 14 and Rhys 11", "Owen whos 14", "Owen turned 15 on saturday", False),
        ("Anna is our captain, Bea the keeper", "Anna", "Bea is captain now", False),
        ("rent is 900, landlord is Doug", "900", "rent went up to 950", False),
        ("My bus to the Leith bakery takes an hour", "the Leith bakery takes an hour", "I walk to my job now", False),
        ("We open the Anchor on March 9", "March 9", "the plumber is late, we open in June", False),
        ("Bruno goes to the school of San Telmo", "the school of San Telmo", "Bruno began at Las Encinas", False),
        ("Lotte and I both rent in Ghent", "both rent in Ghent", "Lotte is moving to Antwerp", True),
    ],
)
def test_words_of_one_are_not_outdated_by_what_is_told_of_another(older, was, newer, another):
    start = older.index(was)
    found = SuccessionReading(0.99, (start, start + len(was)), (0, len(newer)))

    assert succession_guards.is_of_another(older, newer, found) is another


@pytest.mark.parametrize(
    ("older", "was", "now", "odd"),
    [
        ("I bake at Honey & Rye", "Honey & Rye", "in our box room", False),
        ("we have a big camper", "a big camper", "in our box room", True),
        ("Gran lives in Tralee", "Tralee", "in our box room", False),
        ("my partner is Jude", "Jude", "Robin", False),
    ],
)
def test_where_somebody_is_replaces_only_a_place(older, was, now, odd):
    start, newer = older.index(was), f"Gran is {now} now"
    found = SuccessionReading(0.99, (start, start + len(was)), (newer.index(now), newer.index(now) + len(now)))

    assert succession_guards.is_out_of_place(older, newer, found) is odd


@pytest.mark.parametrize(
    ("newer", "now", "another"),
    [
        ("Fergal rang, hes after getting engaged to Tamsin", "engaged to Tamsin", True),
        ("papers came friday, he's my ex husband", "ex husband", False),
        ("i'm engaged to Tamsin", "engaged to Tamsin", False),
    ],
)
def test_the_engagement_of_another_ends_no_marriage(newer, now, another):
    older, was = "married to Declan, two lads", "married to Declan"
    start, end = newer.index(now), newer.index(now) + len(now)
    found = SuccessionReading(0.99, (0, len(was)), (start, end))

    assert succession_guards.is_of_another_couple(older, newer, found) is another


@pytest.mark.parametrize(
    ("older", "was", "newer", "now", "news"),
    [
        (
            "our cat Biscuit scratches the sofa",
            "our cat Biscuit",
            "biscuit was lonely so we got a kitten called Crumpet",
            "a kitten called Crumpet",
            True,
        ),
        ("our cat Biscuit is 3", "our cat Biscuit", "biscuit died, we have Crumpet now", "Crumpet", False),
        ("my boss Greg is strict", "my boss Greg", "Greg's replacement is Tara", "Tara", False),
        (
            "They named him Theo",
            "Theo",
            "the bird has gone to Hannah and little Theo",
            "gone to Hannah and little Theo",
            True,
        ),
        ("callum is scared of heights", "scared of heights", "callum proposed on the bridge", "callum proposed", True),
        ("callum fears heights", "fears heights", "callum climbs, heights are fun", "callum climbs, heights", False),
        ("vega es alérgica al huevo", "alérgica al huevo", "vega ya tolera el huevo", "vega ya tolera", False),
    ],
)
def test_news_of_somebody_take_nobodys_place(older, was, newer, now, news):
    update = update_of(older, newer, was, now)

    assert succession_guards.is_news_of_somebody(older, newer, update) is news


@pytest.mark.parametrize(
    ("was", "now", "unanswered"),
    [
        ("scared of needles", "gave eleven jabs", True),
        ("scared of needles", "needles are nothing to me", False),
        ("allergic to eggs", "outgrew it", False),
        ("lives in Cardiff", "moving to Toronto", False),
    ],
)
def test_what_does_harm_gives_way_surely_only_to_words_about_it(was, now, unanswered):
    update = update_of(was, now, was, now)

    assert succession_guards.is_unanswered_harm(update) is unanswered


@pytest.mark.parametrize(
    ("older", "was", "newer", "now", "meant"),
    [
        ("Open 7 to 3, closed on Mondays.", "7", "New hours: 8 to 4, still closed Mondays.", "8", ("7 to 3", "8 to 4")),
        ("I work 9-17 there", "17", "10 until 18 now", "18", ("9-17", "10 until 18")),
        ("Open 7 to 3.", "7", "We open at 8 now.", "8", ("7", "8")),
        ("Sam is 7.", "7", "Sam turned 8.", "8", ("7", "8")),
    ],
)
def test_of_a_range_no_single_end_is_outdated(older, was, newer, now, meant):
    spans = [(text.index(words), text.index(words) + len(words)) for text, words in ((older, was), (newer, now))]
    found = amount_guards.whole_ranges(older, newer, SuccessionReading(0.99, *spans))

    assert (older[slice(*found.was)], newer[slice(*found.now)]) == meant


@pytest.mark.parametrize(
    ("newer", "now", "meant"),
    [
        ("dr rafferty took me off the celecoxib, naproxen instead", "dr rafferty", "naproxen"),
        ("dr rafferty took me off the celecoxib", "dr rafferty", "dr rafferty"),
        ("on naproxen now, dr rafferty says", "naproxen", "naproxen"),
    ],
)
def test_a_medicine_gives_way_to_a_medicine(newer, now, meant):
    update = Update(quote=(0, 9), newer_quote=(0, 9), value="celecoxib 200mg", new_value=now, because="")

    assert succession_guards.right_medicine(newer, update).new_value == meant


def test_of_two_wishes_the_one_that_is_said_otherwise_is_outdated():
    older, newer = "tutéame siempre y respuestas cortas", "puedes extenderte más"
    update = update_of(older, newer, older, newer)

    assert succession_guards.right_wish(newer, update).value == "respuestas cortas"


@pytest.mark.parametrize(
    ("newer", "now", "same"),
    [
        ("flirted with Linear but stayed with Jira", "Linear", True),
        ("no more Linear, we cancelled Linear", "cancelled Linear", False),
        ("Jira it is", "Jira", False),
        ("Linear keeps growing on me", "Linear keeps growing", True),
        ("Linear going well, no crashes", "Linear going well", True),
        ("Linear as ever", "Linear as ever", True),
    ],
)
def test_the_same_value_takes_no_place_of_itself(newer, now, same):
    older = "we track bugs in Linear"
    update = update_of(older, newer, "Linear", now)
    assert succession_guards.is_no_change(newer, update) is same


def test_what_perhaps_follows_is_known_until_it_is_forgotten(nacre, scope, clock):
    older = scope.observe("user", "The cat gets half a tablet crushed into her food every evening")
    clock.advance(days=1)
    newer = scope.observe("user", "Ozbič changed the cat over to a gel, one rub inside the ear at night")
    scope.learned()

    assert [each.id for each in likely_successors(nacre, scope, older, newer)[older.id]] == [newer.id]
    scope.forget(before=clock.advance(days=1), purge=True)
    assert likely_successors(nacre, scope, older, newer) == {}


def likely_successors(nacre, scope, *turns):
    with nacre.parts.database.read(scope.scope) as tx:
        return outdated.find_successors(tx, [turn.id for turn in turns], LIKELY)
