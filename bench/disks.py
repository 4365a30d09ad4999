"""Disks that are full: a small file system of its own, where the machine lets us mount one."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_CHUNK = bytes(65_536)


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path | None]:
    """A folder on a file system of its own; None where only others may mount one."""
    with tempfile.TemporaryDirectory(prefix="nacre-disk-") as folder:
        told = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", folder]
        if not _done(told):
            yield None
            return
        # The folder is deleted afterwards, and must be seen by the database's own user meanwhile.
        Path(folder).chmod(0o755)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder: Path, room: int = 0) -> Callable[[], None]:
    """Take all the room there is but so many bytes, whoever else writes meanwhile; what comes back gives it back."""
    ballast = folder / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while _free(folder) > room:
            file.write(_CHUNK[: max(1, _free(folder) - room)])
    return ballast.unlink


def _free(folder: Path) -> int:
    left = os.statvfs(folder)
    return left.f_bavail * left.f_frsize


def _done(told: list[str]) -> bool:
    try:
        return subprocess.run(told, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
