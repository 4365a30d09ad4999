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
    """Vectors of the tokens that count, padded: the telling ones of a passage's own words, or all of a question's."""

    vectors: Tensor
    mask: Tensor


class QuestionVectors(NamedTuple):
    """Vectors of questions' tokens, padded, and the score that an answer to each has."""

    vectors: Tensor
    mask: Tensor
    bars: Tensor


def states(model: ReaderNetwork, texts: Sequence[Tensor]) -> Tensor:
    """Hidden states of packed texts."""
    ids, types, cases, places, starts, _ = texts
    words = model.words[ids].float() * model.scales[ids][..., None]
    x = model.norm(words + model.positions(places) + model.types(types) + model.cases(cases))
    x = model.dropout(x)
    for layer in model.layers:
        x = layer(x, starts)
    return x


def question_vectors(model: ReaderNetwork, texts: Sequence[Tensor]) -> QuestionVectors:
    """Vectors of questions; their length is how much a token counts."""
    x = states(model, texts)
    starts = texts[-1]
    weighed = functional.normalize(model.vectors(x), dim=-1) * functional.softplus(model.counts(x))
    found = _padded(weighed, starts, torch.ones_like(texts[0], dtype=torch.bool))
    return QuestionVectors(*found, model.bar(x[starts[:-1].long()])[:, 0].float())


def passage_vectors(model: ReaderNetwork, texts: Sequence[Tensor], silent: Tensor) -> TextVectors:
    """Vectors of passages, each of length 1, without those of `silent` tokens."""
    x = states(model, texts)
    telling = (texts[1] == 1) & ~torch.isin(texts[0], silent)
    return _padded(functional.normalize(model.vectors(x), dim=-1), texts[-1], telling)


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


def group_scores(questions: QuestionVectors, turns: TextVectors) -> Tensor:
    """A score for each turn of each question's group; groups stand one after the other."""
    count = len(questions.vectors)
    size = len(turns.vectors) // count
    grouped = turns.vectors.view(count, size, *turns.vectors.shape[1:])
    alike = torch.einsum("bqd,bgtd->bgqt", questions.vectors, grouped)
    best = alike.masked_fill(~turns.mask.view(count, size, 1, -1), -1e4).amax(dim=-1)
    return (best * questions.mask[:, None]).sum(dim=-1).float()


def all_scores(questions: QuestionVectors, turns: TextVectors) -> Tensor:
    """A score for each question and each turn."""
    rows = []
    for start in range(0, len(questions.vectors), TOGETHER):
        some, mask = questions.vectors[start : start + TOGETHER], questions.mask[start : start + TOGETHER]
        alike = torch.einsum("bqd,ntd->bnqt", some, turns.vectors.to(some.dtype))
        best = alike.masked_fill(~turns.mask[:, None], -1e4).amax(dim=-1)
        rows.append((best * mask[:, None]).sum(dim=-1).float())
    return torch.cat(rows)


def cross_scores(model: CrossEncoder, texts: Sequence[Tensor]) -> Tensor:
    """Scores of a cross-encoder for packed pairs; a passage scores as its best window."""
    ids, types, _, places, starts, bounds = texts
    windows: Tensor = model(ids, types, places, starts)
    owners = torch.searchsorted(bounds[1:].contiguous(), starts[:-1].contiguous(), right=True)
    scores = torch.full((len(bounds) - 1,), -1e4, device=windows.device, dtype=windows.dtype)
    return scores.scatter_reduce(0, owners, windows, "amax")
