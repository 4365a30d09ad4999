"""Fit the head of the ranker that tells whether an answer needs what was told before, and write it beside the others.

python -m bench.models.need --data DATA --heads src/nacre/models/ranking/heads.npz

A logistic regression on the state that the ranker's encoder gives to a whole message. README.md beside this file says
what it is fitted on.
"""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.contexts import silence, stories
from bench.contexts.scores import auroc
from bench.models import lives
from bench.models.relevance import read_lines, read_unrelated
from bench.sources import DATA
from nacre.models import static_embedder
from nacre.models.local_ranker import DATA as RANKING
from nacre.models.reader_windows import TurnTokenizer, question_window
from nacre.models.talk_encoder import TalkEncoder

HERE = Path(__file__).parent / "ranker"
MESSAGES, QUESTIONS = HERE / "messages.jsonl", HERE / "questions.jsonl"
# A kind of message of the lives that nothing bears on.
IDLE = "none"
# So many questions about the world and about conversations; each counts for less than a message of a life.
WORLD, ASKED = 2_500, 2_000
PULL, STEPS = 100.0, 12

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """A message, whether its answer needs what was told, and how much it counts."""

    text: str
    needs: bool
    weight: float = 1.0


def samples(data: Path) -> list[Sample]:
    """What the head is fitted on."""
    found = [_of_life(message) for life in lives.load("train") for message in life.messages]
    found += [Sample(text, needs=False, weight=0.2) for text in read_unrelated(data)[:WORLD]]
    found += [Sample(row["q"], needs=True, weight=0.3) for row in read_lines(QUESTIONS)[:ASKED]]
    return found + [Sample(row["text"], needs=row["personal"]) for row in read_lines(MESSAGES)]


def _of_life(message: lives.LifeMessage) -> Sample:
    # Most messages of the lives need something: both kinds count alike.
    needs = message.kind != IDLE
    return Sample(message.text, needs, 0.4 if needs else 1.0)


class Encoder:
    """The state of a whole message, as the shipped ranker's encoder gives it."""

    def __init__(self) -> None:
        self._encoder = TalkEncoder(RANKING / "ranker.onnx")
        self._tokenizer = TurnTokenizer(static_embedder.DATA / "vocab.txt")

    def states(self, texts: Iterable[str]) -> Floats:
        """A row for each text."""
        windows = (question_window(self._tokenizer, text) for text in texts)
        return np.stack([self._encoder.states(window)[0] for window in windows]).astype(np.float64)


def fit(states: Floats, needs: Floats, weights: Floats) -> Floats:
    """The weights and the bias of a logistic regression, by Newton's steps."""
    middle, spread = states.mean(axis=0), states.std(axis=0) + 1e-6
    features = np.column_stack([(states - middle) / spread, np.ones(len(states))])
    fitted = np.zeros(features.shape[1])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-features @ fitted))
        slope = features.T @ (weights * (chances - needs)) + PULL * fitted
        curve = (features * (weights * chances * (1 - chances))[:, None]).T @ features + PULL * np.eye(len(fitted))
        fitted -= np.linalg.solve(curve, slope)
    scaled = fitted[:-1] / spread
    return np.append(scaled, fitted[-1] - scaled @ middle)


def report(title: str, needing: Floats, idle: Floats) -> None:
    """Print how well the head parts messages that it was not fitted on."""
    area = auroc(needing.tolist(), idle.tolist())
    below = f"below 0 {np.mean(needing < 0):.1%} and {np.mean(idle < 0):.1%}"
    print(f"{title}: {len(needing)} and {len(idle)}, AUROC {area:.3f}, {below}")


def main() -> None:
    """Fit, report and write."""
    parser = argparse.ArgumentParser(description="Fit the head that tells whether an answer needs what was told.")
    parser.add_argument("--data", type=Path, default=DATA, help="The folder of the benchmark data.")
    parser.add_argument(
        "--heads", type=Path, required=True, help="heads.npz of the ranker; the head is written into it."
    )
    options = parser.parse_args()
    encoder, some = Encoder(), samples(options.data)
    states = encoder.states(each.text for each in some)
    fitted = fit(states, np.array([each.needs for each in some], float), np.array([each.weight for each in some]))
    told = [message for life in lives.load("dev") for message in life.messages]
    asked = [message.text for name in stories.NAMES for message in stories.load(name).messages if message.needs]
    for title, needing, idle in (
        (
            "unseen lives",
            [each.text for each in told if each.kind != IDLE],
            [each.text for each in told if each.kind == IDLE],
        ),
        ("stories and unrelated messages", asked, silence.load()),
    ):
        report(title, *(_logits(encoder, texts, fitted) for texts in (needing, idle)))
    with np.load(options.heads) as held:
        heads = {name: held[name] for name in held.files}
    np.savez(
        options.heads,
        **heads | {"need.weight": fitted[None, :-1].astype(np.float32), "need.bias": fitted[-1:].astype(np.float32)},
    )


def _logits(encoder: Encoder, texts: Sequence[str], fitted: Floats) -> Floats:
    logits: Floats = encoder.states(texts) @ fitted[:-1] + fitted[-1]
    return logits


if __name__ == "__main__":
    main()
