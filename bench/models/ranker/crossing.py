"""Messages crossed with turns of other lives and conversations, and what the large teacher thinks of these."""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from bench.models.ranker.exam import TOGETHER, RankerExam
from bench.models.ranker.large_teacher import message_tokens, turn_tokens
from bench.models.ranker.questions import Questions
from bench.models.succession.large_teacher import LargeTeacher, PairTokenizer, logits_of_rows

Ints = NDArray[np.int64]

# Turns of others that a message is crossed with: the best of a ranker, some of the next, and any.
BEST, NEXT, STRAY = 10, 10, 8
NEXT_OF = 1_000
CROSSED_WITH = BEST + NEXT + STRAY
# Messages that the large teacher is asked about at a time.
ASKED = 1_000


def cross(exam: RankerExam, questions: Questions, seed: int = 71) -> Ints:
    """Places of turns of others for each message of a life, mostly such that a ranker takes for relevant."""
    messages = [each for each in questions.questions if each.life]
    chance = Random(seed)
    rows = []
    for start in range(0, len(messages), TOGETHER):
        some = messages[start : start + TOGETHER]
        for message, best in zip(some, exam.best_places(questions, some, NEXT_OF + 100), strict=True):
            mine = {*message.answers, *message.near}
            others = [place for place in best if place not in mine]
            chosen = dict.fromkeys([*others[:BEST], *chance.sample(others[BEST:NEXT_OF], NEXT)])
            while len(chosen) < CROSSED_WITH:
                stray = chance.randrange(len(questions))
                if stray not in mine:
                    chosen[stray] = None
            rows.append(list(chosen))
    return np.array(rows, np.int64)


def ask(
    model: LargeTeacher, tokenizer: PairTokenizer, questions: Questions, places: Ints, device: str
) -> NDArray[np.float32]:
    """What the large teacher thinks of crossed messages: a logit for each place."""
    messages = [each for each in questions.questions if each.life]
    turns = {place: turn_tokens(tokenizer, *questions.spoken(place)) for place in np.unique(places).tolist()}
    logits = []
    # A part at a time, since each pair is a list of numbers.
    for start in range(0, len(messages), ASKED):
        pairs = []
        for message, row in zip(messages[start : start + ASKED], places[start : start + ASKED].tolist(), strict=True):
            end = message_tokens(tokenizer, message.text)
            pairs += [[*turns[place], *end] for place in row]
        logits.append(logits_of_rows(model, pairs, device))
    return np.concatenate(logits).reshape(places.shape)
