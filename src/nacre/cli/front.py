"""The front door of `nacre`: what can be answered at once is, and all else goes to the commands.

Nothing is imported here but what each answer needs. Most of the time of a short command goes into imports, and a
background server has done them.
"""

import sys
from collections.abc import Sequence

from nacre.cli.arguments import command_of, without_options

# Commands that a background server can run: they read no files and end soon.
SHARED = ("observe", "remember", "recall", "context", "memory", "working", "knowledge", "history", "undo", "sessions")
# The exit code of what was interrupted.
INTERRUPTED = 130
# How long a server may take for a command before the caller gives up.
SECONDS = 600.0


def main() -> None:
    """Run the command line of this process."""
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        # Commands see to their own. This one came while what they need was loaded.
        sys.stderr.write("Interrupted.\n")
        code = INTERRUPTED
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run a command where it is fastest, and say how it ended."""
    if list(arguments) in (["--version"], ["version"]):
        from nacre import __version__  # noqa: PLC0415

        sys.stdout.write(f"{__version__}\n")
        return 0
    if arguments[:1] == ["hook"] and "--help" not in arguments:
        from nacre.clients import hooks  # noqa: PLC0415

        return hooks.run(list(arguments[1:]))
    code = _elsewhere(arguments) if command_of(arguments) in SHARED else None
    return _here(arguments) if code is None else code


def _here(arguments: Sequence[str]) -> int:
    import gc  # noqa: PLC0415

    # Looking for garbage while everything is new is an eighth of the time that importing takes, and what was imported
    # stays until the end.
    gc.disable()
    from nacre.cli import app  # noqa: PLC0415

    gc.freeze()
    gc.enable()
    return app.run(arguments)


def _elsewhere(arguments: Sequence[str]) -> int | None:
    """Have the background server run a command; nothing where there is none that has the same settings."""
    from nacre import __version__, environment  # noqa: PLC0415
    from nacre.background import addresses, calls, stores  # noqa: PLC0415

    kept, chosen = without_options(arguments, "--config", "--database")
    try:
        config = environment.config_of_command(chosen.get("--config"))
        store = stores.choose(config, chosen.get("--database")) if calls.possible() else None
    except (OSError, ValueError):
        return None
    address = addresses.read(store) if store else None
    if store is None or address is None or (address.digest, address.version) != (store.digest, __version__):
        return None
    columns, coloured = environment.screen()
    request: dict[str, object] = {"kind": "command", "arguments": kept, "columns": columns, "coloured": coloured}
    try:
        reply = calls.call(address.socket, request, SECONDS)
        if reply.get("reads"):
            # Only now is it known that the command reads standard input, which may never end.
            if sys.stdin.isatty():
                return None
            text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
            reply = calls.call(address.socket, {**request, "stdin": text}, SECONDS)
    except calls.NoAnswer as error:
        if error.sent:
            sys.stderr.write("error: The background server did not answer; see `nacre status`.\n")
            return 1
        return None
    sys.stdout.write(str(reply["out"]))
    sys.stderr.write(str(reply["err"]))
    return int(str(reply["code"]))
