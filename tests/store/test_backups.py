"""Backups of whole databases: made while others write, refused when damaged, restored whole or not at all."""

import gzip
import json
import random
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from nacre import Conflict, Damaged, Invalid, Misconfigured, Nacre, SchemaTooNew, Settings
from nacre.brain import health
from nacre.domain.doctor_reports import Severity
from nacre.store.base import migrating
from nacre.store.tables.schema import metadata
from nacre.transfer.backups import seal
from tests import postgres
from tests.upkeep.planting import behind_its_back, rows, upgraded
from tests.waits import HANGS

BOTH = ("sqlite", "postgresql")
PAIRS = [(source, target) for source in BOTH for target in BOTH]
QUESTIONS = ("Where does Ana live?", "When is the launch?", "What does Bo drink?")
WITH_VECTORS = Settings(worker="off")
PLAIN = Settings(worker="off", embedder="off")


@pytest.fixture
def new_database(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[str], str]]:
    """Makes databases without any table."""
    numbers = count()
    with ExitStack() as made:

        def make(kind: str) -> str:
            if kind == "sqlite":
                return str(tmp_path / f"new-{next(numbers)}.db")
            return made.enter_context(postgres.database(request.getfixturevalue("postgres_server")))

        yield make


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory, sqlite_pattern: Path) -> Path:
    """A backup of a brain on SQLite, for tests to copy."""
    folder = tmp_path_factory.mktemp("filled")
    with Nacre(shutil.copy(sqlite_pattern, folder / "filled.db"), settings=PLAIN) as nacre:
        fill(nacre)
        nacre.backup(folder / "a.backup")
    return folder / "a.backup"


@pytest.fixture
def filled(tmp_path: Path, made_once: Path) -> Path:
    """A backup of a brain on SQLite, to change at will."""
    return Path(shutil.copy(made_once, tmp_path / "a.backup"))


def hush(_done: int, _every: int) -> None:
    """Hear nothing of the progress."""


def interrupt(done: int, every: int) -> None:
    """Stop when half of it is done."""
    if done > every // 2:
        raise KeyboardInterrupt


def fill(nacre: Nacre) -> None:
    """A little of everything, in two scopes and beside them."""
    for user in ("ana", "bo"):
        scope = nacre.scope("assistant", user=user)
        scope.observe("user", "Ana lives in Łódź and knows Bo.", session="s", speaker="Ana", ref="m1")
        scope.remember("The launch is on May 3, \\N 'quoted'\t日本", tags=["launch"], metadata={"by": "Ana"})
        scope.ontology.set("Ana", "home/city", "Łódź")
        scope.ontology.set("Ana", "home/city", "Paris")
        scope.graph.link("Bo", "drinks", value="tea")
        scope.undo(scope.history(limit=1)[0].id)
        scope.graph.link("Ana", "knows", "Łukasz", confidence=0.3, properties={"a": "b"})
        scope.working("session/s").save("draft", "Dear Bo")
        scope.skills.save("brew", summary="tea", content="Boil water.")
    nacre.tokens.issue("reader", "readonly")


def asked(nacre: Nacre) -> list[object]:
    """What every user recalls."""
    scopes = [nacre.scope("assistant", user=user) for user in ("ana", "bo")]
    return [list(scope.recall(question, explain=True)) for scope in scopes for question in QUESTIONS]


def held(url: str) -> dict[str, int]:
    """How many rows each table holds."""
    with behind_its_back(url) as connection:
        return {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in metadata.tables}


def spoken(url: str) -> list[str]:
    """All that was said, in order."""
    query = "SELECT text FROM turns JOIN sources ON sources.id = turns.id ORDER BY turns.seq"
    with behind_its_back(url) as connection:
        return [*connection.execute(text(query)).scalars()]


def sound(nacre: Nacre) -> bool:
    return {finding.verdict for finding in nacre.doctor().findings} == {Severity.OK}


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=["-to-".join(pair) for pair in PAIRS])
def test_all_that_a_database_holds_comes_back_on_either(new_database, tmp_path, source, target):
    url, where, file = new_database(source), new_database(target), tmp_path / "a.backup"
    with Nacre(url, settings=WITH_VECTORS) as nacre:
        fill(nacre)
        before = asked(nacre)
        made = nacre.backup(file)

    restored = health.restore_backup(file, where, hush)

    assert made == restored == health.verify_backup(file)
    assert made.counts == held(where) == held(url)
    assert min(made.counts[name] for name in ("scopes", "link_history", "vectors", "audit", "api_keys")) > 0
    assert source != target or rows(where) == rows(url)
    with Nacre(where, settings=WITH_VECTORS) as copy:
        assert sound(copy)
        assert asked(copy) == before
        copy.scope("assistant", user="ana").graph.link("Ana", "likes", value="coffee")
    # Those who note what happens to links are back.
    assert held(where)["link_history"] == made.counts["link_history"] + 1


@pytest.mark.parametrize(("kind", "copy"), [("sqlite", False), ("sqlite", True), ("postgresql", False)])
def test_a_backup_under_writers_is_one_moment_and_holds_all_that_was_acknowledged(new_database, tmp_path, kind, copy):
    url, where, file = new_database(kind), new_database(kind), tmp_path / "a.backup"
    said: list[str] = []
    enough, stop = threading.Event(), threading.Event()

    def talk(nacre: Nacre) -> None:
        for number in count():
            if stop.is_set():
                return
            text = f"Ticket {number} was closed by Ana."
            nacre.scope("assistant", user="ana").observe("user", text, session="s")
            said.append(text)
            if number == 20:
                enough.set()

    with Nacre(url, settings=PLAIN) as nacre:
        talker = threading.Thread(target=talk, args=(nacre,))
        talker.start()
        assert enough.wait(HANGS)
        acknowledged = len(said)
        made = nacre.backup(file, copy=copy)
        stop.set()
        talker.join()
    health.restore_backup(file, where, hush)

    with Nacre(where, settings=PLAIN) as restored:
        assert sound(restored)
        turns = spoken(where)
        assert turns == said[: len(turns)]
        assert len(turns) == made.counts["turns"] >= acknowledged
        hits = restored.scope("assistant", user="ana").recall("Ticket 20", limit=50)
        assert said[20] in [hit.text for hit in hits]


def test_a_byte_that_changed_anywhere_is_found_and_nothing_is_written(filled, tmp_path):
    whole, where = filled.read_bytes(), tmp_path / "new.db"
    places = [0, 1, 3, 5, 9, len(whole) - 1, *random.Random(7).sample(range(len(whole)), 40)]
    for place in places:
        filled.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(Damaged) as refused:
            health.verify_backup(filled)
        assert refused.value.code == "damaged"
    for length in (0, 1, 50, 200, len(whole) // 2, len(whole) - 1):
        filled.write_bytes(whole[:length])
        with pytest.raises(Damaged):
            health.restore_backup(filled, str(where), hush)
    filled.write_bytes(whole + b"x")
    with pytest.raises(Damaged):
        health.restore_backup(filled, str(where), hush)

    assert not where.exists()


def test_files_of_others_are_refused(tmp_path):
    foreign = {
        "notes.txt": b"Dear Bo,\n" * 100,
        "some.gz": gzip.compress(b'{"format": "nacre-scope"}\n' * 100),
        "other.db": b"SQLite format 3\0" + b"x" * 4_000,
    }
    for name, data in foreign.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(Damaged):
            health.restore_backup(tmp_path / name, str(tmp_path / "new.db"), hush)
    with pytest.raises(Invalid, match="is not there"):
        health.verify_backup(tmp_path / "nothing")
    with pytest.raises(Invalid, match="cannot be read"):
        health.verify_backup(tmp_path)
    assert not (tmp_path / "new.db").exists()


def rewritten(file: Path, change: Callable[[list[Any]], object]) -> None:
    """A backup with other lines and a seal that is right."""
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()[:-1]]
    change(lines)
    written = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines]
    body = gzip.compress("".join(written).encode())
    file.write_bytes(body + seal(sha256(body).digest()))


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines.pop(),
        lambda lines: lines.clear(),
        lambda lines: lines.pop(2),
        lambda lines: lines[0]["rows"].update(scopes=7),
        lambda lines: lines[0].pop("made_at"),
        lambda lines: lines[0].update(version=9),
        lambda lines: lines[1].update(table="pg_class"),
        lambda lines: lines[1]["columns"].update(more="text"),
        lambda lines: lines[2].append(1),
        lambda lines: lines[2].__setitem__(0, "no id"),
        lambda lines: lines[-1]["checksums"].update(scopes="0" * 32),
        lambda lines: lines.insert(3, 7),
    ],
)
def test_a_sealed_file_that_makes_no_sense_leaves_nothing_behind(filled, tmp_path, change):
    rewritten(filled, change)
    with pytest.raises(Damaged):
        health.restore_backup(filled, str(tmp_path / "new.db"), hush)
    assert not (tmp_path / "new.db").exists()


def test_a_backup_of_a_newer_version_is_refused(filled, tmp_path):
    rewritten(filled, lambda lines: lines[0].update(schema="9999"))
    with pytest.raises(SchemaTooNew, match="9999"):
        health.restore_backup(filled, str(tmp_path / "new.db"), hush)


def test_a_database_that_holds_something_is_refused(filled, database_url):
    with Nacre(database_url, settings=PLAIN) as nacre:
        nacre.scope("other").observe("user", "I was here first.")
        before = rows(database_url)
        with pytest.raises(Conflict, match="not empty: it holds 1 scopes"):
            health.restore_backup(filled, database_url, hush)
    assert rows(database_url) == before


def test_an_empty_database_of_this_version_is_as_good_as_none(filled, database_url):
    health.restore_backup(filled, database_url, hush)
    assert held(database_url) == health.verify_backup(filled).counts


def test_one_of_another_version_is_refused_even_if_it_is_empty(filled, empty_database_url):
    upgraded(empty_database_url, "0003")
    with pytest.raises(Conflict, match="0003"):
        health.restore_backup(filled, empty_database_url, hush)
    assert migrating.revision_at(empty_database_url) == "0003"


def test_a_restore_that_fails_halfway_leaves_the_database_empty(filled, empty_database_url):
    with pytest.raises(KeyboardInterrupt):
        health.restore_backup(filled, empty_database_url, interrupt)

    assert migrating.revision_at(empty_database_url) is None
    assert "://" in empty_database_url or not Path(empty_database_url).exists()
    health.restore_backup(filled, empty_database_url, hush)
    assert held(empty_database_url) == health.verify_backup(filled).counts


@pytest.mark.parametrize("copy", [False, True], ids=["archive", "copy"])
def test_a_backup_that_fails_halfway_leaves_the_file_that_was_there(sqlite_url, tmp_path, copy):
    file = tmp_path / "backups" / "a.backup"
    file.parent.mkdir()
    file.write_bytes(b"the last one")
    with Nacre(sqlite_url, settings=PLAIN) as nacre:
        fill(nacre)
        with pytest.raises(Conflict, match="there already"):
            nacre.backup(file, copy=copy)
        with pytest.raises(KeyboardInterrupt):
            nacre.backup(file, copy=copy, overwrite=True, progress=interrupt)
        assert (file.read_bytes(), [*file.parent.iterdir()]) == (b"the last one", [file])

        nacre.backup(file, copy=copy, overwrite=True)
    assert health.verify_backup(file).rows > 0
    assert [*file.parent.iterdir()] == [file]
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_copy_is_a_database_of_its_own(sqlite_url, tmp_path):
    with Nacre(sqlite_url, settings=WITH_VECTORS) as nacre:
        fill(nacre)
        before = asked(nacre)
        made = nacre.backup(tmp_path / "copy.db", copy=True)
        assert [path.name for path in tmp_path.glob("copy.db*")] == ["copy.db"]
    assert (made.counts, made.sealed) == (held(sqlite_url), False)

    health.restore_backup(tmp_path / "copy.db", str(tmp_path / "new.db"), hush)
    for name in ("copy.db", "new.db"):
        with Nacre(tmp_path / name, settings=WITH_VECTORS) as copy:
            assert sound(copy)
            assert asked(copy) == before
    with pytest.raises(Conflict, match="there already"):
        health.restore_backup(tmp_path / "copy.db", str(tmp_path / "new.db"), hush)
    with pytest.raises(Invalid, match="must be a file"):
        health.restore_backup(tmp_path / "copy.db", "postgresql://nowhere/x", hush)
    (tmp_path / "copy.db").write_bytes((tmp_path / "copy.db").read_bytes()[:-5_000])
    with pytest.raises(Damaged):
        health.restore_backup(tmp_path / "copy.db", str(tmp_path / "newer.db"), hush)
    assert not (tmp_path / "newer.db").exists()


def test_only_sqlite_is_copied(postgres_url, tmp_path):
    with Nacre(postgres_url, settings=PLAIN) as nacre, pytest.raises(Invalid, match="SQLite"):
        nacre.backup(tmp_path / "copy.db", copy=True)
    assert [*tmp_path.iterdir()] == []


def test_a_database_in_memory_can_be_backed_up_but_not_restored_into(tmp_path):
    with Nacre(":memory:", settings=PLAIN) as nacre:
        nacre.scope("a").remember("Tea.")
        nacre.backup(tmp_path / "a.backup")
        nacre.backup(tmp_path / "a.db", copy=True)
    assert health.verify_backup(tmp_path / "a.backup").counts == health.verify_backup(tmp_path / "a.db").counts
    with pytest.raises(Invalid, match="in memory"):
        health.restore_backup(tmp_path / "a.backup", ":memory:", hush)


def test_a_backup_changes_no_schema(empty_database_url, tmp_path):
    """An older one is copied as it is, or backed up by the version that wrote it."""
    with pytest.raises(Misconfigured, match="no database"):
        health.write_backup_at(empty_database_url, tmp_path / "a.backup", copy=False, overwrite=False, tell=hush)
    upgraded(empty_database_url, "0002")
    with pytest.raises(Misconfigured, match="0002"):
        health.write_backup_at(empty_database_url, tmp_path / "a.backup", copy=False, overwrite=False, tell=hush)
    if "://" not in empty_database_url:
        made = health.write_backup_at(empty_database_url, tmp_path / "copy.db", copy=True, overwrite=False, tell=hush)
        assert made.schema == "0002"
        health.restore_backup(tmp_path / "copy.db", str(tmp_path / "new.db"), hush)
        assert migrating.revision_at(tmp_path / "new.db") == migrating.HEAD
    assert migrating.revision_at(empty_database_url) == "0002"
