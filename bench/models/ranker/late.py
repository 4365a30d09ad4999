"""Late interaction: every token of a question looks for the token of a turn that is most like it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from bench.models.encoder import CrossEncoder
from bench.models.reader.network import ReaderNetwork

# Questions that are compared with all turns at a time.
TOGETHER = 64


class TextVectors(NamedTuple):
    """Vectors of the tokens that count, padded: those of a turn's own words, or all of a question's."""

    vectors: Tensor
    mask: Tensor


def states(model: ReaderNetwork, texts: Sequence[Tensor]) -> Tensor:
    """Hidden states of packed texts."""
    ids, types, cases, places, starts = texts
    words = model.words[ids].float() * model.scales[ids][..., None]
    x = model.norm(words + model.positions(places) + model.types(types) + model.cases(cases))
    x = model.dropout(x)
    for layer in model.layers:
        x = layer(x, starts)
    return x


def question_vectors(model: ReaderNetwork, texts: Sequence[Tensor]) -> TextVectors:
    """Vectors of questions; their length is how much a token counts."""
    x = states(model, texts)
    weighed = functional.normalize(model.vectors(x), dim=-1) * functional.softplus(model.counts(x))
    return _padded(weighed, texts[-1], torch.ones_like(texts[0], dtype=torch.bool))


def turn_vectors(model: ReaderNetwork, texts: Sequence[Tensor]) -> TextVectors:
    """Vectors of turns, each of length 1."""
    x = states(model, texts)
    return _padded(functional.normalize(model.vectors(x), dim=-1), texts[-1], texts[1] == 1)


def _padded(vectors: Tensor, starts: Tensor, kept: Tensor) -> TextVectors:
    """One row a text, of the tokens that are kept."""
    before = functional.pad(kept.long().cumsum(0), (1, 0))
    sizes = before[starts[1:].long()] - before[starts[:-1].long()]
    longest = int(sizes.max())
    places = torch.arange(longest, device=vectors.device)
    mask = places < sizes[:, None]
    mine = vectors[kept]
    rows = (before[starts[:-1].long()][:, None] + places).clamp(max=len(mine) - 1)
    return TextVectors(mine[rows], mask)


def group_scores(questions: TextVectors, turns: TextVectors) -> Tensor:
    """A score for each turn of each question's group; groups stand one after the other."""
    count = len(questions.vectors)
    size = len(turns.vectors) // count
    grouped = turns.vectors.view(count, size, *turns.vectors.shape[1:])
    alike = torch.einsum("bqd,bgtd->bgqt", questions.vectors, grouped)
    best = alike.masked_fill(~turns.mask.view(count, size, 1, -1), -1e4).amax(dim=-1)
    return (best * questions.mask[:, None]).sum(dim=-1).float()


def all_scores(questions: TextVectors, turns: TextVectors) -> Tensor:
    """A score for each question and each turn."""
    rows = []
    for start in range(0, len(questions.vectors), TOGETHER):
        some, mask = questions.vectors[start : start + TOGETHER], questions.mask[start : start + TOGETHER]
        alike = torch.einsum("bqd,ntd->bnqt", some, turns.vectors.to(some.dtype))
        best = alike.masked_fill(~turns.mask[:, None], -1e4).amax(dim=-1)
        rows.append((best * mask[:, None]).sum(dim=-1).float())
    return torch.cat(rows)


def cross_scores(model: CrossEncoder, texts: Sequence[Tensor]) -> Tensor:
    """Scores of a cross-encoder for packed pairs."""
    ids, types, _, places, starts = texts
    scores: Tensor = model(ids, types, places, starts)
    return scores
