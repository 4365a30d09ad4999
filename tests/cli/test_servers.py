"""`nacre serve`, as a process."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from threading import Thread

import httpx
import pytest

from nacre import Nacre, Settings
from nacre.cli import listeners, output, servers
from nacre.cli.addresses import Address
from tests.serving import answering
from tests.waits import HANGS, eventually, heard


def announced(process: subprocess.Popen[str]) -> dict[str, str]:
    """What a server says first; it must not end before it has said it."""
    assert process.stdout
    lines = []
    with heard(process):
        for line in process.stdout:
            lines.append(line)
            if line == "}\n":
                return dict(json.loads("".join(lines)))
    raise AssertionError(f"The server ended early: {lines}")


@pytest.fixture
def served():
    """A running `nacre serve`, and what it said first."""
    command = [sys.executable, "-m", "nacre", "serve", "--port", "0", "--agent", "a", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process, announced(process)
        if process.poll() is None:
            process.terminate()


def test_serve_answers_where_it_says_until_it_is_interrupted(served):
    process, address = served
    with httpx.Client(base_url=address["url"], timeout=HANGS, trust_env=False, verify=False) as client:
        client.post("/v1/agents/a/observe", json={"role": "user", "text": "tea"})
        hits = client.post("/v1/agents/a/recall", json={"query": "tea"}).json()["hits"]

    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=HANGS)

    assert [hit["text"] for hit in hits] == ["tea"]
    assert (process.returncode, errors) == (0, "")


def test_where_the_log_is_json_nothing_else_is_written_until_it_ends_with_exit_code_0_when_it_is_told_to(
    quick_nacre,
):
    command = [*quick_nacre, "serve", "--port", "0"]
    environment = os.environ | {"NACRE_LOG": "json", "NACRE_LOG_LEVEL": "info", "NACRE_AUTH": "team"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout
        with heard(process):
            first = process.stdout.readline()
        with httpx.Client(base_url=json.loads(first)["url"], timeout=HANGS, trust_env=False, verify=False) as client:
            assert client.get("/v1/denials").status_code == 401
        process.terminate()
        said, errors = process.communicate(timeout=HANGS)

    assert (process.returncode, said) == (0, "")
    assert [json.loads(line)["logger"] for line in errors.splitlines()] == ["nacre.requests"]


def test_a_server_that_ends_closes_the_connections_that_come_at_that_moment(tmp_path):
    with Nacre(tmp_path / "a.db", settings=Settings(agent="a", worker="off")) as nacre, ExitStack() as clients:
        server = servers.server(nacre)
        with listeners.listening("127.0.0.1", 0) as listener:
            thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
            thread.start()
            clients.enter_context(socket.create_connection(listener.getsockname(), timeout=5))
            assert eventually(lambda: bool(server.server_state.connections))
            server.should_exit = True
            with suppress(OSError):
                while thread.is_alive():
                    clients.enter_context(socket.create_connection(listener.getsockname(), timeout=5))
            thread.join(timeout=nacre.parts.settings.shutdown_seconds / 2)

            assert not thread.is_alive()

    assert not server.server_state.connections


def test_a_taken_port_is_one_line_and_exit_code_1(nacre_command):
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = str(holder.getsockname()[1])
        failed = nacre_command("serve", "--port", port)

    assert (failed.code, failed.out) == (1, "")
    assert failed.err == f"error: Cannot listen on 127.0.0.1 port {port}: Address already in use. Try another --port.\n"


def test_a_host_that_others_can_reach_is_refused(nacre_command):
    failed = nacre_command("serve", "--host", "0.0.0.0")

    assert failed.code == 2
    assert "`host` must be a loopback address" in failed.err


def test_serve_says_what_to_open_and_what_to_try(capsys):
    output.show(Address(url="http://127.0.0.1:8765", agent="my agent"), as_json=False)

    shown = capsys.readouterr().out
    assert "Open http://127.0.0.1:8765/ in a browser" in shown
    assert "http://127.0.0.1:8765/health" in shown
    assert "curl http://127.0.0.1:8765/v1/agents/my%20agent/recall" in shown
    assert "TOKEN" not in shown


def test_examples_hold_a_token_where_callers_need_one(capsys):
    output.show(Address(url="http://127.0.0.1:8765", agent="a", token=True), as_json=False)

    examples = [line for line in capsys.readouterr().out.splitlines() if "curl" in line]
    assert all('-H "authorization: Bearer $TOKEN"' in line for line in examples)


def test_an_address_on_ipv6_has_brackets():
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        assert Address.of(listener, "a").url == f"http://[::1]:{listener.getsockname()[1]}"


def test_a_reply_does_not_wait_for_the_client_to_acknowledge_its_first_piece():
    with listeners.listening("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("sent", [b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-"])
def test_a_connection_that_owes_a_request_is_dropped(monkeypatch, sent):
    """As a first one, and after another was answered; whoever asks is served meanwhile."""
    monkeypatch.setattr(servers, "HEAD_SECONDS", 0.3)
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with (
        Nacre(":memory:", settings=Settings(worker="off")) as nacre,
        listeners.listening("127.0.0.1", 0) as listener,
        answering(nacre, listener),
    ):
        half = [socket.create_connection(listener.getsockname(), timeout=5) for _ in range(20)]
        second = socket.create_connection(listener.getsockname(), timeout=5)
        second.sendall(whole)
        assert second.recv(2_000).startswith(b"HTTP/1.1 200")
        for each in (*half, *([second] if sent else [])):
            each.sendall(sent)
            with suppress(ConnectionResetError):
                while each.recv(2_000):
                    pass
            each.close()
        second.close()
