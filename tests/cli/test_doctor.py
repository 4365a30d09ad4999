"""`nacre doctor` and `nacre db`, on both databases."""

import json

import pytest

from nacre import Nacre, Settings
from nacre.store.base import migrating
from nacre.store.maintenance import distribution
from nacre.store.tables.schema import metadata
from tests.upkeep.planting import plant, upgraded


@pytest.fixture
def brain(database_url):
    """A brain with a link, and its address."""
    with Nacre(database_url, settings=Settings(worker="off", embedder="off")) as nacre:
        scope = nacre.scope("assistant")
        scope.remember("Ana drinks tea.")
        scope.graph.link("Nacre", "uses", "SQLite")
    return database_url


@pytest.mark.spec("S20")
def test_the_doctor_finds_an_index_mismatch_and_a_dangling_link_and_puts_them_right(nacre_command, brain):
    plant(
        brain,
        "DELETE FROM passages WHERE kind = 'memory'",
        "UPDATE entities SET status = 'archived' WHERE name = 'SQLite'",
    )

    found = nacre_command("doctor", "--database", brain)
    told = json.loads(nacre_command("doctor", "--database", brain, "--json").out)
    repaired = nacre_command("doctor", "--database", brain, "--repair")
    again = nacre_command("doctor", "--database", brain)

    assert (found.code, repaired.code, again.code) == (1, 0, 0)
    broken = [line.split("\t")[1] for line in found.out.splitlines() if line.startswith("broken")]
    assert broken == ["missing passages", "links"]
    assert [each["name"] for each in told["findings"] if each["verdict"] == "broken"] == broken
    assert repaired.out.count("Repaired 1.") == 2
    assert {line.split("\t")[0] for line in again.out.splitlines()} == {"ok"}
    assert "tea" in nacre_command("recall", "tea", "--database", brain).out


@pytest.mark.spec("S20")
def test_the_doctor_finds_an_unapplied_migration_and_applies_it(nacre_command, empty_database_url):
    upgraded(empty_database_url, "0002")

    found = nacre_command("doctor", "--database", empty_database_url)
    checked = nacre_command("db", "check", "--database", empty_database_url)
    assert (found.code, checked.code) == (1, 1)
    assert found.out.startswith("broken\tschema\tThe schema is at 0002")
    assert migrating.revision_at(empty_database_url) == "0002"
    repaired = nacre_command("doctor", "--database", empty_database_url, "--repair")

    assert repaired.code == 0
    assert repaired.out.startswith("ok\tschema\tRepaired 1. The schema was brought from 0002")
    assert migrating.revision_at(empty_database_url) == migrating.HEAD


@pytest.mark.spec("S20")
def test_migrating_says_from_where_to_where(nacre_command, empty_database_url):
    upgraded(empty_database_url, "0001")

    done = nacre_command("db", "migrate", "--database", empty_database_url)
    again = json.loads(nacre_command("db", "migrate", "--database", empty_database_url, "--json").out)

    assert done.out == f"0001 → {migrating.HEAD}\n"
    assert again == {"before": migrating.HEAD, "after": migrating.HEAD}
    assert nacre_command("db", "migrate", "--database", empty_database_url).out == f"Already at {migrating.HEAD}.\n"


def test_a_new_database_is_made_by_migrating_and_by_nothing_else_here(nacre_command, tmp_path):
    for command in (("doctor",), ("db", "check"), ("doctor", "--repair")):
        refused = nacre_command(*command)
        assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "nacre.db").exists()

    assert nacre_command("db", "migrate").out == f"nothing → {migrating.HEAD}\n"
    assert nacre_command("doctor").code == 0


@pytest.mark.spec("S20")
def test_a_check_looks_at_the_database_and_changes_nothing(nacre_command, brain):
    assert nacre_command("db", "check", "--database", brain).code == 0
    plant(brain, "DROP INDEX links_from")

    checked = nacre_command("db", "check", "--database", brain)
    again = nacre_command("db", "check", "--database", brain)

    assert (checked.code, again.code) == (1, 1)
    assert "links_from" in checked.out
    assert "storage" not in checked.out


def test_a_newer_schema_is_told_in_a_line(nacre_command, brain):
    plant(brain, "UPDATE alembic_version SET version_num = '9999'")

    found = nacre_command("doctor", "--database", brain, "--repair")

    assert (found.code, found.out.count("\n")) == (1, 1)
    assert "Upgrade Nacre" in found.out


@pytest.mark.spec("S20")
def test_every_table_is_distributed_by_its_scope_beside_all_others(nacre_command):
    """That the statements are all there and the keys allow it can be proven without Citus."""
    shown = nacre_command("db", "distribute", "--dry-run")
    statements = json.loads(nacre_command("db", "distribute", "--dry-run", "--json").out)["statements"]

    assert shown.out == "".join(f"{each};\n" for each in statements)
    assert statements == distribution.statements()
    order = [name for each in statements for name in metadata.tables if f"create_distributed_table('{name}'," in each]
    assert sorted(order) == sorted(metadata.tables)
    first, *others = [each for each in statements if "create_distributed_table" in each]
    assert "colocate_with => 'none'" in first
    assert all("colocate_with => 'scopes'" in each for each in others)
    assert all("'scope_id'" in each for each in (first, *others))
    for table in metadata.tables.values():
        for constraint in table.foreign_key_constraints:
            assert order.index(constraint.referred_table.name) <= order.index(table.name)
            first = constraint.elements[0]
            assert (first.parent.name, first.column.name) == ("scope_id", "scope_id")
        for index in table.indexes:
            assert not index.unique or next(iter(index.columns)).name == "scope_id"


def test_without_citus_nothing_is_distributed(nacre_command, brain):
    refused = nacre_command("db", "distribute", "--database", brain)

    assert (refused.code, refused.out) == (2, "")
    assert "Citus" in refused.err


def test_large_scopes_are_indexed_by_a_command(nacre_command, brain):
    found = nacre_command("db", "index", "--database", brain)

    if brain.startswith("postgresql"):
        assert (found.code, found.out) == (0, "Every scope that is too large for memory has the indexes it can have.\n")
    else:
        assert (found.code, found.out) == (2, "")
        assert "PostgreSQL" in found.err
