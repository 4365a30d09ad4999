"""One whole run: environments, speed, quality."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.errors import NotInstalled
from bench.peers import answering, measuring
from bench.peers.catalogue import System
from bench.peers.environments import python_of
from bench.progress import Progress
from bench.questions import QuestionSet

Json = dict[str, Any]


def run(
    systems: Sequence[System],
    plan: measuring.Plan,
    questions: QuestionSet,
    *,
    environments: Path,
    progress: Progress,
    notice: measuring.Notice,
) -> Json:
    """Every figure. A system that cannot be installed stays in the result without any."""
    ready, missing = prepare(systems, environments, notice)
    with tempfile.TemporaryDirectory(prefix="nacre-peers-") as folder:
        speed = measuring.measure(ready, plan, Path(folder) / "speed", progress, notice)
        quality = answering.measure(ready, questions, Path(folder) / "quality", progress, notice)
    versions = speed.pop("versions")
    about = {
        system.name: {
            "title": system.title,
            "installed": system.name not in missing,
            "versions": versions.get(system.name, {}) | dict(name.rsplit("@", 1) for name in system.npm),
            "does": system.does,
        }
        for system in systems
    }
    return {"systems": about, **speed, "quality": quality}


def prepare(
    systems: Sequence[System], environments: Path, notice: measuring.Notice
) -> tuple[list[tuple[System, Path]], list[str]]:
    """Each system with its Python, and the names of those that could not be installed."""
    ready, missing = [], []
    for system in systems:
        try:
            ready.append((system, python_of(system, environments)))
        except NotInstalled as error:
            notice(str(error))
            missing.append(system.name)
    return ready, missing
