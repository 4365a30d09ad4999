"""A `nacre` that starts in a moment: each command runs in a copy of a process that has imported everything.

Importing takes longer than most commands, and the pages have a hundred of them. What hears signals, or talks over its
input until the end, is the real program: a server at its usual port, and MCP.
"""

import json
import os
import shlex
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from nacre.cli import app, servers

REAL = Path(sys.executable).parent
# A copy of this process has what is imported here. The command imports its servers only when it serves.
PRELOADED = (app, servers)
CALLER = Path(__file__).with_name("caller.py")
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
        given = {"real": REAL / "nacre", "python": sys.executable, "caller": CALLER, "address": address}
        program.write_text(PROGRAM.format(**{name: shlex.quote(str(path)) for name, path in given.items()}))
        program.chmod(0o755)
        answering = get_context("fork").Process(target=_answer, args=(listener,))
        answering.start()
        try:
            yield Path(folder)
        finally:
            answering.kill()
            answering.join()


def _answer(listener: socket.socket) -> None:
    # Nobody asks how a copy ended: it has told its caller.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        line, _ = listener.accept()
        if os.fork() == 0:
            code = 1
            try:
                code = _run(line)
            finally:
                line.sendall(bytes([code]))
                os._exit(code)
        line.close()


def _run(line: socket.socket) -> int:
    """Carry out one command with what its caller has: arguments, folder, variables, and where it reads and writes."""
    length, files, *_ = socket.recv_fds(line, 4, 3)
    with line.makefile("rb") as read:
        arguments, folder, variables = json.loads(read.read(int.from_bytes(length)))
    threading.Thread(target=_end_with_the_caller, args=(line,), daemon=True).start()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    # Commands that a page starts may wait for each other.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with open(0) as sys.stdin, open(1, "w") as sys.stdout, open(2, "w") as sys.stderr:
        try:
            return app.run(arguments)
        except BaseException:  # noqa: BLE001 - whatever it is, the command failed
            traceback.print_exc()
            return 1


def _end_with_the_caller(line: socket.socket) -> None:
    """A server that nobody waits for any more has nobody left to serve."""
    line.recv(1)
    os._exit(1)
