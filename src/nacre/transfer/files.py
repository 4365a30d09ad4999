"""Files and folders that are there whole or not at all."""

import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TextIO

from nacre.domain.errors import Conflict, Invalid


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """A file to write, that takes its place when the block ends and is gone when it raises."""
    with taking_place(path) as made, made.open("w", encoding="utf-8", newline="\n") as out:
        yield out


@contextmanager
def taking_place(path: Path) -> Iterator[Path]:
    """An empty file beside a path, that takes its place when the block ends and is gone when it raises.

    Nobody else on the machine may read it: it holds what people said.
    """
    with _system_errors("written", path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".nacre-", suffix=".part")
        os.close(handle)
        made = Path(name)
        try:
            yield made
            with made.open("r+b") as written:
                os.fsync(written.fileno())
            made.replace(path)
        finally:
            made.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, that takes its place when the block ends and is gone when it raises.

    A folder that holds something is never written into.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise Conflict(f"`{path}` is there already. Name a folder that is new or empty.")
    with _system_errors("written", path):
        made = Path(tempfile.mkdtemp(dir=path.parent, prefix=".nacre-", suffix=".part"))
        try:
            yield made
            made.replace(path)
        finally:
            shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _system_errors(done: str, path: Path) -> Iterator[None]:
    """Have what the system says of a file be an error of ours."""
    try:
        yield
    except OSError as error:
        raise Invalid("path", f"cannot be {done}: `{path}`: {error.strerror}") from error


def existing(path: Path) -> Path:
    """A path that something is at."""
    if not path.exists():
        raise Invalid("path", f"is not there: `{path}`")
    return path


@contextmanager
def lines_of(source: Path | bytes, longest: int) -> Iterator[Iterator[bytes]]:
    """The lines of a file, one at a time; one that is too long is handed over in parts."""
    if isinstance(source, bytes):
        yield iter(partial(io.BytesIO(source).readline, longest), b"")
    else:
        with _system_errors("read", source), source.open("rb") as file:
            yield iter(partial(file.readline, longest), b"")


def whole(source: Path | bytes, largest: int) -> bytes:
    """All that a file holds."""
    if isinstance(source, bytes):
        return source
    with _system_errors("read", source), source.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise Invalid("path", f"must be a file of at most {largest // 2**20} MiB")
    return data
