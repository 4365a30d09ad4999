"""Exams: where the turns that answer a question stand among all turns, and among a dev question's candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from bench.models.encoder import CrossEncoder
from bench.models.groups import Groups
from bench.models.material import Material
from bench.models.ranker import late
from bench.models.ranker.late import TextVectors
from bench.models.ranker.questions import Questions
from bench.models.ranker.texts import Text, of_question, packed, pair
from bench.models.ranker.training import split
from bench.models.reader.network import ReaderNetwork
from bench.models.reader.training import half
from bench.models.scenes import DEV

BATCH = 512


def asked(scores: Tensor, questions: Questions) -> dict[str, float]:
    """MRR of the first answer and share of answers among the first five, over all turns."""
    firsts, fives = [], []
    for question, row in zip(questions.questions, scores, strict=True):
        order = row.argsort(descending=True).tolist()
        ranks = sorted(order.index(place) for place in question.answers)
        firsts.append(1 / (1 + ranks[0]))
        fives.append(np.mean([rank < 5 for rank in ranks]))
    return {"MRR": float(np.mean(firsts)), "R@5": float(np.mean(fives))}


@torch.no_grad()  # type: ignore[untyped-decorator]
def of_ranker(model: ReaderNetwork, questions: Questions, device: str) -> dict[str, float]:
    """The ranker, asked about conversations."""
    model.to(device).eval()
    turns = _vectors(model, [questions.text(place) for place in range(len(questions))], device, turns=True)
    wanted = _vectors(model, [of_question(each.tokens) for each in questions.questions], device, turns=False)
    return asked(late.all_scores(wanted, turns).cpu(), questions)


@torch.no_grad()  # type: ignore[untyped-decorator]
def of_teacher(model: CrossEncoder, questions: Questions, device: str) -> dict[str, float]:
    """A cross-encoder, asked the same."""
    model.to(device).eval()
    texts = [questions.text(place) for place in range(len(questions))]
    rows = [_cross(model, of_question(each.tokens), texts, device) for each in questions.questions]
    return asked(torch.stack(rows), questions)


@torch.no_grad()  # type: ignore[untyped-decorator]
def of_corpus(model: ReaderNetwork, held: Material, made: Groups, kind: str, device: str, *, every: int = 1) -> float:
    """Mean over sources of the MRR among a dev question's candidates."""
    model.to(device).eval()
    found: dict[str, list[float]] = defaultdict(list)
    numbers = held.dev.tolist()[::every]
    groups_of = [split(made.dev_rows(number, DEV[kind])) for number in numbers]
    wanted = _vectors(model, [question for question, _ in groups_of], device, turns=False)
    turns = _vectors(model, [text for _, texts in groups_of for text in texts], device, turns=True)
    start = 0
    for place, (number, (_, texts)) in enumerate(zip(numbers, groups_of, strict=True)):
        mine = TextVectors(turns.vectors[start : start + len(texts)], turns.mask[start : start + len(texts)])
        one = TextVectors(wanted.vectors[place : place + 1], wanted.mask[place : place + 1])
        scores = late.all_scores(one, mine)[0]
        best = scores[: len(held.positives[number])].max()
        found[held.asked[number]].append(1 / (1 + int((scores > best).sum())))
        start += len(texts)
    return float(np.mean([np.mean(values) for values in found.values()]))


def _vectors(model: ReaderNetwork, texts: Sequence[Text], device: str, *, turns: bool) -> TextVectors:
    made = []
    for start in range(0, len(texts), BATCH):
        parts = [torch.from_numpy(part).to(device) for part in packed(texts[start : start + BATCH])]
        with half(device):
            made.append(late.turn_vectors(model, parts) if turns else late.question_vectors(model, parts))
    longest = max(each.vectors.shape[1] for each in made)
    return TextVectors(
        torch.cat(
            [torch.nn.functional.pad(each.vectors.float(), (0, 0, 0, longest - each.vectors.shape[1])) for each in made]
        ),
        torch.cat([torch.nn.functional.pad(each.mask, (0, longest - each.mask.shape[1])) for each in made]),
    )


def _cross(model: CrossEncoder, question: Text, texts: Sequence[Text], device: str) -> Tensor:
    parts = [torch.from_numpy(part).to(device) for part in packed([pair(question, text) for text in texts])]
    with half(device):
        return late.cross_scores(model, parts).cpu()
