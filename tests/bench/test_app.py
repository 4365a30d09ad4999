"""The commands as a person calls them."""

import json

import pytest
from typer.testing import CliRunner

from bench import results
from bench.app import app

runner = CliRunner()


@pytest.mark.parametrize(
    "command", ["quality", "context", "speed", "graph", "aliases", "compare", "peers", "load", "kills"]
)
def test_every_command_explains_itself(command):
    said = runner.invoke(app, [command, "--help"])

    assert said.exit_code == 0
    assert "Options:" in said.output


def test_missing_data_ends_with_code_2_and_one_sentence(tmp_path):
    said = runner.invoke(app, ["quality", "--set", "locomo", "--data", str(tmp_path)])

    assert said.exit_code == 2
    assert said.stdout == ""
    assert said.stderr.startswith("No `locomo-dev.json` in ")


def test_a_sample_is_not_published(tmp_path):
    said = runner.invoke(app, ["quality", "--questions", "3", "--publish", "--data", str(tmp_path)])

    assert said.exit_code == 2


def test_compare_needs_two_results(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"no": "result"}), encoding="utf-8")

    said = runner.invoke(app, ["compare", str(tmp_path / "a.json"), str(tmp_path / "a.json")])

    assert said.exit_code == 2


def test_results_lie_under_bench():
    assert results.FOLDER.parent.name == "bench"
