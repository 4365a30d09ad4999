"""Runs commands as a person would, in a folder of the test's own."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from nacre.cli.app import run


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


Nacre = Callable[..., Ran]


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, and settings that no other process left."""
    for name in ("DATABASE", "AGENT", "USER", "CHAT"):
        monkeypatch.delenv(f"NACRE_{name}", raising=False)
    monkeypatch.setenv("NACRE_EMBEDDER", "off")
    # Neither the personal settings of whoever runs the tests, nor their servers.
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def nacre_command(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Nacre:
    """Runs `nacre` with arguments, and with bytes on standard input."""

    def invoke(*arguments: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        code = run(arguments)
        out, err = capfd.readouterr()
        return Ran(code, out, err)

    return invoke
