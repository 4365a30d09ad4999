"""Disks that are full: a small file system where the machine lets us mount one, else a limit on the size of files."""

import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BALLAST = "ballast"
# What is left free beside the ballast.
ROOM = 400_000


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A folder on a file system of its own; the test is skipped where only others may mount one."""
    folder = Path(tempfile.mkdtemp(prefix="nacre-disk-"))
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder)]
    try:
        if shutil.which("mount") is None or subprocess.run(mounting, capture_output=True, check=False).returncode:
            pytest.skip("This machine lets nobody mount a small file system.")
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
    finally:
        folder.rmdir()


def fill(folder: Path) -> Callable[[], None]:
    """Take nearly all the room there is; what comes back gives it back."""
    ballast, left = folder / BALLAST, os.statvfs(folder)
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(1, left.f_bavail * left.f_frsize - ROOM))
    return ballast.unlink


def limit_files(largest: int) -> Callable[[], None]:
    """Let no file of this process grow beyond a size; what comes back lifts the limit."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)
