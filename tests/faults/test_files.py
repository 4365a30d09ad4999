"""Database files that are deleted, replaced or damaged while they are open."""

import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from nacre import Misconfigured, Nacre, NacreError, Settings

SETTINGS = Settings(worker="off", embedder="off", extraction="rules", rerank="off")


def delete(file: Path, _copy: Path) -> None:
    for each in file.parent.glob(f"{file.name}*"):
        each.unlink()


def replace(file: Path, copy: Path) -> None:
    copy.replace(file)


def move(file: Path, _copy: Path) -> None:
    file.rename(file.with_suffix(".old"))


@pytest.mark.parametrize("change", [delete, replace, move])
def test_a_file_that_is_no_longer_there_is_not_written_to(tmp_path, change):
    file, copy = tmp_path / "brain.db", tmp_path / "copy.db"
    with Nacre(file, settings=SETTINGS) as nacre:
        scope = nacre.scope("a", user="ana")
        scope.observe("user", "storm near the harbour")
        nacre.backup(copy, copy=True)
        change(file, copy)
        for write in (
            lambda: scope.observe("user", "storm"),
            lambda: scope.remember("storm"),
            lambda: scope.graph.add("Storm"),
        ):
            with pytest.raises(Misconfigured, match="deleted or replaced"):
                write()


def test_whoever_meets_damage_writes_no_more(tmp_path):
    """Each page of a table is overwritten in turn; once a page was read that makes no sense, every write is refused."""
    sound = tmp_path / "sound.db"
    with Nacre(sound, settings=SETTINGS) as nacre:
        scope = nacre.scope("a", user="ana")
        for number in range(30):
            scope.remember(f"Box {number} stands in drawer {number * 7919}.")
    with sqlite3.connect(sound) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    met = 0
    for page in range(2, sound.stat().st_size // size, 12):
        file = tmp_path / f"{page}.db"
        shutil.copy(sound, file)
        with file.open("r+b") as opened:
            opened.seek(page * size)
            opened.write(b"\xa5" * size)
        with suppress(Misconfigured), Nacre(file, settings=SETTINGS) as nacre:
            scope = nacre.scope("a", user="ana")
            try:
                scope.memories.search(limit=100)
                scope.recall("box drawer")
                scope.history(limit=100)
            except NacreError:
                met += 1
                with pytest.raises(Misconfigured, match="damaged"):
                    scope.observe("user", "storm near the harbour")
    assert met


def test_damage_is_told_in_a_line_and_not_as_a_fault_of_each_turn(tmp_path, caplog):
    """What cannot be learned for the file's sake is no turn's fault: none is passed over, and no chain is printed."""
    file = tmp_path / "brain.db"
    settings = Settings(worker="off", embedder="off")
    with Nacre(file, settings=settings) as nacre:
        scope = nacre.scope("a", user="ana")
        for number in range(30):
            scope.observe("user", f"Text {number} about the boat Ines {number}")
        scope.learned()
    with Nacre(file, settings=settings) as nacre:
        scope = nacre.scope("a", user="ana")
        scope.recall("boat")
        scope.observe("user", "I live in Rome now")
        with file.open("r+b") as opened:
            opened.truncate(200_000)
        for _ in range(3):
            with pytest.raises(Misconfigured, match=r"malformed|damaged"):
                scope.recall("Rome")

    assert not [each for each in caplog.records if each.exc_info]
    told = [each.getMessage() for each in caplog.records]
    assert len(told) == len(set(told))
