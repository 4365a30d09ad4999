"""The store that a command means, found without reading and checking every setting."""

import os
import tomllib
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from nacre import environment

MEMORY, DEFAULT_DATABASE = ":memory:", "nacre.db"


@dataclass(frozen=True, slots=True)
class StoreChoice:
    """A store, the file its settings stand in, and a digest of all that decides about what is done with it."""

    database: str
    config: Path | None
    digest: str

    @property
    def shown(self) -> str:
        """The store as people may read it: without a user, a password and options."""
        scheme, separator, rest = self.database.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}" if separator else self.database

    @property
    def key(self) -> str:
        """A short name for the store; it tells nothing about it."""
        return blake2b(self.database.encode(), digest_size=8).hexdigest()


def choose(config: str | Path | None, database: str | None = None) -> StoreChoice | None:
    """The store that settings mean; nothing where it is none to share, or the settings cannot be read."""
    known = environment.variables()
    file = Path(config).absolute() if config else None
    chosen = database or known.get(environment.DATABASE) or _database_in(file)
    if chosen is None or chosen == MEMORY:
        return None
    place = chosen if "://" in chosen else str(Path(chosen).absolute().resolve())
    decided = {name: value for name, value in known.items() if name not in (environment.CONFIG, environment.DATABASE)}
    told = [f"{name}={value}" for name, value in sorted(decided.items())]
    seen = "\n".join([place, str(file), environment.variable("TZ") or "", *told]).encode()
    held = file.read_bytes() if file else b""
    return StoreChoice(place, file, blake2b(seen + held, digest_size=8).hexdigest())


def _database_in(config: Path | None) -> str | None:
    if config is None:
        return DEFAULT_DATABASE
    try:
        held = tomllib.loads(config.read_text(encoding="utf-8")).get("database", DEFAULT_DATABASE)
    except (OSError, ValueError):
        return None
    return held if isinstance(held, str) else None


def write_for_owner(file: Path, text: str) -> None:
    """Write a file that only this user can read, whole or not at all."""
    made = file.with_name(f"{file.name}.{os.getpid()}")
    with os.fdopen(os.open(made, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)
    made.replace(file)
