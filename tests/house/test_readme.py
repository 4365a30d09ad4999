"""The README, played from top to bottom in a fresh folder with the wheel installed."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from tests.house.test_docs import FENCE, ROOT, default_environment

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_each_example_prints_what_the_page_says(wheel, tmp_path):
    """The examples run in order in one folder; the block after an example is exactly what it prints."""
    installed, folder = tmp_path / "installed", tmp_path / "fresh"
    folder.mkdir()
    with ZipFile(wheel) as archive:
        archive.extractall(installed)
    environment = {**default_environment(), "PYTHONPATH": str(installed), "PYTHONWARNINGS": "error"}

    printed, shown = [], []
    for kind, code in FENCE.findall(README):
        if kind == "python":
            where = ["-c", f"import nacre; assert {str(installed)!r} in nacre.__file__\n{code}"]
            printed.append(_run([sys.executable, *where], folder, environment))
        elif kind == "text python":
            shown.append(code)
    assert printed == shown
    assert shown


def test_the_commands_of_the_page_are_there_and_have_their_own_headings():
    headed = re.findall(r"^## `\./(.+)`$", README, re.MULTILINE)
    assert headed == ["script/server", "script/test"]
    for name in headed:
        assert os.access(ROOT / name, os.X_OK)
        subprocess.run(["bash", "-n", str(ROOT / name)], check=True)


def test_the_install_lines_are_lines_of_pip():
    """They need registries, so what they build is tested with the packages."""
    (block,) = [code for kind, code in FENCE.findall(README) if kind == "bash setup"]
    for line in block.splitlines():
        assert shlex.split(line)[1:3] == ["-m", "pip"]


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
