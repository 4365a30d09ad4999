"""A recalled passage as a line: dated, whole where it is short, and cut to what matters where it is long."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre import Settings
from nacre.recall.excerpts import MAX_TOKENS, excerpt
from nacre.text.budget import count_tokens
from nacre.text.question_forms import asks, asks_of_past
from nacre.text.tokens import terms

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LONG = " ".join(
    [
        "Let me tell you about the garden first, because it has been such a year for it.",
        *(f"Bed number {number} got new soil and a row of beans that nobody asked for." for number in range(30)),
        "The plumber comes on the 14th to look at the boiler.",
        *(f"After that we painted fence panel {number} in a green that was too bright." for number in range(20)),
    ]
)


@pytest.fixture
def brain_settings() -> Settings:
    return Settings(worker="off", extraction="off")


def test_a_short_text_stays_whole():
    assert excerpt("The plumber comes\non the 14th.", terms("plumber")) == "The plumber comes on the 14th."


@pytest.mark.spec("N8")
def test_of_a_long_text_the_sentences_that_matter_stay_in_order():
    cut = excerpt(LONG, terms("When does the plumber come to look at the boiler?"))

    assert "The plumber comes on the 14th to look at the boiler." in cut
    assert "…" in cut
    assert count_tokens(cut) <= MAX_TOKENS + 10
    assert cut.index("garden first") < cut.index("plumber")


def test_one_endless_sentence_is_cut_at_its_beginning():
    cut = excerpt("word " * 2_000, terms("nothing of it"))

    assert 0 < count_tokens(cut) <= MAX_TOKENS + 10
    assert cut.endswith("…")


@pytest.mark.parametrize(
    ("said", "over"),
    [
        ("dentist on Thursday at 3", "(over: on Thursday, 2026-05-07)"),
        ("Mum is staying with us. She leaves on 12 May.", "(over: She leaves on 12 May, 2026-05-12)"),
        ("keys tomorrow! from the 2nd our adress is Elm Road 12, garden and all", "(over: keys tomorrow, 2026-05-02)"),
        (
            "long day, pilates in town with Eva from work on 12 May",
            "(over: … with Eva from work on 12 May, 2026-05-12)",
        ),
        ("on 12 May we fetch the keys to the flat, so no gym", "(over: on 12 May we fetch the keys …, 2026-05-12)"),
        ("starting on 12 May the gym opens at 6, so no pilates", None),
        ("as of 12 May the gym opens at 6, so no pilates", None),
        ("it was on Thursday that we met", None),
        ("I start at the bakery on 12 May", None),
        ("the exhibition is on 12 December", None),
    ],
)
def test_a_day_that_was_to_come_and_is_over_says_so(scope, clock, said, over):
    clock.now = NOON
    scope.observe("user", said, session="one")
    clock.now = NOON + timedelta(days=20)

    (line,) = scope.context(f"My diary says: {said}", session="two").lines

    assert line.text.endswith(over or said)


@pytest.mark.spec("N8")
def test_the_budget_is_used_and_never_exceeded(scope):
    for day in range(60):
        text = f"On day {day} the harbour crane lifted {day * 13 + 7} crates of oranges"
        scope.observe("user", text, session=f"day {day}", at=NOON + timedelta(days=day))

    for budget in (300, 800):
        context = scope.context("How many crates did the harbour crane lift?", budget=budget)
        assert 0.8 * budget < context.tokens <= budget
    assert len(context.lines) > 20


@pytest.mark.spec("N8")
def test_evidence_is_dated_in_order_of_time_and_a_talk_is_joined(scope):
    for day, text in ((0, "The crane at the harbour is broken"), (9, "The crane at the harbour was mended")):
        scope.observe("user", text, speaker="Ana", session=f"day {day}", at=NOON + timedelta(days=day))
        at = NOON + timedelta(days=day, minutes=1)
        scope.observe("user", f"{text}, they say", speaker="Bob", session=f"day {day}", at=at)

    (message,) = scope.context("What about the crane at the harbour?").messages

    printed = [line for line in message.text.splitlines() if "crane" in line]
    assert [line.split("crane")[0] for line in printed] == [
        "- [2026-05-01] Ana: The ",
        "  Bob: The ",
        "- [2026-05-10] Ana: The ",
        "  Bob: The ",
    ]


@pytest.mark.spec("N8")
def test_the_same_words_are_shown_once(scope):
    for day in range(4):
        text = "The harbour crane is broken" + "!" * day
        scope.observe("user", text, session=f"day {day}", at=NOON + timedelta(days=day))

    assert scope.context("Is the harbour crane broken?").text.count("The harbour crane is broken") == 1


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("where is the crane", True),
        ("ok and what about the crane", True),
        ("remind me of the crane", True),
        ("suggest a dinner", False),
        ("can you draft a note about the crane?", False),
        ("could you tell me where the crane is?", True),
        ("¿Cuándo llega la grúa", True),
        ("The crane was mended today.", False),
        ("I went to the harbour and it rained", False),
    ],
)
def test_a_question_is_told_from_what_tells_something_or_wants_it_done(message, expected):
    assert asks(message) is expected


@pytest.mark.parametrize(
    ("message", "past"),
    [
        ("Where did I live before?", True),
        ("what did we use to eat? we used to love it", True),
        ("¿Dónde vivía antes?", True),
        ("Where do I live?", False),
    ],
)
def test_a_question_about_how_it_was_is_known_by_its_words(message, past):
    assert asks_of_past(message) is past
