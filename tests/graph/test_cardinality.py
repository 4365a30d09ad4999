"""What the words of a key say about how many values its slot holds."""

import pytest

from nacre.domain.claims import Cardinality, Slot
from nacre.graph.beliefs.cardinality import default_cardinality, default_for_predicate


@pytest.mark.parametrize(
    ("key", "cardinality"),
    [
        *(
            (key, Cardinality.SINGLE)
            for key in ("favourite_colour", "email", "job_title", "color_favorito", "estado_civil")
        ),
        *((key, Cardinality.SINGLE) for key in ("max_connections", "number_of_cats", "fecha_de_nacimiento", "status")),
        *((key, Cardinality.MULTI) for key in ("uses", "favourite_books", "tools", "allergies", "aficiones", "hijos")),
        *((key, Cardinality.MULTI) for key in ("name_servers", "languages_spoken", "children")),
        *((key, None) for key in ("works_at", "venue", "plan", "工具名")),
    ],
)
def test_the_words_of_a_key_tell_its_cardinality(key, cardinality):
    assert default_cardinality(Slot.of("profile", None, key)) is cardinality


def test_a_slot_without_a_key_has_no_default():
    assert default_cardinality(Slot.of("profile", None, None)) is None


@pytest.mark.parametrize(
    ("predicate", "cardinality"),
    [
        ("lives_in", Cardinality.SINGLE),
        ("Reports To", Cardinality.SINGLE),
        ("has_price", Cardinality.SINGLE),
        ("uses", Cardinality.MULTI),
        ("friend_of", Cardinality.MULTI),
        ("works_at", None),
        ("hosted_on", None),
    ],
)
def test_predicates_have_defaults_too(predicate, cardinality):
    assert default_for_predicate(predicate) is cardinality
