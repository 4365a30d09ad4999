"""The encoder of talk: a small network that turns the tokens of a window into states, on the CPU with onnxruntime."""

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nacre.models import local_reranker
from nacre.models.reader_decoding import Floats
from nacre.models.reader_windows import Window

THREADS = 2


class TalkEncoder:
    """Runs one network. Nothing is loaded before the first window comes."""

    def __init__(self, network: Path, threads: int = THREADS) -> None:
        self._network, self._threads = network, threads

    def states(self, window: Window) -> Floats:
        """States of the tokens of a window. Numbers are scaled by all that runs together, so each runs alone."""
        words, scales = self._words
        inputs = {
            "words": (words[window.ids].astype(np.float32) * scales[window.ids])[None],
            "types": window.types[None],
            "cases": window.cases[None],
            "mask": np.zeros((1, len(window)), np.float32),
        }
        states: Floats = self._session.run(None, inputs)[0][0]
        return states

    @cached_property
    def _words(self) -> tuple[NDArray[np.int8], Floats]:
        words = np.asarray(np.load(local_reranker.DATA / "words.npy", mmap_mode="r"))
        return words, np.load(local_reranker.DATA / "scales.npy").astype(np.float32)[:, None]

    @cached_property
    def _session(self) -> Any:
        return local_reranker.open_session(self._network, self._threads)
