"""Those whom a message calls by what they are to its user."""

import pytest

from nacre import Settings
from nacre.recall import kinship


@pytest.fixture
def brain_settings() -> Settings:
    return Settings(worker="off", extraction="rules")


@pytest.mark.parametrize(
    ("message", "predicate", "detail", "meant"),
    [
        ("what does my husband do?", "partner_of", "husband", True),
        ("what is my hubby allergic to?", "partner_of", "husband", True),
        ("write a note about dad", "family_of", "father", True),
        ("what are the kids called?", "family_of", "daughter", True),
        ("what are the kids called?", "family_of", None, True),
        ("buy food for the cats", "owns", "cat", True),
        ("buy food for the cats", "owns", "pet", True),
        ("buy food for the cats", "owns", "kitten", True),
        ("a present for grandma", "family_of", "grandmother", True),
        ("un regalo para mi abuela", "family_of", "grandmother", True),
        ("a dinner for our business partners", "partner_of", "husband", False),
        ("una receta de papas", "family_of", "father", False),
        ("compra comida para las mascotas", "owns", "turtle", True),
        ("write to my manager", "reports_to", None, True),
        ("buy food for the cats", "owns", "dog", False),
        ("buy food for the cats", "owns", None, False),
        ("Tom's dad called", "family_of", "father", False),
        ("her husband called", "partner_of", "husband", False),
        ("what is the capital of France?", "family_of", None, False),
    ],
)
def test_a_word_for_somebody_of_the_users_means_the_link_to_them(message, predicate, detail, meant):
    assert kinship.is_meant(kinship.find_kin(message), predicate, detail) is meant


@pytest.mark.spec("N8")
def test_what_is_known_of_a_husband_is_told_where_he_is_spoken_of(scope):
    scope.observe("user", "My husband Tom is a plasterer.", session="s1")
    scope.observe("user", "Tom is allergic to nuts.", session="s1")

    shown = [line.text for line in scope.context("what is my husband allergic to?", session="s2").lines]

    assert any("Tom is allergic to nuts" in line for line in shown)


@pytest.mark.spec("N8")
def test_who_is_meant_is_told(scope):
    scope.observe("user", "I report to Hannah Weiss.", session="s1")

    shown = [line.text for line in scope.context("draft a note to my manager, I'm off on Friday", session="s2").lines]

    assert any("ana's boss is Hannah Weiss" in line for line in shown)
