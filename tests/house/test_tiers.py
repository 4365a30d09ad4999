"""What decides which tests run names things that are there, and decides as it says."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import tiers

FIXTURES = "\n".join(path.read_text(encoding="utf-8") for path in tiers.TESTS.rglob("conftest.py"))


@dataclass(frozen=True)
class Collected:
    """A test as pytest collects it, with what the tiers look at."""

    place: str
    given: dict[str, Any]
    rows: str = "text"
    fixturenames: tuple[str, ...] = ()
    marks: frozenset[str] = field(default_factory=frozenset)

    @property
    def path(self) -> Path:
        return tiers.TESTS / self.place

    @property
    def nodeid(self) -> str:
        return f"tests/{self.place}::test[{'-'.join(map(str, self.given.values()))}]"

    @property
    def callspec(self) -> SimpleNamespace:
        return SimpleNamespace(params=self.given)

    def iter_markers(self, _name: str) -> list[pytest.Mark]:
        return [pytest.mark.parametrize(self.rows, []).mark]

    def get_closest_marker(self, name: str) -> bool:
        return name in self.marks


def twins(place: str, rows: int = 2, **fixtures: str) -> list[Any]:
    each = [{"database_url": database, "text": row} for database in ("sqlite", "postgresql") for row in range(rows)]
    return [Collected(place, {**given, **fixtures}) for given in each]


def ran(items: list[Any]) -> list[tuple[str, int]]:
    return [(item.given["database_url"], item.given["text"]) for item in items]


def test_what_is_named_is_there():
    assert [place for place in (*tiers.SLOW, *tiers.ON_POSTGRESQL) if not (tiers.TESTS / place).exists()] == []
    assert [name for name in tiers.SLOW_FIXTURES if f"def {name}(" not in FIXTURES] == []


@pytest.mark.parametrize(
    ("place", "on_postgresql"),
    [
        ("store/test_schema.py", [0, 1]),
        ("memory/test_forgetting.py", [0, 1]),
        ("memory/test_skills.py", [0]),
        ("world/test_alerts.py", []),
        ("http/test_insights.py", []),
        ("http/test_idempotency.py", [0, 1]),
    ],
)
def test_postgresql_has_every_row_or_one_or_none(place, on_postgresql):
    left = ran(list(tiers.needed_twins(twins(place))))

    assert left == [("sqlite", 0), ("sqlite", 1), *(("postgresql", row) for row in on_postgresql)]


def test_what_fixtures_are_given_is_no_row():
    """Other settings send other statements."""
    items = [*twins("memory/test_skills.py", brain="small"), *twins("memory/test_skills.py", brain="large")]

    assert ran(list(tiers.needed_twins(items))).count(("postgresql", 0)) == 2


def test_the_fast_tier_has_one_database_and_this_process():
    plain, with_a_server, slow = (
        Collected("memory/test_skills.py", {}),
        Collected("memory/test_skills.py", {}, fixturenames=("postgres_url", "postgres_server")),
        Collected("memory/test_skills.py", {}, marks=frozenset({"slow"})),
    )
    tables = [replace(each, fixturenames=("database_url",)) for each in twins("memory/test_skills.py")]
    items: list[Any] = [plain, with_a_server, slow, *tables]

    assert list(tiers.fast(items)) == [plain, tables[0]]
    assert tiers.is_slow(tiers.TESTS / "bench/test_life.py")
    assert not tiers.is_slow(tiers.TESTS / "memory/test_skills.py")
