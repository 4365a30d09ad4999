"""Stores that earlier versions wrote open in this one, with nothing lost. See written/README.md."""

from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from nacre import Nacre, Settings
from nacre.brain import health
from nacre.domain.doctor_reports import Severity
from nacre.store.base import migrating
from nacre.store.base.databases import Database
from nacre.store.maintenance import backups as stored
from nacre.store.migrations import versions
from nacre.transfer import backups as archives
from tests.upkeep.planting import behind_its_back

WRITTEN = Path(__file__).parent / "written"
REVISIONS = sorted(path.name[:4] for path in Path(versions.__file__).parent.glob("0*.py"))
OLDER = REVISIONS[:-1]
ANSWERS = {
    "Which city did I move to?": "I moved to Łódź in March.",
    "When is the launch of Pebble?": "The launch of Pebble is on May 3",
    "sugar in tea": "Ana drinks tea without sugar",
}
SAID = ("turn", "memory")
# What a later version keeps in another way; what rests on it is asked for below.
KEPT_OTHERWISE = {("statement_keys", "item_id")}
Rows = dict[str, list[str]]


def file_of(revision: str) -> Path:
    return WRITTEN / f"{revision}.backup"


def plant(url: str, revision: str) -> None:
    """Make a database what the version of a revision left behind."""
    with (
        archives.opened(file_of(revision)) as archive,
        closing(Database(url, migrates=False)) as database,
        database.write_all() as tx,
    ):
        stored.prepare(tx, revision)
        with stored.unnoted(tx):
            for name, columns, batches in archive.tables():
                for batch in batches:
                    stored.load(tx, stored.shaped(tx, name, columns), batch)


def restore(url: str, revision: str) -> None:
    """Bring a backup of that version back with this one."""
    health.restore_backup(file_of(revision), url, lambda _done, _every: None)


def rows(url: str, revision: str) -> Rows:
    """Every value that the version of a revision knew of."""
    with archives.opened(file_of(revision)) as archive, behind_its_back(url) as connection:
        found: Rows = {}
        for name, columns, batches in archive.tables():
            quoted = ", ".join(f'"{column}"' for column in columns if (name, column) not in KEPT_OTHERWISE)
            found[name] = sorted(map(str, connection.execute(text(f"SELECT {quoted} FROM {name}")).all()))
            assert len(found[name]) == sum(map(len, batches))
    return found


def test_there_is_a_store_of_every_earlier_version():
    assert REVISIONS[-1] == migrating.HEAD
    assert [path.stem for path in sorted(WRITTEN.glob("*.backup"))] == OLDER
    assert [health.verify_backup(file_of(revision)).schema for revision in OLDER] == OLDER


# A backup goes through the same migrations as the store that it was made of: its oldest and its newest tell the rest.
# Those two went through all of them and through the last with rows everywhere: PostgreSQL opens no others by the way.
ENDS = (OLDER[0], OLDER[-1])
WAYS = [
    *(pytest.param(plant, each, id=f"opened-{each}") for each in ENDS),
    *(pytest.param(plant, each, id=f"opened-{each}", marks=pytest.mark.told_on_sqlite) for each in OLDER[1:-1]),
    *(pytest.param(restore, each, id=f"restored-{each}") for each in ENDS),
]


@pytest.mark.parametrize(("way", "revision"), WAYS)
def test_a_store_of_an_earlier_version_loses_nothing(empty_database_url, revision, way: Callable[[str, str], None]):
    way(empty_database_url, revision)
    before = rows(empty_database_url, revision)
    assert migrating.revision_at(empty_database_url) == (revision if way is plant else migrating.HEAD)

    # Opened soon after it was written: working memory expires.
    soon = health.verify_backup(file_of(revision)).made_at + timedelta(minutes=45)
    with Nacre(empty_database_url, settings=Settings(worker="off"), clock=lambda: soon) as nacre:
        assert rows(empty_database_url, revision) == before
        unsound = [found for found in nacre.doctor().findings if found.verdict is not Severity.OK]
        assert unsound == []
        for user in ("ana", "bo"):
            check(nacre, user, revision)


def check(nacre: Nacre, user: str, revision: str) -> None:
    """Whatever the version could be told is known, and the next thing can be told."""
    scope = nacre.scope("assistant", user=user)
    assert {question: scope.recall(question, kinds=SAID)[0].text for question in ANSWERS} == ANSWERS
    launch = scope.recall("When is the launch of Pebble?", kinds=SAID)[0].id
    assert set(scope.memories.get(launch).tags) == {"launch", "plan"}
    assert scope.conversations.last("s1")[0].turn.text == "I moved to Łódź in March."
    if revision >= "0002":
        assert scope.skills.get("brew").content == "Boil water."
        assert "printer" not in str(scope.recall("printer password"))
    if revision >= "0003":
        assert {link.predicate for link in scope.graph.links("Ana")} >= {"works_with"}
        assert [link.value for link in scope.graph.links("Pebble")] == ["May 3"]
    if revision >= "0004":
        assert [version.value for version in scope.ontology.versions("Ana", "home/city")] == ["Łódź", "Warszawa"]
    if revision >= "0005":
        assert "kettle" in scope.vault.get("notes/tea.md").content
        assert [token.name for token in nacre.tokens.list()] == ["reader"]
    if revision >= "0006":
        assert [(watch.subject, watch.threshold) for watch in scope.world.watches()] == [("BTC", 5.0)]
    scope.ontology.set("Ana", "taste/drink", "coffee")
    scope.observe("user", "Tomorrow I paint the fence green.", session="s2")
    assert scope.recall("What happens to the fence?")[0].text == "Tomorrow I paint the fence green."


@pytest.mark.spec("S9")
@pytest.mark.parametrize("revision", ["0003", "0004", "0005"])
def test_all_that_an_earlier_version_did_can_be_undone(empty_database_url, revision):
    """The last first, until nothing is left: rows that migrations touched are no changes outside the log."""
    plant(empty_database_url, revision)
    with Nacre(empty_database_url, settings=Settings(worker="off")) as nacre:
        for user in ("ana", "bo"):
            scope, undone = nacre.scope("assistant", user=user), 0
            while left := [each for each in scope.history(limit=1_000) if not (each.undone_by or each.undoes)]:
                scope.undo(left[0].id)
                undone += 1
            assert undone
            assert [entity.name for entity in scope.graph.search(limit=100)] == []
            # Before 0004 memories were not in the log.
            assert len(scope.memories.search(limit=100)) == (2 if revision == "0003" else 0)
