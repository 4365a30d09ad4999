"""A conversation is summed up in its own sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.text.budget import count_tokens
from nacre.text.summaries import Utterance, extract

pytestmark = pytest.mark.spec("S22")

TALK = [
    Utterance("Ana", "Hi there! How are you?"),
    Utterance("assistant", "Good morning!", 0.5),
    Utterance("Ana", "I moved to Porto last week. My job at Acme starts on May 31. The flat costs 950 euros."),
    Utterance("assistant", "Did you sign the lease?", 0.5),
    Utterance("Ana", "Yes, on Monday."),
    Utterance("Ana", "Who knows what comes next?"),
]


def test_names_and_numbers_come_before_talk():
    assert (
        extract(TALK, 40)
        == "Ana: I moved to Porto last week. My job at Acme starts on May 31. The flat costs 950 euros."
    )


def test_greetings_and_open_questions_are_left_out_and_answers_keep_their_question():
    summary = extract(TALK, 500)

    assert "Hi there" not in summary
    assert "Good morning" not in summary
    assert "Who knows" not in summary
    assert "assistant: Did you sign the lease?\nAna: Yes, on Monday." in summary


def test_sentences_keep_their_order_and_who_said_them():
    said = [
        Utterance("Ben", "The server Kiln is down."),
        Utterance("Ana", "Loom is down, too."),
        Utterance("Ben", "Call Eva."),
    ]

    assert extract(said, 500) == "Ben: The server Kiln is down.\nAna: Loom is down, too.\nBen: Call Eva."


def test_what_was_said_already_is_not_said_again():
    said = [Utterance("Ana", "Pebble ships on May 31."), *[Utterance("Ana", "Pebble ships on May 31.")] * 5]

    assert extract(said, 500) == "Ana: Pebble ships on May 31."


def test_what_people_say_counts_for_more_than_what_an_agent_says():
    said = [Utterance("assistant", "Lisbon has 7 hills.", 0.5), Utterance("Ana", "Lisboa has 8 hills.")]

    assert extract(said, 12).startswith("Ana")


@pytest.mark.parametrize(
    ("text", "kept", "dropped"),
    [
        ("¡Hola! Me mudé a Sevilla en 2025. ¿Y tú?", "Me mudé a Sevilla en 2025.", "¿Y tú?"),
        ("明日は東京駅で会う。元気ですか？", "明日は東京駅で会う。", "元気ですか"),
        ("Я переехала в Москву. Как дела?", "Я переехала в Москву.", "Как дела"),
    ],
)
def test_other_languages_are_summed_up_as_well(text, kept, dropped):
    summary = extract([Utterance("Ana", text)], 200)

    assert kept in summary
    assert dropped not in summary


def test_nothing_but_greetings_still_comes_to_something():
    assert extract([Utterance(None, "hi"), Utterance(None, "hello")], 50).startswith("hi")
    assert extract([Utterance("Ana", "👍")], 50) == "Ana: 👍"
    assert extract([], 50) == ""


def test_control_characters_and_line_breaks_stay_out():
    assert extract([Utterance("Ana", "Kiln\x07 is\x1b[31m red\tnow")], 50) == "Ana: Kiln is [31m red now"


def test_a_huge_sentence_is_cut():
    summary = extract([Utterance("Ana", "Porto " + "word " * 20_000)], 200)

    assert count_tokens(summary) <= 200
    assert summary.endswith("…")


texts = st.lists(
    st.sampled_from(
        ["Hi!", "Ana moved to Porto in 2025.", "Why?", "Because of Acme.", "東京で会う。", "¿Qué?", "", "x " * 50]
    ),
    max_size=4,
).map(" ".join)


@given(st.lists(st.builds(Utterance, st.sampled_from([None, "Ana", "Ben"]), texts), max_size=8), st.integers(5, 120))
def test_a_summary_fits_its_budget_and_only_quotes(said, budget):
    summary = extract(said, budget)
    flat = " ".join(" ".join(each.text for each in said).split())

    assert count_tokens(summary) <= budget
    assert summary == extract(said, budget)
    for line in summary.split("\n"):
        words = line.partition(": ")[2] if line.startswith(("Ana: ", "Ben: ")) else line
        assert all(word.rstrip("…") in flat for word in words.split())
