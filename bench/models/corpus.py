"""The training data of the shipped models: questions, passages that answer them, and passages that nearly do."""

import json
import math
import re
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Every number the result depends on."""

    seed: int = 7
    dimensions: int = 256
    sif: float = 5e-4
    dev_share: float = 0.05
    run: int = 32
    epochs: int = 5
    batch: int = 2048
    rate: float = 3e-3
    temperature: float = 0.05
    symmetric: float = 0.3
    short: int = 128
    short_weight: float = 0.5
    pull: float = 3.0
    negatives_from: int = 16
    unrelated_below: float = 0.98


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A question, the numbers of the passages that answer it, and of those that stand around them."""

    source: str
    question: str
    positives: tuple[int, ...]
    context: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The training data, tokenised; `questions` runs parallel to `examples`."""

    examples: list[Example]
    questions: list[Ids]
    passages: list[Ids]
    sources: list[str]
    texts: list[str]


def say(line: str, started: float = time.perf_counter()) -> None:
    """Print a line of progress with the seconds since the start."""
    print(f"[{time.perf_counter() - started:6.1f} s] {line}", flush=True)


def require(folder: Path, names: Sequence[str], what: str) -> None:
    """Stop with a plain message when an input is missing."""
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        sys.exit(
            f"Missing {what}: {folder} has no {' and no '.join(missing)}. See bench/models/README.md, section Inputs."
        )


def word_piece(vocabulary: Path) -> Tokenizer:
    """The teacher's tokenizer: lower-cased BERT WordPiece, without special tokens."""
    tokenizer = Tokenizer(models.WordPiece.from_file(str(vocabulary), unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def read_corpus(folder: Path, tokenizer: Tokenizer) -> Corpus:
    """Read `passages.json` and `examples.json` and tokenise both."""
    passages = json.loads((folder / "passages.json").read_text())
    examples = [
        Example(
            source=row["source"],
            question=row["question"],
            positives=tuple(row["positives"]),
            context=tuple(row.get("context") or ()),
        )
        for row in json.loads((folder / "examples.json").read_text())
    ]
    texts = [text for _, text in passages]
    return Corpus(
        examples=examples,
        questions=tokenise(tokenizer, [example.question for example in examples]),
        passages=tokenise(tokenizer, texts),
        sources=[source for source, _ in passages],
        texts=texts,
    )


def tokenise(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Ids]:
    """Token ids of each text."""
    return [np.array(encoding.ids, dtype=np.int64) for encoding in tokenizer.encode_batch(list(texts))]


# Dev split


def plain(text: str) -> str:
    """Letters and digits only: two sets may hold one text in different case and spacing."""
    return re.sub(r"[\W_]+", "", text.lower())


def split(corpus: Corpus, recipe: Recipe) -> tuple[list[int], list[int]]:
    """Example numbers of (train, dev): no passage, and no wording of a question, is in both."""
    # Passages that belong together stand together in the file, so runs of them are held out, not single ones.
    runs = np.arange(len(corpus.passages)) // recipe.run
    held_out = np.random.default_rng(recipe.seed).random(runs[-1] + 1)[runs] < recipe.dev_share
    dev = [number for number, example in enumerate(corpus.examples) if held_out[list(example.positives)].all()]
    seen = {plain(corpus.examples[number].question) for number in dev}
    seen |= {plain(corpus.texts[place]) for place in np.flatnonzero(held_out)}
    train = [number for number, example in enumerate(corpus.examples) if not wordings(corpus, example) & seen]
    return train, dev


def wordings(corpus: Corpus, example: Example) -> set[str]:
    """The question and its answers as `plain` text."""
    return {plain(example.question), *(plain(corpus.texts[place]) for place in example.positives)}


# Hard negatives


class Bm25:
    """BM25 over the passages of one source, on token ids."""

    def __init__(self, numbers: Sequence[int], passages: Sequence[Ids], k1: float = 1.2, b: float = 0.75) -> None:
        self.numbers = np.array(numbers)
        lengths = np.array([len(passages[number]) for number in numbers])
        norms = k1 * (1 - b + b * lengths / lengths.mean())
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for place, number in enumerate(numbers):
            for token, count in zip(*np.unique(passages[number], return_counts=True), strict=True):
                found[int(token)].append((place, int(count)))
        self.postings: dict[int, tuple[Ids, NDArray[np.float64]]] = {}
        for token, rows in found.items():
            places, counts = np.array(rows).T
            idf = math.log(1 + (len(numbers) - len(places) + 0.5) / (len(places) + 0.5))
            self.postings[token] = places, idf * counts * (k1 + 1) / (counts + norms[places])

    def top(self, question: Ids, limit: int) -> Ids:
        """Numbers of the best passages, best first."""
        scores = np.zeros(len(self.numbers))
        for token in np.unique(question):
            if int(token) in self.postings:
                places, gains = self.postings[int(token)]
                scores[places] += gains
        limit = min(limit, len(scores))
        best = np.argpartition(-scores, limit - 1)[:limit]
        return np.asarray(self.numbers[best[np.argsort(-scores[best], kind="stable")]])


def by_source(corpus: Corpus) -> dict[str, list[int]]:
    """Passage numbers of each source."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, source in enumerate(corpus.sources):
        found[source].append(number)
    return found


def hard_negatives(corpus: Corpus, train: Sequence[int], dev: Sequence[int], recipe: Recipe) -> dict[int, list[int]]:
    """For each training example the passages of its source that share its words but do not answer it."""
    held_out = {place for number in dev for place in corpus.examples[number].positives}
    indexes = {
        source: Bm25([place for place in places if place not in held_out], corpus.passages)
        for source, places in by_source(corpus).items()
    }
    negatives = {}
    for number in train:
        example = corpus.examples[number]
        best = indexes[example.source].top(corpus.questions[number], recipe.negatives_from)
        negatives[number] = [int(place) for place in best if place not in example.positives]
    return negatives
