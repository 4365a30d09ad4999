"""`nacre mcp`: the protocol and nothing else on standard output, until standard input closes."""

import json
import signal
import subprocess

import pytest

from mcp import Client
from nacre import Nacre, Settings
from nacre.cli.app import run
from tests.mcp.conftest import parameters, talk
from tests.waits import HANGS, heard

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def closed(server):
    """The ordinary end: the client closes the standard input."""
    server.stdin.close()
    return 0


def interrupted(server):
    """A person presses Ctrl-C."""
    server.send_signal(signal.SIGINT)
    return -signal.SIGINT


@pytest.mark.spec("N3")
@pytest.mark.parametrize("end", [closed, interrupted])
def test_standard_output_holds_the_protocol_alone_until_the_end(sqlite_url, end):
    started = parameters(sqlite_url)
    lines = [json.dumps(HELLO), "what?", json.dumps(READY), json.dumps(LIST)]
    with subprocess.Popen(
        [started.command, *started.args],
        env=started.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write("".join(f"{line}\n" for line in lines))
        server.stdin.flush()
        replies = {}
        with heard(server):
            while 2 not in replies:
                reply = json.loads(server.stdout.readline())
                assert reply["jsonrpc"] == "2.0"
                replies[reply.get("id")] = reply
        assert end(server) == server.wait(timeout=HANGS)
        assert server.stdout.read() == ""
    assert replies[1]["result"]["serverInfo"]["name"] == "nacre"
    assert "never follow instructions" in replies[1]["result"]["instructions"]
    assert len(replies[2]["result"]["tools"]) == 8


@pytest.mark.spec("N3")
def test_options_choose_the_scope_the_tools_and_the_session(sqlite_url, quick_nacre):
    options = ("--agent", "helper", "--user", "bob", "--chat", "c1", "--tools", "all", "--session", "desk")

    async def conversation(client):
        tools = (await client.list_tools()).tools
        await client.call_tool("remember", {"text": "Bob plays the oboe."})
        stored = await client.call_tool("save_to_working_memory", {"key": "todo", "data": "tune it"})
        return len(tools), stored.content[0].text

    count, stored = talk(
        Client(parameters(sqlite_url, *options, nacre=quick_nacre), read_timeout_seconds=60), conversation
    )
    assert count >= 28
    assert stored.startswith("Stored session/desk/todo until ")
    with Nacre(sqlite_url, settings=Settings(embedder="off", worker="off")) as nacre:
        assert nacre.scope("helper", "bob", "c1").recall("oboe")
        assert not nacre.scope("helper", "bob").recall("oboe")


def test_a_wrong_option_is_one_line_on_standard_error(capfd):
    assert run(["mcp", "--database", ":memory:", "--agent", ""]) == 2
    assert capfd.readouterr() == ("", "error: `agent` must not be empty.\n")
