"""Backups of a whole database: made while others write, looked over, and restored."""

from pathlib import Path

from nacre.domain.backups import Backup
from nacre.transfer import database_backups
from nacre.transfer.backups import Tell
from nacre.wiring import Parts


def write(parts: Parts, path: Path, *, copy: bool, overwrite: bool, tell: Tell) -> Backup:
    """Back up an open database; see `Nacre.backup`."""
    return database_backups.write(parts.database, path, copy=copy, overwrite=overwrite, tell=tell)


def write_at(address: str, path: Path, *, copy: bool, overwrite: bool, tell: Tell) -> Backup:
    """Back up the database at an address, without changing its schema."""
    return database_backups.write_at(address, path, copy=copy, overwrite=overwrite, tell=tell)


def verify(path: Path) -> Backup:
    """Look over a backup from end to end; what it holds. One that was cut or changed is refused."""
    return database_backups.verify(path)


def restore(path: Path, address: str, tell: Tell) -> Backup:
    """Make the empty database at an address what a backup holds: all of it, or nothing."""
    return database_backups.restore(path, address, tell)
