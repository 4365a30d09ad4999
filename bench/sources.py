"""Where the data lies and how a file of it is read. The data never enters the repository."""

import json
from pathlib import Path
from typing import Any

from bench.errors import MissingData

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"


def read_json(data: Path, name: str) -> list[dict[str, Any]]:
    path = data / name
    if not path.is_file():
        raise MissingData(path)
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return entries
