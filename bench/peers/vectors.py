"""Nacre's static embedder for systems that know nothing of Nacre: the same file makes the same vectors everywhere.

Only `static_embedder.py` and what it names are loaded; the package around it, with all it needs, is not.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

SOURCE = Path(__file__).resolve().parents[2] / "src" / "nacre"
DIMENSIONS = 256


def static_embedder() -> Any:
    """It needs numpy and tokenizers, nothing else; `matrix(texts)` gives rows of norm 1."""
    for name, folder in (("nacre", SOURCE), ("nacre.models", SOURCE / "models")):
        if name not in sys.modules:
            package = ModuleType(name)
            package.__path__ = [str(folder)]
            sys.modules[name] = package
    return import_module("nacre.models.static_embedder").StaticEmbedder()


class Vectors:
    """Vectors as plain lists, which is what most systems ask for."""

    def __init__(self) -> None:
        self._embedder = static_embedder()

    def of(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = self._embedder.matrix(texts).tolist()
        return rows

    def one(self, text: str) -> list[float]:
        return self.of([text])[0]

    def arrays(self, texts: list[str]) -> Any:
        """A float32 matrix, for systems that take one."""
        return self._embedder.matrix(texts)
