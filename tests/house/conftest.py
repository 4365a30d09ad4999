"""What several tests of the house share."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Packing the models takes longer than all the rest, and no test looks at how large a package is.
BUILD = """
import zlib
from hatchling.cli import hatchling
pack = zlib.compressobj
zlib.compressobj = lambda _level, *others: pack(0, *others)
hatchling()
"""


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive of this source tree."""
    folder = tmp_path_factory.mktemp("packages")
    command = [sys.executable, "-c", BUILD, "build", "--directory", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def wheel(packages: Path) -> Path:
    """The wheel of this source tree."""
    return next(packages.glob("nacre-*.whl"))


@pytest.fixture(scope="session")
def sdist(packages: Path) -> Path:
    """The source archive of this source tree."""
    return next(packages.glob("nacre-*.tar.gz"))
