"""Write a trained succession model as the package ships it: int8 ONNX for the encoder, and its heads as arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bench.models import export
from bench.models.reader.export import graph_of, small
from bench.models.succession.network import SuccessionNetwork

HEADS = ("changed.", "pointed.")


def write(model: SuccessionNetwork, out: Path) -> None:
    """Write encoder and heads; NOTICE is kept by hand."""
    out.mkdir(parents=True, exist_ok=True)
    export.write_graph(graph_of(model.float().eval()), out / "succession.onnx")
    heads: dict[str, Any] = {}
    for name, value in model.state_dict().items():
        if name.startswith(HEADS):
            heads |= small(name, value.detach().numpy())
    np.savez(out / "heads.npz", **heads)
