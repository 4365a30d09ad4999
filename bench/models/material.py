"""The training data as the reranker's training reads it: token ids, who negates whom, and the dev split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.models.corpus import Bm25, Corpus, Ids, Recipe, by_source, hard_negatives, say, split

Short = NDArray[np.int32]

# Of a question and of a pair no more is read.
QUESTION, LENGTH = 40, 128
DEV_CANDIDATES = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The corpus as arrays: token ids, who negates whom, and the split."""

    questions: list[Short]
    passages: list[Short]
    sources: list[str]
    asked: list[str]
    positives: list[Short]
    context: list[Short]
    negatives: list[Short]
    candidates: list[Short]
    follows: NDArray[np.bool_]
    train: Short
    dev: Short


# Preparing


def prepare(corpus: Corpus, recipe: Recipe) -> Material:
    """Find negatives, neighbours and the dev split; takes a few minutes, all of it on the CPU."""
    train, dev = split(corpus, recipe)
    negatives = hard_negatives(corpus, train, dev, recipe)
    say(f"{len(train)} questions to train on, {len(dev)} held out, hard negatives found")
    held_out = {place for number in dev for place in corpus.examples[number].positives}
    indexes = {source: Bm25(places, corpus.passages) for source, places in by_source(corpus).items()}
    candidates = {number: _candidates(corpus, indexes, number) for number in dev}
    count = range(len(corpus.examples))
    return Material(
        questions=[_short(ids[:QUESTION]) for ids in corpus.questions],
        passages=[_short(ids[:LENGTH]) for ids in corpus.passages],
        sources=corpus.sources,
        asked=[example.source for example in corpus.examples],
        positives=[_short(example.positives) for example in corpus.examples],
        context=[
            _short([place for place in example.context if place not in example.positives and place not in held_out])
            for example in corpus.examples
        ],
        negatives=[_short(negatives.get(number, [])) for number in count],
        candidates=[_short(candidates.get(number, [])) for number in count],
        follows=_follows(corpus),
        train=_short(train),
        dev=_short(dev),
    )


def _candidates(corpus: Corpus, indexes: dict[str, Bm25], number: int) -> list[int]:
    """What a dev question is asked of: its answers first, then what BM25 finds and what stands around them."""
    example = corpus.examples[number]
    best = indexes[example.source].top(corpus.questions[number], DEV_CANDIDATES)
    others = dict.fromkeys([*map(int, best), *example.context])
    return [*example.positives, *(place for place in others if place not in example.positives)][:DEV_CANDIDATES]


def _follows(corpus: Corpus) -> NDArray[np.bool_]:
    """Whether a passage stands right after the one numbered before it."""
    follows = np.zeros(len(corpus.passages), np.bool_)
    for example in corpus.examples:
        together = {*example.positives, *example.context}
        for place in together:
            follows[place] |= place - 1 in together
    return follows


def _short(values: Sequence[int] | Ids) -> Short:
    return np.asarray(values, dtype=np.int32)


_RAGGED = ("questions", "passages", "positives", "context", "negatives", "candidates")


def save(material: Material, path: Path) -> None:
    """Write it as one compressed file."""
    arrays: dict[str, Any] = {}
    for name in _RAGGED:
        rows: list[Short] = getattr(material, name)
        arrays[name] = np.concatenate(rows)
        arrays[f"{name}_sizes"] = np.array([len(row) for row in rows], np.int32)
    arrays |= {"follows": material.follows, "train": material.train, "dev": material.dev}
    arrays |= {"sources": np.array(material.sources), "asked": np.array(material.asked)}
    np.savez_compressed(path, **arrays)


def load(path: Path) -> Material:
    """Read what `save` wrote."""
    with np.load(path) as held:
        ragged = {name: np.split(held[name], np.cumsum(held[f"{name}_sizes"])[:-1]) for name in _RAGGED}
        return Material(
            **ragged,
            follows=held["follows"],
            train=held["train"],
            dev=held["dev"],
            sources=held["sources"].tolist(),
            asked=held["asked"].tolist(),
        )
