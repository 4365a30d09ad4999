"""`nacre db backup` and `nacre db restore`, as a person uses them."""

import json

import pytest

from nacre import Nacre, Settings
from nacre.cli.db import ProgressPrinter
from tests.upkeep.planting import upgraded


@pytest.fixture
def brain(database_url):
    """The address of a brain that remembers something."""
    with Nacre(database_url, settings=Settings(worker="off", embedder="off")) as nacre:
        nacre.scope("assistant").remember("Ana drinks tea.")
    return database_url


def test_a_backup_is_made_looked_over_and_restored(nacre_command, brain):
    made = nacre_command("db", "backup", "a.backup", "--database", brain)
    looked = nacre_command("db", "restore", "--verify", "a.backup")
    restored = nacre_command("db", "restore", "a.backup", "--database", "copy.db", "--json")

    assert (made.code, made.err) == (0, "")
    assert "Every byte is as it was written." in made.out
    assert looked.out == made.out
    assert json.loads(restored.out)["counts"]["memories"] == 1
    assert "tea" in nacre_command("recall", "tea", "--database", "copy.db").out
    assert nacre_command("doctor", "--database", "copy.db").code == 0


def test_what_cannot_be_done_is_one_line(nacre_command, brain, tmp_path):
    nacre_command("db", "backup", "a.backup", "--database", brain)
    (tmp_path / "torn.backup").write_bytes((tmp_path / "a.backup").read_bytes()[:-1])
    refusals = {
        ("backup", "a.backup", "--database", brain): (1, "there already"),
        ("backup", "b.backup", "--database", "nothing.db"): (2, "no database"),
        ("restore", "a.backup", "--database", brain): (1, "not empty"),
        ("restore", "torn.backup", "--database", "new.db"): (1, "cut or changed"),
        ("restore", "torn.backup", "--verify"): (1, "cut or changed"),
        ("restore", "missing.backup"): (2, "is not there"),
    }
    for words, (code, told) in refusals.items():
        refused = nacre_command("db", *words)
        assert (refused.code, refused.out, refused.err.count("\n")) == (code, "", 1), words
        assert told in refused.err
    left = {path.name for path in tmp_path.iterdir() if not path.name.startswith("brain.db")}
    assert left == {"a.backup", "torn.backup"}
    assert nacre_command("db", "backup", "a.backup", "--overwrite", "--database", brain).code == 0


def test_a_copy_opens_as_it_is_and_an_older_schema_is_left_alone(nacre_command, tmp_path):
    upgraded(str(tmp_path / "old.db"), "0002")

    refused = nacre_command("db", "backup", "a.backup", "--database", "old.db")
    copied = nacre_command("db", "backup", "copy.db", "--copy", "--database", "old.db", "--json")

    assert (refused.code, "0002" in refused.err) == (2, True)
    assert json.loads(copied.out)["schema"] == "0002"
    assert nacre_command("db", "migrate", "--database", "copy.db").out.startswith("0002 →")
    assert nacre_command("db", "migrate", "--database", "old.db").out.startswith("0002 →")


def test_a_long_backup_tells_how_far_it_is(capfd):
    tell = ProgressPrinter()
    for done in range(0, 100_001, 1_000):
        tell(done, 100_000)
    ProgressPrinter()(10, 10)

    assert capfd.readouterr().err.splitlines() == [f"{tenth}0 % …" for tenth in range(1, 11)]
