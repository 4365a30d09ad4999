"""The surroundings of a process, read without any library: variables, folders of this user, and the store they mean.

`nacre.settings` reads every setting and checks it. What has to answer in a blink asks here.
"""

import os
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

CONFIG, DATABASE, FILE = "NACRE_CONFIG", "NACRE_DATABASE", "nacre.toml"
MEMORY, DEFAULT_DATABASE = ":memory:", "nacre.db"
PREFIXES = ("NACRE_", "EMBEDDING__")


@dataclass(frozen=True)
class Surroundings:
    """The store that a command means, the file its settings stand in, and a digest of all that decides about both."""

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


def variables() -> dict[str, str]:
    """The variables that are settings, by their names in capitals."""
    return {name.upper(): value for name, value in os.environ.items() if name.upper().startswith(PREFIXES)}


def screen() -> tuple[int | None, bool]:
    """How wide the terminal is that output goes to, nothing where it goes elsewhere, and whether it has colours."""
    coloured = "NO_COLOR" not in os.environ and os.environ.get("TERM", "") not in ("", "dumb")
    if not os.isatty(1):
        return None, coloured
    return int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns), coloured


def config_folder() -> Path:
    """Where this user's settings are."""
    return _folder("XDG_CONFIG_HOME", ".config")


def data_folder() -> Path:
    """Where this user's memory is unless the settings say otherwise."""
    return _folder("XDG_DATA_HOME", ".local/share")


def state_folder() -> Path:
    """Where addresses of servers, logs and what still has to be told are."""
    return _folder("XDG_STATE_HOME", ".local/state")


def _folder(variable: str, default: str) -> Path:
    named = os.environ.get(variable, "")
    return Path(named if named.startswith("/") else Path.home() / default) / "nacre"


def variable(name: str) -> str | None:
    """One variable, such as the one that moves a client's folder."""
    return os.environ.get(name) or None


def personal_config() -> Path:
    """The file of settings that hooks go by, and commands where no nearer one is."""
    return config_folder() / FILE


def config_of_command(given: str | None = None) -> Path | None:
    """The file of settings of a command: the one that is named, the one in this folder, or the user's own."""
    named = given or variables().get(CONFIG)
    if named:
        return Path(named)
    return next((file for file in (Path(FILE), personal_config()) if file.is_file()), None)


def config_of_hook() -> Path | None:
    """The file of settings of a hook: never one in this folder, which may be anybody's project."""
    named = variables().get(CONFIG)
    file = Path(named) if named else personal_config()
    return file if file.is_file() else None


def surroundings(config: Path | None, database: str | None = None) -> Surroundings | None:
    """The store that settings mean; nothing where a command has to find out itself what is wrong with them."""
    known = variables()
    chosen = database or known.get(DATABASE) or _database_in(config)
    if chosen is None or chosen == MEMORY:
        return None
    place = chosen if "://" in chosen else str(Path(chosen).absolute().resolve())
    told = [f"{name}={value}" for name, value in sorted(known.items()) if name not in (CONFIG, DATABASE)]
    held = config.read_bytes() if config else b""
    seen = "\n".join([place, str(config and config.absolute()), os.environ.get("TZ", ""), *told])
    return Surroundings(place, config and config.absolute(), blake2b(seen.encode() + held, digest_size=8).hexdigest())


def handed_down(store: Surroundings) -> dict[str, str]:
    """The variables of a process that is to work with a store; as an argument, `ps` would show its password."""
    return {**os.environ, DATABASE: store.database}


def _database_in(config: Path | None) -> str | None:
    if config is None:
        return DEFAULT_DATABASE
    import tomllib  # noqa: PLC0415 - most commands have no file

    try:
        held = tomllib.loads(config.read_text(encoding="utf-8")).get("database", DEFAULT_DATABASE)
    except (OSError, ValueError):
        return None
    return held if isinstance(held, str) else None
