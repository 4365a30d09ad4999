"""Starting a background server, and waiting until it answers."""

import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

from nacre import environment
from nacre.background import addresses, calls
from nacre.background.addresses import ServerAddress
from nacre.background.stores import StoreChoice

WAIT_STEP = 0.02


def alive(store: StoreChoice) -> ServerAddress | None:
    """The server of a store, if it answers."""
    address = addresses.read(store) if calls.possible() else None
    if address is None:
        return None
    try:
        calls.call(address.socket, {"kind": "ping"}, 1.0)
    except calls.NoAnswer:
        return None
    return address


def start(store: StoreChoice) -> None:
    """Start a server for a store in the background; it ends at once where there is one already."""
    folder = addresses.folder()
    log = log_file()
    config = ["--config", str(store.config)] if store.config else []
    with log.open("ab") as written:
        log.chmod(0o600)
        started = subprocess.Popen(  # noqa: S603 - this program itself
            [sys.executable, "-m", "nacre", *config, "up", "--foreground"],
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            start_new_session=True,
            # A folder that is in nobody's way, and holds no file of settings.
            cwd=folder,
            env=environment.handed_down(store.database),
        )
    # It outlives this process, and nobody asks how it ended.
    started.returncode = 0


def wait(store: StoreChoice, seconds: float) -> ServerAddress | None:
    """The server of a store once it answers, if it does within so many seconds."""
    end = monotonic() + seconds
    while (address := alive(store)) is None and monotonic() < end:
        sleep(WAIT_STEP)
    return address


def log_file() -> Path:
    """Where background servers write what goes wrong."""
    return Path(environment.state_folder()) / "server.log"
