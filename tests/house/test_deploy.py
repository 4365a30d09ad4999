"""The examples in `deploy/` name commands, settings, extras and routes that are there."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from nacre import Settings
from nacre.cli.app import app
from nacre.http import health

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
COMMANDS: Any = typer.main.get_command(app)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VARIABLES = {f"NACRE_{name.upper()}" for name in Settings.model_fields}


def named_settings(text: str) -> set[str]:
    return set(re.findall(r"\bNACRE_[A-Z_]+", text)) - {"NACRE_CONFIG"}


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_every_setting_that_an_example_names_is_one(path):
    assert named_settings(path.read_text()) <= VARIABLES


def test_the_example_of_a_settings_file_is_right(monkeypatch):
    monkeypatch.setenv("NACRE_CONFIG", str(DEPLOY / "nacre.toml"))

    assert (Settings().workers, Settings().worker, Settings().auth) == (4, "off", "team")


def unit(path: Path) -> RawConfigParser:
    found = RawConfigParser(strict=False)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read_string(path.read_text())
    return found


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_is_there(path):
    program, *words = unit(path)["Service"]["ExecStart"].split()

    assert Path(program).name == "nacre"
    assert words[0] == "--config"
    assert "--config" in {option for each in COMMANDS.params for option in each.opts}
    assert words[2] in COMMANDS.commands


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_systemd_finds_nothing_wrong_with_a_unit(path, tmp_path):
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("There is no systemd-analyze here.")
    copy = tmp_path / path.name.replace("@", "@1")
    # Whether the program is installed where the unit says is not the unit's fault.
    copy.write_text(path.read_text().replace("/opt/nacre/bin/nacre", sys.executable))

    checked = subprocess.run(
        [analyze, "verify", "--man=no", str(copy)], check=False, capture_output=True, text=True, timeout=60
    )

    assert [line for line in checked.stderr.splitlines() if path.name.partition(".")[0].rstrip("@") in line] == []


def test_the_container_runs_a_command_as_nobody_and_asks_a_route_for_its_health():
    text = (DEPLOY / "Containerfile").read_text()
    steps = dict(re.findall(r"^(USER|ENTRYPOINT|CMD) (.+)$", text, re.MULTILINE))
    pyproject = PROJECT

    assert int(steps["USER"]) > 0
    assert json.loads(steps["ENTRYPOINT"])[0] in pyproject["scripts"]
    assert json.loads(steps["CMD"])[0] in COMMANDS.commands
    asked = set(re.findall(r"127\.0\.0\.1:8765(/[\w/]+)", text))
    assert asked <= {route.path for route in health.router.routes}  # type: ignore[attr-defined]
    assert asked


def test_the_composed_services_run_commands_that_are_there():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    ours = {name: each for name, each in services.items() if each["image"] == "nacre"}

    assert set(ours) == {"server", "worker", "backup"}
    assert {ours[name]["command"][0] for name in ("server", "worker")} <= set(COMMANDS.commands)
    assert re.findall(r"nacre (\w+) (\w+)", ours["backup"]["command"][0]) == [("db", "backup")]
    assert "backup" in COMMANDS.commands["db"].commands
    assert all(each["read_only"] and each["cap_drop"] == ["ALL"] for each in ours.values())


def test_the_image_is_built_from_a_lock_that_holds_its_extras_as_the_other_locks_do():
    text = (DEPLOY / "Containerfile").read_text()
    extras = re.findall(r"with the extras ([\w, ]+)\.", text)[0].replace(" and ", ", ").split(", ")
    wanted = [*PROJECT["dependencies"], *(each for extra in extras for each in PROJECT["optional-dependencies"][extra])]
    names = {re.split(r"[\[<>=]", each)[0].lower().replace("_", "-") for each in wanted}
    server, base, dev = (_locked(name) for name in ("-server", "", "-dev"))

    assert "--require-hashes --requirement /requirements-server.lock" in text
    assert names <= set(server)
    assert base.items() <= server.items() <= dev.items()


def test_what_an_image_is_built_from_is_there_and_is_all_that_is_sent():
    listed = (ROOT / ".dockerignore").read_text().splitlines()

    assert listed[1] == "*"
    assert all((ROOT / line[1:]).exists() for line in listed if line.startswith("!"))
    sent = tuple(line[1:] for line in listed if line.startswith("!"))
    assert all(each.startswith(sent) for each in PROJECT["license-files"])


def test_alerts_name_metrics_that_the_page_lists():
    rules = yaml.safe_load((DEPLOY / "nacre-alerts.yml").read_text())["groups"][0]["rules"]
    named = {name for rule in rules for name in re.findall(r"\bnacre_[a-z_]+", rule["expr"])}
    page = (ROOT / "docs/operations.md").read_text()

    assert {name.removesuffix("_bucket") for name in named} <= set(re.findall(r"`(nacre_[a-z_]+)`", page))


def _locked(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / f"requirements{lock}.lock").read_text(), re.MULTILINE))
