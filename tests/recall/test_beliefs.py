"""What a context says of whom a message is about: what holds now, since when, and what it was before."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre import Nacre, Settings
from nacre.domain.claim_operations import AddClaimValue
from nacre.recall.beliefs import speaks_of_user


@pytest.fixture
def brain_settings() -> Settings:
    return Settings(worker="off")


def lines(context, label: str) -> list[str]:
    return [line.text for line in context.lines if line.label == label]


@pytest.mark.spec("N8")
def test_the_quickstarts_allergy_reaches_a_dinner(scope, clock):
    scope.observe("user", "I am allergic to peanuts", session="s1", at=datetime(2026, 4, 3, tzinfo=UTC))

    context = scope.context("suggest a dinner", session="s2")

    assert lines(context, "belief") == ["- ana is allergic to peanuts (said 2026-04-03)"]


@pytest.mark.spec("N8")
@pytest.mark.parametrize(
    "moved",
    [
        "I moved from Lisbon to Porto in March",
        "We moved from Lisbon to Porto in March.",
        "I left Lisbon for Porto in March",
        "Me mudé de Lisbon a Porto en marzo",
    ],
)
def test_a_move_says_where_one_lives_since_when_and_where_before(scope, clock, moved):
    scope.observe("user", moved, session="s1", at=datetime(2026, 4, 20, tzinfo=UTC))

    (line,) = lines(scope.context("plan my commute", session="s2"), "belief")

    assert line.startswith("- ana lives in Porto (since March 2026; before: Lisbon")


@pytest.mark.spec("N8")
def test_what_no_longer_holds_stands_only_as_before(scope, clock):
    scope.observe("user", "John works at Hostinger.", session="s1", at=datetime(2026, 1, 10, tzinfo=UTC))
    scope.observe("user", "John left Hostinger and joined Acme.", session="s2", at=datetime(2026, 3, 2, tzinfo=UTC))

    context = scope.context("Where does John work?", session="s3")

    (line,) = lines(context, "belief")
    assert line.startswith("- John works at Acme (")
    assert "before: Hostinger" in line
    assert not any("works at Hostinger" in text for text in lines(context, "episode"))


@pytest.mark.spec("N8")
def test_a_question_about_the_past_is_shown_what_no_longer_holds_and_that_it_does_not(scope, clock):
    scope.observe("user", "I live in Lisbon and love the light.", session="s1", at=datetime(2026, 1, 10, tzinfo=UTC))
    scope.observe("user", "I moved to Porto.", session="s2", at=datetime(2026, 3, 2, tzinfo=UTC))

    now = scope.context("Where do I live?", session="s3")
    before = scope.context("Where did I live before I moved, in Lisbon?", session="s3")

    assert "love the light" not in "".join(lines(now, "episode"))
    assert "before: Lisbon" in "".join(lines(now, "belief"))
    assert "Lisbon" in before.text


@pytest.mark.spec("N8")
@pytest.mark.parametrize(
    "said", ["As of this month I'm vegetarian", "desde este mes soy vegetariano", "I went vegetarian this month"]
)
def test_what_begins_this_month_is_not_over_with_it(scope, clock, said):
    scope.observe("user", said, session="s1", at=clock.now)
    clock.advance(days=50)

    (line,) = lines(scope.context("am I vegetarian? soy vegetariano?", session="s2"), "belief")

    assert line.startswith("- ana eats: vegetarian")


@pytest.mark.spec("N8")
def test_what_was_said_of_a_month_that_is_over_is_still_shown_as_said(scope, clock):
    said = "This month I'm vegetarian"
    scope.observe("user", said, session="s1", at=clock.now - timedelta(days=90))

    context = scope.context("am I vegetarian?", session="s2")

    assert lines(context, "belief") == []
    assert said in "".join(lines(context, "episode"))


@pytest.mark.spec("N8")
@pytest.mark.parametrize(("rest", "shown"), [(". Dog died", True), (". So yes", False)])
def test_a_turn_is_left_out_only_where_beliefs_quote_all_that_it_says(scope, clock, rest, shown):
    said = f"We moved from Lisbon to Porto{rest}"
    scope.observe("user", said, session="s1", at=clock.now)

    context = scope.context("where do I live?", session="s2")

    assert "lives in Porto" in "".join(lines(context, "belief"))
    assert (said in "".join(lines(context, "episode"))) == shown


@pytest.mark.spec("N8")
def test_a_home_to_come_is_told_as_said_until_its_day(scope, clock):
    said = "we found a house in Ghent, closing june 30"
    scope.observe("user", said, session="s1", at=clock.now)

    before = scope.context("where do I live?", session="s2")
    clock.advance(days=90)
    after = scope.context("where do I live?", session="s3")

    assert lines(before, "belief") == []
    assert said in "".join(lines(before, "episode"))
    assert lines(after, "belief") == ["- ana lives in Ghent (since 2026-06-30)"]


@pytest.mark.spec("N8")
def test_a_dislike_reads_as_one(scope):
    scope.observe("user", "I can't stand night shifts.", session="s1")

    text = scope.context("who am I?", session="s2").text

    assert "ana dislikes night shifts" in text
    assert "likes night shifts" not in text.replace("dislikes night shifts", "")


@pytest.mark.spec("N8")
def test_all_that_matters_is_told_of_somebody_whom_a_message_only_names(scope):
    scope.observe("user", "John works at Hostinger. John lives in Vilnius.", session="s1")
    scope.observe("user", "Mara works at Acme.", session="s1")

    told = " ".join(lines(scope.context("Who is John?", session="s2"), "belief"))

    assert "John works at Hostinger" in told
    assert "John lives in Vilnius" in told
    assert "Mara" not in told


@pytest.mark.spec("N8")
def test_a_first_turn_begins_with_what_is_known_of_the_user_and_later_turns_do_not(scope):
    scope.observe("user", "I am allergic to peanuts. I live in Porto.", session="s1")

    first = scope.context("What is the capital of France?", session="s2")
    assert lines(first, "profile")[0].startswith("- ana is allergic to peanuts")
    assert {line.label for line in first.lines} == {"profile"}
    assert scope.context("What is the capital of France?", session="s2", profile=False).text == ""
    assert scope.context("What is the capital of France?").text == ""
    scope.observe("user", "hello", session="s2")
    assert lines(scope.context("What is the capital of France?", session="s2"), "profile") == []


@pytest.mark.spec("N8")
def test_the_profile_is_bounded_whatever_is_known(scope):
    for number in range(40):
        scope.graph.link("ana", "prefers", f"thing number {number}")

    context = scope.context("Translate 'good morning' into Norwegian", session="s1", budget=2_000)

    assert len(lines(context, "profile")) == 8
    small = scope.context("Translate 'good morning' into Norwegian", session="s1", budget=300)
    assert 0 < len(lines(small, "profile")) < 8


@pytest.mark.spec("N8")
def test_what_was_shown_is_shown_again_unless_it_is_still_in_the_prompt(scope):
    scope.observe("user", "I am allergic to peanuts", session="s1")
    scope.remember("The launch moved to May 3")

    for _ in range(2):
        assert "peanuts" in scope.context("suggest a dinner", session="s2").text
        assert "May 3" in scope.context("When is the launch?", session="s2").text
    assert "peanuts" not in scope.context("suggest a dinner", session="s2", seen="omit").text
    assert "May 3" not in scope.context("When is the launch?", session="s2", seen="omit").text


@pytest.mark.spec("N8")
def test_ids_and_confidences_are_shown_only_where_they_are_asked_for(scope):
    scope.observe("user", "I live in Porto", session="s1")
    memory = scope.remember("The launch moved to May 3").memory

    plain = scope.context("Do I live near the launch on May 3?", session="s2")
    with_ids = scope.context("Do I live near the launch on May 3?", session="s2", ids=True)

    assert "confidence" not in plain.text
    assert str(memory.id) not in plain.text
    assert str(memory.id) in with_ids.text


@pytest.mark.spec("N8")
def test_a_belief_takes_the_place_of_the_words_that_say_no_more(scope):
    scope.observe("user", "I am allergic to peanuts", session="s1")

    context = scope.context("Am I allergic to peanuts?", session="s2")

    assert lines(context, "belief")
    assert lines(context, "episode") == []


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("plan my commute", True),
        ("where do we live?", True),
        ("¿dónde está mi coche?", True),
        ("What is the capital of France?", False),
        ("explain monads", False),
    ],
)
def test_a_message_in_the_first_person_is_about_its_user(message, expected):
    assert speaks_of_user(message) is expected


@pytest.mark.spec("N8", "R6")
def test_without_a_graph_a_context_has_no_beliefs_and_still_says_what_was_said(new_sqlite):
    with Nacre(new_sqlite(), settings=Settings(worker="off", graph="off")) as nacre:
        scope = nacre.scope("assistant", user="ana")
        scope.observe("user", "I am allergic to peanuts", session="s1")
        context = scope.context("Which nuts am I allergic to?", session="s2")

    assert {line.label for line in context.lines} == {"episode"}


@pytest.mark.spec("N8")
def test_how_somebody_wants_to_be_answered_stands_in_the_profile_of_every_message(scope, clock):
    said = datetime(2026, 4, 3, tzinfo=UTC)
    scope.observe("user", "pls keep answers short. no emojis", session="s1", at=said)

    for message in ("write a function that retries a call", "and now explain it"):
        shown = lines(scope.context(message, session="s2"), "profile")
        scope.observe("user", message, session="s2")

        assert set(shown) == {
            "- ana wants replies like this: keep answers short (said 2026-04-03)",
            "- ana wants replies like this: no emojis (said 2026-04-03)",
        }
    assert lines(scope.context("ok", session="s2"), "profile") == []
    assert lines(scope.context("explain it again", session="s2", profile=False), "profile") == []


@pytest.mark.spec("N8")
def test_a_habit_takes_no_place_of_one_that_ended_after_it_was_told(scope, clock):
    scope.ontology.add("ana", "life/general/habits", "climbing on Thursdays")
    until = clock.now + timedelta(days=10)
    running = AddClaimValue(
        entity="ana", aspect="life", group="general", claim="habits", value="running", valid_to=until
    )
    scope.ontology.apply([running])
    clock.advance(days=30)

    (line,) = lines(scope.context("what are my habits?", session="s1"), "belief")

    assert "climbing" in line
    assert "before" not in line


@pytest.mark.spec("N8")
def test_of_two_languages_for_replies_the_last_one_counts(scope, clock):
    scope.observe("user", "answer me in English please", session="s1")
    clock.advance(days=3)
    scope.observe("user", "Respóndeme en español, por favor", session="s2")

    (line,) = lines(scope.context("explain what a loan is", session="s3"), "profile")

    assert line.startswith("- ana wants replies like this: Respóndeme en español (said ")
    assert "before: answer me in English" in line


@pytest.mark.spec("N8")
def test_one_of_several_speakers_is_answered_of_their_own(scope, clock):
    scope.observe("user", "I live in Leeds. Please keep answers short.", speaker="Tom", session="s1")
    scope.observe("user", "I live in Hamburg.", speaker="Mei", session="s1")

    of_tom, of_mei = (scope.context("where do I live?", session="s2", speaker=who) for who in ("Tom", "Mei"))

    assert any("Tom lives in Leeds" in line for line in lines(of_tom, "belief"))
    assert not any("Tom" in line for line in lines(of_mei, "belief"))
    assert lines(of_mei, "profile") == []
    replayed = scope.context("where do I live?", session="s1", speaker="Tom")
    assert [message.text for message in replayed.messages if message.label == "conversation"][1] == (
        "Mei: I live in Hamburg."
    )
