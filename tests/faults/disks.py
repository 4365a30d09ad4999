"""Disks that are full: a small file system where the machine lets us mount one, else a limit on the size of files."""

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import bench.disks

# What is left free at first.
ROOM = 400_000


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A folder on a file system of its own; the test is skipped where only others may mount one."""
    with bench.disks.small_disk(megabytes) as folder:
        if folder is None:
            pytest.skip("This machine lets nobody mount a small file system.")
        yield folder


def fill(folder: Path) -> Callable[[], None]:
    """Take nearly all the room there is; what comes back gives it back."""
    return bench.disks.fill(folder, ROOM)


def limit_files(largest: int) -> Callable[[], None]:
    """Let no file of this process grow beyond a size; what comes back lifts the limit."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)
