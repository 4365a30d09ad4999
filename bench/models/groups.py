"""What the reranker is trained on: groups of a question, a passage that answers it, and passages that do not.

In a conversation a passage has one before it, which it often answers. So a passage may carry a previous one:
`[CLS] question [SEP] passage [SEP] previous [SEP]`. The passage comes first, so that a cut takes the previous one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bench.models.corpus import Bm25, Corpus, Ids, Recipe, by_source, hard_negatives, say, split, tokenise

Short = NDArray[np.int32]

CLS, SEP = 101, 102
QUESTION, PREVIOUS, LENGTH = 40, 32, 128
NEGATIVES = 7
FROM_CONTEXT = 3
DEV_CANDIDATES = 30
NONE = -1

# How often a question of each source is asked in one epoch. Tweets and chats are nearest to what memory holds.
SHARES = {
    "tweet": 2.0,
    "molweni": 2.0,
    "selqa": 2.0,
    "squad": 1.0,
    "xquad": 1.0,
    "qamr": 0.7,
    "iirc": 0.7,
    "qasper": 0.7,
    "boolq": 0.4,
    "pubmed": 0.4,
    "scitail": 0.3,
}
# What stands before the passages of a group: nothing, the true passage before, a question about it, anything.
BEFORE = ("nothing", "neighbour", "question", "stray")
WITH_NEIGHBOURS = (0.35, 0.4, 0.15, 0.1)
WITHOUT_NEIGHBOURS = (0.5, 0.0, 0.25, 0.25)
# The share of groups whose passages get a speaker, where they have none.
NAMED = 0.3
# The share of groups with stray neighbours where the answer stands before a passage that is not the answer.
TRAPS = 0.5
HAVE_SPEAKERS = frozenset({"tweet", "molweni"})


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
    names: list[Short]
    train: Short
    dev: Short


# Preparing


def prepare(corpus: Corpus, tokenizer: Tokenizer, recipe: Recipe) -> Material:
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
        names=_names(corpus, tokenizer),
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


def _names(corpus: Corpus, tokenizer: Tokenizer) -> list[Short]:
    """Speakers to lend to passages that have none, as they stand before a text: the first names of tweeters."""
    heads = {
        text.partition(":")[0].split()[0]
        for source, text in zip(corpus.sources, corpus.texts, strict=True)
        if source == "tweet" and ":" in text[:30]
    }
    names = sorted(name for name in heads if name.isalpha() and name.istitle() and 3 <= len(name) <= 9)
    return [_short(ids) for ids in tokenise(tokenizer, [f"{name}:" for name in names])]


def _short(values: Sequence[int] | Ids) -> Short:
    return np.asarray(values, dtype=np.int32)


_RAGGED = ("questions", "passages", "positives", "context", "negatives", "candidates", "names")


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


# Joining


def join(question: Short, passage: Short, previous: Short | None) -> Short:
    """The tokens of a pair; of what stands before, only as much of its end as there is room for."""
    room = LENGTH - 3 - len(question)
    passage = passage[:room]
    left = min(PREVIOUS, room - len(passage) - 1)
    parts = [_short([CLS]), question, _short([SEP]), passage, _short([SEP])]
    if previous is not None and left > 0:
        parts += [previous[-left:], _short([SEP])]
    return np.concatenate(parts)


def padded(rows: Sequence[Short]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Token ids of pairs, and their types: 1 for the passage, 0 for all else."""
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    types = np.zeros_like(ids)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        first, second = np.flatnonzero(row == SEP)[:2]
        types[place, first + 1 : second + 1] = 1
    return ids, types


# Groups


class Groups:
    """One epoch after the other of groups, the answer first in each; the same for the same seed."""

    def __init__(self, material: Material, seed: int, batch: int) -> None:
        self._material = material
        self._seed = seed
        self._batch = batch
        self._of_source: dict[str, Short] = {
            source: np.flatnonzero(np.array(material.sources) == source).astype(np.int32) for source in SHARES
        }
        self._about: dict[int, list[int]] = defaultdict(list)
        for number in material.train:
            for place in material.positives[number]:
                self._about[int(place)].append(int(number))
        self._asked_in: dict[str, list[int]] = defaultdict(list)
        for number in material.train:
            self._asked_in[material.asked[number]].append(int(number))

    def steps(self, epoch: int) -> list[list[int]]:
        """The questions of each step; those of one step have passages of like length."""
        draw = np.random.default_rng((self._seed, epoch))
        shares = np.array([SHARES[self._material.asked[number]] for number in self._material.train])
        times = np.floor(shares + draw.random(len(shares))).astype(np.int64)
        order = draw.permutation(np.repeat(self._material.train, times))
        steps: list[list[int]] = []
        for start in range(0, len(order), 32 * self._batch):
            some = sorted(order[start : start + 32 * self._batch], key=self._length)
            steps += [
                [int(number) for number in some[at : at + self._batch]] for at in range(0, len(some), self._batch)
            ]
        whole = [step for step in steps if len(step) == self._batch]
        return [whole[int(place)] for place in draw.permutation(len(whole))]

    def _length(self, number: int) -> int:
        return len(self._material.passages[int(self._material.positives[number][0])])

    def rows(self, epoch: int, numbers: Sequence[int]) -> Iterator[Short]:
        """The pairs of these questions' groups, one group after the other."""
        for number in numbers:
            draw = np.random.default_rng((self._seed, epoch, number, 1))
            yield from self._group(number, draw)

    def _group(self, number: int, draw: np.random.Generator) -> Iterator[Short]:
        held = self._material
        places = self._places(number, draw)
        source = held.asked[number]
        kind = self._before(places, draw)
        trap = int(draw.integers(1, len(places))) if kind == "stray" and draw.random() < TRAPS else NONE
        named = source not in HAVE_SPEAKERS and draw.random() < NAMED
        for at, place in enumerate(places):
            passage = held.passages[place]
            previous = held.passages[places[0]] if at == trap else self._previous(kind, number, place, draw)
            if named:
                passage, previous = self._spoken(passage, previous, draw)
            yield join(held.questions[number], passage, previous)

    def _places(self, number: int, draw: np.random.Generator) -> Short:
        held = self._material
        around = held.context[number]
        chosen = list(draw.choice(around, min(FROM_CONTEXT, len(around)), replace=False)) if len(around) else []
        alike = [place for place in held.negatives[number] if place not in chosen]
        chosen += list(draw.choice(alike, min(NEGATIVES - len(chosen), len(alike)), replace=False)) if alike else []
        while len(chosen) < NEGATIVES:
            stray = draw.choice(self._of_source[held.asked[number]])
            if stray not in held.positives[number]:
                chosen.append(stray)
        return np.array([draw.choice(held.positives[number]), *chosen], np.int32)

    def _before(self, places: Short, draw: np.random.Generator) -> str:
        near = bool(self._material.follows[places].any())
        kind = str(draw.choice(BEFORE, p=WITH_NEIGHBOURS if near else WITHOUT_NEIGHBOURS))
        # Were the answer the one passage without a fitting question, that would give it away.
        known = len(self._about[int(places[0])]) > 1
        return kind if kind != "question" or known else "nothing"

    def _previous(self, kind: str, number: int, place: int, draw: np.random.Generator) -> Short | None:
        held = self._material
        if kind == "neighbour":
            return held.passages[place - 1] if held.follows[place] else None
        if kind == "question":
            # Another question about the same passage, as if someone had asked it and this were the reply.
            about = [each for each in self._about[int(place)] if each != number]
            return held.questions[int(draw.choice(about or self._asked_in[held.asked[number]]))]
        return held.passages[int(draw.choice(self._of_source[held.asked[number]]))] if kind == "stray" else None

    def _spoken(self, passage: Short, previous: Short | None, draw: np.random.Generator) -> tuple[Short, Short | None]:
        one, other = draw.choice(len(self._material.names), 2, replace=False)
        said = np.concatenate([self._material.names[one], passage])
        return said, None if previous is None else np.concatenate([self._material.names[other], previous])
