"""What is installed holds everything that the program needs at run time."""

import re
from pathlib import Path
from zipfile import ZipFile

from nacre.http.dashboard import WEB

ROOT = Path(__file__).parents[2]


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
