"""Addresses of background servers: a file for each store, which only its user can read."""

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from nacre import environment
from nacre.environment import Surroundings

# The most bytes that the name of a socket may have on every system.
LONGEST = 100


@dataclass(frozen=True)
class ServerAddress:
    """Where a background server answers, and what it answers for."""

    socket: str
    pid: int
    version: str
    database: str
    digest: str
    started: str


def folder() -> Path:
    """Where addresses are kept: for this user alone."""
    place = environment.state_folder() / "servers"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def file_of(store: Surroundings) -> Path:
    """The file that holds the address of a store's server, while there is one."""
    return folder() / f"{store.key}.json"


def lock_of(store: Surroundings) -> Path:
    """The file that a store's server holds a lock on for as long as it lives."""
    return folder() / f"{store.key}.lock"


def read(store: Surroundings) -> ServerAddress | None:
    """The address of a store's server; nothing where there is none, or nothing that can be read."""
    try:
        return ServerAddress(**json.loads(file_of(store).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def every() -> list[ServerAddress]:
    """The addresses of all servers of this user, those included that died without a word."""
    found = []
    for file in sorted(folder().glob("*.json")):
        try:
            found.append(ServerAddress(**json.loads(file.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError):
            continue
    return found


def write(store: Surroundings, address: ServerAddress) -> None:
    """Make an address known, whole or not at all."""
    place = file_of(store)
    made = place.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(made, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(asdict(address), file)
    made.replace(place)


def socket_place(store: Surroundings) -> Path:
    """Where a server's socket goes: beside its address, or in a folder of its own where that name is too long."""
    beside = folder() / f"{store.key}.sock"
    if len(os.fsencode(beside)) <= LONGEST:
        return beside
    return Path(tempfile.mkdtemp(prefix="nacre-"), "calls")
