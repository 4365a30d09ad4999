"""Installing Nacre into a client and taking it out again, and the personal settings that hooks go by."""

import getpass
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from nacre import environment
from nacre.background import calls
from nacre.clients import changes, entries
from nacre.clients.catalogue import CLIENTS, Client, Program
from nacre.clients.changes import FileChange
from nacre.domain.errors import Invalid

AGENT = "me"
PACKAGES = Path(__file__).parents[2]
# What Python runs for a hook. It looks for no packages but ours, none of the folder's that it is started in (-I, -S),
# and where ours are gone it ends with 1, which clients do not mind as they do 2.
HOOK = "import sys; sys.path.append({}); from nacre.clients import hooks; hooks.main()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """What was or would be changed for a client, the backups of what was there, and what a person has to do."""

    client: str
    title: str
    done: bool
    files: tuple[Path, ...]
    diff: str
    backups: tuple[Path, ...] = ()
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientState:
    """A client, whether it is on this machine, and whether Nacre is installed in it."""

    client: str
    title: str
    found: bool
    installed: bool
    problem: str = ""


def install(name: str, *, per_project: bool = False, dry_run: bool = False) -> Installation:
    """Put Nacre into a client's configuration; nothing else there is touched."""
    client = named(name)
    program = _program(per_project=per_project)
    wanted = entries.installing(client.entries(program))
    if not dry_run:
        _data_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    return _apply(client, [*changes.needed([_personal(program.config)]), *wanted], dry_run=dry_run)


def uninstall(name: str, *, dry_run: bool = False) -> Installation:
    """Take Nacre out of a client's configuration; what it has learned stays."""
    client = named(name)
    every = client.entries(_program())
    done = _apply(client, entries.uninstalling(client.name, every), dry_run=dry_run, installs=False)
    if not dry_run:
        changes.forget(client.name, [each.path for each in every])
    return done


def states() -> list[ClientState]:
    """Every client that is known here, and how it stands."""
    return [_state(client) for client in CLIENTS.values()]


def named(name: str) -> Client:
    """A client by its name."""
    if name not in CLIENTS:
        near = get_close_matches(name, CLIENTS, 1)
        hint = f"; is `{near[0]}` meant?" if near else f": {', '.join(CLIENTS)}"
        raise Invalid("client", f"must be one that is known{hint}")
    return CLIENTS[name]


def _apply(client: Client, file_changes: list[FileChange], *, dry_run: bool, installs: bool = True) -> Installation:
    backups = [] if dry_run else changes.write(client.name, file_changes)
    return Installation(
        client=client.name,
        title=client.title,
        done=not dry_run,
        files=tuple(each.path for each in file_changes),
        diff="".join(each.diff for each in file_changes),
        backups=tuple(backups),
        remark=client.remark if installs else "",
    )


def _state(client: Client) -> ClientState:
    problem, present = "", False
    try:
        present = any(each.present(changes.read(each.path)) for each in client.entries(_program()))
    except Invalid as error:
        problem = str(error)
    return ClientState(client=client.name, title=client.title, found=client.found, installed=present, problem=problem)


def _program(*, per_project: bool = False) -> Program:
    beside = Path(sys.executable).parent / "nacre"
    command = (str(beside),) if beside.is_file() else (sys.executable, "-m", "nacre")
    config = Path(environment.variables().get(environment.CONFIG) or environment.personal_config())
    quick = (sys.executable, "-I", "-S", "-c", HOOK.format(json.dumps(str(PACKAGES)))) if calls.possible() else command
    return Program(command=command, quick=quick, config=config.absolute(), per_project=per_project)


def _personal(config: Path) -> FileChange:
    """The personal settings: one memory for all clients, in this user's own folder. Those that are there stay."""
    before = changes.read(config)
    if before is not None:
        return FileChange(path=config, before=before, after=before)
    database = _data_folder() / "nacre.db"
    # A string of JSON is a string of TOML.
    written: dict[str, Callable[[], str]] = {"database": lambda: str(database), "agent": lambda: AGENT, "user": _user}
    lines = [f"{name} = {json.dumps(value(), ensure_ascii=False)}\n" for name, value in written.items()]
    return FileChange(path=config, before=None, after="".join([*lines, "redact_secrets = true\n"]))


def _data_folder() -> Path:
    return Path(environment.data_folder())


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "user"
