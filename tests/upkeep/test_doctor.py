"""The doctor on both databases: faults are planted behind Nacre's back, found, put right, and gone."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from nacre import Misconfigured, Nacre, Settings, Unavailable
from nacre.domain.doctor_reports import Severity
from nacre.domain.jobs import LEASE
from nacre.store.maintenance import integrity_checks as stored
from nacre.store.work import jobs
from nacre.work.embedding import FillingThread
from tests.cases import in_turn
from tests.upkeep.planting import plant, rows, wrong

OK, WARN, BROKEN = Severity.OK, Severity.WARN, Severity.BROKEN


@pytest.fixture(autouse=True)
def nothing_else_heals(monkeypatch):
    """The first visit to a scope adds the vectors it lacks: a late one would mend what was planted."""
    monkeypatch.setattr(FillingThread, "visit", lambda self, scope: None)


@pytest.fixture
def lived(nacre, scope, clock):
    """A brain with some of everything: said, kept, believed, changed, forgotten, taken back."""
    for number in range(3):
        scope.observe("user", f"Ana works at Acme and lives in Paris {number}.", speaker="Ana", session="s1")
        clock.advance(minutes=1)
    kept = scope.remember("Ana drinks her tea without sugar.")
    gone = scope.remember("The launch is on May 3.")
    scope.forget(gone.id)
    scope.ontology.set("Ana", "taste/favourite_colour", "blue")
    scope.ontology.set("Ana", "taste/favourite_colour", "green")
    scope.graph.link("Ana", "works_on", "Nacre")
    scope.graph.link("Nacre", "uses", "SQLite")
    scope.graph.add("Ana P.", type="person")
    scope.graph.merge("Ana", "Ana P.", reason="the same")
    scope.undo(scope.history(limit=1)[0].id)
    scope.graph.add("Old thing")
    scope.ontology.set("Old thing", "state/colour", "grey")
    scope.graph.archive("Old thing")
    scope.memories.set_importance(kept.id, 0.9)
    scope.summaries.summarize("s1")
    scope.working("session/s1").save("plan", "first the tests")
    scope.vault.save("notes/launch.md", "# Launch\n\nThe launch is on May 3.\n\n## Empty\n\n")
    scope.vault.save("notes/launch.md", "# Launch\n\nThe launch is on May 5.\n")
    scope.vault.save("notes/blank.md", "---\ntitle: Nothing\n---\n \u00a0\n")
    scope.jobs.list()
    nacre.scope("assistant", "bob").observe("user", "Bob likes coffee.", speaker="Bob")
    nacre.agent("helper").share(knowledge_graph=True)
    nacre.scope("helper", "eve").observe("user", "Eve lives in Riga.", speaker="Eve")
    return scope


@pytest.mark.spec("S20")
def test_a_brain_that_has_lived_is_well(nacre, lived, clock):
    lived.dreams.run()
    lived.forget(before=clock.now - timedelta(minutes=2))
    nacre.scope("assistant", "bob").forget(everything=True)

    found = nacre.doctor()

    assert wrong(found) == {}
    assert {"schema", "indexes", "links", "terms", "full text", "missing passages", "coverage"} <= {
        each.name for each in found.findings
    }
    assert wrong(nacre.check()) == {}


FAULTS = {
    "missing passages": (BROKEN, ["DELETE FROM vectors", "DELETE FROM passages WHERE ended_at IS NULL"]),
    "terms": (BROKEN, ["UPDATE passages SET length = length + 1, language = 'xx' WHERE ended_at IS NULL"]),
    "counters": (BROKEN, ["UPDATE scopes SET next_seq = 1, revision = 1"]),
    "links": (BROKEN, ["UPDATE entities SET status = 'archived' WHERE name = 'SQLite'"]),
    "claims": (BROKEN, ["UPDATE aspects SET status = 'archived' WHERE key = 'taste'"]),
    "indexes": (BROKEN, ["DROP INDEX passages_by_item", "DROP INDEX links_from"]),
    "coverage": (WARN, ["DELETE FROM vectors"]),
    # The last: what is gone stays gone.
    "left-over passages": (
        BROKEN,
        [
            "UPDATE memories SET status = 'archived'",
            "UPDATE documents SET status = 'archived'",
            "DELETE FROM turns",
            "DELETE FROM summaries",
        ],
    ),
}


# Planted together: no fault of a row is in rows of the database that another is in.
TOGETHER = [
    ("missing passages", "counters", "links"),
    ("terms", "claims", "indexes"),
    ("coverage",),
    ("left-over passages",),
]


@pytest.mark.spec("S20")
@in_turn("names", TOGETHER)
def test_a_planted_fault_is_found_and_put_right(nacre, lived, database_url, names):
    for name in names:
        plant(database_url, *FAULTS[name][1])

    found = wrong(nacre.doctor())
    for name in names:
        assert found[name].verdict is FAULTS[name][0]
        assert found[name].safe
        assert found[name].count >= 1
    repaired = {each.name: each for each in nacre.doctor(repair=True).findings}
    for name in names:
        assert repaired[name].repaired >= found[name].count
        assert repaired[name].verdict is OK
    assert wrong(nacre.doctor()) == {}


def test_every_fault_is_planted():
    assert sorted(name for names in TOGETHER for name in names) == sorted(FAULTS)


def test_looking_changes_nothing(nacre, lived, database_url):
    plant(database_url, *FAULTS["left-over passages"][1], *FAULTS["links"][1], *FAULTS["terms"][1])
    before = rows(database_url)

    assert nacre.doctor().broken
    assert nacre.check().broken

    assert rows(database_url) == before


@pytest.mark.spec("S20")
def test_rows_that_hang_from_nothing_are_found_and_go(nacre, lived, database_url):
    plant(
        database_url,
        "DELETE FROM passages WHERE kind = 'memory' AND ended_at IS NULL",
        "DELETE FROM links WHERE predicate = 'uses'",
        "DELETE FROM entities WHERE name = 'SQLite'",
    )

    found = wrong(nacre.doctor())
    assert "vectors.seq to passages" in found["hanging rows"].message
    assert "aliases.entity_id to entities" in found["hanging rows"].message
    nacre.doctor(repair=True)

    assert wrong(nacre.doctor()) == {}


def test_what_is_believed_of_something_that_is_gone_is_not_removed(nacre, lived, database_url):
    plant(database_url, "DELETE FROM entities WHERE name = 'SQLite'")

    left = wrong(nacre.doctor(repair=True))

    assert set(left) == {"references"}
    assert "links.target_entity to entities (1)" in left["references"].message
    assert (left["references"].safe, left["references"].advice is not None) == (False, True)


@pytest.mark.spec("S20")
def test_a_dangling_link_is_archived_by_an_operation_that_can_be_undone(nacre, lived, database_url):
    plant(database_url, *FAULTS["links"][1])

    nacre.doctor(repair=True)

    last = lived.history(limit=1)[0]
    assert (last.operation, last.actor) == ("archive_link", "doctor")
    lived.undo(last.id)
    assert wrong(nacre.doctor())["links"].count == 1


def test_a_process_that_had_it_loaded_finds_again_what_was_put_right(nacre, lived, database_url, clock, brain_settings):
    plant(database_url, *FAULTS["missing passages"][1])
    with Nacre(database_url, settings=brain_settings, clock=clock) as other:
        elsewhere = other.scope("assistant", "ana")
        assert not elsewhere.recall("tea sugar")
        nacre.doctor(repair=True)
        assert [hit.text for hit in elsewhere.recall("tea sugar")][:1] == ["Ana drinks her tea without sugar."]
    said = lived.conversations.last("s1")
    assert [each.turn.text[-2] for each in said] == ["0", "1", "2"]
    assert len(lived.recall("Ana works at Acme", kinds=["turn"])) == 3


def test_turns_that_may_have_been_forgotten_stay_forgotten(nacre, lived, database_url, clock):
    lived.forget(before=clock.now)
    clock.advance(minutes=1)
    lived.observe("user", "Ana moved to Vilnius.", speaker="Ana")
    plant(database_url, "DELETE FROM vectors", "DELETE FROM passages WHERE kind = 'turn'")

    left = wrong(nacre.doctor(repair=True))

    assert left["missing passages"].count == 3
    assert left["missing passages"].repaired >= 1
    assert "forgotten" in (left["missing passages"].advice or "")
    assert [hit.text for hit in lived.recall("Ana lives in Paris, moved", kinds=["turn"])] == ["Ana moved to Vilnius."]


def test_a_memory_that_is_out_of_force_is_ended_and_still_readable_as_of_before(nacre, scope, database_url, clock):
    kept = scope.remember("Ana drinks tea.")
    before = clock.now
    clock.advance(days=1)
    plant(database_url, "UPDATE memories SET status = 'archived'")

    nacre.doctor(repair=True)

    assert not scope.recall("tea")
    assert [hit.id for hit in scope.recall("tea", as_of=before)] == [kept.id]


def test_vectors_of_another_size_are_made_anew(nacre, lived, database_url):
    cut = "substr(data, 1, 100)" if not database_url.startswith("postgresql") else "substring(data from 1 for 100)"
    plant(
        database_url,
        f"UPDATE vectors SET data = {cut} WHERE seq IN (SELECT max(seq) FROM vectors)",
    )

    assert wrong(nacre.doctor())["vectors"].count >= 1
    nacre.doctor(repair=True)

    assert wrong(nacre.doctor()) == {}
    assert lived.recall("tea sugar")


def test_the_full_text_index_is_made_anew(sqlite_url, brain_settings):
    """On SQLite: PostgreSQL computes it itself."""
    with Nacre(sqlite_url, settings=brain_settings) as brain:
        scope = brain.scope("assistant")
        for name in ("Nacre", "Ana", "Łukasz Żółć"):
            scope.graph.add(name, description="A friend of all.")
        assert wrong(brain.doctor()) == {}
        plant(
            sqlite_url,
            "DELETE FROM entities_fts WHERE name = 'Nacre'",
            "UPDATE entities_fts SET name = 'Anna' WHERE name = 'Ana'",
            "INSERT INTO entities_fts (scope, id, name, description) VALUES ('00', x'00', 'Nobody', '')",
        )
        assert scope.graph.search("nac") == []

        assert wrong(brain.doctor())["full text"].count == 2
        brain.doctor(repair=True)

        assert wrong(brain.doctor()) == {}
        assert [each.name for each in scope.graph.search("nac")] == ["Nacre"]
        scope.graph.add("Nacre two")
        assert len(scope.graph.search("nac")) == 2


@pytest.mark.spec("S20")
def test_jobs_that_workers_died_with_wait_again_and_those_given_up_are_named(nacre, scope, clock):
    database = nacre.parts.database
    with database.write(scope.scope) as tx:
        stuck, dead = (jobs.enqueue(tx, "expand_memory", {"memory_id": str(number)}) for number in range(2))
    with database.write_all() as tx:
        first, second = jobs.claim(tx, ["expand_memory"]), jobs.claim(tx, ["expand_memory"])
    assert first
    assert second
    with database.write(scope.scope) as tx:
        jobs.fail(tx, second.job, "It was wrong.", again=False)
    assert set(wrong(nacre.doctor())) == {"dead jobs"}
    clock.advance(seconds=LEASE.total_seconds() + 1)

    assert set(wrong(nacre.doctor())) == {"stuck jobs", "dead jobs"}
    left = wrong(nacre.doctor(repair=True))

    assert set(left) == {"dead jobs"}
    assert not left["dead jobs"].safe
    assert {scope.jobs.show(each).status for each in (stuck, dead)} == {"waiting", "dead"}


def test_working_memory_that_nobody_swept_is_swept(nacre, scope, clock):
    scope.working("session/a").save("k", "v")
    clock.advance(minutes=10)
    assert wrong(nacre.doctor()) == {}
    clock.advance(hours=3)

    assert wrong(nacre.doctor())["working memory"].count == 1
    assert {each.name: each.repaired for each in nacre.doctor(repair=True).findings}["working memory"] == 1


def test_counts_of_mentions_are_only_told(nacre, lived, database_url):
    plant(database_url, "UPDATE entities SET mentions = 0")

    left = wrong(nacre.doctor(repair=True))

    assert (left["mentions"].verdict, left["mentions"].safe) == (WARN, False)


def test_every_scope_is_looked_at_in_portions(nacre, database_url, monkeypatch):
    monkeypatch.setattr(stored, "PORTION", 2)
    for number in range(5):
        nacre.scope("assistant", f"user{number}").remember("Tea without sugar.")
    plant(database_url, *FAULTS["coverage"][1])

    assert wrong(nacre.doctor())["coverage"].count == 5
    nacre.doctor(repair=True)

    assert wrong(nacre.doctor()) == {}


def test_without_an_embedder_nothing_is_said_of_vectors(database_url, clock):
    with Nacre(database_url, settings=Settings(worker="off", embedder="off"), clock=clock) as plain:
        plain.scope("assistant").remember("Tea without sugar.")
        found = {each.name: each for each in plain.doctor().findings}
    assert (found["coverage"].verdict, found["embedder"].verdict) == (OK, OK)
    assert "off" in found["embedder"].message


def test_a_repair_that_fails_says_why_and_the_others_are_made(database_url, clock, brain_settings):
    class Away:
        """An embedder that is gone when it is needed."""

        local = True
        threshold = 0.5

        def __init__(self, real):
            self.real = real

        def close(self):
            """Nothing to give back."""

        def embed_question(self, text):
            return self.real.embed_question(text)

        def embed(self, texts):
            raise Unavailable("The embedder is away.")

    with Nacre(database_url, settings=brain_settings, clock=clock) as brain:
        scope = brain.scope("assistant")
        scope.remember("Ana drinks tea.")
        scope.working("session/a").save("k", "v")
        clock.advance(hours=3)
        plant(database_url, *FAULTS["coverage"][1])
        away = Away(brain.parts.embedder)
    with Nacre(database_url, settings=brain_settings, embedder=away, clock=clock) as brain:
        found = {each.name: each for each in brain.doctor(repair=True).findings}

    assert found["coverage"].advice == "It could not be repaired: The embedder is away."
    assert (found["coverage"].safe, found["working memory"].repaired) == (False, 1)


def test_a_clock_that_jumps_does_not_upset_it(nacre, lived, clock):
    clock.now = datetime(2020, 1, 1, tzinfo=UTC)
    assert not nacre.doctor(repair=True).broken


def test_damage_is_reported_and_not_raised(sqlite_url):
    """Pages of the file are overwritten one by one: whatever looks at them says so."""
    with Nacre(sqlite_url, settings=Settings(embedder="off", worker="off")) as nacre:
        scope = nacre.scope("a")
        for number in range(60):
            scope.remember(f"The code word of day {number} is heron {number * 7919}.")
    whole = Path(sqlite_url).read_bytes()
    size = int.from_bytes(whole[16:18])
    broken = 0
    for page in range(10, len(whole) // size, len(whole) // size // 8):
        Path(sqlite_url).write_bytes(whole[: page * size] + b"\xa5" * size + whole[(page + 1) * size :])
        try:
            opened = Nacre(sqlite_url, settings=Settings(embedder="off", worker="off"))
        except Misconfigured:
            # Where not even the revision can be read, the file is refused as a whole.
            continue
        with opened as nacre:
            broken += any(each.verdict is BROKEN for each in nacre.check().findings)
    assert broken
