"""The commands, in one process and as processes."""

import json
import subprocess
import sys

import pytest

from nacre import Nacre, Settings, __version__
from nacre.domain.plain import plain


def test_what_is_observed_can_be_recalled(nacre_command):
    assert nacre_command("observe", "I like tea", "--speaker", "Ana").out.startswith("Observed ")

    recalled = nacre_command("recall", "tea")

    score, when, kind, who, what = recalled.out.rstrip("\n").split("\t")
    assert (recalled.code, kind, who, what) == (0, "turn", "Ana", "I like tea")
    assert 0 < float(score) <= 1
    assert when.endswith("Z")


def test_json_is_the_json_of_the_value(nacre_command):
    observed = json.loads(nacre_command("observe", "I like tea", "--session", "s1", "--json").out)
    remembered = json.loads(
        nacre_command("remember", "Tea, no sugar", "--tag", "a", "--tag", "b", "--metadata", "k=v=w", "--json").out
    )
    recalled = json.loads(nacre_command("recall", "tea", "--explain", "--json").out)
    context = json.loads(nacre_command("context", "tea", "--json").out)

    assert observed["session"] == "s1"
    assert (remembered["memory"]["tags"], remembered["memory"]["metadata"]) == (["a", "b"], {"k": "v=w"})
    with Nacre("nacre.db", settings=Settings(embedder="off")) as brain:
        scope = brain.scope("assistant")
        assert recalled == plain(scope.recall("tea", explain=True))
        assert context == plain(scope.context("tea"))


def test_version_prints_the_version_alone(nacre_command):
    assert nacre_command("version").out == f"{__version__}\n"
    assert json.loads(nacre_command("version", "--json").out) == {"version": __version__}


def test_no_command_shows_the_help(nacre_command):
    shown = nacre_command()

    assert shown.code == 0
    assert all(name in shown.out for name in ("observe", "recall", "context", "remember", "serve", "version"))
    assert nacre_command("--help", "recall").out == shown.out


@pytest.mark.parametrize("arguments", [("observe",), ("observe", "-"), ("remember", "-")])
def test_text_comes_from_standard_input(nacre_command, arguments):
    assert nacre_command(*arguments, stdin="Grüße aus 東京\nsecond line\n".encode()).code == 0

    assert (
        json.loads(nacre_command("recall", "Grüße", "--json").out)["hits"][0]["text"] == "Grüße aus 東京\nsecond line"
    )


def test_piped_hits_are_one_line_each(nacre_command):
    nacre_command("observe", "tea\nwith\tmilk")
    nacre_command("observe", "tea " + "long " * 100)

    assert [line.count("\t") for line in nacre_command("recall", "tea").out.splitlines()] == [4, 4]


def test_hits_on_a_terminal_are_a_table(nacre_command, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    nacre_command("observe", "I like [bold]tea[/bold]", "--speaker", "Ana")

    shown = nacre_command("recall", "tea", "--explain").out

    assert "score" in shown
    assert "\x1b[" in shown
    assert "I like [bold]tea[/bold]" in shown
    assert "lexical" in shown


@pytest.mark.parametrize("colour", ["0", "1"])
def test_recalled_text_cannot_steer_the_terminal(nacre_command, monkeypatch, colour):
    if colour == "1":
        monkeypatch.setenv("FORCE_COLOR", "1")
    nacre_command("observe", "tea \x1b]0;owned\x07 \x9b31m red")

    for shown in (nacre_command("recall", "tea").out, nacre_command("context", "tea", "--min-score", "0").out):
        assert "\x1b]" not in shown
        assert "\x9b" not in shown
        assert "owned" in shown


def test_nothing_found_is_said_aside(nacre_command):
    shown = nacre_command("recall", "tea")

    assert (shown.code, shown.out, shown.err) == (0, "", "Nothing found.\n")


def test_options_may_stand_before_or_after_the_command(nacre_command):
    nacre_command("--database", "a.db", "--user", "ana", "observe", "tea")

    assert "tea" in nacre_command("recall", "tea", "--database", "a.db", "--user", "ana").out
    assert "tea" in nacre_command("--database", "b.db", "recall", "tea", "--database", "a.db", "--user", "ana").out
    assert nacre_command("recall", "tea", "--database", "a.db").out == ""


def test_the_environment_chooses_what_no_option_does(nacre_command, monkeypatch):
    monkeypatch.setenv("NACRE_DATABASE", "env.db")
    monkeypatch.setenv("NACRE_AGENT", "helper")
    monkeypatch.setenv("NACRE_USER", "ana")
    monkeypatch.setenv("NACRE_CHAT", "c1")
    nacre_command("observe", "tea")

    assert "tea" in nacre_command("recall", "tea").out
    assert nacre_command("recall", "tea", "--user", "bob").out == ""
    chosen = ("--database", "env.db", "--agent", "helper", "--user", "ana", "--chat", "c1")
    assert "tea" in nacre_command("recall", "tea", *chosen).out


def test_times_without_a_zone_are_local(nacre_command, monkeypatch):
    nacre_command("observe", "tea", "--at", "2026-05-03T10:00:00Z")

    assert "tea" in nacre_command("recall", "tea", "--since", "2026-05-01", "--until", "2026-05-05").out
    assert nacre_command("recall", "tea", "--since", "2026-05-05").out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("frobnicate",),
        ("recall",),
        ("recall", "x", "--limit", "0"),
        ("recall", "x", "--limit", "many"),
        ("recall", "x", "--kind", "feeling"),
        ("recall", "x", "--min-score", "2"),
        ("recall", "x", "--min-score", "high"),
        ("recall", "x", "--category", "a//b"),
        ("context", "x", "--min-score", "-1"),
        ("context", "x", "--seen", "never"),
        ("context", "x", "--block", "everything"),
        ("recall", "x", "--since", "yesterday"),
        ("recall", "x", "--since", "2026-05-03", "--until", "2026-05-01"),
        ("recall", "x", "--user", ""),
        ("observe", "  "),
        ("observe", "x", "--role", "robot"),
        ("observe", "broken \udcff"),
        ("remember", "x", "--category", "a b"),
        ("remember", "x", "--metadata", "novalue"),
        ("context", "x", "--budget", "0"),
        ("recall", "x", "--database", "missing/folder/brain.db"),
        ("recall", "x", "--database", "notes.txt"),
        ("serve", "--host", "0.0.0.0"),
        ("serve", "--host", "192.168.1.5"),
        ("serve", "--port", "70000"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(nacre_command, tmp_path, arguments):
    (tmp_path / "notes.txt").write_text("These are notes, not a database. " * 100)

    failed = nacre_command(*arguments)

    assert (failed.code, failed.out) == (2, "")
    assert failed.err.startswith("error: ")
    assert failed.err.count("\n") == 1


def test_input_that_is_not_utf8_is_refused(nacre_command):
    failed = nacre_command("observe", stdin=b"caf\xe9")

    assert (failed.code, failed.err) == (2, "error: `text` is not UTF-8: byte 3 cannot be read.\n")


def test_input_without_end_is_not_read_whole(nacre_command):
    failed = nacre_command("observe", stdin="é".encode() * 2_500_000)

    assert (failed.code, failed.err) == (2, "error: `text` is longer than 1,000,000 characters.\n")


def test_a_wrong_setting_is_exit_code_2(nacre_command, monkeypatch):
    monkeypatch.setenv("NACRE_INDEX_MEMORY_MB", "lots")

    assert nacre_command("recall", "x").code == 2


def test_a_database_that_does_not_answer_is_exit_code_1(nacre_command):
    failed = nacre_command("recall", "x", "--database", "postgresql://nobody@127.0.0.1:1/nothing")

    assert (failed.code, failed.out) == (1, "")
    assert failed.err.startswith("error: The database does not answer")
    assert "127.0.0.1" in failed.err
    assert failed.err.count("\n") == 1


def test_commands_import_neither_the_server_nor_rules_that_a_question_does_not_need():
    heavy = (
        "fastapi",
        "starlette",
        "uvicorn",
        "nacre.extraction.rule_extraction",
        "nacre.memory.frames",
        "nacre.recall.contexts",
        "nacre.text.amounts",
        "nacre.upkeep.passes",
    )
    found = f"[name for name in {heavy} if name in sys.modules]"

    shown = python("-c", f"import sys, nacre.cli.app; print({found})")

    assert shown.stdout == "[]\n"


def test_python_m_nacre_pipes_like_any_tool(nacre_command):
    observed = python("-m", "nacre", "observe", "--json", stdin="Ça va, 你好?\n")
    recalled = nacre_command("recall", "你好", "--json")
    failed = python("-m", "nacre", "recall", "x", "--limit", "0")

    assert json.loads(recalled.out)["hits"][0]["id"] == json.loads(observed.stdout)["id"]
    assert (failed.returncode, failed.stderr) == (2, "error: `limit` must be from 1 to 1,000, not 0.\n")


def python(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run another Python the way a shell would."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=False, input=stdin, capture_output=True, text=True, encoding="utf-8")
