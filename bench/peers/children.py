"""The parent's side: a system in a process of its own, asked by lines of JSON."""

import json
import os
import subprocess
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any, Self

from bench.errors import PeerEnded
from bench.peers.catalogue import System
from bench.sources import ROOT

# A child looks at the clock between its calls; this is for one call that never returns.
HANGING_SECONDS = 300

Json = dict[str, Any]


class Child:
    """One running system. It raises `PeerEnded` when the process is gone."""

    def __init__(self, system: System, python: Path, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.system = system
        self._log = folder.with_suffix(".log")
        with self._log.open("w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [python, "-m", f"bench.peers.systems.{system.name}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                encoding="utf-8",
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it: politely first, so that it can close what it holds."""
        try:
            self._process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def ask(self, do: str, **arguments: Any) -> Json:
        """Its answer to one command."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        alarm = Timer(arguments.get("seconds", 0) + HANGING_SECONDS, self._process.kill)
        alarm.start()
        try:
            self._process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            alarm.cancel()
        if not line:
            raise PeerEnded(self.system.title, do, self._last_words())
        reply: Json = json.loads(line)
        return reply

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"
