"""A hook never breaks its client, and a background server answers hooks and commands."""

import json
import shlex
import subprocess
import sys
from functools import partial
from threading import Thread
from time import sleep
from typing import Any

import httpx
import pytest

from nacre import Conflict, Nacre, Settings, __version__, environment
from nacre.background import addresses, calls, servers, starting, stores
from nacre.cli import app, front
from nacre.cli.background import CallHandler
from nacre.clients import hooks, installing, unsent_events
from tests.waits import HANGS

PROMPT = {"session_id": "s", "cwd": "/w", "hook_event_name": "UserPromptSubmit", "prompt": "Marta lives in Braga."}
STOP = {"session_id": "s", "hook_event_name": "Stop", "last_assistant_message": "Noted."}


class Called:
    """Calls `nacre` as a client or a person would."""

    def __init__(self, monkeypatch, capfd, file):
        self._monkeypatch, self._capfd, self._file = monkeypatch, capfd, file

    def __call__(self, *arguments, stdin=b""):
        self._file.write_bytes(stdin)
        with self._file.open(encoding="utf-8") as opened:
            self._monkeypatch.setattr(sys, "stdin", opened)
            code = front.run(list(arguments))
        return (code, *self._capfd.readouterr())


@pytest.fixture
def called(monkeypatch, capfd, tmp_path):
    """`nacre`, in this process."""
    return Called(monkeypatch, capfd, tmp_path / "stdin")


@pytest.fixture
def store():
    """The store of somebody who has installed Nacre."""
    installing.install("claude-code")
    chosen = stores.choose(environment.config_of_hook())
    assert chosen
    return chosen


@pytest.fixture
def server(store):
    """A background server of this process, for the personal store."""
    settings = Settings(database=store.database, agent="me", user="ana")
    with servers.listening(store, __version__) as listener, Nacre(settings=settings) as nacre:
        answering = CallHandler(nacre, settings, store, app.run)
        background = servers.BackgroundServer(listener, answering.answer, idle_seconds=60)
        thread = Thread(target=background.run)
        thread.start()
        try:
            yield store
        finally:
            background.stop()
            thread.join()
            answering.end()


@pytest.mark.parametrize(
    "stdin", [b"", b"{", b"[]", b"\xff\xfe", b'{"hook_event_name": "Stop"}', json.dumps(PROMPT).encode()]
)
@pytest.mark.parametrize("arguments", [(), ("claude-code",), ("unheard-of",), ("claude-code", "--odd")])
def test_a_hook_always_ends_well(called, stdin, arguments):
    assert called("hook", *arguments, stdin=stdin) == (0, "", "")


def test_what_goes_wrong_stands_in_a_log_for_its_owner(called, home):
    called("hook", "claude-code", stdin=json.dumps(PROMPT).encode())
    installing.install("claude-code")
    called("hook", "claude-code", stdin=b"{")

    log = home / ".local/state/nacre/hooks.log"
    assert [line.split()[1] for line in log.read_text().splitlines()] == ["There", "JSONDecodeError:"]
    assert log.stat().st_mode & 0o077 == 0


def test_without_a_server_one_is_started_and_what_was_said_waits_for_it(called, store, monkeypatch):
    started: list[stores.StoreChoice] = []
    monkeypatch.setattr(starting, "start", started.append)

    for payload in (PROMPT, STOP, {**STOP, "hook_event_name": "SessionEnd"}):
        assert called("hook", "claude-code", stdin=json.dumps(payload).encode()) == (0, "", "")

    assert started == [store] * 3
    kept = list(unsent_events.taken(store))
    assert [event.get("prompt") or event.get("reply") for event in kept] == ["Marta lives in Braga.", "Noted."]
    assert list(unsent_events.taken(store)) == []


def test_what_was_said_is_kept_however_slow_the_machine_is(called, store, monkeypatch):
    monkeypatch.setitem(hooks.SECONDS, "prompt", 0.0)
    monkeypatch.setattr(starting, "start", lambda _: sleep(10))

    assert called("hook", "claude-code", stdin=json.dumps(PROMPT).encode()) == (0, "", "")
    assert [event["prompt"] for event in unsent_events.taken(store)] == ["Marta lives in Braga."]


def test_a_server_that_says_nothing_costs_a_moment(called, store, monkeypatch):
    monkeypatch.setitem(hooks.SECONDS, "prompt", 0.05)
    with servers.listening(store, __version__):
        assert called("hook", "claude-code", stdin=json.dumps(PROMPT).encode()) == (0, "", "")


@pytest.mark.spec("N13")
def test_hooks_and_commands_talk_to_the_server(called, server, monkeypatch):
    monkeypatch.setitem(hooks.SECONDS, "prompt", 10.0)
    unsent_events.keep(server, {"kind": "turn", "session": "codex/0", "reply": "Rui lives in Faro."})
    assert called("hook", "claude-code", stdin=json.dumps(PROMPT).encode()) == (0, "", "")
    said = ""
    # What was said is learned once the hook has its answer.
    for session in range(50):
        asked = {**PROMPT, "session_id": f"later-{session}", "prompt": "Where does Marta live?"}
        said = said or called("hook", "claude-code", stdin=json.dumps(asked).encode())[1]
    monkeypatch.setattr(front, "_here", lambda _: pytest.fail("The command did not go to the server."))
    piped = called("--user", "ana", "observe", "--session", "x", stdin=b"Ines has a cat.\n")
    recalled = called("recall", "cat Ines", "--user", "ana", "--json")
    wrong = called("recall", "--limit", "many", "cat")

    assert "Braga" in json.loads(said)["hookSpecificOutput"]["additionalContext"]
    assert piped[0] == 0
    assert json.loads(recalled[1])["hits"][0]["text"] == "Ines has a cat."
    assert wrong[0] == 2
    assert wrong[2].startswith("error:")
    assert "Rui" in called("recall", "Where is Rui?", "--user", "ana")[1]


def test_the_installed_command_answers_anywhere_and_loads_next_to_nothing(server, home, tmp_path):
    entered = json.loads((home / ".claude/settings.json").read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
    # A project may bring modules of its own; a hook must not run them.
    (tmp_path / "select.py").write_text("raise SystemExit(2)")
    words = shlex.split(entered)
    told = subprocess.run(words, input=json.dumps(STOP).encode(), cwd=tmp_path, capture_output=True, check=False)
    loaded = [*words[:-3], words[-3].replace("hooks.main()", "print(*sys.modules)")]
    names = subprocess.run(loaded, capture_output=True, check=True, cwd=tmp_path, text=True).stdout.split()

    assert (told.returncode, told.stdout, told.stderr) == (0, b"", b"")
    assert not (home / ".local/state/nacre/hooks.log").exists()
    assert set(names).isdisjoint({"json", "re", "socket", "signal", "enum", "pathlib", "site", "typing", "collections"})


def test_a_server_that_was_up_for_commands_answers_hooks_too(called, store):
    heard: list[dict[str, Any]] = []

    def answer(request):
        heard.append(request)
        return b'{"context": "Ana"}\n', None

    with servers.listening(store, __version__) as listener:
        for file in addresses.folder().glob("hook-*"):
            file.unlink()
        background = servers.BackgroundServer(listener, answer, idle_seconds=60)
        thread = Thread(target=background.run)
        thread.start()
        start = {"session_id": "s", "hook_event_name": "SessionStart"}
        assert called("hook", "claude-code", stdin=json.dumps(start).encode()) == (0, '{"context": "Ana"}', "")
        background.stop()
        thread.join(HANGS)

    assert json.loads(heard[0]["payload"]) == start


def test_a_server_of_another_version_is_asked_to_go(called, store, monkeypatch):
    monkeypatch.setattr(starting, "start", lambda _: None)
    with servers.listening(store, "0.0.9") as listener:
        background = servers.BackgroundServer(listener, lambda _: (b"wrong\n", None), idle_seconds=60)
        thread = Thread(target=background.run)
        thread.start()
        monkeypatch.setitem(hooks.SECONDS, "prompt", 10.0)
        assert called("hook", "claude-code", stdin=json.dumps(PROMPT).encode()) == (0, "", "")
        thread.join(HANGS)
        assert not thread.is_alive()


def test_the_dashboard_is_shown_by_the_server(called, server, monkeypatch):
    monkeypatch.setenv("NACRE_CONFIG", str(server.config))

    url = called("open", "--no-browser")[1].strip()

    assert called("open", "--no-browser")[1].strip() == url
    assert "<title>" in httpx.get(url).text


def _note(run: list[list[str]], arguments: list[str]) -> int:
    run.append(arguments)
    return 0


def test_a_command_with_other_settings_works_in_its_own_process(server, monkeypatch):
    run: list[list[str]] = []
    monkeypatch.setattr(front, "_here", partial(_note, run))

    front.run(["recall", "cat", "--database", "other.db"])
    monkeypatch.setenv("NACRE_RERANK", "best")
    front.run(["recall", "cat"])
    front.run(["serve"])

    assert run == [["recall", "cat", "--database", "other.db"], ["recall", "cat"], ["serve"]]


def test_a_store_has_one_server_and_its_address_is_for_its_owner(server):
    with pytest.raises(Conflict, match="already"), servers.listening(server, __version__):
        pass
    assert addresses.folder().stat().st_mode & 0o077 == 0
    assert {file.stat().st_mode & 0o077 for file in addresses.folder().glob("*.json")} == {0}


def test_a_server_ends_when_nobody_calls_or_somebody_says_so(store):
    for told in (False, True):
        with servers.listening(store, __version__) as listener:
            background = servers.BackgroundServer(listener, lambda _: ({}, None), idle_seconds=60 if told else 0.1)
            thread = Thread(target=background.run)
            thread.start()
            if told:
                address = addresses.read(store)
                assert address
                calls.call(address.socket, {"kind": "stop"}, 5)
            thread.join(HANGS)
            assert not thread.is_alive()
        assert addresses.read(store) is None


def test_a_server_is_started_in_the_background_and_stopped(called, store, monkeypatch):
    monkeypatch.setenv("NACRE_CONFIG", str(store.config))
    assert called("status", "--json")[1].startswith('{\n  "up": false')

    up = json.loads(called("up", "--json")[1])
    again = json.loads(called("up", "--json")[1])
    down = json.loads(called("down", "--json")[1])

    assert (up["up"], down["up"]) == (True, False)
    assert again["pid"] == up["pid"]
    assert addresses.read(store) is None


def test_where_there_can_be_no_server_a_hook_works_alone(called, store, monkeypatch):
    monkeypatch.setattr(calls, "possible", lambda: False)
    for payload in ({**PROMPT, "prompt": "I am a vegetarian."}, STOP, {**STOP, "hook_event_name": "SessionEnd"}):
        assert called("hook", "claude-code", stdin=json.dumps(payload).encode()) == (0, "", "")

    start = {"session_id": "next", "hook_event_name": "SessionStart", "source": "startup"}
    monkeypatch.setitem(hooks.SECONDS, "start", 60.0)
    said = called("hook", "claude-code", stdin=json.dumps(start).encode())[1]

    assert "vegetarian" in json.loads(said)["hookSpecificOutput"]["additionalContext"]


def test_the_version_is_said_at_once(called):
    assert called("--version") == called("version") == (0, f"{__version__}\n", "")


def test_a_project_cannot_choose_the_settings_of_a_hook(home, store):
    (home / "nacre.toml").write_text('database = "stolen.db"\n')

    assert environment.config_of_hook() == str(home / ".config/nacre/nacre.toml")
    assert environment.config_of_command() == "nacre.toml"


def test_the_front_door_loads_nothing_heavy():
    heavy = "{'sqlalchemy', 'pydantic', 'numpy', 'typer', 'httpx', 'rich', 'pathlib', 'dataclasses', 'typing'}"
    code = f"import sys, nacre.cli.front, nacre.clients.hooks; print(sorted({heavy} & set(sys.modules)))"

    assert (
        subprocess.check_output([sys.executable, "-S", "-c", code], text=True, env={"PYTHONPATH": ":".join(sys.path)})
        == "[]\n"
    )


def test_nacre_can_be_imported_where_there_is_no_fcntl():
    code = "import sys; sys.modules['fcntl'] = None; from nacre import Nacre; import nacre.cli.app; print('ok')"

    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "ok\n"
