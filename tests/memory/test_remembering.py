"""Long-term memory: entries, and what happens when the same is said again."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from nacre import Invalid, Nacre, NotFound, Outcome, Status
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.memories import Memory, Note
from nacre.memory import duplicates
from nacre.memory.duplicates import Neighbour
from tests.cases import in_turn


@pytest.mark.spec("M2")
def test_an_entry_has_everything_a_caller_gave_and_when(scope, clock):
    made = scope.remember(
        "User is in Chicago",
        category="user-preferences/timezone",
        tags=["tz", "place", "tz"],
        metadata={"source": "chat"},
        importance=0.8,
    )
    entry = scope.memories.get(made.id)

    assert entry == made.memory
    assert (entry.content, entry.category, entry.tags) == (
        "User is in Chicago",
        "user-preferences/timezone",
        ("tz", "place"),
    )
    assert (entry.metadata, entry.importance, entry.status) == ({"source": "chat"}, 0.8, Status.ACTIVE)
    assert entry.created_at == entry.updated_at == entry.last_seen_at == clock.now
    assert len(entry.short) == 12
    assert scope.memories.get(entry.short) == entry


@pytest.mark.spec("M2")
@in_turn("category", ["", "/", "a/", "/a", "a//b", "a b", "a.b", "a/../b", "ü/b", "a\n", "a\x00", 5, None])
def test_bad_category_syntax_is_refused(scope, category):
    with pytest.raises(Invalid) as refused:
        scope.remember("x", category=category)
    assert refused.value.field == "category"
    assert scope.memories.search() == []


@pytest.mark.spec("M2")
@pytest.mark.parametrize("category", ["general", "user-preferences/inferred", "anti-patterns/files", "A_1/b-2/c"])
def test_conventional_categories_are_accepted(scope, category):
    assert scope.remember("x", category=category).memory.category == category


@pytest.mark.spec("M6")
def test_saying_the_same_again_reinforces(scope, clock):
    first = scope.remember("The launch moved to May 3", tags=["launch"])
    clock.advance(days=1)
    again = scope.remember("the launch moved to May 3!", tags=["date"])

    assert (first.outcome, again.outcome) == (Outcome.CREATED, Outcome.REINFORCED)
    assert again.id == first.id
    entry = scope.memories.get(first.id)
    assert (entry.content, entry.reinforced, entry.tags) == ("The launch moved to May 3", 1, ("launch", "date"))
    assert entry.created_at == clock.now - timedelta(days=1)
    assert entry.last_seen_at == clock.now
    assert entry.importance > first.memory.importance
    assert [each.quote for each in scope.memories.evidence(first.id)] == [
        "The launch moved to May 3",
        "the launch moved to May 3!",
    ]
    assert len(scope.recall("launch", kinds=["memory"])) == 1
    assert scope.recall("date", kinds=["memory"])[0].id == first.id


@pytest.mark.spec("M6")
def test_saying_more_extends(scope):
    first = scope.remember("The launch moved to May 3")
    more = scope.remember("The launch moved to May 3 because the sensor was late")

    assert (more.outcome, more.id) == (Outcome.EXTENDED, first.id)
    assert scope.memories.get(first.id).content == "The launch moved to May 3 because the sensor was late"
    assert scope.recall("why was the sensor late", kinds=["memory"])[0].id == first.id
    assert len(scope.memories.evidence(first.id)) == 2
    assert len(scope.memories.search()) == 1


@pytest.mark.spec("M6")
def test_what_is_only_alike_is_kept_whole_and_nothing_is_lost(scope):
    scope.remember("Ana likes green tea in the morning")
    joined = scope.remember("Ana likes black tea in the morning")

    assert "green" in joined.memory.content or joined.outcome is Outcome.CREATED
    everything = " ".join(match.memory.content for match in scope.memories.search())
    assert "green tea" in everything
    assert "black tea" in everything


@pytest.mark.spec("M6")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The launch is on May 3", "The launch is on May 5"),
        ("Ana likes tea", "Ana doesn't like tea"),
        ("Ana likes tea", "Ana no longer likes tea"),
        ("We met Bob in Paris", "We met Bob in Rome"),
        ("The rent is 1,200 euro", "The rent is 1,300 euro"),
        ("El lanzamiento es el 3 de mayo", "El lanzamiento es el 5 de mayo"),
        ("会議は三時です", "明日は雨です"),
        ("Deploy with make", "The cat is asleep"),
    ],
)
def test_a_different_fact_is_an_entry_of_its_own(scope, old, new):
    first, second = scope.remember(old), scope.remember(new)
    assert second.outcome is Outcome.CREATED
    # Whether the first one is still in force is told in test_replacing.
    assert [scope.memories.get(made.id).content for made in (first, second)] == [old, new]


@pytest.mark.spec("M6")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Bob beats Ana at chess", "Ana beats Bob at chess"),
        ("moved from Lisbon to Porto", "moved from Porto to Lisbon"),
    ],
)
def test_the_same_words_in_another_order_lose_nothing(scope, old, new):
    made = [scope.remember(old), scope.remember(new)]

    # Whether the first one is still in force is told in test_replacing.
    assert [scope.memories.get(each.id).content for each in made] == [old, new]


@pytest.mark.spec("M6")
def test_the_duplicate_check_stays_within_a_top_level_category_and_out_of_claims(scope):
    for category in ("project-context/launch", "user-preferences", "feedback/tone", "capabilities/search"):
        assert scope.remember("Search works offline", category=category).outcome is Outcome.CREATED
    for category in ("feedback/tone", "capabilities/search"):
        assert scope.remember("Search works offline", category=category).outcome is Outcome.CREATED
    assert scope.remember("Search works offline", category="project-context").outcome is Outcome.REINFORCED


@pytest.mark.spec("M6")
def test_an_extension_over_the_limit_is_an_entry_of_its_own(scope):
    long = "Ana keeps bees. " + " ".join(f"word{number}" for number in range(300))
    scope.remember(long)
    assert scope.remember(f"{long} And more.").outcome is Outcome.CREATED


def test_the_same_text_saved_at_once_by_many_is_one_entry(database_url):
    with Nacre(database_url) as nacre, Nacre(database_url) as other, ThreadPoolExecutor(8) as pool:
        scopes = [brain.scope("a", user="ana") for brain in (nacre, other) * 4]
        saved = list(pool.map(lambda scope: scope.remember("The boat is called Ines"), scopes))
        assert len({each.id for each in saved}) == 1
        assert scopes[0].memories.get(saved[0].id).reinforced == 7
        assert len(scopes[0].memories.evidence(saved[0].id)) == 8


def test_unknown_and_foreign_entries_are_not_found(nacre, scope):
    made = scope.remember("x marks the spot")
    other = nacre.scope("assistant", user="bob")
    for key in (made.id, str(made.id), made.memory.short, "0" * 12):
        with pytest.raises(NotFound):
            other.memories.get(key)
    with pytest.raises(Invalid):
        scope.memories.get("this is no id")


def test_importance_can_be_set_and_lifts_an_entry(scope):
    plain = scope.remember("Tea is at four in the garden")
    weighty = scope.remember("Tea was invented by accident")
    scope.memories.set_importance(plain.memory.short, 0.1)
    scope.memories.set_importance(weighty.id, 1.0)

    assert [match.memory.id for match in scope.memories.search("tea")] == [weighty.id, plain.id]
    with pytest.raises(Invalid):
        scope.memories.set_importance(plain.id, 1.5)


def entry(content: str) -> Memory:
    """An entry as the store would hand it over."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Memory(
        id=MemoryId(uuid4()),
        content=content,
        category="general",
        source=SourceId(uuid4()),
        quote=(0, 1),
        created_at=now,
        updated_at=now,
        last_seen_at=now,
    )


def test_vectors_vouch_for_texts_with_fewer_words_in_common():
    note = Note(text="Ana really loves strong black tea")
    memory = entry("Ana loves black tea a lot every single morning")
    assert duplicates.outcome(note, Neighbour(memory, None)) is Outcome.CREATED
    assert duplicates.outcome(note, Neighbour(memory, 0.95)) is Outcome.EXTENDED
