"""A `nacre` that starts in a moment, for a shell: each command runs in a copy of the process of the tests.

What hears signals, or talks over its input until the end, is the real program: a server at its usual port, and MCP.
"""

import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from nacre.cli import app, servers
from tests import programs

# A copy of this process has what is imported here. The command imports its servers only when it serves.
PRELOADED = (app, servers)
REAL = Path(sys.executable).parent
PROGRAM = """#!/bin/sh
case "$*" in serve|mcp*) exec {real} "$@" ;; esac
exec {python} -IS {caller} {address} "$@"
"""


@contextmanager
def quick() -> Iterator[Path]:
    """A folder for the PATH, with a `nacre` that works while this lasts."""
    # Not a test's own folder: the address of a socket has to be short.
    with TemporaryDirectory(prefix="nacre-") as folder, socket.socket(socket.AF_UNIX) as listener:
        address, program = Path(folder, "calls"), Path(folder, "nacre")
        listener.bind(str(address))
        listener.listen()
        given = {"real": REAL / "nacre", "python": sys.executable, "caller": programs.CALLER, "address": address}
        program.write_text(PROGRAM.format(**{name: shlex.quote(str(path)) for name, path in given.items()}))
        program.chmod(0o755)
        answering = get_context("fork").Process(target=programs.answer, args=(listener,))
        answering.start()
        try:
            yield Path(folder)
        finally:
            answering.kill()
            answering.join()
