"""Rules of the house that no single room can check."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import nacre
from nacre.domain import errors

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path
    for folder in ("src", "bench", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if "versions" not in path.parts
)


def test_no_source_file_is_over_400_lines():
    long = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: lines for name, lines in long.items() if lines > 400} == {}


def test_every_module_says_what_it_is():
    silent = [
        str(p.relative_to(ROOT))
        for p in (ROOT / "src").rglob("*.py")
        if not ast.get_docstring(ast.parse(p.read_text()))
    ]
    assert silent == []


def test_root_exports_are_sorted_and_complete():
    assert nacre.__all__ == sorted(nacre.__all__)
    public = {name for name, value in vars(nacre).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert public == set(nacre.__all__)


def error_classes() -> list[type[errors.NacreError]]:
    return [value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, errors.NacreError)]


def test_every_error_has_a_code_of_its_own_and_is_exported():
    codes = [error.code for error in error_classes()]
    assert len(codes) == len(set(codes))
    assert all("code" in vars(error) for error in error_classes())
    assert {error.__name__ for error in error_classes()} <= set(nacre.__all__)


def test_the_drawing_of_the_error_tree_names_every_error():
    drawn = re.findall(r"^ *([A-Z]\w+)", errors.__doc__ or "", re.MULTILINE)
    assert set(drawn) >= {error.__name__ for error in error_classes()}


@pytest.mark.parametrize("lock", sorted(ROOT.glob("requirements*.lock")), ids=lambda path: path.name)
def test_lock_files_hold_hashes_and_no_addresses(lock):
    content = lock.read_text()
    assert "://" not in content
    pinned = re.findall(r"^[a-z0-9][\w.-]*==", content, re.MULTILINE)
    assert pinned
    assert content.count("--hash=sha256:") >= len(pinned)


def test_only_the_store_names_a_database():
    """Nothing outside `store/` imports a driver or SQLAlchemy."""
    guilty = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "src/nacre").rglob("*.py")
        if "store" not in path.parts
        and re.search(r"^\s*(import|from) (sqlalchemy|sqlite3|psycopg)", path.read_text(), re.MULTILINE)
    ]
    assert guilty == []


def test_only_the_settings_read_the_environment():
    guilty = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "src/nacre").rglob("*.py")
        if path.name != "settings.py" and re.search(r"os\.(environ|getenv)", path.read_text())
    ]
    assert guilty == []
