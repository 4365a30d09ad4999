"""A whole database as one archive: lines of JSON, compressed and sealed. The same for every database.

The first line says what it is. Each table is a line that names its columns, and a line for each row; the last line
tells how many rows there were, and their checksums. All of it is one member of a gzip file. A second member, of which
every byte is known, is the seal: the digest of all bytes before it.
"""

import gzip
import json
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from nacre.domain.errors import Damaged, SchemaTooNew
from nacre.domain.plain import plain
from nacre.domain.transfers import Backup
from nacre.store.base import migrating
from nacre.store.base.databases import AllScopes, Database
from nacre.store.maintenance import backups
from nacre.store.maintenance.backups import TOGETHER, RowDigest
from nacre.store.tables import schema

NAME = "nacre-backup"
VERSION = 1
MAGIC = b"\x1f\x8b"
# Quick: most bytes are vectors, which no level makes much smaller.
_LEVEL = 3
_MAX_LINE = 256 * 2**20
_BLOCK = 2**20

# How many rows are done, and how many there are.
Tell = Callable[[int, int], object]


class _HashingWriter:
    """Passes bytes on to a file, and knows their digest."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self.digest = sha256()

    def write(self, data: bytes) -> int:
        """Pass bytes on."""
        self.digest.update(data)
        return self._out.write(data)

    def flush(self) -> None:
        """Pass on what waits."""
        self._out.flush()


def write(database: Database, path: Path, tell: Tell) -> dict[str, int]:
    """Write every row of a database, as it is at one moment, into a file; how many of each table that were."""
    with database.read_all() as tx, path.open("wb") as file:
        counts = backups.begin(tx)
        header = {
            "format": NAME,
            "version": VERSION,
            "nacre": version("nacre"),
            "schema": migrating.HEAD,
            "database": database.kind,
            "made_at": plain(tx.now),
            "rows": counts,
        }
        hashed = _HashingWriter(file)
        with gzip.GzipFile("", "wb", _LEVEL, hashed, mtime=0) as out:
            out.write(_line(header))
            tallies = _write_rows(tx, out, counts, tell)
            out.write(_line({"checksums": {name: each.checksum for name, each in tallies.items()}}))
        file.write(seal(hashed.digest.digest()))
    return counts


def _write_rows(tx: AllScopes, out: gzip.GzipFile, counts: Mapping[str, int], tell: Tell) -> dict[str, RowDigest]:
    tallies: dict[str, RowDigest] = {}
    done, every = 0, sum(counts.values())
    for table in schema.metadata.sorted_tables:
        tallies[table.name] = found = RowDigest()
        columns = backups.kinds(table)
        out.write(_line({"table": table.name, "columns": columns}))
        for line in backups.rows(tx, table, columns):
            out.write(line)
            found.add(line)
            if found.rows % TOGETHER == 0:
                tell(done + found.rows, every)
        done += found.rows
        tell(done, every)
    _compare({name: each.rows for name, each in tallies.items()}, counts, "read")
    return tallies


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def seal(digest: bytes) -> bytes:
    """A member of a gzip file that holds a digest, the same bytes on every machine."""
    data = _line({"sha256": digest.hex()})
    stored = b"\x01" + struct.pack("<HH", len(data), len(data) ^ 0xFFFF) + data
    return MAGIC + b"\x08\0\0\0\0\0\0\xff" + stored + struct.pack("<II", zlib.crc32(data), len(data))


def _check_seal(path: Path) -> None:
    """Read a file once from end to end, and refuse it unless every byte is as it was written."""
    left = path.stat().st_size - len(seal(bytes(32)))
    digest = sha256()
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise Damaged("The file is no backup of Nacre.")
        file.seek(0)
        while left > 0 and (block := file.read(min(left, _BLOCK))):
            digest.update(block)
            left -= len(block)
        if left or file.read() != seal(digest.digest()):
            raise Damaged("The file is no backup of Nacre, or it was cut or changed since it was made.")


class Archive:
    """An archive that is being read, once, from its beginning to its end."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        header = json.loads(next(lines, b"null"))
        if not isinstance(header, dict) or header.get("format") != NAME:
            raise Damaged("The file is no backup of Nacre.")
        if header.get("version") != VERSION:
            raise Damaged(f"The backup is of version {header.get('version')!r}; this Nacre reads version {VERSION}.")
        self.schema: str = header["schema"]
        self.made_at = datetime.fromisoformat(header["made_at"])
        self.counts: dict[str, int] = header["rows"]
        if not migrating.is_known(self.schema):
            raise SchemaTooNew(self.schema)
        self.tallies: dict[str, RowDigest] = {}

    def tables(self) -> Iterator[tuple[str, Mapping[str, str], Iterator[list[bytes]]]]:
        """Each table: its name, its columns, and its rows, some at a time. Rows must be read before the next table."""
        head = json.loads(next(self._lines, b"null"))
        while "table" in head:
            name, columns = head["table"], head["columns"]
            self.tallies[name] = RowDigest()
            ended: list[bytes] = []
            yield name, columns, self._rows(self.tallies[name], ended)
            head = json.loads(ended[0])
        _compare({name: each.rows for name, each in self.tallies.items()}, self.counts, "in the file")
        _compare({name: each.checksum for name, each in self.tallies.items()}, head["checksums"], "in the file")

    def _rows(self, tally: RowDigest, ended: list[bytes]) -> Iterator[list[bytes]]:
        batch: list[bytes] = []
        for line in self._lines:
            if not line.startswith(b"["):
                ended.append(line)
                break
            tally.add(line)
            batch.append(line)
            if len(batch) == TOGETHER:
                yield batch
                batch = []
        if batch:
            yield batch


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """An archive to read, after every byte of it was looked at."""
    _check_seal(path)
    with gzip.open(path, "rb") as file:
        try:
            yield Archive(iter(lambda: file.readline(_MAX_LINE), b""))
        except (ValueError, TypeError, LookupError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise Damaged(f"The backup cannot be read: {error}.") from error


def check(path: Path) -> Backup:
    """Read all of an archive; what it holds."""
    with opened(path) as archive:
        for _, _, batches in archive.tables():
            for _ in batches:
                pass
        return _described(path, archive)


def restore(database: Database, path: Path, tell: Tell) -> Backup:
    """Write every row of an archive into a database that holds nothing: all of them, or none."""
    with opened(path) as archive, database.write_all() as tx:
        backups.prepare(tx, archive.schema)
        loaded, done, every = {}, 0, sum(archive.counts.values())
        with backups.unnoted(tx):
            for name, columns, batches in archive.tables():
                table = backups.shaped(tx, name, columns)
                loaded[name] = (table, columns)
                for batch in batches:
                    backups.load(tx, table, batch)
                    done += len(batch)
                    tell(done, every)
        held = {name: backups.tally(tx, *table).checksum for name, table in loaded.items()}
        _compare(held, {name: each.checksum for name, each in archive.tallies.items()}, "in the database")
        backups.finish(tx)
        return _described(path, archive)


def _compare(actual: Mapping[str, Any], expected: Mapping[str, Any], where: str) -> None:
    for name in {**expected, **actual}:
        if actual.get(name) != expected.get(name):
            raise Damaged(f"The rows of `{name}` {where} are not those that the backup tells of.")


def _described(path: Path, archive: Archive) -> Backup:
    return Backup(
        path=str(path),
        size=path.stat().st_size,
        made_at=archive.made_at,
        schema=archive.schema,
        counts=archive.counts,
    )
