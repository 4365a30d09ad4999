"""Unsent events: hooks kept them in a file of this user because no server was up, until one is."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from nacre import environment
from nacre.background.stores import StoreChoice

NAME = "left-over"
# Beyond that nobody has had a server for a long time, and what is said now is not kept.
MOST_BYTES = 16 * 2**20


def keep(store: StoreChoice, event: dict[str, Any]) -> None:
    """Keep an event for later."""
    file = _file(store)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if file.exists() and file.stat().st_size > MOST_BYTES:
        return
    # One write of one line: two hooks at once do not mix theirs.
    handle = os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    try:
        os.write(handle, json.dumps(event).encode() + b"\n")
    finally:
        os.close(handle)


def taken(store: StoreChoice) -> Iterator[dict[str, Any]]:
    """What was kept, the oldest first; it is gone once all of it has been taken."""
    file = _file(store)
    aside = file.with_suffix(".taken")
    # A file that a server died over comes first.
    if aside.exists():
        yield from _lines(aside)
    if file.exists():
        yield from _lines(file.replace(aside))


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_bytes().splitlines():
        with suppress(ValueError):
            yield json.loads(line)
    file.unlink()


def _file(store: StoreChoice) -> Path:
    return Path(environment.state_folder()) / f"{NAME}-{store.key}.jsonl"
