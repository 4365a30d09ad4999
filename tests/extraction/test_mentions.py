"""Names in a sentence, and those whom it speaks of without a name: what is looked up before and not tried."""

import pytest

from nacre.domain.entities import EntityType
from nacre.extraction import mentions
from nacre.extraction.coreference import Referents
from nacre.text.relations import RELATIONS

pytestmark = pytest.mark.spec("W1")
BARKED = "Marzipan barked loudly."


def found(sentence: str, *seen: str) -> list[str]:
    return [each.name for each in mentions.find(sentence, (0, len(sentence)), seen)]


def test_a_name_that_was_told_before_is_told_to_nobody_else():
    assert found(BARKED) == []
    assert found(BARKED, "Marzipan", "Rufus") == ["Marzipan"]
    assert found(BARKED) == []


def test_the_names_of_a_sentence_stand_where_it_does():
    text = f"Well. I met Ana in Rome. {BARKED}"
    start = text.index("I met")

    names = mentions.find(text, (start, text.index(BARKED)), ())

    assert [text[each.start : each.end] for each in names] == ["Ana", "Rome"]
    assert [each.type for each in names] == [EntityType.PERSON, EntityType.LOCATION]


@pytest.mark.parametrize("address", ["https://x.org", "www.x.org", "a.b@x.org", "10.0.0.1"])
def test_addresses_are_found_by_their_marks(address):
    assert found(f"it runs on {address}.") == [address]


def test_everybody_of_the_speakers_is_a_candidate_without_a_name():
    for relation in RELATIONS:
        referents = Referents(None, ())
        referents.add(f"i saw my {relation} there", 0, [])
        assert referents._own, relation
