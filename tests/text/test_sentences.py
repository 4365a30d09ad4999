import pytest
from hypothesis import given

from nacre.text.sentences import split
from tests.text.strategies import texts


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Mr. Smith met Dr. Jones and Prof. Lee in St. Louis.",
        "Fruit, e.g. apples, i.e. the red ones.",
        "The U.S. Army and J. R. R. Tolkien met at 9 a.m. on Monday.",
        "It costs 3.14 or v1.2.3 at https://a.example/b?c=d.e today.",
        "She moved on Jan. 5 to No. 7, see Fig. 2.",
        '"Why?" she asked.',
        "Well... maybe… not.",
        "Am 3. Mai ging er z.B. nach Bonn.",
        "1. Buy milk",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(sentence):
    assert sentences(sentence) == [sentence]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I came. I saw! Did I win?", ["I came.", "I saw!", "Did I win?"]),
        ("i came home. then i slept", ["i came home.", "then i slept"]),
        (
            'He said "stop." Then he left. (It was late.) Bye',
            ['He said "stop."', "Then he left.", "(It was late.)", "Bye"],
        ),
        ("She lives in the U.S. He does not.", ["She lives in the U.S.", "He does not."]),
        ("He works at Acme Inc. The pay is good.", ["He works at Acme Inc.", "The pay is good."]),
        ("He said no. Really?! Yes… No.", ["He said no.", "Really?!", "Yes…", "No."]),
        ("It was 2023. Then it ended.", ["It was 2023.", "Then it ended."]),
        ("one\ntwo\r\n\n three", ["one", "two", "three"]),
        ("- one\n- two. Three\n2. four", ["- one", "- two.", "Three", "2. four"]),
        ("Buy: • milk • eggs", ["Buy:", "• milk", "• eggs"]),
        ("今天很好。你呢？「走吧！」他说", ["今天很好。", "你呢？", "「走吧！」", "他说"]),
        ("¿Qué tal? ¡Hola!¿Bien? Sí.", ["¿Qué tal?", "¡Hola!", "¿Bien?", "Sí."]),
        ("**Done.** Next", ["**Done.**", "Next"]),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_stop(text, expected):
    assert sentences(text) == expected


@given(texts)
def test_sentences_cover_all_but_white_space(text):
    place = 0
    for start, end in split(text):
        assert place <= start < end
        assert text[place:start].strip() == ""
        assert text[start:end].strip() == text[start:end]
        place = end
    assert text[place:].strip() == ""


@pytest.mark.parametrize("unit", [".", ". ", '."', "a. ", "! \n", "。", ". . (", "(a. "])
def test_a_hostile_text_takes_linear_time(unit):
    """A quadratic rule would take minutes over this."""
    assert split(unit * 40_000 + "x")
