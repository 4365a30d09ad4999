"""The whole of it: voices, pronouns, times, corrections, offsets, and input that means harm."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.domain.entities import EntityType
from nacre.domain.errors import Invalid
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity, Voice
from nacre.domain.plain import plain
from nacre.extraction.rule_extraction import MAX_SENTENCE, extract
from tests import examples
from tests.extraction.conftest import AT, line

pytestmark = pytest.mark.spec("W1")


def person(name: str) -> NamedEntity:
    return NamedEntity(name=name, type=EntityType.PERSON, start=0, end=len(name))


def test_i_is_the_user_or_the_named_speaker():
    (mine,) = extract("I live in Rome.").facts
    (hers,) = extract("I live in Rome.", speaker="Ana").facts

    assert (mine.subject, mine.speaker) == (Voice.USER, None)
    assert (hers.subject, hers.speaker) == (Voice.SPEAKER, "Ana")


def test_the_user_is_the_user_only_in_a_note(said):
    assert said("The user lives in Rome. User prefers dark mode.", role=None) == [
        "user lives_in Rome",
        "user prefers dark mode",
    ]
    assert said("The user lives in Rome.") == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("My wife Ana works at Google. She lives in Paris.", "Ana lives_in Paris"),
        ("Tom said he lives in Paris.", "Tom lives_in Paris"),
        ("Mi jefe Luis llamó. Vive en Madrid.", "Luis lives_in Madrid"),
        ("My brother called. He lives in Paris.", "user relations/brother/lives_in Paris"),
        ("Acme Corp grew. It is hosted on AWS.", "Acme Corp hosted_on AWS"),
        ("Tom met Ana. She lives in Paris.", "Ana lives_in Paris"),
    ],
)
def test_a_pronoun_means_the_only_one_who_fits(said, text, fact):
    assert fact in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "Tom met John. He lives in Paris.",
        "I met a guy. He lives in Paris.",
        "Thanks, Melanie! She lives in Paris.",
        "Ana called. He lives in Paris.",
        "Tom and a friend came. He lives in Paris.",
        "He lives in Paris.",
    ],
)
def test_a_pronoun_that_may_mean_somebody_else_yields_nothing(said, text):
    assert [fact for fact in said(text) if "Paris" in fact] == []


def test_a_pronoun_may_mean_a_name_of_the_turns_before(said):
    assert said("He lives in Paris.", before=[person("Tom")]) == ["Tom lives_in Paris"]
    assert said("She lives in Paris.", before=[person("Tom")]) == []
    assert said("He lives in Paris.", before=[person("Tom"), person("John")]) == []
    assert said("He lives in Paris.", before=[person("Tom")], speaker="Tom") == []


def test_a_name_from_before_may_begin_a_sentence():
    assert extract("Nightingale is fun.").names == ()
    before = [NamedEntity(name="Nightingale", type=EntityType.PROJECT, start=0, end=5)]
    assert [each.name for each in extract("Nightingale is fun.", before=before).names] == ["Nightingale"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mira Okafor moved to Riga.", ["Mira Okafor", "Riga"]),
        ("Christian Bale met Jan Novak.", ["Christian Bale", "Jan Novak"]),
        ("Mira, vivo en Madrid.", ["Madrid"]),
        ("Mira Google, qué grande.", ["Google"]),
        ("Hope Ana is fine.", ["Ana"]),
        ("I met Nora Lind of Fieldnotes.", ["Nora Lind", "Fieldnotes"]),
        ("Dr. Nora Lind of the University of Oslo called me.", ["Nora Lind", "University of Oslo"]),
        ("We saw Joan of Arc.", ["Joan of Arc"]),
        ("I work at the Bank of America.", ["Bank of America"]),
    ],
)
def test_a_name_begins_and_ends_with_itself(text, names):
    assert [each.name for each in extract(text).names] == names


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("I moved to Rome last month.", "2026-04-01", None),
        ("I moved to Rome in 2019.", "2019-01-01", None),
        ("I've lived in Rome since March 2020.", "2020-03-01", None),
        ("I moved to Rome 3 years ago.", "2023-05-01", None),
        ("I moved to Rome yesterday.", "2026-05-14", None),
        ("I'm moving to Rome next month.", "2026-06-01", None),
        ("My first day at Google is tomorrow.", "2026-05-16", None),
        ("I left Google on May 3, 2024.", None, "2024-05-03"),
        ("I work at Google until 2027-01-31.", None, "2027-01-31"),
        ("I live in Rome.", None, None),
        ("Me mudé a Roma en 2019.", "2019-01-01", None),
        ("Trabajo en Google desde marzo de 2020.", "2020-03-01", None),
        ("Me mudé a Roma hace 2 años.", "2024-05-01", None),
        ("Me mudé a Roma el mes pasado.", "2026-04-01", None),
        ("Me mudé a Roma el 3 de mayo.", "2026-05-03", None),
    ],
)
def test_times_are_resolved_against_the_turns_own(text, since, until):
    (fact,) = extract(text, at=AT).facts

    assert (fact.valid_from and fact.valid_from.date().isoformat()) == since
    assert (fact.valid_to and fact.valid_to.date().isoformat()) == until


def test_a_time_counted_from_now_needs_a_now():
    (fact,) = extract("I moved to Rome last month.").facts

    assert fact.valid_from is None


@pytest.mark.parametrize(
    "text", ["I moved to Rome on February 30.", "I moved to Rome 999 years ago.", "I moved to Rome in 2000-13-45."]
)
def test_a_time_that_cannot_be_is_left_out(text):
    (fact,) = extract(text, at=datetime(5, 1, 1, tzinfo=UTC)).facts

    assert fact.valid_from is None or fact.valid_from.year > 1


def test_a_correction_is_marked(said):
    (fact,) = extract("Actually, my name is Robert.").facts
    assert fact.correction
    (fact,) = extract("En realidad, vivo en Madrid.").facts
    assert fact.correction
    (fact,) = extract("I live in Rome.").facts
    assert not fact.correction


def test_a_bare_correction_takes_back_what_was_said_just_before(said):
    first = ["user lives_in Munich", "not user lives_in Munich", "user lives_in Berlin"]
    assert said("I live in Munich. No, sorry, it's Berlin.") == first
    assert said("Vivo en Múnich. Perdón, quise decir Berlín.") == first
    assert said("My favourite colour is red. I meant green.")[-1] == "user taste/general/favourite_colour green"


def test_a_bare_correction_of_nothing_says_nothing(said):
    assert said("No, it's Berlin.") == []
    assert said("I work at Google. No, it's Tuesday.") == ["user works_at Google"]


def test_a_correction_may_name_both(said):
    assert said("It's Berlin, not Munich.") == ["Berlin supersedes Munich"]


def test_a_fact_said_twice_is_one(said):
    assert said("I live in Rome. Yes, I live in Rome.") == ["user lives_in Rome"]


def test_quotes_and_names_point_at_their_words():
    text = "Hi! My wife Ana works at Google.\n\n> old\nShe lives in  New   York."
    found = extract(text)

    quotes = [text[slice(*fact.quote)] for fact in found.facts]
    assert quotes == ["My wife Ana", "My wife Ana works at Google", "She lives in  New   York"]
    assert [text[each.start : each.end] for each in found.names] == ["Ana", "Google", "New   York"]
    assert found.names[-1].name == "New York"


def test_facts_have_a_plain_form():
    assert json.dumps(plain(extract("My wife Ana works at Google.")))


@pytest.mark.parametrize("text", ["", "   ", "\n", "a\x00b", "\ud800"])
def test_text_that_cannot_be_stored_is_refused(text):
    with pytest.raises(Invalid):
        extract(text)


def test_other_bad_input_is_refused():
    with pytest.raises(Invalid):
        extract("Hi.", role="robot")
    with pytest.raises(Invalid):
        extract("Hi.", speaker="two\nlines")
    with pytest.raises(Invalid):
        extract("Hi.", at=datetime(2026, 1, 1))  # noqa: DTZ001


HOSTILE = [
    "a " * 50_000,
    "A " * 50_000,
    "John " * 20_000,
    "John and " * 20_000,
    "my brother " * 10_000,
    "i " * 50_000,
    "I love a, " * 10_000,
    "((((" * 20_000,
    "[" * 50_000,
    "{\n" * 30_000,
    "`" * 50_001,
    "```" * 20_000,
    '"' * 50_001,
    "<system>" * 10_000,
    ">" * 50_000,
    "> \n" * 20_000,
    "1 " * 50_000,
    "in 2019 " * 10_000,
    "$1,1" * 20_000,
    "." * 50_000,
    "-" * 50_000,
    "http://" * 10_000,
    "a@" * 30_000,
    "error:" * 10_000,
    "田" * 50_000,
    "I-" * 30_000,
    "\u0301" * 50_000,
    "İ" * 2_000 + " I live in Rome.",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:10]))
def test_hostile_text_ends(text):
    """A pattern that backtracks without bound would not come back from these."""
    assert isinstance(extract(text, at=AT), ExtractedFacts)


def test_only_the_head_of_an_endless_sentence_is_read():
    found = extract("I live in Rome and " + "so on " * 500 + "I work at Google")

    assert "were read" in found.notes[0]
    assert all(fact.quote[1] <= MAX_SENTENCE for fact in found.facts)


PIECES = """
    I my_brother Tom Ana lives_in works_at Google Rome no_longer and , . ? is a_nurse he she “ > ``` if since_2019
    vive_en mi me_gusta no, it's BTC $5 3% ’s 田中 é 🙂 \u200b i'm
"""
pieces = st.sampled_from([piece.replace("_", " ") for piece in PIECES.split()])


@examples.cheap()
@given(st.lists(pieces | st.text(max_size=8), min_size=1, max_size=25).map(" ".join))
def test_whatever_is_said_every_fact_rests_on_its_words(text):
    """Offsets lie in the text, in order; names are there; nothing is said twice; the same text says the same again."""
    try:
        found = extract(text, at=AT)
    except Invalid:
        return
    for fact in found.facts:
        start, end = fact.quote
        assert 0 <= start < end <= len(text)
        assert fact.confidence > 0.4
        if fact.value and fact.path and not fact.path.startswith(("calendar", "schedule", "market")):
            assert re.sub(r"\s+", " ", text[start:end]).find(fact.value) >= 0 or fact.correction
    for each in found.names:
        assert text[each.start : each.end].strip() == text[each.start : each.end] != ""
    assert len({line(fact) for fact in found.facts}) == len(found.facts)
    assert extract(text, at=AT) == found


def test_a_fact_is_a_link_or_a_claim_and_never_half_of_either():
    good: dict[str, Any] = {"subject": Voice.USER, "quote": (0, 1), "confidence": 0.9, "rule": "x.y"}
    assert Fact(**good, predicate="has_price", value="$5").value == "$5"
    bad: dict[str, Any]
    for bad in (
        {},
        {"predicate": "lives_in"},
        {"path": "a/b/c"},
        {"path": "a/b", "value": "c"},
        {"predicate": "hugs", "value": "c"},
        {"predicate": "lives_in", "path": "a/b/c", "value": "d"},
        {"predicate": "lives_in", "value": "d", "object": person("Tom")},
        {"path": "a/b/c", "object": person("Tom")},
        {"predicate": "lives_in", "value": "d", "valid_from": AT, "valid_to": datetime(2020, 1, 1, tzinfo=UTC)},
    ):
        with pytest.raises(Invalid):
            Fact(**good, **bad)
    with pytest.raises(Invalid):
        Fact(**{**good, "quote": (3, 3)}, path="a/b/c", value="d")
    with pytest.raises(Invalid):
        NamedEntity(name="Tom", type=EntityType.PERSON, start=2, end=1)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("I live in Austin.", "Austin", EntityType.LOCATION),
        ("We moved to Jordan in May.", "Jordan", EntityType.LOCATION),
        ("Austin called me.", "Austin", EntityType.PERSON),
        ("My friend Paris called me.", "Paris", EntityType.PERSON),
        ("Our daughter Georgia loves it.", "Georgia", EntityType.PERSON),
        ("I work at Jordan these days.", "Jordan", EntityType.ORGANIZATION),
        ("I saw 'Little Women' with Ana.", "Little Women", EntityType.ARTIFACT),
        ("my sister ana is ill", "Ana", EntityType.PERSON),
    ],
)
def test_where_a_name_stands_overrules_what_lists_say_of_it(text, name, kind):
    assert (name, kind) in [(each.name, each.type) for each in extract(text).names]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I live in York and work at Nestlé.", ["user lives_in York", "user works_at Nestlé"]),
        ("Tom lives in York and works at Nestlé.", ["Tom lives_in York", "Tom works_at Nestlé"]),
        ("my brother is vegan and hates mushrooms", ["user relations/brother/dislikes mushrooms"]),
        ("Ana is 34 and allergic to nuts.", ["Ana health/general/allergy nuts", "Ana profile/general/age 34"]),
        ("im 34, vegetarian and allergic to nuts", ["user health/general/allergy nuts", "user diet/general/diet"]),
        ("dad lives in York and works at Nestlé", ["user relations/father/lives_in York"]),
        ("mum is 67 and allergic to nuts", ["user relations/mother/allergy nuts", "user relations/mother/age 67"]),
        ("Tom is a nurse and I live in Hull and work at Aldi", ["user lives_in Hull", "user works_at Aldi"]),
        ("I like tea and hate coffee", ["user prefers tea", "user dislikes coffee"]),
    ],
)
def test_a_clause_lends_its_subject_to_the_next(said, text, facts):
    found = said(text)
    assert all(any(each.startswith(fact) for each in found) for fact in facts), found


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("bf is called Ben, we met at school", ["user partner_of Ben"]),
        ("we got 3 kids, Ada 9, Bo 7 and Cleo 2", ["user family_of Ada", "user family_of Bo", "user family_of Cleo"]),
        ("oh and prawns are out, allergic", ["user health/general/allergy prawns"]),
        ("Ana has an allergy to egg", ["Ana health/general/allergy egg"]),
        ("como de todo menos pescado", ["user diet/general/avoids pescado"]),
        ("no puedo comer mango, me salen ronchas", ["user diet/general/avoids mango"]),
        ("no crab for me, throat swells up", ["user health/general/allergy crab"]),
        ("hiya, im kezia, 41, welder in hull", ["user profile/general/name kezia"]),
        ("buenas, soy nacho, 29", ["user profile/general/name"]),
    ],
)
def test_households_are_told_without_a_word_too_many(said, text, facts):
    found = said(text)
    assert all(any(each.startswith(fact) for each in found) for fact in facts), found


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I met Tom yesterday and works at Aldi", "works_at"),
        ("his mum lives in York", "relations/mother"),
        ("The kitchen is 4 metres long", "age"),
        ("I like tea and hate coffee", "prefers hate coffee"),
        ("im pregnant, 36 weeks today", "name"),
        ("Ana has an allergy to sesame, carries an epipen", "epipen"),
        ("marta estudia derecho en la complu", "user study"),
    ],
)
def test_no_subject_is_lent_where_the_verb_is_of_another(said, text, fact):
    assert not any(fact in each for each in said(text))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("We had a dog, Bramble, and I still look for her", "owns"),
        ("I can't have dinner tonight", "avoids"),
        ("we eat meat now and then", "diet"),
    ],
)
def test_what_was_or_is_only_tonight_is_not_so_now(said, text, fact):
    assert not any(fact in each for each in said(text))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("my daughter Lexi can't have kiwi, her mouth swells", "Lexi diet/general/avoids kiwi"),
        ("i eat fish again, still no meat", "user diet/general/diet eat fish again"),
        ("fish yes, meat still no", "user diet/general/diet fish yes"),
        ("my son Leo is 4 and my daughter Mia is 7", "Mia profile/general/age 7"),
        ("Tom is a collie, hes 9", "Tom profile/general/age 9"),
    ],
)
def test_what_somebody_eats_and_how_old_they_are(said, text, fact):
    assert fact in said(text)
