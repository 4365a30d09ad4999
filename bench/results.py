"""Result files: one JSON document a run, and one for each published table, which alone is kept in git."""

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
    """Keep what a run measured, to compare it with others."""
    return _written(document, folder / f"{document['commit']}-{document['section']}.json")


def publish(document: Json, folder: Path = FOLDER) -> Path:
    """Keep what a page shows; the document names its commit."""
    return _written(document, published(document["section"], folder))


def published(section: str, folder: Path = FOLDER) -> Path:
    """Where the figures of a section on a page are."""
    return folder / f"{section}.json"


def _written(document: Json, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
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
