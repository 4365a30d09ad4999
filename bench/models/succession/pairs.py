"""Pairs of turns, an older and a newer one, with the words that the newer one makes outdated, if any."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench.models import lives
from bench.models.lives import DEV, Life

HERE = Path(__file__).parent
# Negative pairs drawn for each positive one, half of them such that share words.
NEGATIVES = 12


@dataclass(frozen=True, slots=True)
class PairTurn:
    """A turn of somebody; `place` orders the turns of a talk."""

    place: int
    speaker: str
    text: str
    session: int


@dataclass(frozen=True, slots=True)
class Change:
    """Words of a turn that are no longer true, and those of the first later turn that make it so."""

    old: int
    new: int
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Talk:
    """The human turns of a life or story in order, and what changed in it."""

    id: str
    turns: tuple[PairTurn, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two turns of a talk; `change` is what the newer one makes outdated in the older."""

    talk: str
    old: PairTurn
    new: PairTurn
    change: Change | None


def load_talks(part: str, folder: Path = HERE, *, without: Sequence[str] = ()) -> list[Talk]:
    """Lives with the changes that were labelled in them, and stories that were written for their changes.

    Those of some writers may be left out, by the letters that their ids begin with.
    """
    labels = {row["id"]: row["replaced"] for row in _rows(folder / "lives.jsonl")}
    talks = [_life(life, labels[life.id]) for life in lives.load(part) if life.id in labels]
    stories = [_story(row) for row in _rows(folder / "stories.jsonl") if _part(row["id"]) == part]
    return talks + [story for story in stories if story.id.split("-")[0] not in without]


def load_writer(writer: str, folder: Path = HERE) -> list[Talk]:
    """All stories of one writer."""
    return [_story(row) for row in _rows(folder / "stories.jsonl") if row["id"].startswith(f"{writer}-")]


def without_changes(life: Life) -> Talk:
    """A life that nobody labelled."""
    return _life(life, [])


def _part(story: str) -> str:
    return "train" if int(hashlib.sha256(story.encode()).hexdigest(), 16) % DEV else "dev"


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.exists():
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, filter(str.strip, lines))


def _life(life: Life, replaced: Sequence[Mapping[str, str]]) -> Talk:
    turns: list[PairTurn] = []
    places = {}
    for number, session in enumerate(life.sessions):
        for at, turn in enumerate(session.turns):
            if turn.speaker != "assistant":
                places[f"{number}.{at}"] = len(turns)
                turns.append(PairTurn(len(turns), turn.speaker, " ".join(turn.text.split()), number))
    changes = [Change(places[each["old"]], places[each["new"]], each["was"], each["now"]) for each in replaced]
    return Talk(life.id, tuple(turns), tuple(changes))


def _story(row: Mapping[str, Any]) -> Talk:
    days = list(dict.fromkeys(turn["at"] for turn in row["turns"]))
    turns = [
        PairTurn(place, turn["speaker"], " ".join(turn["text"].split()), days.index(turn["at"]))
        for place, turn in enumerate(row["turns"])
    ]
    changes = [Change(each["old"], each["new"], each["was"], each["now"]) for each in row["replaced"]]
    return Talk(row["id"], tuple(turns), tuple(changes))


def every_pair(talk: Talk) -> Iterator[Pair]:
    """All pairs of a talk but those of a turn with what was said after it had been replaced."""
    changes = {(each.old, each.new): each for each in reversed(talk.changes)}
    first: dict[int, int] = {}
    for each in talk.changes:
        first[each.old] = min(each.new, first.get(each.old, each.new))
    for new in talk.turns:
        for old in talk.turns[: new.place]:
            change = changes.get((old.place, new.place))
            if change or new.place < first.get(old.place, len(talk.turns)):
                yield Pair(talk.id, old, new, change)


def draw_pairs(talks: Sequence[Talk], chance: Random, negatives: int = NEGATIVES) -> list[Pair]:
    """The positive pairs of talks, and some negative ones of the same talks for each."""
    drawn = []
    for talk in talks:
        some = list(every_pair(talk))
        positive = [pair for pair in some if pair.change]
        negative = [pair for pair in some if not pair.change]
        wanted = min(len(negative), negatives * max(1, len(positive)))
        near = sorted(negative, key=lambda pair: -_alike(pair) - chance.random() * 0.15)[: wanted // 2]
        drawn += positive + near + chance.sample(negative, wanted - len(near))
    chance.shuffle(drawn)
    return drawn


def _alike(pair: Pair) -> float:
    ones, others = ({word for word in turn.text.lower().split() if len(word) > 3} for turn in (pair.old, pair.new))
    return len(ones & others) / (1 + min(len(ones), len(others)))
