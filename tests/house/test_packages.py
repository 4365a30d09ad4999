"""What is installed holds everything that the program needs at run time."""

import re
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import yaml
from packaging.metadata import Metadata

import nacre
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


def test_what_indexes_show_of_the_package_is_whole(wheel):
    with ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        (name,) = [each for each in packed if each.endswith(".dist-info/METADATA")]
        # Raises for whatever the standard does not allow.
        told = Metadata.from_email(archive.read(name), validate=True)

    assert (str(told.version), told.license_expression) == (nacre.__version__, "Apache-2.0")
    assert told.description_content_type == "text/markdown"
    assert told.description == (ROOT / "README.md").read_text(encoding="utf-8")
    assert "nacre/py.typed" in packed
    folder = name.removesuffix("METADATA")
    assert {f"{folder}licenses/{each}" for each in told.license_files or []} <= packed


def test_a_wheel_can_be_built_from_the_source_archive(sdist):
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}

    assert {"hatch_build.py", "pyproject.toml", "README.md", "LICENSE", "SECURITY.md", "CITATION.cff"} <= packed
    # With what was built and what it was built from, so that no Node is needed.
    assert {"src/nacre/web/index.html", "src/nacre/web/built-from", "dashboard/package.json"} <= packed


def test_the_citation_and_the_changes_name_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    released = re.search(r"^## (\S+), (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert released
    assert released.groups() == (nacre.__version__, str(cited["date-released"]))
    assert (cited["version"], cited["license"]) == (nacre.__version__, "Apache-2.0")


def test_twine_finds_nothing_wrong_with_what_would_be_published(wheel, sdist):
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist)], check=True)
