"""The language model that large teachers start from: a Llama of 30 layers, read from the file it is published in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor, nn
from torch.nn import functional

WIDTH, INNER, LAYERS = 576, 1_536, 30
HEADS, SHARED_HEADS, HEAD = 9, 3, 64
VOCABULARY = 49_152
BASE, EPSILON = 100_000.0, 1e-5
WEIGHTS, TOKENIZER = "language_model.safetensors", "tokenizer.json"
_PARTS = {
    "attn_norm": "before_attention",
    "attn_q": "query",
    "attn_k": "key",
    "attn_v": "value",
    "attn_output": "mixed",
    "ffn_norm": "before",
    "ffn_gate": "gate",
    "ffn_up": "inner",
    "ffn_down": "outer",
}


class LlamaLayer(nn.Module):  # type: ignore[misc]
    """One layer; its queries and keys have the order of rows that GGUF has."""

    def __init__(self) -> None:
        super().__init__()
        self.before_attention, self.before = nn.RMSNorm(WIDTH, eps=EPSILON), nn.RMSNorm(WIDTH, eps=EPSILON)
        self.query, self.mixed = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.key, self.value = (nn.Linear(WIDTH, SHARED_HEADS * HEAD, bias=False) for _ in range(2))
        self.gate, self.inner = (nn.Linear(WIDTH, INNER, bias=False) for _ in range(2))
        self.outer = nn.Linear(INNER, WIDTH, bias=False)

    def forward(self, x: Tensor, turns: tuple[Tensor, Tensor], mask: Tensor | None) -> Tensor:
        y = self.before_attention(x)
        query = _turned(_heads(self.query(y), HEADS), turns)
        key, value = _turned(_heads(self.key(y), SHARED_HEADS), turns), _heads(self.value(y), SHARED_HEADS)
        key, value = (each.repeat_interleave(HEADS // SHARED_HEADS, dim=1) for each in (key, value))
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=mask is None)
        x = x + self.mixed(mixed.transpose(1, 2).reshape(x.shape))
        y = self.before(x)
        return x + self.outer(functional.silu(self.gate(y)) * self.inner(y))


def _heads(x: Tensor, heads: int) -> Tensor:
    return x.view(*x.shape[:2], heads, HEAD).transpose(1, 2)


def _turned(x: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
    """Queries or keys, each two neighbouring numbers turned by their place in the text."""
    cosine, sine = turns
    one, other = x.unflatten(-1, (HEAD // 2, 2)).unbind(-1)
    return torch.stack([one * cosine - other * sine, one * sine + other * cosine], dim=-1).flatten(-2).to(x.dtype)


class LanguageModel(nn.Module):  # type: ignore[misc]
    """The layers between the word embeddings and the last states; the embeddings are never trained."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.words.weight.requires_grad_(False)
        self.layers = nn.ModuleList(LlamaLayer() for _ in range(LAYERS))
        self.norm = nn.RMSNorm(WIDTH, eps=EPSILON)

    def forward(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """States of padded texts; with a mask of the tokens that stand, each sees those after it as well."""
        places = torch.arange(ids.shape[1], device=ids.device, dtype=torch.float32)
        speeds = BASE ** (-torch.arange(0, HEAD, 2, device=ids.device, dtype=torch.float32) / HEAD)
        angles = places[:, None] * speeds
        turns = angles.cos(), angles.sin()
        x = self.words(ids)
        seen = None if mask is None else mask[:, None, None, :].expand(-1, -1, ids.shape[1], -1)
        for layer in self.layers:
            x = layer(x, turns, seen)
        states: Tensor = self.norm(x)
        return states


def unpack(published: Path, out: Path) -> None:
    """Write the weights of a GGUF file in half precision, and its tokenizer; needs the package gguf."""
    from gguf import GGUFReader, quants

    reader = GGUFReader(str(published))
    state = {}
    for tensor in reader.tensors:
        values = quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float16)
        state[_name(tensor.name)] = torch.from_numpy(np.ascontiguousarray(values))
    out.mkdir(parents=True, exist_ok=True)
    save_file(state, str(out / WEIGHTS))
    tokens, merges = (reader.fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "merges"))
    pairs = [tuple(merge.split(" ")) for merge in merges]
    tokenizer = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.save(str(out / TOKENIZER), pretty=False)


def _name(published: str) -> str:
    if not published.startswith("blk."):
        return {"token_embd.weight": "words.weight", "output_norm.weight": "norm.weight"}[published]
    _, number, part, kind = published.split(".")
    return f"layers.{number}.{_PARTS[part]}.{kind}"


def load(work: Path) -> LanguageModel:
    """What `unpack` wrote."""
    model = LanguageModel()
    model.load_state_dict({name: value.float() for name, value in load_file(str(work / WEIGHTS)).items()})
    return model
