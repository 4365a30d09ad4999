"""Writers: files of labels, each of one person, judged line by line and summed by writer."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bench.errors import MissingData
from bench.progress import Progress

Json = dict[str, Any]


def load(folder: Path) -> dict[str, list[Json]]:
    """What each writer wrote, by the name of the file."""
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise MissingData(folder)
    return {path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in files}


def measure(
    title: str, writers: Mapping[str, list[Json]], judge: Callable[[Json], Json], progress: Progress
) -> dict[str, Json]:
    """What was counted in all that each of them wrote."""
    figures: dict[str, Json] = {}
    with progress.track(title, sum(map(len, writers.values()))) as advance:
        for name, written in writers.items():
            judged = []
            for each in written:
                judged.append(judge(each))
                advance(1)
            figures[name] = {key: sum(each[key] for each in judged) for key in judged[0]}
    return figures
