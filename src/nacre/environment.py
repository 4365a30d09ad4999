"""The surroundings of a process, read without any library: variables, folders of this user, and files of settings.

`nacre.settings` reads every setting and checks it. A hook has to answer in a blink: what it needs stands here, and
nothing here imports more than the interpreter has loaded by itself.
"""

import os
from binascii import crc32

CONFIG, DATABASE, FILE = "NACRE_CONFIG", "NACRE_DATABASE", "nacre.toml"
PREFIXES = ("NACRE_", "EMBEDDING__")


def variables() -> dict[str, str]:
    """The variables that are settings, by their names in capitals."""
    return {name.upper(): value for name, value in os.environ.items() if name.upper().startswith(PREFIXES)}


def variable(name: str) -> str | None:
    """One variable, such as the one that moves a client's folder."""
    return os.environ.get(name) or None


def handed_down(database: str) -> dict[str, str]:
    """The variables of a process that is to work with a store; as an argument, `ps` would show its password."""
    return {**os.environ, DATABASE: database}


def screen() -> tuple[int | None, bool]:
    """How wide the terminal is that output goes to, nothing where it goes elsewhere, and whether it has colours."""
    coloured = "NO_COLOR" not in os.environ and os.environ.get("TERM", "") not in ("", "dumb")
    if not os.isatty(1):
        return None, coloured
    return int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns), coloured


def home() -> str:
    """The folder of this user."""
    return os.path.expanduser("~")


def config_folder() -> str:
    """Where this user's settings are."""
    return _folder("XDG_CONFIG_HOME", ".config")


def data_folder() -> str:
    """Where this user's memory is unless the settings say otherwise."""
    return _folder("XDG_DATA_HOME", ".local/share")


def state_folder() -> str:
    """Where addresses of servers, logs and what still has to be told are."""
    return _folder("XDG_STATE_HOME", ".local/state")


def server_folder() -> str:
    """Where the addresses of background servers are."""
    return os.path.join(state_folder(), "servers")


def _folder(name: str, default: str) -> str:
    named = os.environ.get(name, "")
    return os.path.join(named if os.path.isabs(named) else os.path.join(home(), default), "nacre")


def personal_config() -> str:
    """The file of settings that hooks go by, and commands where no nearer one is."""
    return os.path.join(config_folder(), FILE)


def config_of_command(given: str | None = None) -> str | None:
    """The file of settings of a command: the one that is named, the one in this folder, or the user's own."""
    named = given or variables().get(CONFIG)
    if named:
        return named
    return next((file for file in (FILE, personal_config()) if os.path.isfile(file)), None)


def config_of_hook() -> str | None:
    """The file of settings of a hook: never one in this folder, which may be anybody's project."""
    file = variables().get(CONFIG) or personal_config()
    return file if os.path.isfile(file) else None


def hook_address(config: str, version: str) -> str:
    """Where a hook finds the server for its settings: another file when these or the version have changed."""
    with open(config, "rb") as file:
        told = [f"{name}={value}" for name, value in sorted(variables().items()) if name not in (CONFIG, DATABASE)]
        seen = crc32("\n".join([version, os.path.abspath(config), *told]).encode(), crc32(file.read()))
    return os.path.join(server_folder(), f"hook-{seen:08x}")
