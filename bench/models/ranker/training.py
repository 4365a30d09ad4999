"""Training the ranker: with the reader, whose encoder it shares, and after the opinion of a cross-encoder."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from bench.models import groups
from bench.models.corpus import say
from bench.models.encoder import CrossEncoder
from bench.models.groups import PREVIOUS, SEP, Groups
from bench.models.ranker import late
from bench.models.ranker.questions import Questions
from bench.models.ranker.texts import Packed, Text, of_passage, of_question, packed, pair
from bench.models.reader import losses
from bench.models.reader.batches import Batch
from bench.models.reader.network import ReaderNetwork
from bench.models.reader.training import Learner, Material, Plan, half
from nacre.models.reader_windows import COLON

SIZE = 1 + groups.NEGATIVES
USER = 5310
# Share of groups without speakers in which everything was said by the user.
BY_USER = 0.3
# The reader learns in one of so many steps, and then as much more.
EVERY = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture:
    """What a step consists of."""

    corpus: int = 48
    asked: int = 16
    """Groups of the corpus and of questions about conversations."""
    reading: float = 0.5
    """Weight of the reader's losses."""
    together: float = 0.3
    """Weight of telling the answer from those of the other questions of the step."""


class Steps(Dataset[tuple[Packed, Packed, Packed]]):  # type: ignore[misc]
    """Steps: questions, turns in groups, and the pairs of both."""

    def __init__(self, made: Groups, asked: Questions, mixture: Mixture, count: int, seed: int) -> None:
        self._made, self._asked, self._mixture = made, asked, mixture
        self._count, self._seed = count, seed
        self._numbers: list[list[int]] = []
        epoch = 0
        while len(self._numbers) < count:
            self._numbers += made.steps(epoch)
            epoch += 1

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, step: int) -> tuple[Packed, Packed, Packed]:
        draw = Random(f"{self._seed} {step}")
        found = list(self._of_corpus(step, draw))
        chosen = draw.sample(self._asked.questions, self._mixture.asked)
        found += [self._asked.group(question, draw, SIZE) for question in chosen]
        return (
            packed([question for question, _ in found]),
            packed([text for _, texts in found for text in texts]),
            packed([pair(question, text) for question, texts in found for text in texts]),
        )

    def _of_corpus(self, step: int, draw: Random) -> Iterator[tuple[Text, list[Text]]]:
        rows = list(self._made.rows(step, self._numbers[step][: self._mixture.corpus]))
        for start in range(0, len(rows), SIZE):
            yield split(rows[start : start + SIZE], draw)


def split(rows: Sequence[np.ndarray], draw: Random | None = None) -> tuple[Text, list[Text]]:
    """A group's pairs as a question and texts."""
    parts = [_parts(row.tolist()) for row in rows]
    unnamed = not any(COLON in said[:8] for _, said, _ in parts)
    lead = [USER, COLON] if draw and unnamed and draw.random() < BY_USER else []
    return of_question(parts[0][0]), [of_passage([*lead, *said], before[-PREVIOUS:]) for _, said, before in parts]


def _parts(row: list[int]) -> tuple[list[int], list[int], list[int]]:
    first = row.index(SEP)
    second = row.index(SEP, first + 1)
    return row[1:first], row[first + 1 : second], row[second + 1 : -1] if second + 1 < len(row) else []


def batches(steps: Steps, workers: int) -> Iterator[list[list[Tensor]]]:
    """The steps, put together by other processes."""
    for parts in DataLoader(steps, batch_size=None, num_workers=workers, pin_memory=torch.cuda.is_available()):
        yield [list(part) for part in parts]


def fit_teacher(model: CrossEncoder, steps: Steps, rate: float, workers: int, device: str) -> CrossEncoder:
    """A cross-encoder that has seen questions about conversations too."""
    model.to(device).train()
    total = len(steps)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / (0.06 * total)) * max(0.0, 1 - step / total)
    )
    losses_of = torch.zeros((), device=device)
    for step, (_, _, pairs) in enumerate(batches(steps, workers)):
        with half(device):
            scores = late.cross_scores(model, [part.to(device) for part in pairs]).view(-1, SIZE)
        loss = first_is_right(scores)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        losses_of += loss.detach()
        if step % 200 == 199:
            say(f"teacher step {step + 1} of {total}, loss {float(losses_of) / 200:.4f}")
            losses_of.zero_()
    model.eval()
    return model


def fit(
    model: ReaderNetwork,
    steps: Steps,
    talk: Material,
    *,
    plan: Plan,
    mixture: Mixture,
    teachers: Sequence[CrossEncoder],
    workers: int,
    device: str,
) -> ReaderNetwork:
    """Train reader and ranker together; returns the mean of the weights along the way."""
    torch.manual_seed(plan.seed)
    before = copy.deepcopy(model).to(device).eval()
    model.to(device).train()
    learner = Learner(model, plan, len(steps))
    windows = _forever(talk, plan)
    sums = torch.zeros(3, device=device)
    for step, parts in enumerate(batches(steps, workers)):
        questions, texts, pairs = ([part.to(device, non_blocking=True) for part in each] for each in parts)
        with half(device):
            with torch.no_grad():
                wanted = torch.stack([late.cross_scores(teacher, pairs) for teacher in teachers]).mean(dim=0)
            asked, turns = late.question_vectors(model, questions), late.turn_vectors(model, texts)
            grouped = late.group_scores(asked, turns)
            firsts = late.TextVectors(turns.vectors[::SIZE], turns.mask[::SIZE])
            every = late.all_scores(asked, firsts)
            read = sums[0] * 0
            if mixture.reading and step % EVERY == 0:
                read = _reading_loss(model, before, next(windows).to(device), plan)
        ranked = like(grouped, wanted.view(-1, SIZE))
        own = functional.cross_entropy(every, torch.arange(len(every), device=device))
        learner.step(ranked + mixture.together * own + EVERY * mixture.reading * read)
        sums += torch.stack([ranked.detach(), own.detach(), read.detach()])
        if step % 200 == 199:
            means = (sums / 200).tolist()
            say(f"step {step + 1} of {len(steps)}, groups {means[0]:.4f}, together {means[1]:.4f}, read {means[2]:.4f}")
            sums.zero_()
    kept: ReaderNetwork = learner.mean
    return kept


def first_is_right(scores: Tensor) -> Tensor:
    """Cross-entropy: the answer is the first of its group."""
    return functional.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long, device=scores.device))


def like(scores: Tensor, wanted: Tensor) -> Tensor:
    """Mostly what the teachers think of the whole group, and some of what is right."""
    apart = functional.kl_div(scores.log_softmax(dim=1), wanted.softmax(dim=1), reduction="batchmean")
    return 0.25 * first_is_right(scores) + 0.75 * apart


def _reading_loss(model: ReaderNetwork, before: ReaderNetwork, batch: Batch, plan: Plan) -> Tensor:
    """Distance from the labels, and from what the reader thought before."""
    wanted = losses.opinion([before], batch)
    x = model(batch.ids, batch.cases, batch.types, batch.mask)
    labels = losses.label_loss(model, x, batch, plan.jitter)
    return plan.labels * labels + (1 - plan.labels) * losses.opinion_loss(model, x, batch, wanted)


def _forever(talk: Material, plan: Plan) -> Iterator[Batch]:
    epoch = 0
    while True:
        yield from talk.epoch(epoch, plan)
        epoch += 1
