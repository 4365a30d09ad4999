"""Shipped networks, read back from their ONNX files as the weights that training starts from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor

from bench.models.encoder import HEADS, WIDTH, CrossEncoder
from bench.models.reader.network import ReaderNetwork
from bench.models.succession.network import SuccessionNetwork

PACKAGE = Path(__file__).parents[2] / "src" / "nacre" / "models"
# Matrices of a layer, as `export.layer` writes them.
_MATRICES = ("query", "key", "value", "mixed", "inner", "outer")
_NORMS = ("after_attention", "after")
# Queries are written scaled.
_FACTOR = float(np.sqrt(WIDTH / HEADS))


def reader() -> ReaderNetwork:
    """The reader; its `vectors` are new."""
    return _talk_network(PACKAGE / "reading" / "reader.onnx")


def ranker() -> ReaderNetwork:
    """The ranker; its heads for facts are new."""
    return _talk_network(PACKAGE / "ranking" / "ranker.onnx")


def succession() -> SuccessionNetwork:
    """The succession model; its heads for facts are new."""
    state, layers = _talk_state(PACKAGE / "succession" / "succession.onnx")
    model = SuccessionNetwork(layers)
    model.load_state_dict(state, strict=False)
    return model


def _talk_network(path: Path) -> ReaderNetwork:
    state, layers = _talk_state(path)
    model = ReaderNetwork(layers)
    model.load_state_dict(state, strict=False)
    return model


def _talk_state(path: Path) -> tuple[dict[str, Tensor], int]:
    """Encoder, heads and words, with the number of layers."""
    state, layers = _encoder(path)
    with np.load(path.parent / "heads.npz") as held:
        for name in held.files:
            if not name.endswith(".scales"):
                scales = held[f"{name}.scales"][:, None] if f"{name}.scales" in held.files else 1
                state[name] = torch.from_numpy(held[name].astype(np.float32) * scales)
    return state | _words(), layers


def reranker(name: str = "best") -> CrossEncoder:
    """A cross-encoder."""
    state, layers = _encoder(PACKAGE / "reranking" / f"{name}.onnx")
    model = CrossEncoder(layers)
    whole = model.state_dict() | state | _words()
    whole["positions.weight"] = torch.zeros_like(model.positions.weight)
    whole["positions.weight"][: len(state["positions.weight"])] = state["positions.weight"]
    model.load_state_dict(whole)
    return model


def _words() -> dict[str, Tensor]:
    words = torch.from_numpy(np.load(PACKAGE / "reranking" / "words.npy"))
    return {"words": words, "scales": torch.from_numpy(np.load(PACKAGE / "reranking" / "scales.npy")).float()}


def _encoder(path: Path) -> tuple[dict[str, Tensor], int]:
    """Embeddings and layers, and a score's head if there is one; with the number of layers."""
    graph = onnx.load(str(path)).graph
    held = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    matrices = [
        _matrix(held, name) for name in _constants(graph, held) if held[name].dtype == np.int8 and held[name].ndim == 2
    ]
    added = [held[name] for name in _constants(graph, held, "Add")]
    # A single number is a score's bias if it comes last, and elsewhere part of a curve.
    biases = [value for value in added[:-1] if value.size > 1] + added[-1:]
    norms = [[held[name] for name in node.input[1:3]] for node in graph.node if node.op_type == "LayerNormalization"]
    layers = len(matrices) // len(_MATRICES)
    state = {"norm.weight": norms[0][0], "norm.bias": norms[0][1]} | _embeddings(graph, held)
    for number in range(layers):
        at, factors = number * len(_MATRICES), {"query": _FACTOR}
        for place, part in enumerate(_MATRICES):
            scale = factors.get(part, 1.0)
            state[f"layers.{number}.{part}.weight"] = matrices[at + place].T * scale
            state[f"layers.{number}.{part}.bias"] = biases[at + place] * scale
        for place, part in enumerate(_NORMS):
            weight, bias = norms[1 + 2 * number + place]
            state |= {f"layers.{number}.{part}.weight": weight, f"layers.{number}.{part}.bias": bias}
    for place, part in enumerate(("head", "score")[: len(matrices) - layers * len(_MATRICES)]):
        at = layers * len(_MATRICES) + place
        state |= {f"{part}.weight": matrices[at].T, f"{part}.bias": biases[at]}
    return {name: torch.from_numpy(np.ascontiguousarray(value, np.float32)) for name, value in state.items()}, layers


def _constants(graph: onnx.GraphProto, held: dict[str, NDArray[np.generic]], kind: str = "") -> list[str]:
    """Constants in the order in which nodes use them."""
    names = (name for node in graph.node if kind in ("", node.op_type) for name in node.input)
    return list(dict.fromkeys(name for name in names if name in held))


def _matrix(held: dict[str, NDArray[np.generic]], name: str) -> NDArray[np.float32]:
    scales = held[name.replace("_quantized", "_scale")]
    return held[name].astype(np.float32) * np.asarray(scales, np.float32)


def _embeddings(graph: onnx.GraphProto, held: dict[str, NDArray[np.generic]]) -> dict[str, NDArray[np.generic]]:
    tables = [name for node in graph.node if node.op_type in ("Gather", "Slice") for name in node.input]
    found = [held[name] for name in tables if name in held and held[name].ndim == 2]
    sizes = {2: "types.weight", 4: "cases.weight"}
    return {sizes.get(len(table), "positions.weight"): table for table in found}
