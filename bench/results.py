"""Result files: one JSON document a run."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nacre
from bench.errors import BadResult
from bench.machines import commit, machine
from bench.sources import ROOT

FOLDER = ROOT / "bench" / "results"

Json = dict[str, Any]


def result(section: str, options: Json, figures: Json) -> Json:
    """A whole result: the figures and what they were measured on."""
    return {
        "section": section,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": commit(),
        "version": nacre.__version__,
        "machine": machine(),
        "options": {
            "embedder": embedder(),
            "rerank": nacre.Settings().rerank,
            "extraction": nacre.Settings().extraction,
            **options,
        },
        **figures,
    }


def embedder() -> str:
    """Which vectors the environment asks for: figures with others are other figures."""
    settings = nacre.Settings()
    return settings.embedding_model or "remote" if settings.embedding_endpoint else settings.embedder


def write(document: Json, folder: Path = FOLDER) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{document['commit']}-{document['section']}.json"
    path.write_text(as_text(document), encoding="utf-8")
    return path


def read(path: Path) -> Json:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadResult(path) from error
    if not isinstance(document, dict) or "section" not in document:
        raise BadResult(path)
    return document


def as_text(document: Json) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
