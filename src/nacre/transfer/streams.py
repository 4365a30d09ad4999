"""Large files of other systems, a piece at a time: the elements of an array, the files of an archive or a folder."""

import codecs
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from nacre.domain.errors import Invalid
from nacre.domain.transfers import SkippedRecord
from nacre.transfer.records import attempt, json_of, lines_of

# One element of an array may be that large: a conversation of years, with all its branches.
MAX_ELEMENT = 64 * 2**20
_STEP = 64 * 2**10
_BETWEEN = " \t\r\n,"
# So large a line is no message.
MAX_LINE = 32 * 2**20

Placed = tuple[str, Any]


class Readable(Protocol):
    """What bytes come from."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""

    def readline(self, size: int = -1, /) -> bytes:
        """The next line, or so much of it."""


def elements(file: Readable, name: str = "") -> Iterator[Placed]:
    """The elements of a JSON array, each with its place; no more than one is held at a time.

    What follows a place that is not JSON cannot be told apart, so it is skipped as one.
    """
    decoder, held, place = json.JSONDecoder(), _TextBuffer(file), 0
    if not held.starts_with("["):
        raise Invalid("file", "must hold a JSON array")
    held.drop(1)
    while not held.starts_with("]"):
        where = f"{name}[{place}]"
        try:
            value, end = decoder.raw_decode(held.text)
        except (ValueError, RecursionError):
            if len(held.text) <= MAX_ELEMENT and held.more():
                continue
            why = "is not JSON, or is cut off: what follows cannot be read"
            yield where, SkippedRecord(where=where, why=str(Invalid("record", why)))
            return
        held.drop(end)
        yield where, value
        place += 1


class _TextBuffer:
    """What was read of a file and is not used yet; a half character waits for its other half."""

    def __init__(self, file: Readable) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self.text = ""

    def more(self) -> bool:
        """Read as much again as is held, so that a long element is looked at few times; whether there was more."""
        data = self._file.read(max(_STEP, len(self.text)))
        try:
            self.text += self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise Invalid("file", "is not UTF-8") from error
        return bool(data)

    def starts_with(self, mark: str) -> bool:
        """Whether the next element, or the end of them, begins so; what lies between elements is passed over."""
        self.text = self.text.lstrip(_BETWEEN)
        while not self.text and self.more():
            self.text = self.text.lstrip(_BETWEEN)
        return self.text.startswith(mark)

    def drop(self, characters: int) -> None:
        """Be done with the first characters."""
        self.text = self.text[characters:]


def records(file: Readable, name: str = "") -> Iterator[Placed]:
    """The records of a JSON array, or of lines that are JSON each; one that is not is skipped."""
    head = file.read(1)
    while head and (head.isspace() or head in b"\xef\xbb\xbf"):
        head = file.read(1)
    rest = _ChainedFile(head, file)
    if head == b"[":
        yield from elements(rest, name)
        return
    for where, line in lines_of(iter(lambda: rest.readline(MAX_LINE), b"")):
        place = f"{name}:{where}" if name else where
        yield place, attempt(place, lambda line=line: json_of(line, MAX_LINE))  # type: ignore[misc]


class _ChainedFile:
    """A file with a byte before it that was read already."""

    def __init__(self, head: bytes, file: Readable) -> None:
        self._head, self._file = head, file

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        head, self._head = self._head, b""
        return head + self._file.read(size)

    def readline(self, size: int = -1, /) -> bytes:
        """The next line, or so much of it."""
        head, self._head = self._head, b""
        return head + self._file.readline(size)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """A file to read; what the system says of it is an error of ours."""
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise Invalid("path", f"cannot be read: `{path}`: {error.strerror}") from error


def is_archive(path: Path) -> bool:
    """Whether a file is a ZIP archive."""
    return path.is_file() and zipfile.is_zipfile(path)


def members(source: Path | bytes, pattern: re.Pattern[str]) -> Iterator[tuple[str, IO[bytes]]]:
    """The files of an archive or a folder whose names fit, in order; a single file is itself, whatever its name."""
    if isinstance(source, bytes):
        yield "", io.BytesIO(source)
    elif source.is_dir():
        for path in _fitting(source, pattern):
            with opened(path) as file:
                yield path.relative_to(source).as_posix(), file
    elif is_archive(source):
        yield from _unpacked(source, pattern)
    else:
        with opened(source) as file:
            yield "", file


def _fitting(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if pattern.search(path.relative_to(folder).as_posix()))
    return [path for path in found if path.is_file() and path.resolve().is_relative_to(folder.resolve())]


def _unpacked(source: Path, pattern: re.Pattern[str]) -> Iterator[tuple[str, IO[bytes]]]:
    try:
        with zipfile.ZipFile(source) as archive:
            for info in sorted(archive.infolist(), key=lambda each: each.filename):
                if pattern.search(info.filename):
                    with archive.open(info) as file:
                        yield info.filename, file
    except RuntimeError as error:
        raise Invalid("path", f"is an archive that is locked with a password: `{source}`") from error
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        raise Invalid("path", f"is an archive that cannot be read: `{source}`: {error}") from error


def fitting_names(source: Path, pattern: re.Pattern[str]) -> list[str]:
    """The names of the files in an archive or a folder that fit."""
    if source.is_dir():
        return [path.relative_to(source).as_posix() for path in _fitting(source, pattern)]
    try:
        with zipfile.ZipFile(source) as archive:
            return sorted(name for name in archive.namelist() if pattern.search(name))
    except (zipfile.BadZipFile, OSError) as error:
        raise Invalid("path", f"is an archive that cannot be read: `{source}`") from error


def transcripts(source: Path | bytes, pattern: re.Pattern[str]) -> Iterator[tuple[str, Path | bytes]]:
    """The transcripts of a folder, those that were changed first in front; or the one that is given."""
    if isinstance(source, bytes) or not source.is_dir():
        yield "", source
        return
    for path in sorted(_fitting(source, pattern), key=lambda each: (each.stat().st_mtime, each)):
        yield path.relative_to(source).as_posix(), path


def json_lines(source: Path | bytes, name: str) -> Iterator[Placed]:
    """The records of a transcript, one on each line."""
    if isinstance(source, bytes):
        yield from records(io.BytesIO(source), name)
        return
    with opened(source) as file:
        yield from records(file, name)


def objects(placed_objects: Iterable[Placed]) -> Iterator[tuple[str, dict[str, Any] | SkippedRecord]]:
    """Records that are objects; others are skipped."""
    for where, value in placed_objects:
        if isinstance(value, dict | SkippedRecord):
            yield where, value
        else:
            why = f"must be an object, not {type(value).__name__}"
            yield where, SkippedRecord(where=where, why=str(Invalid("record", why)))
