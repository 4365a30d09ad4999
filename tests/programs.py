"""A `nacre` that starts in a moment: each command runs in a copy of a process that has imported everything.

With `-c` it is a Python that starts in a moment. Importing takes longer than most commands. One such process is there
for a whole run of the tests, and is clean of all that tests do to theirs. How a process starts and how it ends, only
the real program can show.
"""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent
CALLER = Path(__file__).with_name("caller.py")
# A copy has what was imported before. The command imports its servers only when it serves.
PRELOADED = ("nacre.cli.app", "nacre.cli.servers", "nacre.mcp.stdio")
# How soon it is seen that the run has ended, in seconds.
GLANCE = 1.0


def quick(run: str, process: int) -> list[str]:
    """How a command line begins that is carried out at once, for a whole test run and while its process lives."""
    # Not a test's own folder: the address of a socket has to be short.
    folder = Path(tempfile.gettempdir()) / f"nacre-programs-{run[:12]}"
    folder.mkdir(exist_ok=True)
    address = folder / "calls"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not address.exists():
            command = [sys.executable, "-m", __name__, str(address), str(process)]
            subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return [sys.executable, "-IS", str(CALLER), str(address)]


def listen(address: Path, process: int) -> None:
    """Carry out commands in the background for as long as another process lives."""
    for name in PRELOADED:
        import_module(name)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(address))
        listener.listen()
        listener.settimeout(GLANCE)
        if os.fork():
            return
        os.setsid()
        with suppress(ProcessLookupError):
            while True:
                os.kill(process, 0)
                with suppress(TimeoutError):
                    answer(listener)
        shutil.rmtree(address.parent)


def answer(listener: socket.socket) -> None:
    """Carry out commands, each in a copy of this process."""
    # Nobody asks how a copy ended: it has told its caller.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        line, _ = listener.accept()
        if os.fork() == 0:
            code = 1
            try:
                listener.close()
                line.settimeout(None)
                code = _run(line)
            finally:
                with suppress(OSError):
                    line.sendall(bytes([code]))
                os._exit(code)
        line.close()


def _run(line: socket.socket) -> int:
    """Carry out one command with what its caller has: arguments, folder, variables, and where it reads and writes."""
    length, files, *_ = socket.recv_fds(line, 4, 3)
    with line.makefile("rb") as read:
        arguments, folder, variables = json.loads(read.read(int.from_bytes(length)))
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    # Commands that a page starts may wait for each other.
    from nacre.cli import app

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_end_with_the_caller, args=(line,), daemon=True).start()
    with open(0) as sys.stdin, open(1, "w") as sys.stdout, open(2, "w", buffering=1) as sys.stderr:
        try:
            line.sendall(os.getpid().to_bytes(4))
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                if arguments[:1] != ["-c"]:
                    return app.run(arguments)
                sys.argv = ["-c", *arguments[2:]]
                exec(compile(arguments[1], "program.py", "exec"), {"__name__": "__main__"})
                return 0
        except BaseException:  # noqa: BLE001 - whatever it is, the command failed
            traceback.print_exc()
            return 1


def _end_with_the_caller(line: socket.socket) -> None:
    """A server that nobody waits for any more has nobody left to serve."""
    with suppress(OSError):
        line.recv(1)
    os._exit(1)


if __name__ == "__main__":
    listen(Path(sys.argv[1]), int(sys.argv[2]))
