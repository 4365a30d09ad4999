"""Every command: it has help, it speaks JSON, and its examples are real."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from nacre import ScopedNacre
from nacre.cli.app import app
from tests.waits import HANGS

# They speak protocols of their own on standard output.
PROTOCOLS = {"hook", "mcp"}
# They stay, or leave a process behind.
LASTING = {"open", "serve", "up", "worker"}
ROOT: Any = typer.main.get_command(app)


def walk(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every group and every command, with the words that lead to it."""
    yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from walk(each, (*path, name))


EVERY = dict(walk(ROOT))
COMMANDS = {path: each for path, each in EVERY.items() if not hasattr(each, "commands")}
GROUPS = {path: each for path, each in EVERY.items() if hasattr(each, "commands") and path}


def named(path: tuple[str, ...]) -> str:
    return " ".join(path)


def options_of(command: Any) -> set[str]:
    return {option for each in command.params for option in each.opts}


@pytest.mark.spec("S20")
def test_every_command_speaks_json():
    silent = [path for path, each in COMMANDS.items() if "--json" not in options_of(each)]
    assert {named(path) for path in silent} == PROTOCOLS


@pytest.mark.spec("S20")
def test_every_command_and_all_that_it_takes_has_a_line_of_help():
    assert [path for path, each in EVERY.items() if not (each.help or "").splitlines()[:1]] == []
    assert [path for path, each in COMMANDS.items() if not each.help.splitlines()[0].endswith(".")] == []
    taken = [(path, each.name) for path, command in COMMANDS.items() for each in command.params if not each.help]
    assert taken == []


@pytest.mark.spec("S20")
def test_the_documented_families_are_there():
    knowledge = "entities entity tree aspects groups claims attributes hygiene stats health communities expand"
    ontology = {
        "entity": "create rename archive merge pin unpin alias",
        "claim": "add set supersede archive restore versions evidence explain",
        "aspect": "create rename archive",
        "link": "create update archive evidence history",
        "stream": "apply",
        "assertion": "list add show link-claim archive supersede",
        "proposals": "list show evidence apply reject conflicts merge-plan repair",
        "operations": "apply batch",
    }
    others = (
        "memory working dream jobs token db doctor extract history undo sessions summaries agent vault export import"
    )
    assert {("knowledge", name) for name in f"{knowledge} dependencies pinned constellation".split()} <= set(EVERY)
    wanted = {("ontology", family, name) for family, names in ontology.items() for name in names.split()}
    assert wanted <= set(EVERY)
    assert {("ontology", "extract"), ("ontology", "consolidate")} <= set(EVERY)
    assert ("ontology", "proposals", "repair", "duplicates") in EVERY
    assert {(name,) for name in others.split()} <= set(EVERY)
    assert {("db", name) for name in ("migrate", "check", "backup", "restore", "distribute")} <= set(EVERY)


@pytest.mark.spec("S20")
def test_every_write_can_be_tried_proposed_and_explained():
    changing = {path for path in COMMANDS if path[0] == "ontology" and "--actor" in options_of(COMMANDS[path])}
    # These only ever change what waits for review, or decide on it.
    changing -= {path for path in changing if path[1] in ("proposals", "extract", "consolidate")}
    assert len(changing) > 25
    for path in changing:
        assert {"--dry-run", "--propose"} <= options_of(COMMANDS[path]), path
        # Where operations come in a file, each brings its own reason.
        assert "--reason" in options_of(COMMANDS[path]) or path[1] in ("stream", "operations"), path


def test_a_group_alone_shows_its_help_and_examples(nacre_command):
    for path in GROUPS:
        shown = nacre_command(*path)
        assert (shown.code, shown.err) == (0, "")
        assert "Commands:" in shown.out
        assert "Examples:" in shown.out, path


def examples() -> list[str]:
    lines = [line.strip() for group in GROUPS.values() for line in (group.epilog or "").splitlines()]
    return [line for line in lines if line.startswith("nacre ")]


def test_every_example_is_a_command_with_such_options(nacre_command):
    for example in examples():
        shown = nacre_command(*shlex.split(example)[1:], "--help")
        assert (shown.code, shown.err) == (0, ""), example


ALONE = [
    path
    for path, each in COMMANDS.items()
    if not any(param.required for param in each.params) and path[0] not in LASTING | PROTOCOLS
]


def test_a_command_on_an_empty_brain_is_json_or_one_line(nacre_command, sqlite_pattern):
    shutil.copy(sqlite_pattern, "nacre.db")
    assert len(ALONE) > 25
    for path in ALONE:
        ran = nacre_command(*path, "--json")
        if ran.code == 0:
            json.loads(ran.out)
        else:
            assert (ran.out, ran.err[:7], ran.err.count("\n")) == ("", "error: ", 1), path


@pytest.mark.spec("S20")
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_offers_commands_and_installs_nothing_unasked(tmp_path, quick_nacre, shell):
    words = {"COMP_WORDS": "nacre ontology cl", "COMP_CWORD": "2", "_TYPER_COMPLETE_ARGS": "nacre ontology cl"}

    environment = {**os.environ, "HOME": str(tmp_path), "_NACRE_COMPLETE": f"complete_{shell}", **words}
    offered = subprocess.run(quick_nacre, check=False, capture_output=True, text=True, env=environment, timeout=HANGS)

    assert "claim" in offered.stdout
    assert "entity" not in offered.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_reader_who_closes_the_pipe_gets_no_traceback(nacre_command):
    for number in range(5):
        nacre_command("remember", f"Memory {number} " + "with many words " * 2_000)
    pipe = f"{shlex.quote(sys.executable)} -m nacre memory list --json | head -c 10"

    ran = subprocess.run(["bash", "-c", pipe], check=False, capture_output=True, text=True, timeout=HANGS)

    assert (len(ran.stdout), ran.stderr) == (10, "")


def test_an_interrupt_is_no_traceback(nacre_command, monkeypatch):
    def stop(*_given: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ScopedNacre, "observe", stop)

    ran = nacre_command("observe", "tea")

    assert (ran.code, ran.out, ran.err) == (130, "", "")


def test_tables_on_a_terminal_have_colours_unless_none_are_wanted(nacre_command, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    nacre_command("remember", "Ana \x1b[31mlikes tea")

    coloured = nacre_command("memory", "list").out
    monkeypatch.setenv("NO_COLOR", "1")
    plain = nacre_command("memory", "list").out

    assert "\x1b[36m" in coloured
    assert "\x1b[3" not in plain
    assert "content" in plain
    assert "�[31mlikes tea" in plain


def test_the_page_names_every_command():
    page = (Path(__file__).parents[2] / "docs/cli.md").read_text()
    # The vault has a page of its own.
    told = {path for path in COMMANDS if f"`{path[-1]}`" in page or f"{named(path[-2:])}`" in page}
    assert {path for path in COMMANDS if path[0] != "vault"} - told == set()
