"""Train the embedder that ships in the package: one int8 vector a token, summed.

python -m bench.models.embedder --training DATA --teacher MODEL --out src/nacre/models/static

README.md beside this file describes the recipe, the inputs and the figures.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from bench.models.corpus import (
    Corpus,
    Ids,
    Recipe,
    by_source,
    hard_negatives,
    read_corpus,
    require,
    say,
    split,
    word_piece,
)

Table = NDArray[np.float32]

NAME = "nacre-static-256-v1"
CLS, SEP = 101, 102
FIRST_WORD = 999  # ids below are [PAD], [unusedN], [UNK], [CLS], [SEP] and [MASK]


def teacher_states(folder: Path, chunk: int = 1024) -> Table:
    """The teacher's last hidden state of every token t, read as `[CLS] t [SEP]`."""
    weights = load_file(str(folder / "model.safetensors"))
    size = weights["embeddings.word_embeddings.weight"].shape[0]
    states = []
    with torch.inference_mode():
        for start in range(0, size, chunk):
            tokens = torch.arange(start, min(start + chunk, size))
            frame = torch.stack([torch.full_like(tokens, CLS), tokens, torch.full_like(tokens, SEP)], dim=1)
            states.append(bert(weights, frame)[:, 1].float())
    return np.asarray(torch.cat(states).numpy(), dtype=np.float32)


def bert(weights: dict[str, Tensor], tokens: Tensor, heads: int = 12) -> Tensor:
    """Run a BERT encoder over sequences of equal length, so that no mask is needed."""

    def norm(name: str, x: Tensor) -> Tensor:
        return functional.layer_norm(x, x.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-12)

    def linear(name: str, x: Tensor) -> Tensor:
        return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def split_heads(x: Tensor) -> Tensor:
        return x.view(*x.shape[:-1], heads, -1).transpose(1, 2)

    table = {kind: weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")}
    x = table["word"][tokens] + table["position"][: tokens.shape[1]] + table["token_type"][0]
    x = norm("embeddings.LayerNorm", x)
    layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    for layer in (f"encoder.layer.{number}" for number in range(layers)):
        attention = f"{layer}.attention"
        query, key, value = (split_heads(linear(f"{attention}.self.{part}", x)) for part in ("query", "key", "value"))
        mixed = functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2)
        x = norm(f"{attention}.output.LayerNorm", x + linear(f"{attention}.output.dense", mixed))
        inner = functional.gelu(linear(f"{layer}.intermediate.dense", x))
        x = norm(f"{layer}.output.LayerNorm", x + linear(f"{layer}.output.dense", inner))
    return x


def starting_table(states: Table, counts: Ids, recipe: Recipe) -> Table:
    """Reduce the states by PCA, weigh rare tokens up, and drop tokens that are no words."""
    words = np.arange(len(states)) >= FIRST_WORD
    centred = states - states[words].mean(axis=0)
    _, axes = np.linalg.eigh(centred[words].T @ centred[words])
    table = centred @ axes[:, ::-1][:, : recipe.dimensions]
    share = counts / counts.sum()
    table *= (recipe.sif / (recipe.sif + share))[:, None]
    table[~words] = 0
    return np.asarray(table / np.linalg.norm(table[words], axis=1).mean(), dtype=np.float32)


# Hard negatives


def vectors(table: Tensor, texts: Sequence[Ids]) -> Tensor:
    """The sum of the token vectors of each text, not yet normalised."""
    starts = np.cumsum([0] + [len(text) for text in texts[:-1]])
    return functional.embedding_bag(
        torch.from_numpy(np.concatenate(texts)), table, torch.from_numpy(starts), mode="sum"
    )


@dataclass(frozen=True, slots=True)
class Batch:
    """Questions with one positive and one hard negative each; `same` marks equal positives."""

    questions: list[Ids]
    positives: list[Ids]
    negatives: list[Ids]
    same: Tensor


def batches(corpus: Corpus, negatives: dict[int, list[int]], recipe: Recipe, epoch: int) -> Iterator[Batch]:
    """One epoch in random order."""
    draw = np.random.default_rng((recipe.seed, epoch))
    order = draw.permutation(np.array(list(negatives)))
    for start in range(0, len(order) - recipe.batch // 2, recipe.batch):
        chosen = [int(number) for number in order[start : start + recipe.batch]]
        positives = [int(draw.choice(corpus.examples[number].positives)) for number in chosen]
        places = torch.tensor(positives)
        yield Batch(
            [corpus.questions[number] for number in chosen],
            [corpus.passages[place] for place in positives],
            [corpus.passages[int(draw.choice(negatives[number]))] for number in chosen],
            places[:, None] == places[None, :],
        )


def contrast(rows: Sequence[Tensor], same: Tensor, recipe: Recipe) -> Tensor:
    """InfoNCE against the batch and the hard negatives, with a smaller term the other way round."""
    question, positive, negative = (functional.normalize(part, dim=1) for part in rows)
    own = torch.eye(len(question), dtype=torch.bool)
    near = (question @ positive.T / recipe.temperature).masked_fill(same & ~own, -torch.inf)
    hard = question @ negative.T / recipe.temperature
    target = torch.arange(len(question))
    forward = functional.cross_entropy(torch.cat([near, hard], dim=1), target)
    return forward + recipe.symmetric * functional.cross_entropy(near.T, target)


def tune(start: Table, corpus: Corpus, negatives: dict[int, list[int]], recipe: Recipe) -> Table:
    """Move the table so that questions land near their answers, but not far from where it began."""
    origin = torch.from_numpy(start)
    table = origin.clone().requires_grad_()
    optimiser = torch.optim.Adam([table], lr=recipe.rate)
    steps = recipe.epochs * math.ceil(len(negatives) / recipe.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: max(0.0, 1 - step / steps))
    for epoch in range(recipe.epochs):
        losses = []
        for batch in batches(corpus, negatives, recipe, epoch):
            rows = [vectors(table, texts) for texts in (batch.questions, batch.positives, batch.negatives)]
            loss = contrast(rows, batch.same, recipe)
            short = contrast([part[:, : recipe.short] for part in rows], batch.same, recipe)
            drift = (table - origin).square().sum(dim=1).mean()
            optimiser.zero_grad()
            torch.autograd.backward(loss + recipe.short_weight * short + recipe.pull * drift)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        say(f"epoch {epoch + 1} of {recipe.epochs}: loss {np.mean(losses):.3f}")
    tuned: Table = table.detach().numpy()
    tuned[:FIRST_WORD] = 0
    return tuned


# Measuring


def unit(table: Table, texts: Sequence[Ids]) -> Tensor:
    """Normalised sentence vectors."""
    return functional.normalize(vectors(torch.from_numpy(table), texts), dim=1)


def dev_mrr(table: Table, corpus: Corpus, dev: Sequence[int]) -> dict[str, float]:
    """Mean reciprocal rank of the first answer among all passages of the source, by source."""
    places = by_source(corpus)
    scores: dict[str, list[float]] = defaultdict(list)
    for source in sorted({corpus.examples[number].source for number in dev}):
        asked = [number for number in dev if corpus.examples[number].source == source]
        position = {place: row for row, place in enumerate(places[source])}
        cosines = (
            unit(table, [corpus.questions[number] for number in asked])
            @ unit(table, [corpus.passages[place] for place in places[source]]).T
        )
        for number, row in zip(asked, cosines, strict=True):
            best = max(float(row[position[place]]) for place in corpus.examples[number].positives)
            scores[source].append(1 / (1 + int((row > best).sum())))
    return {source: float(np.mean(ranks)) for source, ranks in scores.items()}


def show(label: str, scores: dict[str, float]) -> None:
    """Print dev MRR by source and its mean."""
    row = " ".join(f"{source} {score:.3f}" for source, score in scores.items())
    say(f"dev MRR {label}: {row} | mean {np.mean(list(scores.values())):.3f}")


def calibrate(table: Table, corpus: Corpus, dev: Sequence[int], recipe: Recipe) -> float:
    """The cosine that the wanted share of (dev question, random passage) pairs stay under."""
    draw = np.random.default_rng(recipe.seed)
    questions = unit(table, [corpus.questions[number] for number in dev])
    answers = unit(table, [corpus.passages[corpus.examples[number].positives[0]] for number in dev])
    strangers = unit(table, [corpus.passages[place] for place in draw.choice(len(corpus.passages), len(dev))])
    unrelated = (questions @ strangers.T).flatten().numpy()
    related = (questions * answers).sum(dim=1).numpy()
    for share in (0.95, 0.98, 0.99):
        cut = float(np.quantile(unrelated, share))
        say(f"cosine {cut:.3f}: {share:.0%} of random pairs under it, {(related >= cut).mean():.1%} of answers over it")
    return round(float(np.quantile(unrelated, recipe.unrelated_below)), 2)


# Writing


def quantise(table: Table) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Whole numbers of -127 to 127 and one scale a row."""
    scales = (np.abs(table).max(axis=1) / 127).astype(np.float16)
    divisor = np.where(scales > 0, scales, 1).astype(np.float32)[:, None]
    return np.clip(np.rint(table / divisor), -127, 127).astype(np.int8), scales


def write(out: Path, table: Table, threshold: float, vocabulary: Path) -> None:
    """Write the package data; NOTICE is kept by hand."""
    out.mkdir(parents=True, exist_ok=True)
    rows, scales = quantise(table)
    np.save(out / "table.npy", rows)
    np.save(out / "scales.npy", scales)
    shutil.copyfile(vocabulary, out / "vocab.txt")
    digest = hashlib.sha256()
    for name in ("table.npy", "scales.npy", "vocab.txt"):
        digest.update((out / name).read_bytes())
    model = {
        "identity": f"{NAME}-{digest.hexdigest()[:12]}",
        "dimensions": rows.shape[1],
        "threshold": threshold,
    }
    (out / "model.json").write_text(json.dumps(model, indent=2) + "\n")
    say(f"wrote {model['identity']} to {out}")


def restored(table: Table) -> Table:
    """What is left of the table after a round trip through int8."""
    rows, scales = quantise(table)
    return rows.astype(np.float32) * scales.astype(np.float32)[:, None]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the embedder that ships in the package.")
    parser.add_argument("--training", type=Path, required=True, help="folder of passages.json and examples.json")
    parser.add_argument(
        "--teacher", type=Path, required=True, help="folder of all-MiniLM-L6-v2: model.safetensors, vocab.txt"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the package data")
    return parser.parse_args()


def main() -> None:
    options, recipe = arguments(), Recipe()
    require(options.training, ["passages.json", "examples.json"], "training data")
    require(options.teacher, ["model.safetensors", "vocab.txt"], "teacher")
    torch.manual_seed(recipe.seed)
    corpus = read_corpus(options.training, word_piece(options.teacher / "vocab.txt"))
    train, dev = split(corpus, recipe)
    say(f"{len(train)} questions to train on, {len(dev)} held out, {len(corpus.passages)} passages")
    states = teacher_states(options.teacher)
    say("token pass done")
    counts = np.bincount(np.concatenate(corpus.passages), minlength=len(states))
    start = starting_table(states, counts, recipe)
    show("start", dev_mrr(start, corpus, dev))
    negatives = hard_negatives(corpus, train, dev, recipe)
    say("hard negatives found")
    table = restored(tune(start, corpus, negatives, recipe))
    show("shipped", dev_mrr(table, corpus, dev))
    write(options.out, table, calibrate(table, corpus, dev, recipe), options.teacher / "vocab.txt")


if __name__ == "__main__":
    main()
