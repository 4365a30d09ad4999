"""Write a trained reader as the package ships it: int8 ONNX for the encoder, the heads as arrays, the calibration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

from bench.models import export
from bench.models.corpus import say
from bench.models.encoder import WIDTH
from bench.models.export import OPSET, Graph
from bench.models.reader.network import ReaderNetwork

_BODY = ("layers.", "positions.", "types.", "cases.", "norm.", "words", "scales", "inside.", "vectors.", "counts.")


def graph_of(model: ReaderNetwork) -> onnx.ModelProto:
    """The encoder as a graph: embedded words in, states out."""
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    made = Graph()
    length = made.add("Gather", made.add("Shape", "types"), made.constant(np.array([1])))
    zero = made.constant(np.array([0]))
    places = made.add("Slice", made.constant(state["positions.weight"]), zero, length, zero)
    x = made.add("Add", "words", made.add("Gather", made.constant(state["types.weight"]), "types"))
    x = made.add("Add", x, made.add("Gather", made.constant(state["cases.weight"]), "cases"))
    x = made.norm(made.add("Add", x, places), state["norm.weight"], state["norm.bias"])
    mask = made.add("Unsqueeze", "mask", made.constant(np.array([1, 2])))
    for number in range(len(model.layers)):
        x = export.layer(made, state, f"layers.{number}", x, mask, alone=False)
    made.nodes.append(helper.make_node("Identity", [x], ["states"], name="states"))
    tokens = ["windows", "tokens"]
    inputs = [
        helper.make_tensor_value_info("words", TensorProto.FLOAT, [*tokens, WIDTH]),
        helper.make_tensor_value_info("types", TensorProto.INT64, tokens),
        helper.make_tensor_value_info("cases", TensorProto.INT64, tokens),
        helper.make_tensor_value_info("mask", TensorProto.FLOAT, tokens),
    ]
    outputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, [*tokens, WIDTH])]
    whole = helper.make_graph(made.nodes, "reader", inputs, outputs, made.constants)
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def write(model: ReaderNetwork, out: Path) -> None:
    """Write encoder and heads; the calibration comes after, since it is measured on these."""
    out.mkdir(parents=True, exist_ok=True)
    export.write_graph(graph_of(model.float().eval()), out / "reader.onnx")
    heads: dict[str, Any] = {}
    for name, value in model.state_dict().items():
        if not name.startswith(_BODY):
            heads |= small(name, value.detach().numpy())
    np.savez(out / "heads.npz", **heads)
    say(f"wrote heads.npz, {(out / 'heads.npz').stat().st_size / 1e6:.1f} MB")


def small(name: str, value: NDArray[np.float32]) -> dict[str, NDArray[np.generic]]:
    """A matrix as whole numbers with a scale a row, anything else in half precision."""
    if value.ndim < 2 or value.shape[1] == 1:
        return {name: value.astype(np.float16)}
    scales = np.maximum(np.abs(value).max(axis=1), 1e-8) / 127
    whole = np.round(value / scales[:, None]).astype(np.int8)
    return {name: whole, f"{name}.scales": scales.astype(np.float32)}


def write_calibration(out: Path, fact: np.ndarray, entity: np.ndarray, thresholds: tuple[float, float]) -> None:
    """Write how confidence is made."""
    rounded = {name: [round(float(each), 4) for each in row] for name, row in (("fact", fact), ("entity", entity))}
    both = {"fact_threshold": thresholds[0], "entity_threshold": thresholds[1]}
    (out / "model.json").write_text(json.dumps(rounded | both) + "\n", encoding="utf-8")
