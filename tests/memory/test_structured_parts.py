"""Structured remember: how the parts may be written, and what is no structure at all."""

import pytest

from nacre import Invalid
from tests.cases import in_turn
from tests.memory.test_structured import SAID, about


@pytest.mark.parametrize("key", ["x", "a b"[:2], "--", "", 5])
def test_a_claim_key_that_says_too_little_is_left_out(scope, key):
    reply = scope.remember("Ana likes blue", structured=about("Ana", key, "likes blue")).structured

    assert [(claim.slot.claim, claim.value) for claim in scope.ontology.claims("Ana")] == [(None, "likes blue")]
    assert (reply.refused, "says too little" in reply.notes[0]) == ((), True)


def test_keys_may_be_written_in_either_way(scope):
    snake = {
        "entities": [{"source": "Ana", "source_type": "person", "relationship": "knows", "target": "Bob"}],
        "aspects": [
            {
                "entity_name": "Ana",
                "aspect": "taste",
                "attributes": [{"group_key": "looks", "claim_key": "favourite_colour", "content": "blue"}],
            }
        ],
    }
    reply = scope.remember(SAID, structured=snake).structured

    assert (reply.refused, reply.notes) == ((), ())
    assert str(scope.ontology.claims("Ana")[0].slot) == "taste/looks/favourite_colour"
    assert scope.graph.get("Ana").type == "person"


def test_a_field_that_nobody_knows_is_named_in_the_reply(scope):
    given = {**about("Ana", "favourite_colour", "blue", claimkye="oops"), "colours": []}
    reply = scope.remember(SAID, structured=given).structured

    assert reply.notes == (
        "structured: `colours` is not known and was left out.",
        "aspects[0].attributes[0]: `claimkye` is not known and was left out.",
    )


@in_turn(
    "wrong",
    [
        [],
        "text",
        {"entities": "Ana"},
        {"entities": {"source": "Ana"}},
        {"aspects": 5},
        {"hints": "a hint that is text"},
        {"entities": [{"source": "Ana"}] * 51},
        {"hints": ["a good hint"] * 21},
        {"aspects": [{"entityName": "Ana", "aspect": "a", "attributes": [{"content": "x"}] * 60}] * 2},
    ],
)
def test_what_is_no_structure_at_all_is_refused_before_anything_is_kept(scope, wrong):
    with pytest.raises(Invalid):
        scope.remember(SAID, structured=wrong)
    assert scope.memories.search() == []
