"""Searching long-term memory: words, meaning and filters."""

import pytest

from nacre import Nacre, Settings


@pytest.fixture
def filled(scope, clock):
    """Entries made a day apart."""
    for text, category, tags in (
        ("User is in Chicago", "user-preferences/timezone", ["tz"]),
        ("Prefers tea over coffee", "user-preferences/drinks", ["tea", "taste"]),
        ("The launch moved to May 3", "project-context/launch", ["date"]),
        ("Reunión con José mañana en Málaga", "general", ["cita"]),
        ("東京に住んでいます", "general", []),
        ("Use grep, not search_files", "anti-patterns/file-operations", ["anti-pattern"]),
        ("Nothing to do with preferences", "user-preferences-archive", []),
    ):
        scope.remember(text, category=category, tags=tags)
        clock.advance(days=1)
    return scope


def contents(matches) -> list[str]:
    return [match.memory.content for match in matches]


@pytest.mark.spec("M3")
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Chicago", "User is in Chicago"),
        ("timezone", "User is in Chicago"),
        ("file operations", "Use grep, not search_files"),
        ("taste", "Prefers tea over coffee"),
        ("launches", "The launch moved to May 3"),
        ("reuniones en Málaga", "Reunión con José mañana en Málaga"),
        ("jose", "Reunión con José mañana en Málaga"),
        ("東京", "東京に住んでいます"),
        ("search files", "Use grep, not search_files"),
    ],
)
def test_content_tags_and_category_are_searched_in_any_script(filled, query, first):
    assert contents(filled.memories.search(query))[0] == first


@pytest.mark.spec("M3")
def test_filters_by_category_prefix_tags_and_dates(filled, clock):
    search = filled.memories.search
    assert set(contents(search(category="user-preferences"))) == {"User is in Chicago", "Prefers tea over coffee"}
    assert contents(search(category="user-preferences/drinks")) == ["Prefers tea over coffee"]
    assert contents(search(tags=["tea", "taste"])) == ["Prefers tea over coffee"]
    assert search(tags=["tea", "tz"]) == []
    start = clock.now
    since = contents(search(since=start.replace(day=start.day - 2)))
    assert since == ["Nothing to do with preferences", "Use grep, not search_files"]
    assert contents(search("launch", until=start.replace(day=2))) == []
    assert contents(search("preferences", category="user-preferences-archive")) == ["Nothing to do with preferences"]


@pytest.mark.spec("M3")
def test_without_a_query_the_last_seen_come_first(filled):
    filled.remember("User is in Chicago", category="user-preferences/timezone")
    newest = filled.memories.search(limit=2)
    assert contents(newest) == ["User is in Chicago", "Nothing to do with preferences"]
    assert [match.score for match in newest] == [None, None]


@pytest.mark.spec("M4")
def test_words_and_meaning_are_averaged_and_each_counts_alone(scope):
    scope.remember("The physician prescribed antibiotics", category="health")
    scope.remember("The committee adjourned early", category="work")
    scope.remember("The committee saw a doctor", category="work")

    scores = {match.memory.content: match.score for match in scope.memories.search("doctor of medicine")}

    assert scores["The committee saw a doctor"] > scores["The physician prescribed antibiotics"] > 0
    assert "The committee adjourned early" not in scores


@pytest.mark.spec("M4")
def test_without_an_embedder_search_works_by_words(database_url):
    with Nacre(database_url, settings=Settings(embedder="off")) as nacre:
        scope = nacre.scope("a")
        scope.remember("The boat is called Ines", tags=["boat"])
        scope.remember("Rent is due on the first")
        assert contents(scope.memories.search("boats")) == ["The boat is called Ines"]
        assert scope.memories.search("vessel") == []


@pytest.mark.spec("M4")
def test_the_local_embedder_states_its_own_threshold(nacre):
    assert nacre.parts.embedder.local
    assert 0 < nacre.parts.embedder.threshold < 0.5


def test_categories_are_counted(filled):
    assert filled.memories.categories() == {
        "anti-patterns/file-operations": 1,
        "general": 2,
        "project-context/launch": 1,
        "user-preferences-archive": 1,
        "user-preferences/drinks": 1,
        "user-preferences/timezone": 1,
    }
