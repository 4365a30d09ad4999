"""The large teacher of the ranker: a language model that reads a turn and a message, and says if the turn matters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from bench.models import lives
from bench.models.corpus import say
from bench.models.ranker.exam import standings
from bench.models.ranker.questions import Question
from bench.models.reader.training import Learner, Plan, half
from bench.models.succession.large_teacher import EVERY, LargeTeacher, PairTokenizer, batch_of, logits_of_rows
from nacre.models.readings import SpokenTurn

BEFORE, NOW = "Said before, ", "\nNow, user: "
MATTERS = "\nDoes what was said before matter for a good answer? Answer:"
# Tokens of a turn, of the one before it, and of a message.
TURN, PREVIOUS, MESSAGE = 120, 24, 60
# Turns of one life that are told apart in one step, and how much each one's own chance counts beside that.
GROUP, CHANCE = 12, 0.5
PLAN = Plan(seed=31, rate=6e-5, head_rate=6e-5, epochs=2, batch=16, decay=0.05)


@dataclass(frozen=True, slots=True)
class MessageRows:
    """A message with each turn of its life, as the language model reads them, and which of the turns matter."""

    kind: str
    language: str
    rows: tuple[list[int], ...]
    answers: tuple[int, ...]


def load_messages(part: str, tokenizer: PairTokenizer) -> list[MessageRows]:
    """All messages of the lives of one part."""
    return [each for life in lives.load(part) for each in _messages(life, tokenizer)]


def _messages(life: lives.Life, tokenizer: PairTokenizer) -> list[MessageRows]:
    turns: list[list[int]] = []
    places = {}
    for number, session in enumerate(life.sessions):
        previous = None
        for at, turn in enumerate(session.turns):
            spoken = SpokenTurn(turn.speaker, turn.text)
            places[number, at] = len(turns)
            turns.append(turn_tokens(tokenizer, spoken, previous))
            previous = spoken
    made = []
    for message in life.messages:
        end = message_tokens(tokenizer, message.text)
        rows = tuple([*turn, *end] for turn in turns)
        answers = tuple(sorted({places[each] for each in message.evidence}))
        made.append(MessageRows(message.kind, life.language, rows, answers))
    return made


def turn_tokens(tokenizer: PairTokenizer, turn: SpokenTurn, previous: SpokenTurn | None) -> list[int]:
    """The first half of what the language model reads: a turn, after the end of the one before it."""
    lead = [*_said(tokenizer, previous)[-PREVIOUS:], *tokenizer.ids("\n")] if previous else []
    return [*tokenizer.ids(BEFORE), *lead, *_said(tokenizer, turn)[:TURN]]


def message_tokens(tokenizer: PairTokenizer, text: str) -> list[int]:
    """The second half: a message, and the question whether the turn matters."""
    return [*tokenizer.ids(NOW), *tokenizer.ids(text)[:MESSAGE], *tokenizer.ids(MATTERS)]


def _said(tokenizer: PairTokenizer, turn: SpokenTurn) -> list[int]:
    return tokenizer.ids(f"{turn.speaker}: {turn.text}")


def fit(model: LargeTeacher, messages: Sequence[MessageRows], device: str, *, seed: int = PLAN.seed) -> LargeTeacher:
    """Train on the messages that some turn answers; returns the mean of the weights along the way."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    model.to(device).train()
    answered = [each for each in messages if each.answers]
    steps = [step for _ in range(PLAN.epochs) for step in _epoch(answered, chance)]
    learner = Learner(model, PLAN, len(steps))
    total = torch.zeros((), device=device)
    for number, step in enumerate(steps, 1):
        groups = [_group(each, chance) for each in step]
        made = batch_of([(row, place == 0) for group in groups for place, row in enumerate(group)], device)
        with half(device):
            logits = model(made.ids, made.lengths)
        loss = _ordering_loss(logits, [len(group) for group in groups])
        loss = loss + CHANCE * functional.binary_cross_entropy_with_logits(logits, made.changes)
        learner.step(loss)
        total += loss.detach()
        if number % EVERY == 0:
            say(f"step {number} of {len(steps)}, loss {float(total) / EVERY:.4f}")
            total.zero_()
    kept: LargeTeacher = learner.mean
    return kept


def _epoch(messages: Sequence[MessageRows], chance: random.Random) -> list[list[MessageRows]]:
    order = sorted(messages, key=lambda each: sum(map(len, each.rows)) / len(each.rows) + chance.uniform(0, 15))
    steps = [list(order[start : start + PLAN.batch]) for start in range(0, len(order), PLAN.batch)]
    chance.shuffle(steps)
    return steps


def _group(message: MessageRows, chance: random.Random) -> list[list[int]]:
    """Turns of a life, of which the first matters and the others do not."""
    others = [place for place in range(len(message.rows)) if place not in message.answers]
    places = [chance.choice(message.answers), *chance.sample(others, min(GROUP - 1, len(others)))]
    return [message.rows[place] for place in places]


def _ordering_loss(logits: Tensor, sizes: Sequence[int]) -> Tensor:
    """How far the first of each group is from standing above the others."""
    rows = pad_sequence(list(logits.split(list(sizes))), batch_first=True, padding_value=-1e4)
    return functional.cross_entropy(rows, torch.zeros(len(rows), dtype=torch.long, device=rows.device))


def thoughts(model: LargeTeacher, messages: Sequence[MessageRows], device: str) -> NDArray[np.float32]:
    """What it thinks of every turn of the life of each message; logits, one message after the other."""
    logits: NDArray[np.float32] = logits_of_rows(model, [row for each in messages for row in each.rows], device)
    return logits


def report(logits: NDArray[np.float32], messages: Sequence[MessageRows]) -> dict[str, str]:
    """Standing of the answers among the turns of their own life, as `exam` asks rankers."""
    parts = torch.from_numpy(logits).split([len(each.rows) for each in messages])
    questions = []
    for each in messages:
        near = tuple(place for place in range(len(each.rows)) if place not in each.answers)
        questions.append(Question("", (), each.kind, each.language, True, each.answers, near, ()))
    return standings(pad_sequence(list(parts), batch_first=True, padding_value=-1e4), questions)
