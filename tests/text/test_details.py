"""What must survive a rewriting."""

import pytest
from hypothesis import given

from nacre.text.details import lost, specifics
from tests.text.strategies import texts

LAUNCH = "Ana moved the Pebble launch from April 14 to April 28, because the battery of the H200 lasts 212 days."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The launch moved to May 31", ["May", "31"]),
        ("I prefer tea and my colleague John works at Hostinger", ["John", "Hostinger"]),
        ("Ana prefers tea", ["Ana"]),
        ("Lena moved to Łódź", ["Lena", "Łódź"]),
        ("Maria Silva called", ["Maria", "Silva"]),
        ("Ana's tea is cold", ["Ana"]),
        ("Please use the AWS CLI for this", ["AWS", "CLI"]),
        ("Remember to ask: Always say please", []),
        ("we run k8s with search_files and iPhone and C++", ["k8s", "search_files", "iPhone"]),
        ("It costs 2,100 euros or 99 for 3", ["2100", "99"]),
        ("On 2026-05-03 at 10:30", ["2026", "10", "30"]),
        ("I'm sure I've seen it", []),
        ("明日は20時に東京駅で会う", ["20"]),
        ("tea without sugar", []),
    ],
)
def test_names_acronyms_and_numbers_are_specific(text, expected):
    found = specifics(text)
    assert set(expected) <= set(found)
    assert len(found) <= len(expected) + 1


def test_nothing_is_lost_when_every_name_and_number_is_somewhere():
    assert lost(LAUNCH, ["The launch of Pebble moves to April 28", "It was April 14; ana: H200, 212 days"]) == []


@pytest.mark.parametrize("gone", ["Ana", "Pebble", "April", "14", "28", "H200", "212"])
def test_a_name_or_number_that_is_gone_is_named(gone):
    assert lost(LAUNCH, [LAUNCH.replace(gone, "something")])[0] == gone


def test_case_inflection_and_separators_do_not_matter():
    assert lost("Deployments are 2,100 per YEAR", ["a deployment, 2100 of them a year"]) == []
    assert lost("on 2026-05-03", ["2026/5/3"]) == []
    assert lost("２０ Ｔａｘｉｓ", ["20 taxis"]) == []


def test_a_part_of_a_number_is_not_the_number():
    assert lost("room 212", ["room 12", "room 2120"]) == ["212"]


@given(texts)
def test_a_text_loses_nothing_to_itself(text):
    assert lost(text, [text]) == []
