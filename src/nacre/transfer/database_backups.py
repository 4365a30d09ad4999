"""Backups of a database, as archives and as copies: made while others write, looked over, and restored."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from nacre.domain.errors import Conflict, Damaged, Invalid, Misconfigured
from nacre.domain.transfers import Backup
from nacre.store.base import dialects, migrating
from nacre.store.base.databases import Database
from nacre.store.maintenance import file_copies
from nacre.transfer import backups, files
from nacre.transfer.backups import Tell


def write(database: Database, path: Path, *, copy: bool, overwrite: bool, tell: Tell) -> Backup:
    """Back up an open database; see `Nacre.backup`."""
    if path.exists() and not overwrite:
        raise Conflict(f"`{path}` is there already. Name another file, or overwrite it.")
    with files.taking_place(path) as made:
        counts = file_copies.write(database, made, tell) if copy else backups.write(database, made, tell)
        found = verify(made)
        if found.counts != counts:
            raise Damaged("The backup does not hold the rows of the database.")
    return replace(found, path=str(path))


def write_at(address: str, path: Path, *, copy: bool, overwrite: bool, tell: Tell) -> Backup:
    """Back up the database at an address, without changing its schema."""
    if migrating.revision_at(address) is None:
        raise Misconfigured("There is no database of Nacre there.")
    with closing(Database(address, migrates=False)) as database:
        return write(database, path, copy=copy, overwrite=overwrite, tell=tell)


def verify(path: Path) -> Backup:
    """Look over a backup from end to end; what it holds. One that was cut or changed is refused."""
    if not _is_copy(path):
        return backups.check(path)
    schema, counts = file_copies.check(path)
    there = path.stat()
    made_at = datetime.fromtimestamp(there.st_mtime, UTC)
    return Backup(path=str(path), size=there.st_size, made_at=made_at, schema=schema, counts=counts, sealed=False)


def restore(path: Path, address: str, tell: Tell) -> Backup:
    """Make the empty database at an address what a backup holds: all of it, or nothing."""
    if address == dialects.MEMORY:
        raise Invalid("database", "must be a file or a server: one in memory is gone when the command ends")
    if _is_copy(path):
        return _restore_copy(path, address, tell)
    with _whole_or_not_there(address), closing(Database(address, migrates=False)) as database:
        return backups.restore(database, path, tell)


def _restore_copy(path: Path, address: str, tell: Tell) -> Backup:
    if dialects.is_postgresql(address):
        raise Invalid("database", "must be a file, as the backup is one of SQLite; `nacre db backup` archives that")
    found, target = verify(path), Path(address)
    if target.exists() and target.stat().st_size:
        raise Conflict(f"`{target}` is there already. A backup is restored only into an empty database.")
    with files.taking_place(target) as made:
        file_copies.restore(path, made, tell)
    return found


@contextmanager
def _whole_or_not_there(address: str) -> Iterator[None]:
    """Leave no file behind that was not there before, when the block raises."""
    new = not dialects.is_postgresql(address) and not Path(address).exists()
    try:
        yield
    except BaseException:
        for suffix in ("", "-wal", "-shm") if new else ():
            Path(f"{address}{suffix}").unlink(missing_ok=True)
        raise


def _is_copy(path: Path) -> bool:
    try:
        with files.existing(path).open("rb") as file:
            return file.read(len(file_copies.MAGIC)) == file_copies.MAGIC
    except OSError as error:
        raise Invalid("path", f"cannot be read: `{path}`: {error.strerror}") from error
