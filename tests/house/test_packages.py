"""What is installed holds everything that the program needs at run time."""

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from nacre.http.dashboard import WEB

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source tree."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_carries_the_dashboard_as_it_was_built(wheel):
    built = {path.relative_to(WEB.parent.parent).as_posix() for path in WEB.rglob("*") if path.is_file()}
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("nacre/web/")}
        page = archive.read("nacre/web/index.html").decode()

    assert packed == built
    loaded = re.findall(r'(?:src|href)="\./([^"]+)"', page)
    assert loaded
    assert {f"nacre/web/{name}" for name in loaded} <= packed


def test_the_wheel_carries_models_prompts_migrations_and_pages(wheel):
    with ZipFile(wheel) as archive:
        packed = set(archive.namelist())

    for path in (ROOT / "src/nacre").rglob("*"):
        name = path.relative_to(ROOT / "src").as_posix()
        if path.is_file() and "__pycache__" not in name:
            assert name in packed
    assert not [name for name in packed if name.startswith(("tests/", "bench/", "dashboard/"))]
