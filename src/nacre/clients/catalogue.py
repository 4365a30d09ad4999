"""The clients that Nacre installs itself into, and what it puts into the configuration of each.

`docs/install.md` says which version of each these shapes are of, and where they are documented.
"""

import json
import shlex
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nacre import __version__, environment
from nacre.clients.entries import Entries, JsonEntries, TomlBlock, WholeFile
from nacre.clients.yaml_lines import YamlLines

PLUGINS = Path(__file__).parent / "plugins"
# How many seconds a client gives each hook; a hook ends by itself long before.
# Codex gives the end of a session three seconds at most.
START_SECONDS, PROMPT_SECONDS, TURN_SECONDS, END_SECONDS = 10, 2, 5, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """How a client calls Nacre: the program, the settings it goes by, and whether each project has its own memory."""

    command: tuple[str, ...]
    # The same program where a person waits for it: up to the word `hook`.
    quick: tuple[str, ...]
    config: Path
    per_project: bool = False

    def hook_words(self, client: str) -> list[str]:
        """The command of a hook, word by word."""
        return [*self.quick, "hook", client, *(["--per-project"] if self.per_project else [])]

    def hook(self, client: str) -> str:
        """The command of a hook as a shell reads it."""
        return shlex.join(self.hook_words(client))

    def mcp(self) -> list[str]:
        """The command of the MCP server, word by word."""
        return [*self.command, "--config", str(self.config), "mcp"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client: its name, what of it is on a machine, what is put there, and what a person still has to do."""

    name: str
    title: str
    programs: tuple[str, ...]
    folder: Callable[[], Path]
    entries: Callable[[Program], Sequence[Entries]]
    remark: str = ""

    @property
    def found(self) -> bool:
        """Whether the client is on this machine."""
        return self.folder().is_dir() or any(shutil.which(each) for each in self.programs)


def _home(*parts: str) -> Path:
    return Path(environment.home(), *parts)


def _moved(variable: str, *default: str) -> Path:
    named = environment.variable(variable)
    return Path(named) if named else _home(*default)


def _mark(client: str) -> str:
    return f" hook {client}"


def _stdio(words: Sequence[str]) -> dict[str, object]:
    return {"command": words[0], "args": list(words[1:])}


def _claude_code(program: Program) -> list[Entries]:
    folder = _moved("CLAUDE_CONFIG_DIR", ".claude")
    state = folder / ".claude.json" if environment.variable("CLAUDE_CONFIG_DIR") else _home(".claude.json")
    hooks = _grouped(program, "claude-code", ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"))
    server = {"type": "stdio", **_stdio(program.mcp())}
    return [
        JsonEntries(path=folder / "settings.json", items=hooks, mark=_mark("claude-code")),
        JsonEntries(path=state, values={("mcpServers", "nacre"): server}),
    ]


def _codex(program: Program) -> list[Entries]:
    folder = _moved("CODEX_HOME", ".codex")
    hooks = _grouped(program, "codex", ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"))
    words = program.mcp()
    # A string of JSON is a string of TOML.
    table = f"[mcp_servers.nacre]\ncommand = {json.dumps(words[0])}\nargs = {json.dumps(words[1:])}\n"
    return [
        JsonEntries(path=folder / "hooks.json", items=hooks, mark=_mark("codex")),
        TomlBlock(path=folder / "config.toml", table=("mcp_servers", "nacre"), text=table),
    ]


def _gemini(program: Program) -> list[Entries]:
    names = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd")
    # Its seconds are thousandths.
    hooks = _grouped(program, "gemini", names, unit=1_000, name="nacre")
    settings = _moved("GEMINI_CLI_HOME") / ".gemini" / "settings.json"
    server = _stdio(program.mcp())
    return [JsonEntries(path=settings, items=hooks, values={("mcpServers", "nacre"): server}, mark=_mark("gemini"))]


def _cursor(program: Program) -> list[Entries]:
    folder = _home(".cursor")
    command = program.hook("cursor")
    waits = {
        "sessionStart": START_SECONDS,
        "beforeSubmitPrompt": PROMPT_SECONDS,
        "afterAgentResponse": TURN_SECONDS,
        "preCompact": TURN_SECONDS,
        "sessionEnd": END_SECONDS,
    }
    hooks = [(("hooks", name), {"command": command, "timeout": seconds}) for name, seconds in waits.items()]
    return [
        JsonEntries(path=folder / "hooks.json", defaults={("version",): 1}, items=hooks, mark=_mark("cursor")),
        JsonEntries(path=folder / "mcp.json", values={("mcpServers", "nacre"): _stdio(program.mcp())}),
    ]


def _opencode(program: Program) -> list[Entries]:
    folder = _opencode_folder()
    config = next((file for name in ("opencode.jsonc", "opencode.json") if (file := folder / name).is_file()), None)
    server = {"type": "local", "command": program.mcp(), "enabled": True}
    return [
        WholeFile(path=folder / "plugins" / "nacre.js", text=_plugin("opencode.js", program, "opencode")),
        JsonEntries(path=config or folder / "opencode.json", values={("mcp", "nacre"): server}),
    ]


def _opencode_folder() -> Path:
    return _moved("XDG_CONFIG_HOME", ".config") / "opencode"


def _openclaw(program: Program) -> list[Entries]:
    folder = _openclaw_folder()
    plugin = folder / "extensions" / "nacre"
    manifest = {
        "id": "nacre",
        "kind": "memory",
        "configSchema": {"type": "object", "additionalProperties": False, "properties": {}},
    }
    package = {"name": "nacre", "version": __version__, "type": "module", "openclaw": {"extensions": ["./index.js"]}}
    # A plugin that does not come with OpenClaw hears what is said only where its user allows that.
    allowed = {"enabled": True, "hooks": {"allowConversationAccess": True}}
    server = _stdio(program.mcp())
    return [
        WholeFile(path=plugin / "openclaw.plugin.json", text=f"{json.dumps(manifest, indent=2)}\n"),
        WholeFile(path=plugin / "package.json", text=f"{json.dumps(package, indent=2)}\n"),
        WholeFile(path=plugin / "index.js", text=_plugin("openclaw.js", program, "openclaw")),
        JsonEntries(
            path=folder / "openclaw.json",
            defaults={("plugins", "slots", "memory"): "nacre"},
            values={("plugins", "entries", "nacre"): allowed, ("mcp", "servers", "nacre"): server},
        ),
    ]


def _openclaw_folder() -> Path:
    return _moved("OPENCLAW_STATE_DIR", ".openclaw")


def _hermes(program: Program) -> list[Entries]:
    folder = _moved("HERMES_HOME", ".hermes")
    plugin = folder / "plugins" / "nacre"
    about = (
        f"name: nacre\nversion: {__version__}\ndescription: Memory that is shared with other agents, on this machine.\n"
    )
    server = _stdio(program.mcp())
    return [
        WholeFile(path=plugin / "plugin.yaml", text=about),
        WholeFile(path=plugin / "__init__.py", text=_plugin("hermes.py.txt", program, "hermes")),
        YamlLines(
            path=folder / "config.yaml", values=[("memory", "provider", "nacre"), ("mcp_servers", "nacre", server)]
        ),
    ]


def _plugin(file: str, program: Program, client: str) -> str:
    """A plugin that comes with Nacre, told how Nacre is called."""
    words = json.dumps(program.hook_words(client))
    return (PLUGINS / file).read_text(encoding="utf-8").replace('["nacre", "hook"]', words)


def _grouped(
    program: Program, client: str, names: Sequence[str], *, unit: int = 1, name: str | None = None
) -> list[tuple[tuple[str, ...], object]]:
    """Hooks as Claude Code writes them, whose shape others have taken over: start, prompt, turn, and the rest."""
    waits = (START_SECONDS, PROMPT_SECONDS, TURN_SECONDS, TURN_SECONDS, END_SECONDS)
    called = {"name": name} if name else {}
    return [
        (
            ("hooks", event),
            {"hooks": [{**called, "type": "command", "command": program.hook(client), "timeout": seconds * unit}]},
        )
        for event, seconds in zip(names, waits, strict=True)
    ]


CLIENTS = {
    client.name: client
    for client in (
        Client(
            name="claude-code",
            title="Claude Code",
            programs=("claude",),
            folder=lambda: _moved("CLAUDE_CONFIG_DIR", ".claude"),
            entries=_claude_code,
        ),
        Client(
            name="codex",
            title="Codex CLI",
            programs=("codex",),
            folder=lambda: _moved("CODEX_HOME", ".codex"),
            entries=_codex,
            remark="Codex runs hooks that you have trusted: start it, enter /hooks and trust those of Nacre.",
        ),
        Client(name="cursor", title="Cursor", programs=("cursor",), folder=lambda: _home(".cursor"), entries=_cursor),
        Client(
            name="gemini",
            title="Gemini CLI",
            programs=("gemini",),
            folder=lambda: _moved("GEMINI_CLI_HOME") / ".gemini",
            entries=_gemini,
        ),
        Client(
            name="opencode",
            title="opencode",
            programs=("opencode",),
            folder=_opencode_folder,
            entries=_opencode,
        ),
        Client(
            name="openclaw",
            title="OpenClaw",
            programs=("openclaw",),
            folder=_openclaw_folder,
            entries=_openclaw,
            remark="OpenClaw has one memory plugin: where another is chosen, set plugins.slots.memory to nacre.",
        ),
        Client(
            name="hermes",
            title="Hermes Agent",
            programs=("hermes",),
            folder=lambda: _moved("HERMES_HOME", ".hermes"),
            entries=_hermes,
        ),
    )
}
