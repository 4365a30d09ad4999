"""Which tests are fast, and which run on PostgreSQL, too: the one place that decides.

A path is that of a file or a folder below `tests`; of several that fit, the longest counts.
"""

from collections.abc import Container, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

# Every row of a test, the first row of its table, or none at all.
EVERY, FIRST, NONE = "every row", "the first row", "no row"
# The statements of memories, of the graph and of recall are the same whatever a row says: PostgreSQL runs one.
ON_POSTGRESQL = {
    "": FIRST,
    # Whose statements differ, or depend on locks, plans and transactions.
    "access": EVERY,
    "faults": EVERY,
    "house": EVERY,
    "store": EVERY,
    "work": EVERY,
    "graph/test_searching.py": EVERY,
    "http/test_idempotency.py": EVERY,
    "memory/test_forgetting.py": EVERY,
    "graph/test_traversal.py": EVERY,
    "recall/test_shortlists.py": EVERY,
    # But a model's moods change no statement.
    "work/test_reading.py": FIRST,
    # Who only calls what the rooms above are tested for.
    "adapters": NONE,
    "extraction": NONE,
    "http": NONE,
    "models": NONE,
    "telemetry": NONE,
    "tools": NONE,
    "world": NONE,
    # Files of other rooms that send no statement, and prove no row of docs/spec.md, that no other file does there.
    "graph/test_resolution.py": NONE,
    "memory/test_anti_patterns.py": NONE,
    "memory/test_expanding.py": NONE,
    "memory/test_followed_ids.py": NONE,
    "memory/test_structured_parts.py": NONE,
    "graph/test_traversal_budgets.py": NONE,
    "recall/test_associations.py": NONE,
    "recall/test_context_profiles.py": NONE,
    "recall/test_excerpts.py": NONE,
    "recall/test_indexes.py": NONE,
    "recall/test_reranking.py": NONE,
    "recall/test_successions.py": NONE,
    "transfer/test_mem0.py": NONE,
    "transfer/test_rockbot_files.py": NONE,
    "transfer/test_writing.py": NONE,
    "upkeep/test_meters.py": NONE,
    "upkeep/test_breakers.py": NONE,
    "upkeep/test_cycles.py": NONE,
    # But these send statements that no other room does, or prove a row of docs/spec.md that no other does.
    "adapters/test_toolsets.py": FIRST,
    "extraction/test_evidence.py": FIRST,
    "extraction/test_identities.py": FIRST,
    "extraction/test_learning.py": FIRST,
    "extraction/test_model_extraction.py": FIRST,
    "extraction/test_pipeline.py": FIRST,
    "extraction/test_suggestions.py": FIRST,
    "http/test_kg.py": FIRST,
    "models/test_remote_embedder.py": FIRST,
    "world/test_perceptions.py": FIRST,
}

# Tests of these start processes or servers, read models, measure, fill whole databases, or look at the repository.
SLOW = (
    "adapters",
    "bench",
    "cli",
    "clients/test_hooks.py",
    "dashboard",
    "faults",
    "house",
    "http",
    "mcp",
    "models",
    "recall/test_indexes.py",
    "recall/test_reranking.py",
    "recall/test_shortlists.py",
    "store",
    "telemetry",
    "test_aio.py",
    "test_demo.py",
    "text/test_growth.py",
    "transfer",
    "typescript",
    "upkeep",
)
# Whoever asks for one of these needs more than a file and this process.
SLOW_FIXTURES = {"browser", "cluster", "demo_file", "postgres_server", "quick_nacre", "service", "valkey_server"}
# Whoever asks for one of these has a database: a table of such a test is told by its first row.
DATABASES = {"database_url", "new_sqlite", "sqlite_url"}


def is_slow(path: Path) -> bool:
    """Whether nothing in a file or a folder belongs to the fast tier."""
    return any(TESTS / place in (path, *path.parents) for place in SLOW)


def fast(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """The items of the fast tier, among those of files that are not slow."""
    begun = set()
    for item in items:
        needed = set(getattr(item, "fixturenames", ()))
        if needed & SLOW_FIXTURES or _names_postgresql(item) or item.get_closest_marker("slow"):
            continue
        if needed & DATABASES:
            key = _without_its_row(item)
            if key in begun or _has_many_examples(item):
                continue
            begun.add(key)
        yield item


def needed_twins(items: Iterable[pytest.Item], left_out: Container[str] = ()) -> Iterator[pytest.Item]:
    """The items without those that would tell on PostgreSQL what they told on SQLite.

    Tests that are left out by name are those of places where PostgreSQL has one row.
    """
    begun = set()
    for item in items:
        if not _is_on_postgresql(item):
            yield item
            continue
        rows, key = on_postgresql(item.path), _without_its_row(item)
        if item.get_closest_marker("told_on_sqlite"):
            continue
        if rows is EVERY or (rows is FIRST and key not in begun and name(item) not in left_out):
            begun.add(key)
            yield item


def name(item: pytest.Item) -> str:
    """A test without its row, from the folder of the tests on."""
    return item.nodeid.partition("[")[0].removeprefix("tests/")


@cache
def on_postgresql(path: Path) -> str:
    """Which rows of the tests in a file PostgreSQL runs."""
    return max((len(place), rows) for place, rows in ON_POSTGRESQL.items() if TESTS / place in (path, *path.parents))[1]


def _is_on_postgresql(item: pytest.Item) -> bool:
    """Whether a test is the one of two that has PostgreSQL."""
    given = _parameters(item)
    return "postgresql" in (given.get("database_url"), given.get("empty_database_url"))


def _names_postgresql(item: pytest.Item) -> bool:
    """Whether a test asks for PostgreSQL in whatever way: `from SQLite to PostgreSQL`, say."""
    return any("postgresql" in str(value) for value in _parameters(item).values())


def _has_many_examples(item: pytest.Item) -> bool:
    return getattr(getattr(item, "obj", None), "is_hypothesis_test", False)


def _without_its_row(item: pytest.Item) -> tuple[object, ...]:
    """A test with what its fixtures were given: settings, say, with which other statements are sent."""
    rows = {name.strip() for mark in item.iter_markers("parametrize") for name in _names(mark)}
    given = sorted((name, str(value)) for name, value in _parameters(item).items() if name not in rows)
    return (item.nodeid.partition("[")[0], *given)


def _names(mark: pytest.Mark) -> list[str]:
    names = mark.args[0] if mark.args else mark.kwargs["argnames"]
    return names.split(",") if isinstance(names, str) else list(names)


def _parameters(item: pytest.Item) -> dict[str, object]:
    called = getattr(item, "callspec", None)
    return dict(called.params) if called else {}
