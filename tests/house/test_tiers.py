"""What decides which tests run names things that are there, and decides as it says."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from tests import covered, tiers

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


def test_a_row_that_sqlite_tells_is_left_out_on_postgresql():
    told = [replace(each, marks=frozenset({"told_on_sqlite"})) for each in twins("store/test_schema.py")]

    assert ran(list(tiers.needed_twins(told))) == [("sqlite", 0), ("sqlite", 1)]


def test_what_is_covered_is_left_out_only_where_postgresql_has_one_row():
    kept, covered_one, every_row = (
        twins(place) for place in ("memory/test_skills.py", "memory/test_feedback.py", "memory/test_forgetting.py")
    )
    left_out = {tiers.name(covered_one[0]), tiers.name(every_row[0])}

    left = list(tiers.needed_twins([*kept, *covered_one, *every_row], left_out))

    assert [each for each in left if each in covered_one] == covered_one[:2]
    assert [each for each in left if each in kept] == kept[:3]
    assert [each for each in left if each in every_row] == every_row


def test_every_test_that_is_covered_is_there_and_has_no_other_name():
    for name in covered.names():
        path, _, test = name.partition("::")
        assert f"\ndef {test}(" in (tiers.TESTS / path).read_text(encoding="utf-8"), name


def test_what_others_send_is_covered_and_what_nobody_else_does_is_not():
    sent = {"a": {"1", "2"}, "b": {"2"}, "c": {"2", "3"}, "d": {"3", "row E1"}, "e": set[str]()}

    assert covered.covered(sent, set()) == {"b", "c", "e"}
    assert covered.covered(sent, {"c"}) == {"b", "e"}


def test_a_test_that_starts_others_is_known_by_its_words():
    assert covered.starts_others(_in_a_thread)
    assert covered.starts_others(_by_another)
    assert not covered.starts_others(ran)


def _in_a_thread() -> None:
    Thread(target=print).start()


def _by_another() -> None:
    _in_a_thread()


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
