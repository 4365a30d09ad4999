"""A cluster on loopback: what is said where Citus is missing, and what is deleted. What it is for needs a real one."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.app import app
from bench.citus import CitusCluster

runner = CliRunner()


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """The programs of a PostgreSQL without Citus, as far as they are asked."""
    made = tmp_path / "bin"
    made.mkdir()
    for name in ("initdb", "pg_config"):
        (made / name).write_text(f"#!/bin/sh\necho {tmp_path}\n", encoding="utf-8")
        (made / name).chmod(0o755)
    return made


@pytest.mark.parametrize(
    ("there", "told"), [(False, "No PostgreSQL is in"), (True, "has no extension `citus`")], ids=["nothing", "no Citus"]
)
def test_what_is_missing_is_told_in_a_sentence(programs, tmp_path, there, told):
    found = programs if there else tmp_path / "nowhere"
    said = runner.invoke(app, ["citus", "start", "--postgres", str(found), "--folder", str(tmp_path / "nodes")])

    assert (said.exit_code, said.stdout) == (2, "")
    assert told in said.stderr
    assert "docs/scale.md" in said.stderr
    assert not (tmp_path / "nodes").exists()


def test_only_what_a_node_wrote_is_deleted(programs, tmp_path):
    cluster = CitusCluster(programs, tmp_path)
    for name in ("coordinator", "worker-1"):
        (tmp_path / name).mkdir()
    (tmp_path / "coordinator" / "PG_VERSION").write_text("18", encoding="utf-8")

    cluster.close()

    assert sorted(each.name for each in tmp_path.iterdir()) == ["bin", "worker-1"]
