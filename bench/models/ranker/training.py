"""Training the ranker: from questions about talk, from a corpus, and after the opinion of a cross-encoder."""

from __future__ import annotations

import math
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
from bench.models.ranker.opinions import Opinions
from bench.models.ranker.questions import Question, Questions
from bench.models.ranker.texts import Packed, Passage, Text, of_passage, of_question, packed, pair
from bench.models.reader.network import ReaderNetwork
from bench.models.reader.training import Learner, Plan, half
from nacre.models.reader_windows import COLON

SIZE = 1 + groups.NEGATIVES
USER = 5310
# Share of groups without speakers in which everything was said by the user.
BY_USER = 0.3
# Where a group comes from: a corpus, questions about talk, messages of a life beside its turns or those of others. That
# nothing answers a message is a kind of its own.
CORPUS, TALK, MESSAGE, CROSSED, UNANSWERED = range(5)
# How much the label counts beside the teachers' opinion: people who labelled talk know better than a small teacher, and
# of what is crossed nobody labelled anything.
LABEL = (0.25, 0.6, 0.4, 0.0)
# For a message that needs nothing no turn matters, whatever the large teacher thinks: it learned from the others alone.
NOTHING = (-20.0,) * SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture:
    """What a step consists of."""

    corpus: int = 24
    questions: int = 12
    messages: int = 24
    crossed: int = 24
    """Groups of the corpus, of questions about conversations, of messages of lives, and of such beside other lives."""
    together: float = 0.3
    """Weight of telling the answer from those of the other questions of the step."""
    absolute: float = 0.4
    """Weight of telling an answer from what is none by the score alone."""


@dataclass(frozen=True, slots=True)
class Group:
    """A question, its passages, where they come from, and what the large teacher thinks of them, if it was asked."""

    question: Text
    passages: Sequence[Passage]
    kind: int
    opinions: Sequence[float] = (math.nan,) * SIZE


class Steps(Dataset[tuple[Packed, Packed, Packed, tuple[np.ndarray, np.ndarray]]]):  # type: ignore[misc]
    """Steps: questions, passages in groups, pairs of both for the small teacher, and where each group comes from."""

    def __init__(
        self,
        made: Groups,
        asked: Questions,
        mixture: Mixture,
        *,
        count: int,
        seed: int,
        opinions: Opinions | None = None,
    ) -> None:
        self._made, self._asked, self._mixture, self._opinions = made, asked, mixture, opinions
        self._messages = [each for each in asked.questions if each.life]
        self._talks = [each for each in asked.questions if not each.life]
        self._count, self._seed = count, seed
        self._numbers: list[list[int]] = []
        epoch = 0
        while len(self._numbers) < count:
            self._numbers += made.steps(epoch)
            epoch += 1

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, step: int) -> tuple[Packed, Packed, Packed, tuple[np.ndarray, np.ndarray]]:
        draw = Random(f"{self._seed} {step}")
        numbers = range(len(self._messages))
        groups = [
            *(Group(*each, CORPUS) for each in self._of_corpus(step, draw)),
            *(self._of_talk(each, draw) for each in draw.sample(self._talks, self._mixture.questions)),
            *(self._of_message(number, draw) for number in draw.sample(numbers, self._mixture.messages)),
        ]
        if self._opinions:
            groups += [self._crossed(number, draw) for number in draw.sample(numbers, self._mixture.crossed)]
        opinions = np.array([each.opinions for each in groups], np.float32)
        unasked = [each for each, row in zip(groups, opinions, strict=True) if np.isnan(row).any()]
        return (
            packed([[each.question] for each in groups]),
            packed([passage for each in groups for passage in each.passages]),
            packed([[pair(each.question, text) for text in passage] for each in unasked for passage in each.passages]),
            (np.array([each.kind for each in groups]), opinions),
        )

    def _of_talk(self, question: Question, draw: Random) -> Group:
        places = self._asked.group(question, draw, SIZE)
        return Group(of_question(question.tokens), [self._asked.passage(place) for place in places], TALK)

    def _of_message(self, number: int, draw: Random) -> Group:
        message = self._messages[number]
        kind = MESSAGE if message.answers else UNANSWERED
        places = self._asked.group(message, draw, SIZE, near=SIZE if self._opinions else None)
        passages = [self._asked.passage(place) for place in places]
        if not self._opinions:
            return Group(of_question(message.tokens), passages, kind)
        opinions = self._opinions.own(number, places) if message.answers else NOTHING
        return Group(of_question(message.tokens), passages, kind, opinions)

    def _crossed(self, number: int, draw: Random) -> Group:
        assert self._opinions
        message = self._messages[number]
        places, opinions = self._opinions.crossed(number, draw, SIZE)
        passages = [self._asked.passage(place) for place in places]
        if not message.answers:
            return Group(of_question(message.tokens), passages, UNANSWERED, NOTHING)
        return Group(of_question(message.tokens), passages, CROSSED, opinions)

    def _of_corpus(self, step: int, draw: Random) -> Iterator[tuple[Text, list[list[Text]]]]:
        rows = list(self._made.rows(step, self._numbers[step][: self._mixture.corpus]))
        for start in range(0, len(rows), SIZE):
            yield split(rows[start : start + SIZE], draw)


def split(rows: Sequence[np.ndarray], draw: Random | None = None) -> tuple[Text, list[list[Text]]]:
    """A group's pairs as a question and passages."""
    parts = [_parts(row.tolist()) for row in rows]
    unnamed = not any(COLON in said[:8] for _, said, _ in parts)
    lead = [USER, COLON] if draw and unnamed and draw.random() < BY_USER else []
    return of_question(parts[0][0]), [[of_passage([*lead, *said], before[-PREVIOUS:])] for _, said, before in parts]


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
    for step, (_, _, pairs, (kinds, _)) in enumerate(batches(steps, workers)):
        with half(device):
            scores = late.cross_scores(model, [part.to(device) for part in pairs]).view(-1, SIZE)
        loss = first_is_right(scores[kinds != UNANSWERED]).mean()
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
    silent: Sequence[int],
    *,
    plan: Plan,
    mixture: Mixture,
    teachers: Sequence[CrossEncoder],
    workers: int,
    device: str,
) -> ReaderNetwork:
    """Train the ranker; returns the mean of the weights along the way."""
    torch.manual_seed(plan.seed)
    model.to(device).train()
    quiet = torch.tensor(silent, device=device)
    learner = Learner(model, plan, len(steps))
    sums = torch.zeros(3, device=device)
    for step, parts in enumerate(batches(steps, workers)):
        questions, texts, pairs, (kinds, opinions) = (
            [part.to(device, non_blocking=True) for part in each] for each in parts
        )
        unasked = opinions.isnan().any(dim=1)
        wanted = opinions.clone()
        with half(device):
            with torch.no_grad():
                scores = torch.stack([late.cross_scores(teacher, pairs) for teacher in teachers]).mean(dim=0)
                wanted[unasked] = scores.view(-1, SIZE).float()
            asked, turns = late.question_vectors(model, questions), late.passage_vectors(model, texts, quiet)
            grouped = late.group_scores(asked, turns)
            every = late.all_scores(asked, late.TextVectors(turns.vectors[::SIZE], turns.mask[::SIZE]))
        answered = kinds != UNANSWERED
        labelled = answered & (kinds != CROSSED)
        ranked = like(grouped[answered], wanted[answered], kinds[answered])
        own = torch.arange(len(every), device=device).masked_fill(~labelled, -100)
        apart = functional.cross_entropy(every, own)
        bare = bare_loss(grouped - asked.bars[:, None], labelled, opinions)
        learner.step(ranked + mixture.together * apart + mixture.absolute * bare)
        sums += torch.stack([ranked.detach(), apart.detach(), bare.detach()])
        if step % 200 == 199:
            means = (sums / 200).tolist()
            say(f"step {step + 1} of {len(steps)}, groups {means[0]:.4f}, together {means[1]:.4f}, bare {means[2]:.4f}")
            sums.zero_()
    kept: ReaderNetwork = learner.mean
    return kept


def first_is_right(scores: Tensor) -> Tensor:
    """Cross-entropy of each group: its answer is the first."""
    none = torch.zeros(len(scores), dtype=torch.long, device=scores.device)
    return functional.cross_entropy(scores, none, reduction="none")


def like(scores: Tensor, wanted: Tensor, kinds: Tensor) -> Tensor:
    """What the teachers think of the whole group, and what is right."""
    apart = functional.kl_div(scores.log_softmax(dim=1), wanted.softmax(dim=1), reduction="none").sum(dim=1)
    label = torch.tensor(LABEL, device=scores.device)[kinds]
    return (label * first_is_right(scores) + (1 - label) * apart).mean()


def bare_loss(logits: Tensor, labelled: Tensor, opinions: Tensor) -> Tensor:
    """Cross-entropy of each passage alone: the first of a labelled group answers, others as the large teacher says."""
    right = opinions.sigmoid().nan_to_num(0.0)
    right[labelled] = 0.0
    right[:, 0] = torch.where(labelled, 1.0, right[:, 0])
    return functional.binary_cross_entropy_with_logits(logits, right)
