"""The cross-encoder: a small BERT that reads a question and a passage together and gives one score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.attention.varlen import varlen_attn

# No text that is read whole is longer.
LONGEST = 192
WIDTH, HEADS, INNER = 384, 12, 1536
EPSILON = 1e-12


class Layer(nn.Module):  # type: ignore[misc]
    """One layer of BERT."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.mixed = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.inner, self.outer = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.after_attention, self.after = nn.LayerNorm(WIDTH, eps=EPSILON), nn.LayerNorm(WIDTH, eps=EPSILON)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, starts: Tensor) -> Tensor:
        query, key, value = (linear(x).view(-1, HEADS, WIDTH // HEADS) for linear in (self.query, self.key, self.value))
        mixed = self.mixed(attended(query, key, value, starts).reshape(-1, WIDTH))
        x = self.after_attention(x + self.dropout(mixed))
        return self.after(x + self.dropout(self.outer(functional.gelu(self.inner(x)))))


def attended(query: Tensor, key: Tensor, value: Tensor, starts: Tensor) -> Tensor:
    """Attention within each pair; the pairs stand one after the other, without padding."""
    if query.is_cuda:
        return varlen_attn(query, key, value, starts, starts, LONGEST, LONGEST)
    ends = starts.tolist()
    parts = (tensor.split([end - start for start, end in pairwise(ends)]) for tensor in (query, key, value))
    each = [
        functional.scaled_dot_product_attention(*(part.transpose(0, 1) for part in pair))
        for pair in zip(*parts, strict=True)
    ]
    return torch.cat([part.transpose(0, 1) for part in each])


class CrossEncoder(nn.Module):  # type: ignore[misc]
    """Word embeddings are int8 rows with one scale each, as they ship, and are never trained."""

    words: Tensor
    scales: Tensor

    def __init__(self, layers: int, dropout: float = 0.1, vocabulary: int = 30_522) -> None:
        super().__init__()
        self.register_buffer("words", torch.zeros(vocabulary, WIDTH, dtype=torch.int8))
        self.register_buffer("scales", torch.zeros(vocabulary))
        self.positions, self.types = nn.Embedding(512, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.head, self.score = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Tensor, types: Tensor, places: Tensor, starts: Tensor) -> Tensor:
        words = self.words[ids].float() * self.scales[ids][..., None]
        x = self.dropout(self.norm(words + self.positions(places) + self.types(types)))
        for layer in self.layers:
            x = layer(x, starts)
        first = x[starts[:-1].long()]
        scores: Tensor = self.score(self.dropout(torch.tanh(self.head(first))))[:, 0]
        return scores.float()


_PARTS = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "mixed",
    "attention.output.LayerNorm": "after_attention",
    "intermediate.dense": "inner",
    "output.dense": "outer",
    "output.LayerNorm": "after",
}


def from_minilm(path: Path) -> CrossEncoder:
    """A cross-encoder of six layers with the weights of all-MiniLM-L6-v2; its head is new."""
    held = load_file(str(path))
    model = CrossEncoder(6)
    words = held["embeddings.word_embeddings.weight"].float()
    model.scales = words.abs().amax(dim=1) / 127
    model.words = torch.round(words / model.scales[:, None]).to(torch.int8)
    state = {
        "positions.weight": held["embeddings.position_embeddings.weight"],
        "types.weight": held["embeddings.token_type_embeddings.weight"],
        "norm.weight": held["embeddings.LayerNorm.weight"],
        "norm.bias": held["embeddings.LayerNorm.bias"],
    }
    for number in range(6):
        for theirs, ours in _PARTS.items():
            for kind in ("weight", "bias"):
                state[f"layers.{number}.{ours}.{kind}"] = held[f"encoder.layer.{number}.{theirs}.{kind}"]
    model.load_state_dict(state, strict=False)
    nn.init.normal_(model.head.weight, std=0.02)
    nn.init.zeros_(model.head.bias)
    nn.init.normal_(model.score.weight, std=0.02)
    nn.init.zeros_(model.score.bias)
    return model


def student_of(teacher: CrossEncoder, kept: Sequence[int], dropout: float) -> CrossEncoder:
    """A cross-encoder with some of the layers of another, and the rest of it."""
    student = CrossEncoder(len(kept), dropout)
    student.load_state_dict(kept_weights(teacher, kept))
    return student


def kept_weights(teacher: nn.Module, kept: Sequence[int]) -> dict[str, Tensor]:
    """The weights of a network with some of the layers of another, and the rest of it."""
    state = {name: value for name, value in teacher.state_dict().items() if not name.startswith("layers.")}
    for place, number in enumerate(kept):
        state |= {f"layers.{place}.{name}": value for name, value in teacher.layers[number].state_dict().items()}
    return state


def save(model: CrossEncoder, path: Path, without: Sequence[str] = ()) -> None:
    """Write the weights, in half precision where they are not whole numbers already."""
    state: Mapping[str, Tensor] = model.state_dict()
    kept = {name: value.detach().cpu().contiguous() for name, value in state.items() if name not in without}
    save_file({name: value if value.dtype == torch.int8 else value.half() for name, value in kept.items()}, str(path))


def load(path: Path, words: Path | None = None) -> CrossEncoder:
    """Read what `save` wrote; `words` names the file with the word embeddings, if that is another."""
    held = load_file(str(path))
    if words:
        held |= {name: value for name, value in load_file(str(words)).items() if name in ("words", "scales")}
    layers = 1 + max(int(name.split(".")[1]) for name in held if name.startswith("layers."))
    model = CrossEncoder(layers)
    model.load_state_dict({name: value if value.dtype == torch.int8 else value.float() for name, value in held.items()})
    return model
