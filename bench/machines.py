"""What the figures were measured on. Nothing that names a host or a folder."""

import os
import platform
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

from bench.sources import ROOT

WORKTREE = "worktree"
# What a run itself rewrites does not make the code another one.
_MEASURED = ("src", "bench", ":(exclude)bench/results")


def machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "arch": platform.machine(),
        "cpu": cpu_model(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "load": round(os.getloadavg()[0], 2),
    }


def cpu_model() -> str:
    return (
        _from_cpuinfo()
        or _after_colon(_output("lscpu"), "Model name")
        or _output("sysctl", "-n", "machdep.cpu.brand_string")
        or "unknown"
    )


def commit() -> str:
    """The short commit the code stands at, or `worktree` when it stands at none."""
    if _output("git", "status", "--porcelain", "--", *_MEASURED):
        return WORKTREE
    return _output("git", "rev-parse", "--short", "HEAD") or WORKTREE


def _from_cpuinfo() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    return _after_colon(cpuinfo.read_text(encoding="utf-8"), "model name") if cpuinfo.is_file() else ""


def _after_colon(text: str, key: str) -> str:
    return next((line.partition(":")[2].strip() for line in text.splitlines() if line.startswith(key)), "")


def _output(*command: str) -> str:
    """What a command prints, nothing when it fails or is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
