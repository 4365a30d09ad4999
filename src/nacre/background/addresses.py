"""Addresses of background servers: a file for each store, which only its user can read."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from nacre import environment
from nacre.background import stores
from nacre.background.stores import StoreChoice

# The most bytes that the name of a socket may have on every system.
LONGEST = 100


@dataclass(frozen=True, slots=True)
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
    place = Path(environment.server_folder())
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def file_of(store: StoreChoice) -> Path:
    """The file that holds the address of a store's server, while there is one."""
    return folder() / f"{store.key}.json"


def lock_of(store: StoreChoice) -> Path:
    """The file that a store's server holds a lock on for as long as it lives."""
    return folder() / f"{store.key}.lock"


def read(store: StoreChoice) -> ServerAddress | None:
    """The address of a store's server; nothing where there is none, or nothing that can be read."""
    try:
        return ServerAddress(**json.loads(file_of(store).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


@contextmanager
def known(store: StoreChoice, address: ServerAddress) -> Iterator[None]:
    """Have commands and hooks find an address for as long as this lasts."""
    files = {file_of(store): json.dumps(asdict(address))}
    hooks = environment.config_of_hook()
    if hooks and store.config == Path(hooks).absolute():
        # A hook has no time to read more than the name of the socket.
        files[Path(environment.hook_address(hooks, address.version))] = address.socket
    for file, text in files.items():
        stores.write_for_owner(file, text)
    try:
        yield
    finally:
        for file in files:
            file.unlink(missing_ok=True)


def socket_place(store: StoreChoice) -> Path:
    """Where a server's socket goes: beside its address, or in a folder of its own where that name is too long."""
    beside = folder() / f"{store.key}.sock"
    if len(os.fsencode(beside)) <= LONGEST:
        return beside
    import tempfile  # noqa: PLC0415 - hooks that start a server wait for this module

    return Path(tempfile.mkdtemp(prefix="nacre-"), "calls")
