"""Turns of a talk between people: a reply is found by what it answers, and slang speaks no other language."""

import pytest

from nacre import Turn
from nacre.store.evidence import passages
from nacre.text import tokens

SMALL_TALK = [
    ("Ana", "The weather was lovely on the coast all week."),
    ("Bob", "We stayed in and watched the rain on the roof."),
]


def said(session, turns):
    return [Turn(role="user", text=text, speaker=who, session=session) for who, text in turns]


@pytest.fixture
def friends(scope):
    talk = [
        ("Ana", "Is that your telescope by the window?"),
        ("Bob", "It is, and I look at the moon with it."),
        ("Ana", "It looks so heavy and so very old."),
        ("Bob", "You would not believe the price of these."),
        ("Ana", "Go on, tell me."),
        ("Bob", "I paid ninety for it at a fair two years ago."),
    ]
    others = [turn for number in range(12) for turn in said(f"other {number}", SMALL_TALK)]
    scope.observe_many([*others, *said("telescope", talk)])
    return scope


def test_a_reply_is_found_by_what_was_said_before_it(friends):
    """Nothing in the reply says what was bought."""
    found = [hit.text for hit in friends.recall("What did Bob pay for the telescope?", limit=3)]

    assert any("ninety" in text for text in found)


def test_what_is_told_comes_before_what_is_asked(scope):
    asked, told = "Did you paint the shed, Bob?", "I did paint the shed, Ana."
    scope.observe_many(said("shed", [("Ana", asked), ("Bob", told)]))

    assert [hit.text for hit in scope.recall("paint the shed")] == [told, asked]


@pytest.mark.parametrize(
    "slang",
    ["See ya, Calvin! Stay awesome. Catch ya later.", "Go get 'em, Jon!", "Im chillin", "Small n chillin lil guys"],
)
def test_a_turn_of_few_words_takes_the_language_of_its_session(scope, slang):
    scope.observe_many(
        said("s", [("Dave", "I got a new camera at the shop and it was not that dear."), ("Ana", slang)])
    )
    scope.observe("user", slang, session="s", speaker="Ana")

    with scope._parts.database.read(scope.scope) as tx:
        assert passages.languages_in(tx, ["s"]) == {"s": ["en"] * 3}


def test_one_slip_of_language_makes_no_word_rare(scope):
    """Each of these sessions has one turn only, so that nothing tells it from Spanish."""
    scope.observe_many(
        [Turn(role="user", text=f"Dave told us of day {number} at work.", session=f"s{number}") for number in range(40)]
    )
    scope.observe("user", "Dave bought a camera with three lenses.", session="camera")
    scope.observe("user", "See ya, Dave! Stay awesome. Catch ya later.", session="farewell")

    assert scope.recall("What did Dave buy recently?")[0].text.startswith("Dave bought")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("What did she buy?", "bought a kayak"),
        ("Who sang there?", "she sings"),
        ("How many children?", "one child"),
        ("¿Qué dijo Ana?", "lo que dice siempre"),
    ],
)
def test_irregular_forms_are_one_word(query, text):
    language = "es" if query.startswith("¿") else "en"
    words = tokens.query_words(query, [language])
    held = set(tokens.terms(text, language))

    assert any(not held.isdisjoint(word) for word in words)
    assert len({term for word in words for term in word}) == sum(map(len, words))
