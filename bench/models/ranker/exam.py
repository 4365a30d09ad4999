"""Exams: where the turns that answer a question stand among all turns, and among a dev question's candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import pad

from bench.models.encoder import CrossEncoder
from bench.models.groups import Groups
from bench.models.material import Material
from bench.models.ranker import late
from bench.models.ranker.late import QuestionVectors, TextVectors
from bench.models.ranker.questions import Question, Questions
from bench.models.ranker.texts import Passage, Text, of_question, packed, pair
from bench.models.ranker.training import split
from bench.models.reader.network import ReaderNetwork
from bench.models.reader.training import half
from bench.models.scenes import DEV

Floats = NDArray[np.float32]

BATCH = 256
# Messages whose turns are scored at a time.
TOGETHER = 8


class RankerExam:
    """The exam of a ranker."""

    def __init__(self, model: ReaderNetwork, silent: Sequence[int], device: str) -> None:
        self._model = model.to(device).eval()
        self._silent = torch.tensor(silent, device=device)
        self._device = device
        self._of: Questions | None = None

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def asked(self, questions: Questions) -> dict[str, str]:
        """Standing of the answers among the turns of their own life, by kind, and how well scores tell them apart."""
        turns = self._turns(questions)
        wanted = self._questions([of_question(each.tokens) for each in questions.questions])
        scores = late.all_scores(wanted, turns) - wanted.bars[:, None]
        return standings(scores.cpu(), questions.questions)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def best_places(self, questions: Questions, some: Sequence[Question], limit: int) -> list[list[int]]:
        """Places of the turns that fit some questions best, of all there are."""
        wanted = self._questions([of_question(each.tokens) for each in some])
        with half(self._device):
            scores = late.all_scores(wanted, self._turns(questions))
        best: list[list[int]] = scores.topk(limit, dim=1).indices.tolist()
        return best

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def thoughts(self, questions: Questions, places: NDArray[np.int64] | None = None) -> tuple[Floats, Floats]:
        """Logits of the turns of each message's life, one message after the other, and of crossed places."""
        messages = [each for each in questions.questions if each.life]
        own, crossed = [], []
        for start in range(0, len(messages), TOGETHER):
            some = messages[start : start + TOGETHER]
            wanted = self._questions([of_question(each.tokens) for each in some])
            with half(self._device):
                scores = late.all_scores(wanted, self._turns(questions))
            rows = (scores.float() - wanted.bars[:, None]).cpu().numpy()
            own += [row[sorted({*each.answers, *each.near})] for each, row in zip(some, rows, strict=True)]
            if places is not None:
                crossed += [row[where] for where, row in zip(places[start : start + TOGETHER], rows, strict=True)]
        return np.concatenate(own), np.array(crossed, np.float32)

    def _turns(self, questions: Questions) -> TextVectors:
        """Vectors of all turns, made once."""
        if self._of is not questions:
            self._vectors = self._passages([questions.passage(place) for place in range(len(questions))])
            self._of = questions
        return self._vectors

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def corpus(self, held: Material, made: Groups, kind: str, *, every: int = 1) -> float:
        """Mean over sources of the MRR among a dev question's candidates."""
        found: dict[str, list[float]] = defaultdict(list)
        numbers = held.dev.tolist()[::every]
        groups_of = [split(made.dev_rows(number, DEV[kind])) for number in numbers]
        wanted = self._questions([question for question, _ in groups_of])
        turns = self._passages([passage for _, some in groups_of for passage in some])
        start = 0
        for place, (number, (_, some)) in enumerate(zip(numbers, groups_of, strict=True)):
            mine = TextVectors(*(each[start : start + len(some)] for each in turns))
            scores = late.all_scores(QuestionVectors(*(each[place : place + 1] for each in wanted)), mine)[0]
            best = scores[: len(held.positives[number])].max()
            found[held.asked[number]].append(1 / (1 + int((scores > best).sum())))
            start += len(some)
        return float(np.mean([np.mean(values) for values in found.values()]))

    def _passages(self, some: Sequence[Passage]) -> TextVectors:
        made = []
        for start in range(0, len(some), BATCH):
            parts = [torch.from_numpy(part).to(self._device) for part in packed(some[start : start + BATCH])]
            with half(self._device):
                made.append(late.passage_vectors(self._model, parts, self._silent))
        return TextVectors(*_joined(made))

    def _questions(self, some: Sequence[Text]) -> QuestionVectors:
        parts = [torch.from_numpy(part).to(self._device) for part in packed([[text] for text in some])]
        with half(self._device):
            found = late.question_vectors(self._model, parts)
        return QuestionVectors(found.vectors.float(), found.mask, found.bars)


def standings(scores: Tensor, questions: Sequence[Question]) -> dict[str, str]:
    """MRR and share of answers among the first five by kind, and how often an answered one scores above a none."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    best: dict[bool, list[float]] = defaultdict(list)
    for question, row in zip(questions, scores, strict=True):
        own = torch.tensor(sorted({*question.near, *question.answers}))
        best[bool(question.answers)].append(float(row[own].max()))
        if not question.answers:
            continue
        order = own[row[own].argsort(descending=True)].tolist()
        ranks = sorted(order.index(place) for place in question.answers)
        family = "life" if question.life else "talk"
        for kind in (family, f"{family} {question.kind}", f"{family} {question.language}"):
            found[kind].append((1 / (1 + ranks[0]), float(np.mean([rank < 5 for rank in ranks]))))
    yes, no = (np.array(best[flag]) for flag in (True, False))
    above = (yes[:, None] > no).mean() + 0.5 * (yes[:, None] == no).mean()
    table = {
        kind: "MRR {:.3f}, R@5 {:.3f} of {}".format(*np.mean(values, axis=0), len(values))
        for kind, values in sorted(found.items())
    }
    return table | {"AUROC": f"{above:.3f}"}


@torch.no_grad()  # type: ignore[untyped-decorator]
def of_teacher(model: CrossEncoder, questions: Questions, device: str) -> dict[str, str]:
    """A cross-encoder, asked the same, of turns of the same life only."""
    model.to(device).eval()
    scores = torch.full((len(questions.questions), len(questions)), -1e4)
    for row, question in zip(scores, questions.questions, strict=True):
        own = sorted({*question.near, *question.answers})
        pairs = [[pair(of_question(question.tokens), text) for text in questions.passage(place)] for place in own]
        parts = [torch.from_numpy(part).to(device) for part in packed(pairs)]
        with half(device):
            row[own] = late.cross_scores(model, parts).float().cpu()
    return standings(scores, questions.questions)


def _joined(made: Sequence[TextVectors]) -> tuple[Tensor, Tensor]:
    longest = max(each.vectors.shape[1] for each in made)
    return (
        torch.cat([pad(each.vectors.float(), (0, 0, 0, longest - each.vectors.shape[1])) for each in made]),
        torch.cat([pad(each.mask, (0, longest - each.mask.shape[1])) for each in made]),
    )
