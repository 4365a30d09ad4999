"""The file of an SQLite database: whether it is still the one that was opened, and sound as far as anybody saw."""

from pathlib import Path

from sqlalchemy import Engine

from nacre.domain.errors import Misconfigured, NacreError

GONE = "The database file `{}` was deleted or replaced while it was open, so nothing was written. Open the brain again."
DAMAGED = "The database is damaged, so nothing more is written to it: {} Look with `nacre db check`; restore a backup."
# What SQLite says of pages that make no sense.
_SIGNS = ("malformed", "not a database")


class OpenFile:
    """A file by its place on the disk; nothing where a database is none."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._place = _place(path)
        self._damage: str | None = None

    @classmethod
    def of(cls, engine: Engine) -> "OpenFile":
        """The file behind an engine."""
        name = engine.url.database if engine.dialect.name == "sqlite" else None
        return cls(Path(name) if name else None)

    def check(self) -> None:
        """Refuse to write to a file that nobody will find again, or that would not hold what rests on it."""
        if self._path is None:
            return
        if self._damage:
            raise Misconfigured(DAMAGED.format(self._damage))
        here = _place(self._path)
        if self._place is None:
            # It was made after this was opened.
            self._place = here
        if here is None or here != self._place:
            raise Misconfigured(GONE.format(self._path))

    def note(self, error: NacreError) -> None:
        """Remember what was said of damage."""
        if self._path is not None and any(sign in str(error) for sign in _SIGNS):
            self._damage = str(error)


def _place(path: Path | None) -> tuple[int, int] | None:
    if path is None:
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
