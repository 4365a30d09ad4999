"""A restore that is killed halfway leaves nothing behind."""

import multiprocessing
import os
import time
from pathlib import Path

from nacre import Nacre, Settings, Turn
from tests.transfer.histories import exported, rows


def settings() -> Settings:
    return Settings(worker="off", embedder="off")


def restore(address: str, file: str) -> None:
    """What the other process does until it is killed."""
    with Nacre(address, settings=settings()) as nacre:
        nacre.scope("copy").transfer.load(Path(file), format="jsonl")


def opened(pipe: Path) -> int:
    """The end of a pipe to write to, once somebody reads: a plain `open` would wait for ever for who does not come."""
    until = time.monotonic() + 60
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert time.monotonic() < until, "Nobody reads the pipe."
            time.sleep(0.01)


def test_a_killed_restore_is_all_or_nothing(sqlite_url, tmp_path):
    """It reads from a pipe, so it has written as much as it was given when it is killed."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["nacre", "tests.transfer.test_killed"])
    with Nacre(sqlite_url, settings=settings()) as nacre:
        scope, copy = nacre.scope("a"), nacre.scope("copy")
        scope.observe_many(Turn(role="assistant", text=f"Line {number} " + "x" * 1_000) for number in range(400))
        whole = exported(scope)
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        process = context.Process(target=restore, args=(sqlite_url, str(pipe)))
        process.start()
        with os.fdopen(opened(pipe), "wb") as out:
            os.set_blocking(out.fileno(), True)
            out.write(whole.encode()[: len(whole) * 3 // 4])
            out.flush()
            process.kill()
            process.join()

        assert rows(exported(copy)) == [""]
        copy.transfer.load(whole.encode())
        assert rows(exported(copy)) == rows(whole)
