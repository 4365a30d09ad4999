"""The network: a small BERT over a window, a scorer of spans, and heads for what a span means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from bench.models import encoder
from bench.models.encoder import EPSILON, HEADS, WIDTH, Layer, kept_weights
from bench.models.reader.examples import ENTITIES
from nacre.models.reader_windows import LENGTH, LONGEST_SPAN
from nacre.models.readings import MODES, PREDICATES, SubjectKind

SPAN, ENTITY, POINTER, FEATURES, KIND_FEATURES = 128, 64, 64, 256, 96
VECTOR = 64
CASES = 4
# So that a fresh scorer believes in no span, as is nearly always right.
RARE = -5.0
FAR = -1e4
WORDS = ("words", "scales")


@dataclass(frozen=True, slots=True)
class Spans:
    """Some spans of a batch: the window of each, its first and its last token."""

    rows: Tensor
    first: Tensor
    last: Tensor


@dataclass(frozen=True, slots=True)
class Meanings:
    """Logits for some spans; pointers are over the tokens of the span's window."""

    predicate: Tensor
    mode: Tensor
    kind: Tensor
    pointers: Tensor


class SpanScorer(nn.Module):  # type: ignore[misc]
    """A logit for every pair of a first and a last token."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(WIDTH, width), nn.Linear(WIDTH, width)
        self.opens, self.closes = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)
        self.lengths = nn.Embedding(LONGEST_SPAN, 1)
        nn.init.zeros_(self.lengths.weight)
        nn.init.constant_(self.opens.bias, RARE)

    def forward(self, x: Tensor) -> Tensor:
        first = functional.gelu(self.first(x), approximate="tanh")
        together = first @ self.last(x).transpose(1, 2) * first.shape[-1] ** -0.5
        places = torch.arange(x.shape[1], device=x.device)
        apart = (places[None, :] - places[:, None]).clamp(0, LONGEST_SPAN - 1)
        return together + self.opens(x) + self.closes(x).transpose(1, 2) + self.lengths(apart)[..., 0]


class ReaderNetwork(nn.Module):  # type: ignore[misc]
    """Word embeddings are those of the rerankers, int8 rows with one scale each, and are never trained."""

    words: Tensor
    scales: Tensor

    def __init__(self, layers: int, dropout: float = 0.1, vocabulary: int = 30_522) -> None:
        super().__init__()
        self.register_buffer("words", torch.zeros(vocabulary, WIDTH, dtype=torch.int8))
        self.register_buffer("scales", torch.zeros(vocabulary))
        self.positions, self.types = nn.Embedding(LENGTH, WIDTH), nn.Embedding(2, WIDTH)
        self.cases = nn.Embedding(CASES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.objects, self.entities = SpanScorer(SPAN), SpanScorer(ENTITY)
        self.inside = nn.Linear(WIDTH, 1)
        self.features = nn.Linear(3 * WIDTH, FEATURES)
        self.predicate = nn.Linear(FEATURES, len(PREDICATES))
        self.mode = nn.Linear(FEATURES, len(MODES))
        self.kind = nn.Linear(FEATURES, len(SubjectKind))
        # Four pointers: first and last token of the subject, first and last of the time.
        self.queries, self.keys = nn.Linear(FEATURES, 4 * POINTER), nn.Linear(WIDTH, 4 * POINTER)
        self.kind_features = nn.Linear(2 * WIDTH, KIND_FEATURES)
        self.entity_kind = nn.Linear(KIND_FEATURES, len(ENTITIES))
        # For the ranker: a vector of each token, how much a question's token counts, and what score an answer has.
        self.vectors, self.counts, self.bar = nn.Linear(WIDTH, VECTOR), nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.cases.weight)

    def embed(self, ids: Tensor, cases: Tensor, types: Tensor) -> Tensor:
        """Tokens before any layer."""
        words = self.words[ids].float() * self.scales[ids][..., None]
        places = self.positions.weight[: ids.shape[1]]
        embedded: Tensor = self.dropout(self.norm(words + places + self.types(types) + self.cases(cases)))
        return embedded

    def forward(self, ids: Tensor, cases: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Hidden states; `mask` is true where a token stands."""
        x = self.embed(ids, cases, types)
        far = torch.zeros(mask.shape, device=x.device, dtype=x.dtype).masked_fill(~mask, FAR)[:, None, None, :]
        for layer in self.layers:
            x = run_layer(layer, x, far)
        return x

    def meanings(self, x: Tensor, spans: Spans) -> Meanings:
        """What the spans mean."""
        first, last = x[spans.rows, spans.first], x[spans.rows, spans.last]
        features = self.dropout(
            functional.gelu(self.features(torch.cat([first, last, _means(x, spans)], dim=-1)), approximate="tanh")
        )
        queries = self.queries(features).view(-1, 4, POINTER)
        keys = self.keys(x).view(*x.shape[:2], 4, POINTER)[spans.rows]
        pointers = torch.einsum("npd,ntpd->npt", queries, keys) * POINTER**-0.5
        return Meanings(self.predicate(features), self.mode(features), self.kind(features), pointers)

    def entity_kinds(self, x: Tensor, spans: Spans) -> Tensor:
        """Logits of the types of entities."""
        both = torch.cat([x[spans.rows, spans.first], x[spans.rows, spans.last]], dim=-1)
        kinds: Tensor = self.entity_kind(self.dropout(functional.gelu(self.kind_features(both), approximate="tanh")))
        return kinds


def _means(x: Tensor, spans: Spans) -> Tensor:
    """Mean state of each span's tokens, by differences of running sums."""
    sums = functional.pad(x.float().cumsum(dim=1), (0, 0, 1, 0))
    total = sums[spans.rows, spans.last + 1] - sums[spans.rows, spans.first]
    return (total / (spans.last - spans.first + 1)[:, None]).to(x.dtype)


def run_layer(layer: Layer, x: Tensor, far: Tensor) -> Tensor:
    """One layer of BERT over padded windows."""
    windows, length = x.shape[:2]
    query, key, value = (
        linear(x).view(windows, length, HEADS, WIDTH // HEADS).transpose(1, 2)
        for linear in (layer.query, layer.key, layer.value)
    )
    mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=far.to(query.dtype))
    mixed = layer.mixed(mixed.transpose(1, 2).reshape(windows, length, WIDTH))
    x = layer.after_attention(x + layer.dropout(mixed))
    y: Tensor = layer.after(x + layer.dropout(layer.outer(functional.gelu(layer.inner(x)))))
    return y


def from_start(path: Path, dropout: float = 0.1) -> ReaderNetwork:
    """A reader of six layers with the weights that the rerankers start from; its heads are new."""
    held = load_file(str(path))
    model = ReaderNetwork(6, dropout)
    state = {name: value for name, value in held.items() if name.split(".")[0] not in ("head", "score")}
    state["positions.weight"] = state["positions.weight"][:LENGTH]
    model.load_state_dict({name: _whole(value) for name, value in state.items()}, strict=False)
    return model


def student_of(teacher: ReaderNetwork, kept: Sequence[int], dropout: float) -> ReaderNetwork:
    """A reader with some of the layers of another, and its heads."""
    student = ReaderNetwork(len(kept), dropout)
    student.load_state_dict(kept_weights(teacher, kept))
    return student


def save(model: ReaderNetwork, path: Path) -> None:
    """Write the weights in half precision, without the word embeddings."""
    state = {name: value.detach().cpu() for name, value in model.state_dict().items() if name not in WORDS}
    save_file({name: value.half().contiguous() for name, value in state.items()}, str(path))


def load(path: Path, start: Path) -> ReaderNetwork:
    """Read what `save` wrote; `start` holds the word embeddings."""
    held = load_file(str(path)) | {name: value for name, value in load_file(str(start)).items() if name in WORDS}
    layers = 1 + max(int(name.split(".")[1]) for name in held if name.startswith("layers."))
    model = ReaderNetwork(layers)
    model.load_state_dict({name: _whole(value) for name, value in held.items()})
    return model


def _whole(value: Tensor) -> Tensor:
    return value if value.dtype == torch.int8 else value.float()


def write_start(minilm: Path, path: Path) -> None:
    """Write the starting weights as the rerankers' training does."""
    torch.manual_seed(0)
    encoder.save(encoder.from_minilm(minilm), path)
