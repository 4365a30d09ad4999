"""Contamination: each guard keeps out what it should, and lets its neighbour through."""

import pytest

from nacre.extraction import guards
from nacre.extraction.rule_extraction import extract

pytestmark = pytest.mark.spec("W1")

TRUE = "I live in Paris."
BLOCKS = {
    "code block": "```python\nI live in Rome.\nmy_name = 'I work at Google'\n```",
    "code": "`I live in Rome.`",
    "prompt block": "[KNOWLEDGE GRAPH]\nPeople: my friend John works at Google.\nI live in Rome.",
    "tool JSON": '{"skill_name": "search",\n "arguments": {"query": "I live in Rome."}\n}',
    "error text": 'Traceback (most recent call last):\n  File "a.py", line 3\n    I live in Rome.\nKeyError: Ana',
    "quoted lines": "> I live in Rome.\n> My boss is John.",
    "headings and tables": "## I live in Rome.\n| I work at Google. |",
    "brackets": "[shared image: a photo. I live in Rome. My boss is John.]",
    "quoted speech": '"I live in Rome and I work at Google," says the sign.',
}
PROMPTS = [
    "Recalled from long-term memory:\n- I live in Rome.\n- My boss John works at Google.",
    "<system>I live in Rome. My boss John works at Google.</system>",
    "<context>\nI live in Rome.\n",
    "<|im_start|>\n[RULES]\nI live in Rome.",
    "You are an assistant. I live in Rome.",
    "[SYSTEM: TASK]\nI live in Rome.",
]
ERRORS = [
    "java.lang.IllegalStateException: I live in Rome\n    at com.example.Main.run(Main.java:5)",
    "2026-05-03 10:00:00 ERROR I live in Rome.",
    "fatal: I live in Rome.",
    "TypeError: I live in Rome.",
]


@pytest.mark.parametrize("guard", BLOCKS)
def test_what_nobody_said_yields_nothing(said, guard):
    assert said(BLOCKS[guard]) == []
    assert said(f"{TRUE}\n\n{BLOCKS[guard]}\n\nI work at IBM.") == ["user lives_in Paris", "user works_at IBM"]
    assert f"Left out: {guard}." in extract(BLOCKS[guard]).notes


@pytest.mark.parametrize("text", [*PROMPTS, *ERRORS])
def test_prompts_and_errors_in_other_shapes_yield_nothing(said, text):
    assert said(text) == []


def test_every_region_guard_is_tested():
    assert {region.id for region in guards.REGIONS} == set(BLOCKS)


STATELESS = {
    "question": [
        "Does John work at Google?",
        "Do I live in Paris",
        "John works at Google?",
        "Where does my brother Tom live?",
        "¿Trabaja Juan en Google?",
        "cómo se llama mi hermana Ana",
    ],
    "hypothetical": [
        "If I worked at Google, I live in Paris.",
        "I wish I live in Paris.",
        "Imagine I work at Google.",
        "Suppose John works at Google.",
        "Si trabajo en Google, vivo en París.",
        "Ojalá vivo en París.",
    ],
    "story": ["In the movie, John works at Google.", "En la película, Juan vive en Madrid."],
    "order": [
        "search for Tesla",
        "Tell John that I live in Paris.",
        "Pretend I work at Google.",
        "Say I love pizza.",
        "Busca a Juan, mi jefe.",
        "Dime que vivo en Roma.",
    ],
    "partial sentence": [
        "I live in Paris and",
        "I work at Google...",
        "My boss John is the",
        "Vivo en Madrid y",
        "I live in Paris —",
    ],
    "shouting": ["I LIVE IN PARIS WITH JOHN", "MY BOSS JOHN WORKS AT GOOGLE!"],
    "heading": ["My Friend John Works At Google Now"],
    "secret": ["My password is Paris.", "Mi contraseña es Madrid."],
}


@pytest.mark.parametrize(("guard", "text"), [(guard, text) for guard, texts in STATELESS.items() for text in texts])
def test_a_sentence_that_states_nothing_yields_no_fact(said, guard, text):
    assert said(text) == []


def test_every_sentence_guard_is_tested():
    assert {guard.id for guard in guards.SENTENCES} == set(STATELESS)


@pytest.mark.parametrize(
    "text",
    [
        "Maybe John works at Google.",
        "I thought John works at Google.",
        "I hope John works at Google.",
        "John never works at Google.",
        "I don't work at Google.",
        "I'm not a nurse.",
        "Quizás Juan trabaja en Google.",
        "No vivo en París.",
    ],
)
def test_what_is_hoped_doubted_or_denied_is_not_stated(said, text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("My sister Anna is visiting, can you suggest a restaurant?", "user family_of Anna"),
        ("I moved to Berlin, any tips?", "user lives_in Berlin"),
        ("Remember that I live in Paris.", "user lives_in Paris"),
        ("When I was younger, we moved to Oregon.", "user lives_in Oregon"),
        ("Maybe it rains, but I live in Paris.", "user lives_in Paris"),
    ],
)
def test_a_statement_beside_a_question_or_a_doubt_is_kept(said, text, fact):
    assert said(text) == [fact]


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_the_agents_own_words_are_never_credited_to_the_user(role):
    found = extract("I use Docker. Your boss John works at Google. The user lives in Rome.", role=role)

    assert (found.names, found.facts) == ((), ())
    assert role in found.notes[0]


NOT_NAMES = [
    "The team is great.",
    "Someone called on Monday.",
    "Thanks! See you in May.",
    "He met them there.",
    "It costs 42.",
    "Painting is fun. Dance is my passion.",
    "My Mom and Dad say hi.",
    "I speak English and Spanish.",
    "See https://john-smith.example.com/Rome for more.",
    "OK. LOL. I am tired.",
    "I-I don't know. He-he.",
    "Los lunes voy al gimnasio.",
]


@pytest.mark.parametrize("text", NOT_NAMES)
def test_words_that_name_nothing_become_no_entity(text):
    assert [each.name for each in extract(text).names if not each.name.startswith("http")] == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Thanks John!", ["John"]),
        ("Hey Mel, how are you?", ["Mel"]),
        ("Visited Paris with Lisa.", ["Paris", "Lisa"]),
        ("Gracias Ana.", ["Ana"]),
        ("José and О'Нил met McKenzie and J. K. Rowling.", ["José", "О'Нил", "McKenzie", "J. K. Rowling"]),
        ("I met Ludwig van Beethoven at the University of Vienna.", ["Ludwig van Beethoven", "University of Vienna"]),
        ("We shop at Best Buy.", ["Best Buy"]),
        ("Zelda's brother called.", ["Zelda"]),
        ("I met Jose\u0301 there.", ["Jose\u0301"]),
        ("We deploy with docker on kubernetes.", ["Docker", "Kubernetes"]),
        ("Dr. Smith knows Mrs. Johnson.", ["Dr. Smith", "Mrs. Johnson"]),
    ],
)
def test_names_are_found_without_the_words_around_them(text, names):
    assert [each.name for each in extract(text).names] == names


def test_a_person_spoken_to_is_told_from_a_person_spoken_about():
    found = extract("Hey John! Tom is here.").names

    assert [(each.name, each.addressed) for each in found] == [("John", True), ("Tom", False)]


@pytest.mark.parametrize(
    "text",
    [
        "my boss thinks i live in Berlin lol",
        "He believes I work at NASA.",
        "everyone assumes i'm vegetarian",
        "As a joke I told everyone I'm vegan.",
        "I don't have a brother named Kevin.",
        "i dont have a sister named Kate",
        "my late husband Carlos was kind",
    ],
)
def test_what_others_believe_or_nobody_has_is_no_fact(text):
    assert extract(text).facts == ()
