"""What is joined loses no word, and no model can make a memory forget."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Nacre, Settings
from nacre.domain.dreams import PassName
from nacre.domain.memories import Memory
from nacre.models.language_models import Completion, ModelPrompt
from nacre.text import details, tokens
from nacre.upkeep import clusters
from nacre.upkeep.guards import MAX_SOURCES
from nacre.upkeep.model_consolidation import MergedEntry, TidyReply
from tests import examples
from tests.upkeep.desk import Desk
from tests.upkeep.test_guards import entry

pytestmark = pytest.mark.spec("D2")

# Few words, so that sentences often are nearly the same.
VOCABULARY = """
    Ana likes green tea in Porto not never 31 May the morning with honey Bruno
"""
words = st.sampled_from(VOCABULARY.split())
sentences = st.lists(words, min_size=3, max_size=8).map(" ".join)


@given(st.lists(sentences, min_size=2, max_size=8))
def test_what_rules_join_holds_every_word_of_what_it_replaces(texts):
    entries = [entry(text, days=place) for place, text in enumerate(texts)]

    _, agreeing = clusters.near(entries, {})

    for group in agreeing:
        joined = clusters.union(group)
        assert 2 <= len(group) <= MAX_SOURCES
        for each in group:
            assert set(tokens.words(each.content)) <= set(tokens.words(joined))
            assert details.lost(each.content, [joined]) == []


@given(st.lists(sentences, max_size=10))
def test_no_entry_is_in_two_groups(texts):
    entries = [entry(text, days=place) for place, text in enumerate(texts)]

    for groups in (clusters.twins(entries), *clusters.near(entries, {})):
        members = [each.id for group in groups for each in group]
        assert len(members) == len(set(members))


HELD: list[tuple[str, dict[str, Any]]] = [
    ("The Pebble launch moved to May 31 because the sensor of Acme was late", {}),
    ("The Pebble launch moved to May 31 since the Acme sensor came late from Porto", {}),
    ("Carla is allergic to peanuts", {"importance": 0.9}),
    ("Carla is allergic to peanuts and to bees", {}),
    ("Bruno repairs violins in Lisbon", {"reinforced": 7}),
    ("Invoice INV-2291 is over 4500 euros", {}),
    ("the user prefers dark mode", {}),
    ("ok, thanks", {}),
]
contents = st.sampled_from(
    [
        *(content for content, _ in HELD),
        "The Pebble launch moved to May 31 because the Acme sensor came late from Porto",
        "Nothing of note",
        "Carla is not allergic to peanuts and to bees",
        "",
        "\x00",
    ]
)
places = st.lists(st.integers(0, len(HELD) + 1), max_size=4)


@dataclass
class Chaos:
    """A model that says what Hypothesis makes up."""

    deletes: list[int]
    saves: list[tuple[str, list[int], float]]
    entries: list[Memory]
    name: str = "chaos"

    def complete(self, _prompt: ModelPrompt, output: Any, *, temperature: float | None = None) -> Completion[Any]:
        names = [*(each.short for each in self.entries), "0123456789ab", "x"]
        saves = [
            MergedEntry(content=content, sourceIds=[names[place] for place in sources], importance=rated)
            for content, sources, rated in self.saves
        ]
        reply = TidyReply(toDelete=[names[place] for place in self.deletes], toSave=saves)
        return Completion(output=output.model_validate(reply.model_dump()), input_tokens=1, output_tokens=1)


@examples.costly()
@given(places, st.lists(st.tuples(contents, places, st.floats(-5, 5)), max_size=4))
def test_whatever_a_model_says_no_name_number_or_protected_word_is_lost(new_sqlite, deletes, saves):
    with Nacre(new_sqlite(), settings=Settings(worker="off", embedder="off")) as nacre:
        desk = Desk(nacre, nacre.scope("assistant", user="ana"))
        entries = [desk.add(content, days_ago=place, **more) for place, (content, more) in enumerate(HELD)]
        desk.model = Chaos(deletes, saves, entries)

        desk.run(PassName.CONSOLIDATION)

        standing = list(desk.current())
        for each in entries:
            assert details.lost(each.content, standing) == []
        assert any("dark mode" in content for content in standing)
        for place in (2, 4):
            assert set(tokens.terms(entries[place].content)) <= {
                term for each in standing for term in tokens.terms(each)
            }
        assert all(each.importance <= 0.95 for each in desk.current().values())
