"""Nacre is installed into a client without touching anything else, and taken out without a trace."""

import json
import tomllib
from pathlib import Path

import pytest

from nacre import Invalid
from nacre.clients import installing, json_texts
from nacre.clients.catalogue import CLIENTS

# By client: files as people have them, and one that is broken.
EXISTING = {
    "claude-code": {
        ".claude/settings.json": '{\n    "model": "opus", // mine\n    "hooks": {\n        "Stop": [{"hooks": '
        '[{"type": "command", "command": "beep"}]}]\n    }\n}\n',
        ".claude.json": '{"numStartups": 3, "mcpServers": {"other": {"command": "o"}}}',
    },
    "codex": {
        ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}}',
        ".codex/config.toml": '# mine\nmodel = "gpt-5"\n\n[mcp_servers.other]\ncommand = "o"\n',
    },
    "cursor": {
        ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "./beep"}]}}\n',
        ".cursor/mcp.json": '{\n  "mcpServers": {}\n}\n',
    },
    "gemini": {".gemini/settings.json": '{\r\n  "security": {"auth": {"selectedType": "oauth-personal"}}\r\n}\r\n'},
    "opencode": {".config/opencode/opencode.jsonc": '{\n  // mine\n  "theme": "dark",\n}\n'},
    "openclaw": {".openclaw/openclaw.json": "{\n  agents: { defaults: {} },\n  plugins: { allow: ['x'] }\n}\n"},
    "hermes": {
        ".hermes/config.yaml": "# mine\nmodel:\n  default: x\nmemory:\n  memory_enabled: true\n  provider: ''\n"
    },
}
BROKEN = {
    "claude-code": (".claude/settings.json", '{"hooks": '),
    "codex": (".codex/config.toml", "model = "),
    "cursor": (".cursor/mcp.json", "[]"),
    "gemini": (".gemini/settings.json", '{"hooks": {"SessionStart": "x"}}'),
    "opencode": (".config/opencode/opencode.json", "{mcp: 1}"),
    "openclaw": (".openclaw/openclaw.json", "{"),
    "hermes": (".hermes/config.yaml", "memory: {provider: x}\n"),
}
every_client = pytest.mark.parametrize("client", CLIENTS)


def write(home: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def held(home: Path) -> dict[str, bytes]:
    """Every file of the home that is not Nacre's own."""
    own = (home / ".local", home / ".config/nacre")
    files = (file for file in home.rglob("*") if file.is_file() and not any(place in file.parents for place in own))
    return {str(file.relative_to(home)): file.read_bytes() for file in files}


def parsed(name: str, data: bytes) -> object:
    text = data.decode()
    if name.endswith(".toml"):
        return tomllib.loads(text)
    return json_texts.parse(text, name).value if name.endswith((".json", ".jsonc")) else text


@pytest.mark.spec("N13")
@every_client
@pytest.mark.parametrize("existing", [True, False])
def test_installing_and_uninstalling_leaves_every_byte_as_it_was(home, client, existing):
    write(home, EXISTING[client] if existing else {})
    before = held(home)

    shown = installing.install(client, dry_run=True)
    assert held(home) == before
    assert not shown.done
    assert "+" in shown.diff
    done = installing.install(client)
    installed = held(home)

    assert set(done.files) >= {home / name for name, data in installed.items() if before.get(name) != data}
    for name, data in before.items():
        lines = installed[name].decode().splitlines()
        assert [line for line in data.decode().splitlines() if "mine" in line] == [
            line for line in lines if "mine" in line
        ]
    assert [state.installed for state in installing.states() if state.client == client] == [True]
    assert installing.install(client).files == ()
    assert held(home) == installed
    installing.uninstall(client)
    assert held(home) == before
    assert installing.uninstall(client).files == ()


@every_client
def test_a_file_that_changed_since_loses_our_entries_alone(home, client):
    write(home, EXISTING[client])
    installing.install(client)
    expected = {}
    for name, text in EXISTING[client].items():
        file = home / name
        # As programs do that write their settings anew, and as people do at the end of a file.
        if name.endswith((".json", ".jsonc")):
            now = {**json_texts.parse(file.read_text(), name).value, "later": 1}
            file.write_text(json.dumps(now, indent=1))
            expected[name] = {**json_texts.parse(text, name).value, "later": 1}
        else:
            file.write_text(f"{file.read_text()}# later\n")

    installing.uninstall(client)

    after = held(home)
    assert not [name for name in after if "nacre" in name]
    for name, value in expected.items():
        left = parsed(name, after[name])
        assert isinstance(left, dict)
        # An object that was empty before may be gone.
        assert {key: each for key, each in left.items() if each} == {
            key: each for key, each in value.items() if each and each != {}
        }
    assert b"nacre hook" not in b"".join(after.values())


@every_client
def test_a_broken_file_is_refused_and_nothing_is_written(home, client):
    name, text = BROKEN[client]
    write(home, {name: text})
    before = held(home)

    with pytest.raises(Invalid, match="left as it is"):
        installing.install(client)

    assert held(home) == before
    assert not (home / ".config/nacre").exists()
    assert any(state.problem or not state.installed for state in installing.states() if state.client == client)


def test_an_older_entry_of_ours_is_replaced_and_not_doubled(home):
    installing.install("claude-code")

    installing.install("claude-code", per_project=True)

    hooks = json.loads((home / ".claude/settings.json").read_text())["hooks"]
    assert [len(groups) for groups in hooks.values()] == [1] * 5
    assert all(groups[0]["hooks"][0]["command"].endswith("hook claude-code --per-project") for groups in hooks.values())


def test_the_personal_settings_are_written_once_and_kept(home):
    installing.install("cursor")
    file = home / ".config/nacre/nacre.toml"
    settings = tomllib.loads(file.read_text())
    assert (settings["agent"], settings["redact_secrets"]) == ("me", True)
    assert settings["database"] == str(home / ".local/share/nacre/nacre.db")
    file.write_text('database = "/elsewhere.db"\n')

    installing.install("codex")

    assert file.read_text() == 'database = "/elsewhere.db"\n'


def test_files_of_ours_are_for_their_owner(home):
    write(home, EXISTING["claude-code"])

    done = installing.install("claude-code")

    assert [backup.read_bytes() for backup in done.backups] == [
        text.encode() for text in EXISTING["claude-code"].values()
    ]
    assert {backup.stat().st_mode & 0o077 for backup in done.backups} == {0}


def test_a_name_that_is_none_says_which_is_meant():
    with pytest.raises(Invalid, match="is `claude-code` meant"):
        installing.install("claude_code")
