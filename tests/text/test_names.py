import pytest
from hypothesis import given

from nacre.text.names import canonical, slug
from tests.text.strategies import texts


@pytest.mark.parametrize(
    "spellings",
    [
        ("John Doe", " john\tdoe ", "“John Doe”", "JOHN DOE,", "(John Doe)", "'john doe'."),
        ("O'Brien", "O’Brien", "OʼBRIEN"),
        ("Jean-Luc", "Jean–Luc", "jean‑luc"),
        ("Straße", "STRASSE"),
        ("ＡＢＣ", "abc"),
        ("café", "cafe\u0301"),
        ("Acme, Inc.", "ACME, Inc"),
        ("a\u200bb", "ab"),
    ],
)
def test_spellings_of_one_name_share_a_key(spellings):
    assert len(set(map(canonical, spellings))) == 1


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("C++", "c++"),
        ("C#", "c#"),
        (".NET", ".net"),
        ("@ana", "@ana"),
        ("Mercury (planet)", "mercury (planet)"),
        ("[draft", "draft"),
        ("!!!", "!!!"),
        ("", ""),
    ],
)
def test_signs_that_make_a_name_stay(name, key):
    assert canonical(name) == key


def test_accents_tell_names_apart():
    assert canonical("Jose") != canonical("José")


@given(texts)
def test_a_key_is_its_own_key(name):
    assert canonical(canonical(name)) == canonical(name)


@given(texts)
def test_a_key_can_be_stored(name):
    assert canonical(name).encode().decode() == canonical(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("John Doe", "john-doe"),
        ("  Ana Ruiz-López ", "ana-ruiz-lopez"),
        ("O’Brien & Sons", "obrien-and-sons"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        (".NET", "dot-net"),
        ("東京 Tower", "東京-tower"),
        ("Андрей", "андрей"),
        ("हिन्दी", "हिन्दी"),
        ("save_memory", "save-memory"),
    ],
)
def test_a_slug_reads_like_the_name(name, expected):
    assert slug(name) == expected


def test_a_name_without_letters_has_a_slug_of_its_own():
    assert slug("!!!") != slug("???")
    assert slug("!!!") == slug("!!!")


def test_long_names_have_short_slugs_that_differ():
    one, two = slug("very long name " * 50 + "one"), slug("very long name " * 50 + "two")

    assert one != two
    assert max(len(one), len(two)) <= 80


@given(texts)
def test_a_slug_is_its_own_slug(name):
    made = slug(name)

    assert made
    assert slug(made) == made
    assert not set(made) & set(" _/?#&%\n")
