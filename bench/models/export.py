"""Write trained rerankers as the package ships them: int8 ONNX, and the word embeddings that all of them share.

python -m bench.models.export --words WORK/start.safetensors --fast WEIGHTS/layers3.safetensors \\
    --best WEIGHTS/layers6.safetensors --out src/nacre/models/reranking
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from bench.models import encoder
from bench.models.corpus import say
from bench.models.encoder import EPSILON, HEADS, WIDTH, CrossEncoder

OPSET = 17
# What takes no part in a score at the length pairs are cut to.
POSITIONS = 128


class Graph:
    """Nodes and constants, named as they come."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, value: NDArray[np.generic] | np.generic) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=f"{kind}_{name}", **attributes))
        return name

    def linear(self, x: str, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> str:
        return self.add("Add", self.add("MatMul", x, self.constant(weight.T)), self.constant(bias))

    def norm(self, x: str, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> str:
        scaled = self.constant(weight), self.constant(bias)
        return self.add("LayerNormalization", x, *scaled, axis=-1, epsilon=EPSILON)

    def gelu(self, x: str) -> str:
        halved = self.add("Mul", x, self.constant(np.float32(0.5)))
        curve = self.add("Erf", self.add("Div", x, self.constant(np.float32(np.sqrt(2)))))
        return self.add("Mul", halved, self.add("Add", curve, self.constant(np.float32(1))))


def graph_of(model: CrossEncoder) -> onnx.ModelProto:
    """The model as a graph; in the last layer only the first token is worked out, since only it is scored."""
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    made = Graph()
    x = _embedded(made, state)
    mask = made.add("Unsqueeze", "mask", made.constant(np.array([1, 2])))
    last = len(model.layers) - 1
    for number in range(last + 1):
        x = layer(made, state, f"layers.{number}", x, mask, alone=number == last)
    x = made.add("Reshape", x, made.constant(np.array([-1, WIDTH])))
    x = made.add("Tanh", made.linear(x, state["head.weight"], state["head.bias"]))
    score = made.linear(x, state["score.weight"], state["score.bias"])
    made.nodes.append(helper.make_node("Squeeze", [score, made.constant(np.array([1]))], ["scores"], name="scores"))
    pairs = [
        helper.make_tensor_value_info("words", TensorProto.FLOAT, ["pairs", "tokens", WIDTH]),
        helper.make_tensor_value_info("types", TensorProto.INT64, ["pairs", "tokens"]),
        helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["pairs", "tokens"]),
    ]
    scores = [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["pairs"])]
    whole = helper.make_graph(made.nodes, "reranker", pairs, scores, made.constants)
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def _embedded(made: Graph, state: dict[str, NDArray[np.float32]]) -> str:
    types = made.add("Gather", made.constant(state["types.weight"]), "types")
    length = made.add("Gather", made.add("Shape", "types"), made.constant(np.array([1])))
    start, axis = made.constant(np.array([0])), made.constant(np.array([0]))
    places = made.add("Slice", made.constant(state["positions.weight"][:POSITIONS]), start, length, axis)
    x = made.add("Add", made.add("Add", "words", types), places)
    return made.norm(x, state["norm.weight"], state["norm.bias"])


def layer(made: Graph, state: dict[str, NDArray[np.float32]], name: str, x: str, mask: str, *, alone: bool) -> str:
    """One layer of BERT; `alone` works out its first token only."""

    def weights(part: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return state[f"{name}.{part}.weight"], state[f"{name}.{part}.bias"]

    def heads(y: str, order: tuple[int, ...]) -> str:
        shape = made.constant(np.array([0, 0, HEADS, WIDTH // HEADS]))
        return made.add("Transpose", made.add("Reshape", y, shape), perm=order)

    asking = x
    if alone:
        zero, one = made.constant(np.array([0])), made.constant(np.array([1]))
        asking = made.add("Slice", x, zero, one, one)
    # Scaled beforehand, which is the same and spares an operation on the largest array.
    factor = np.float32(np.sqrt(HEADS / WIDTH))
    query, bias = weights("query")
    asked = heads(made.linear(asking, query * factor, bias * factor), (0, 2, 1, 3))
    fit = made.add("MatMul", asked, heads(made.linear(x, *weights("key")), (0, 2, 3, 1)))
    attention = made.add("Softmax", made.add("Add", fit, mask), axis=-1)
    taken = made.add("MatMul", attention, heads(made.linear(x, *weights("value")), (0, 2, 1, 3)))
    joined = made.add(
        "Reshape", made.add("Transpose", taken, perm=(0, 2, 1, 3)), made.constant(np.array([0, 0, WIDTH]))
    )
    x = made.norm(made.add("Add", asking, made.linear(joined, *weights("mixed"))), *weights("after_attention"))
    inner = made.gelu(made.linear(x, *weights("inner")))
    return made.norm(made.add("Add", x, made.linear(inner, *weights("outer"))), *weights("after"))


def write_graph(graph: onnx.ModelProto, out: Path) -> None:
    """Quantise the weights, each column with a scale of its own, and write the file."""
    onnx.checker.check_model(graph)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        onnx.save(graph, str(whole))
        quantize_dynamic(
            str(whole),
            str(out),
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul"],
            extra_options={"MatMulConstBOnly": True},
        )
    say(f"wrote {out.name}, {out.stat().st_size / 1e6:.1f} MB")


def write_words(model: CrossEncoder, out: Path) -> None:
    """Write the word embeddings: whole numbers, and a scale a row."""
    np.save(out / "words.npy", model.words.numpy())
    np.save(out / "scales.npy", model.scales.numpy().astype(np.float16))


def main() -> None:
    parser = argparse.ArgumentParser(description="Write trained rerankers as int8 ONNX.")
    parser.add_argument("--words", type=Path, required=True, help="start.safetensors, which holds the word embeddings")
    parser.add_argument("--fast", type=Path, required=True, help="weights that `reranker train` wrote")
    parser.add_argument("--best", type=Path, help="weights of a larger model")
    parser.add_argument("--out", type=Path, required=True, help="folder of the package data; NOTICE is kept by hand")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name, weights in (("fast", options.fast), ("best", options.best)):
        if weights:
            model = encoder.load(weights, options.words).eval()
            write_graph(graph_of(model), options.out / f"{name}.onnx")
            write_words(model, options.out)


if __name__ == "__main__":
    main()
