"""Losses: how far a network is from the labels, and from what teachers think."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from bench.models.reader.batches import Batch
from bench.models.reader.examples import UNKNOWN
from bench.models.reader.network import FAR, Meanings, ReaderNetwork, Spans

# Spans a teacher believes in at least so much are explained to the student.
SHOWN = 0.05
MOST_SHOWN = 600
PREDICATE_WEIGHT, MODE_WEIGHT, POINTER_WEIGHT = 1.5, 0.5, 0.3
ENTITY_WEIGHT, KIND_WEIGHT, INSIDE_WEIGHT = 0.5, 0.3, 0.3


@dataclass(frozen=True, slots=True)
class Opinion:
    """Mean belief of teachers: chances of spans, and of what the shown ones mean."""

    objects: Tensor
    entities: Tensor
    spans: Spans
    chances: Tensor
    predicate: Tensor
    mode: Tensor
    kind: Tensor
    pointers: Tensor


def label_loss(model: ReaderNetwork, x: Tensor, batch: Batch, jitter: float = 0.0) -> Tensor:
    """Distance from the labels."""
    loss = _span_loss(model.objects(x), batch.facts, batch.allowed)
    loss = loss + ENTITY_WEIGHT * _span_loss(model.entities(x), batch.entities, batch.allowed)
    loss = loss + INSIDE_WEIGHT * _inside_loss(model.inside(x)[..., 0], batch)
    if len(batch.facts):
        loss = loss + _meaning_loss(model, x, batch, jitter)
    if len(batch.entities):
        rows, first, last, kinds = batch.entities.T
        loss = loss + KIND_WEIGHT * functional.cross_entropy(
            model.entity_kinds(x, Spans(rows, first, last)).float(), kinds
        )
    return loss


def _span_loss(logits: Tensor, spans: Tensor, allowed: Tensor) -> Tensor:
    """Cross-entropy over all spans that could be meant, for each that is."""
    wanted = torch.zeros_like(logits, dtype=torch.float32)
    wanted[spans[:, 0], spans[:, 1], spans[:, 2]] = 1
    each = functional.binary_cross_entropy_with_logits(logits.float(), wanted, reduction="none")
    return (each * allowed).sum() / (len(spans) + 1)


def _inside_loss(logits: Tensor, batch: Batch) -> Tensor:
    rows, first, last = batch.facts[:, :3].T
    places = torch.arange(logits.shape[1], device=logits.device)
    inside = ((places >= first[:, None]) & (places <= last[:, None])).float()
    wanted = torch.zeros_like(logits, dtype=torch.float32).index_add(0, rows, inside).clamp(max=1)
    each = functional.binary_cross_entropy_with_logits(logits.float(), wanted, reduction="none")
    own = batch.mask & (batch.types == 1)
    return (each * own).sum() / own.sum().clamp(min=1)


def _meaning_loss(model: ReaderNetwork, x: Tensor, batch: Batch, jitter: float) -> Tensor:
    rows, first, last, predicate, mode, kind = batch.facts[:, :6].T
    spans = Spans(rows, *_moved(first, last, batch, rows, jitter))
    said = model.meanings(x, spans)
    loss = PREDICATE_WEIGHT * functional.cross_entropy(said.predicate.float(), predicate)
    loss = loss + MODE_WEIGHT * functional.cross_entropy(said.mode.float(), mode)
    loss = loss + functional.cross_entropy(said.kind.float(), kind)
    pointers = masked_pointers(said, spans, batch)
    for number in range(4):
        wanted = batch.facts[:, 6 + number]
        missed = functional.cross_entropy(pointers[:, number], wanted, ignore_index=UNKNOWN, reduction="sum")
        loss = loss + POINTER_WEIGHT * missed / (wanted >= 0).sum().clamp(min=1)
    return loss


def _moved(first: Tensor, last: Tensor, batch: Batch, rows: Tensor, share: float) -> tuple[Tensor, Tensor]:
    """Some spans with an end moved by a token: the reader will not always find the very words of a label."""
    if not share:
        return first, last
    moved = torch.rand(len(first), device=first.device) < share
    starts = (first + torch.randint(-1, 2, first.shape, device=first.device) * moved).clamp(min=0)
    ends = (last + torch.randint(-1, 2, last.shape, device=last.device) * moved).clamp(max=batch.ids.shape[1] - 1)
    # Not out of the turn, by which pointers are judged.
    turn = batch.turns[rows, first]
    stays = (batch.turns[rows, starts] == turn) & (batch.turns[rows, ends] == turn) & (starts <= ends)
    return torch.where(stays, starts, first), torch.where(stays, ends, last)


def masked_pointers(said: Meanings, spans: Spans, batch: Batch) -> Tensor:
    """Pointers with what they may not point at made unlikely; token 0 stands for no time."""
    turns, mine = batch.turns[spans.rows], batch.turns[spans.rows, spans.first][:, None]
    earlier = (turns >= 0) & (turns <= mine)
    here = turns == mine
    here[:, 0] = True
    first, last = batch.first[spans.rows], batch.last[spans.rows]
    none = torch.zeros_like(here)
    none[:, 0] = True
    masks = [earlier & first, earlier & last, here & (first | none), here & (last | none)]
    return said.pointers.float().masked_fill(~torch.stack(masks, dim=1), FAR)


@torch.no_grad()  # type: ignore[untyped-decorator]
def opinion(teachers: Sequence[ReaderNetwork], batch: Batch) -> Opinion:
    """What teachers think of a batch, on average."""
    states = [teacher(batch.ids, batch.cases, batch.types, batch.mask) for teacher in teachers]
    pairs = list(zip(teachers, states, strict=True))
    objects = torch.stack([teacher.objects(x).float().sigmoid() for teacher, x in pairs]).mean(dim=0) * batch.allowed
    entities = torch.stack([teacher.entities(x).float().sigmoid() for teacher, x in pairs]).mean(dim=0) * batch.allowed
    flat = objects.flatten()
    best, places = flat.topk(min(MOST_SHOWN, len(flat)))
    places = places[best > SHOWN]
    length = objects.shape[1]
    spans = Spans(places // (length * length), places // length % length, places % length)
    said = [teacher.meanings(x, spans) for teacher, x in pairs]
    pointers = torch.stack([masked_pointers(each, spans, batch).softmax(dim=-1) for each in said]).mean(dim=0)
    return Opinion(
        objects,
        entities,
        spans,
        flat[places],
        torch.stack([each.predicate.float().softmax(dim=-1) for each in said]).mean(dim=0),
        torch.stack([each.mode.float().softmax(dim=-1) for each in said]).mean(dim=0),
        torch.stack([each.kind.float().softmax(dim=-1) for each in said]).mean(dim=0),
        pointers,
    )


def opinion_loss(model: ReaderNetwork, x: Tensor, batch: Batch, wanted: Opinion) -> Tensor:
    """Distance from what the teachers think."""
    loss = _soft_span_loss(model.objects(x), wanted.objects, batch.allowed)
    loss = loss + ENTITY_WEIGHT * _soft_span_loss(model.entities(x), wanted.entities, batch.allowed)
    if not len(wanted.chances):
        return loss
    said = model.meanings(x, wanted.spans)
    weights = wanted.chances / wanted.chances.sum()
    pointers = masked_pointers(said, wanted.spans, batch)
    loss = loss + PREDICATE_WEIGHT * _apart(said.predicate, wanted.predicate, weights)
    loss = loss + _apart(said.kind, wanted.kind, weights)
    loss = loss + MODE_WEIGHT * _apart(said.mode, wanted.mode, weights)
    for number in range(4):
        loss = loss + POINTER_WEIGHT * _apart(pointers[:, number], wanted.pointers[:, number], weights)
    return loss


def _soft_span_loss(logits: Tensor, wanted: Tensor, allowed: Tensor) -> Tensor:
    each = functional.binary_cross_entropy_with_logits(logits.float(), wanted, reduction="none")
    return (each * allowed).sum() / (wanted.sum() + 1)


def _apart(logits: Tensor, wanted: Tensor, weights: Tensor) -> Tensor:
    each = functional.kl_div(logits.float().log_softmax(dim=-1), wanted, reduction="none").sum(dim=-1)
    return (each * weights).sum()
