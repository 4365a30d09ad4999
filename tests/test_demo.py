"""The demo agent that script/server seeds."""

import runpy
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from nacre import Nacre, ScopedNacre, Settings
from nacre.domain.jobs import JobStatus

SCRIPT = Path(__file__).parent.parent / "script/demo"
AT_THE_END = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def seeder() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def brain(demo_file: Path, tmp_path: Path) -> Iterator[Nacre]:
    copy = shutil.copy(demo_file, tmp_path / "demo.db")
    with Nacre(copy, settings=Settings(worker="off"), clock=lambda: AT_THE_END) as nacre:
        yield nacre


@pytest.fixture
def demo(brain: Nacre) -> ScopedNacre:
    return brain.scope("demo")


def test_the_demo_is_seeded_once(seeder, demo_file, tmp_path):
    seeded = shutil.copy(demo_file, tmp_path / "demo.db")
    seeder["main"](str(seeded))

    assert seeded.read_bytes() == demo_file.read_bytes()


def test_what_was_left_half_seeded_is_not_taken_for_whole(seeder, tmp_path, monkeypatch):
    database = tmp_path / "demo.db"

    class Interrupted:
        def __init__(self, begun: Path) -> None:
            begun.write_text("half")

        def seed(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(seeder["main"].__globals__, "Seeder", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        seeder["main"](str(database))

    assert not database.exists()


def test_the_demo_knows_how_the_launch_date_moved(seeder, demo):
    texts = " ".join(hit.text for hit in demo.recall("When is the launch?", limit=10))
    assert "September 1" in texts

    before = demo.recall("When is the launch?", as_of=seeder["HISTORY"][1].began, limit=5)
    assert before
    assert not any("July 14" in hit.text or "September 1" in hit.text for hit in before)


def test_the_graph_of_the_demo_is_worth_drawing(brain, demo):
    drawn = demo.knowledge.constellation(limit=500, dependencies=2_000)

    assert 60 <= drawn.totals.entities <= 150
    assert 150 <= drawn.totals.dependencies <= 400
    assert {each.agent for each in drawn.entities} == {"demo", "workshop"}
    assert len(drawn.communities) >= 4
    assert [each.entity.name for each in drawn.entities if each.entity.pinned] == ["Pebble", "Maya", "Launch Day"]
    assert len({each.entity.type for each in drawn.entities}) >= 10
    assert brain.agent("demo").users() == ["maya", "priya", "tom"]


@pytest.mark.parametrize(
    ("entity", "path", "said"),
    [
        ("Pebble", "price/retail/unit", {"2026-05-01": "49 euros", "2026-07-01": "39 euros", "2026-11-15": "42 euros"}),
        ("Launch Day", "schedule/launch/date", {"2026-04-10": "June 16", "2026-05-01": "July 14"}),
        ("Pebble", "supply/cases/supplier", {"2026-06-01": "Caseworks", "2026-07-01": "Plastika"}),
        ("Hana", "work/general/role", {"2026-07-01": "intern", "2026-10-01": "support lead"}),
        ("Status Report", "form/general/layout", {"2026-05-01": "bullet points", "2026-10-01": "one short paragraph"}),
    ],
)
def test_facts_of_the_demo_change_with_the_slider(demo, entity, path, said):
    for day, value in said.items():
        moment = datetime.fromisoformat(f"{day}T00:00:00+00:00")
        held = [str(claim.slot) for claim in demo.ontology.claims(entity, as_of=moment) if claim.value == value]
        assert held == [path], day


def test_people_of_the_demo_move_and_change_employers(demo):
    def where(name: str, predicate: str, day: str) -> list[str]:
        moment = datetime.fromisoformat(f"{day}T00:00:00+00:00")
        found = demo.dossiers.connections(name, direction="outgoing", as_of=moment)
        return [each.target.name for each in found if each.link.predicate == predicate]

    assert (where("Tom", "lives_in", "2026-06-01"), where("Tom", "lives_in", "2026-10-01")) == (["Berlin"], ["Lisbon"])
    assert where("Ravi", "works_at", "2026-08-15") == ["BrightSoil"]
    assert where("Ravi", "works_at", "2026-11-01") == ["Larkspur"]


def test_every_claim_and_link_of_the_demo_rests_on_words(demo):
    for name in ("Pebble", "Maya", "Meadow"):
        sides = demo.dossiers.beliefs(name).aspects
        versions = [
            each for side in sides for group in side.groups for claim in group.claims for each in claim.versions
        ]
        assert all(version.citation for version in versions)
        assert all(each.citation for each in demo.dossiers.connections(name))


def test_the_demo_has_something_to_review(demo):
    held = demo.ontology.proposals

    assert len(held.list("pending")) >= 5
    assert {len(held.list(status)) for status in ("applied", "rejected")} == {1}
    assert [each.claim for each in held.conflicts()] == ["date"]
    pairs = {
        frozenset(each.name for each in demo.graph.get_many([pair.entity_a, pair.entity_b]))
        for pair in demo.graph.duplicates()
    }
    assert frozenset({"Larkspur", "Larkspur Labs"}) in pairs
    report = demo.knowledge.hygiene()
    assert {"2026", "Next Monday"} <= {each.name for each in report.suspicious_entities}
    assert report.safe_mention_candidates
    assert len(demo.ontology.assertions.list()) == 6


def test_the_tables_of_the_demo_have_rows(demo):
    assert {job.status for job in demo.jobs.list()} == {JobStatus.DONE, JobStatus.DEAD}
    assert len(demo.dreams.history()) == 6
    assert len(demo.working("session/dashboard").list("patrol")) == 3
    assert len(demo.skills.list()) == 3
    assert len(demo.feedback.recent()) == 4
    assert len(demo.vault.list()) == 4
    assert len(demo.conversations.sessions()) >= 20
    assert len(demo.summaries.list()) >= 10
    assert len(demo.memories.newest(limit=100)) >= 30


def test_the_demo_is_seeded_by_what_ships(tmp_path, monkeypatch):
    """`script/server` sets nothing, so the reader and the ranker are there."""
    for name in ("NACRE_EXTRACTION", "NACRE_RERANK"):
        monkeypatch.delenv(name, raising=False)
    runpy.run_path(str(SCRIPT))["main"](str(tmp_path / "demo.db"))

    with Nacre(tmp_path / "demo.db", settings=Settings(worker="off"), clock=lambda: AT_THE_END) as nacre:
        context = nacre.scope("demo", user="maya").context("Book a place to meet Maya")
    assert any("jasmine tea" in line.text for line in context.lines if line.sure)
