"""The reader's heads: what the states of tokens say of spans. Few and small, so that plain arrays do."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nacre.models.reader_decoding import Floats, SpanScores
from nacre.models.reader_windows import LONGEST_SPAN, Window

Bools = NDArray[np.bool_]

_POINTERS = 4
# The BLAS of numpy hands a larger product of matrices to as many threads as there are cores, and they wait for each
# other in loops: beside any other load that takes several times as long as the product itself.
_NUMBERS_OF_ONE_THREAD = 262_144
_SCALES = ".scales"
_CURVE = np.float32(np.sqrt(2 / np.pi))


class ReaderHeads:
    """Scores of spans; the names of the arrays are those that training gives them."""

    def __init__(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        self._arrays: dict[str, Floats] = {
            name: value.astype(np.float32) * _scales(arrays, name)
            for name, value in arrays.items()
            if not name.endswith(_SCALES)
        }

    def objects(self, x: Floats) -> Floats:
        """Chance of every span, first token by last, to be the object of a fact."""
        return self._spans(x, "objects")

    def entities(self, x: Floats) -> Floats:
        """Chance of every span to be an entity or time words."""
        return self._spans(x, "entities")

    def meanings(self, x: Floats, window: Window, spans: Sequence[tuple[int, int]]) -> SpanScores:
        """Predicate, mode, subject and time of some spans."""
        first, last = np.array(spans).T
        means = np.stack([x[start : end + 1].mean(axis=0) for start, end in spans])
        features = _gelu(self._linear(np.concatenate([x[first], x[last], means], axis=1), "features"))
        queries = self._linear(features, "queries").reshape(len(spans), _POINTERS, -1)
        keys = self._linear(x, "keys").reshape(len(x), _POINTERS, -1)
        pointers = np.einsum("npd,tpd->pnt", queries, keys) / np.float32(np.sqrt(queries.shape[-1]))
        chances = [
            _softmax(np.where(mask, row, -1e4)) for mask, row in zip(_masks(window, first), pointers, strict=True)
        ]
        return SpanScores(
            _softmax(self._linear(features, "predicate")),
            _softmax(self._linear(features, "mode")),
            _softmax(self._linear(features, "kind")),
            (chances[0], chances[1]),
            (chances[2], chances[3]),
        )

    def entity_kinds(self, x: Floats, spans: Sequence[tuple[int, int]]) -> Floats:
        """Chances of the types of some spans."""
        first, last = np.array(spans).T
        features = _gelu(self._linear(np.concatenate([x[first], x[last]], axis=1), "kind_features"))
        return _softmax(self._linear(features, "entity_kind"))

    def change(self, x: Floats) -> float:
        """Chance that the newer turn of a pair makes something of the older one outdated."""
        return float(1 / (1 + np.exp(-self._linear(x[:1], "changed")[0, 0])))

    def change_pointers(self, x: Floats) -> Floats:
        """For each token: how well it begins or ends what was, and what is now."""
        return self._linear(x, "pointed")

    def token_vectors(self, x: Floats) -> Floats:
        """A vector of length 1 for each token."""
        vectors = self._linear(x, "vectors")
        unit: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))
        return unit

    def token_counts(self, x: Floats) -> Floats:
        """How much each token of a question counts."""
        counts: Floats = np.log1p(np.exp(self._linear(x, "counts")))
        return counts

    def bar(self, x: Floats) -> float:
        """The score at which a text as likely answers a question as not."""
        return float(self._linear(x[:1], "bar")[0, 0])

    def need(self, x: Floats) -> float:
        """Whether an answer needs what was told before, as the logarithm of the odds."""
        return float(self._linear(x[:1], "need")[0, 0])

    def _linear(self, x: Floats, name: str) -> Floats:
        return _product(x, self._arrays[f"{name}.weight"].T) + self._arrays[f"{name}.bias"]

    def _spans(self, x: Floats, name: str) -> Floats:
        first = _gelu(self._linear(x, f"{name}.first"))
        together = _product(first, self._linear(x, f"{name}.last").T) / np.float32(np.sqrt(first.shape[1]))
        places = np.arange(len(x))
        apart = np.clip(places[None, :] - places[:, None], 0, LONGEST_SPAN - 1)
        ends = self._linear(x, f"{name}.opens") + self._linear(x, f"{name}.closes").T
        logits = together + ends + self._arrays[f"{name}.lengths.weight"][apart, 0]
        chances: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        return chances


def _product(x: Floats, weight: Floats) -> Floats:
    """The product of two matrices, a few rows at a time, so that it stays on this thread."""
    height = max(1, _NUMBERS_OF_ONE_THREAD // weight.size)
    rows, rest = len(x), len(x) % height
    product = np.empty((rows, weight.shape[1]), np.float32)
    whole = rows - rest
    if whole:
        np.matmul(
            x[:whole].reshape(-1, height, x.shape[1]), weight, out=product[:whole].reshape(-1, height, weight.shape[1])
        )
    if rest:
        np.matmul(x[whole:], weight, out=product[whole:])
    return product


def _scales(arrays: Mapping[str, NDArray[np.generic]], name: str) -> Floats:
    """One number a row for matrices that are kept as whole numbers."""
    scales = arrays.get(name + _SCALES)
    return np.ones(1, np.float32) if scales is None else scales.astype(np.float32)[:, None]


def _masks(window: Window, first: NDArray[np.int64]) -> list[Bools]:
    """Where the first and last tokens of subjects and times can stand; token 0 stands for no time."""
    mine = window.turns[first][:, None]
    earlier = (window.turns >= 0) & (window.turns <= mine)
    here = window.turns == mine
    none = np.arange(len(window)) == 0
    return [
        earlier & window.first,
        earlier & window.last,
        here & window.first | none,
        here & window.last | none,
    ]


def _gelu(x: Floats) -> Floats:
    curved: Floats = 0.5 * x * (1 + np.tanh(_CURVE * (x + np.float32(0.044715) * x**3)))
    return curved


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chances: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return chances
