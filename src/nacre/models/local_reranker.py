"""The rerankers that ship in the package: small cross-encoders that run on the CPU with onnxruntime."""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nacre.domain.errors import Misconfigured
from nacre.models import static_embedder
from nacre.models.rerankers import Floats, RerankPassage
from nacre.models.static_embedder import WordPieces

DATA = Path(__file__).parent / "reranking"

CLS, SEP = 101, 102
# What the models were trained with.
MAX_QUESTION, MAX_PREVIOUS, MAX_TOKENS = 40, 32, 128
# Of a longer text the first tokens are read at most; these are sure to hold as many.
MAX_CHARACTERS = 2_000
# The best go first. Few at a time, so that a deadline is noticed.
PAIRS_AT_ONCE = 10
THREADS = 2
MASKED = np.float32(-1e4)


def installed() -> bool:
    """Whether a reranker could run here."""
    return find_spec("onnxruntime") is not None


def check() -> None:
    """Say what is missing, if a reranker cannot run here."""
    if not installed():
        raise Misconfigured("Reranking needs onnxruntime: install it, or ask with rerank `off`.")


@cache
def load(name: str) -> "LocalReranker":
    """The reranker of this name; one a process, whoever asks."""
    return LocalReranker(DATA / f"{name}.onnx")


class LocalReranker:
    """A cross-encoder: `[CLS] question [SEP] passage [SEP] previous [SEP]` becomes one score."""

    def __init__(self, model: Path) -> None:
        self._session = open_session(model)
        self._words: NDArray[np.int8] = np.asarray(np.load(model.parent / "words.npy", mmap_mode="r"))
        self._scales: Floats = np.load(model.parent / "scales.npy").astype(np.float32)[:, None]
        self._tokens = WordPieces(static_embedder.DATA / "vocab.txt")

    def score(self, question: str, passages: Sequence[RerankPassage], seconds: float) -> Floats:
        """One score a passage: of the first of them, as many as were read within `seconds`."""
        deadline = monotonic() + seconds
        pairs = self._pairs(question, passages)
        scores: list[Floats] = []
        taken = 0.0
        for start in range(0, len(pairs), PAIRS_AT_ONCE):
            begun = monotonic()
            # The next ones will take about as long as the last.
            if begun + taken >= deadline:
                break
            scores.append(self._run(pairs[start : start + PAIRS_AT_ONCE]))
            taken = monotonic() - begun
        return np.concatenate(scores) if scores else np.zeros(0, np.float32)

    def _pairs(self, question: str, passages: Sequence[RerankPassage]) -> list[tuple[list[int], list[int], list[int]]]:
        texts = [question[:MAX_CHARACTERS]]
        texts += [passage.text[:MAX_CHARACTERS] for passage in passages]
        texts += [passage.previous[-MAX_CHARACTERS:] for passage in passages]
        asked, *ids = self._tokens.ids(texts)
        asked = asked[:MAX_QUESTION]
        room = MAX_TOKENS - 3 - len(asked)
        pairs = []
        for said, before in zip(ids[: len(passages)], ids[len(passages) :], strict=True):
            left = min(MAX_PREVIOUS, room - len(said) - 1)
            pairs.append((asked, said[:room], before[-left:] if left > 0 else []))
        return pairs

    def _run(self, pairs: Sequence[tuple[list[int], list[int], list[int]]]) -> Floats:
        rows = [_row(*pair) for pair in pairs]
        ids = np.zeros((len(rows), max(map(len, rows))), np.intp)
        types = np.zeros(ids.shape, np.int64)
        mask = np.full(ids.shape, MASKED)
        for place, (row, (asked, said, _)) in enumerate(zip(rows, pairs, strict=True)):
            ids[place, : len(row)] = row
            types[place, len(asked) + 2 : len(asked) + len(said) + 3] = 1
            mask[place, : len(row)] = 0
        words = self._words[ids].astype(np.float32) * self._scales[ids]
        scores: Floats = self._session.run(None, {"words": words, "types": types, "mask": mask})[0]
        return scores


def _row(asked: list[int], passage_ids: list[int], before: list[int]) -> list[int]:
    return [CLS, *asked, SEP, *passage_ids, SEP, *before, SEP] if before else [CLS, *asked, SEP, *passage_ids, SEP]


def open_session(model: Path, threads: int = THREADS) -> Any:
    """A network, ready to run on the CPU."""
    check()
    import onnxruntime  # noqa: PLC0415, takes long and is used behind the write

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Older x86 processors clip sums of products: a network would say something else there than elsewhere.
    options.add_session_config_entry("session.x64quantprecision", "1")
    # Waiting threads must not keep the cores busy: others need them.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
