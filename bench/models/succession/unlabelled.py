"""Pairs of turns without labels: of them a student learns what its teachers think."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from bench.models import lives
from bench.models.reader import labels
from bench.models.succession.pairs import Pair, PairTurn, Talk, without_changes
from nacre.models import local_succession, static_embedder

# Turns of other talks that a turn is compared with: the nearest, and some drawn from the next.
NEAREST, DRAWN, NEXT = 3, 2, 40
MOST_CROSSED = 160_000
# Texts more alike than this say the same.
SAME = 0.97
BLOCK = 512


def write_pairs(talks: Sequence[Talk], path: Path) -> int:
    """Write all pairs without labels, `talks` being those that are trained on; returns how many there are."""
    labelled = {talk.id for talk in talks}
    others = [without_changes(life) for life in lives.load("train") if life.id not in labelled]
    others += [_bare(each) for each in labels.conversations(part="train")]
    chance = Random(5)
    crossed = crossed_pairs([*talks, *others], chance)
    pairs = [*asked_pairs(others), *chance.sample(crossed, min(MOST_CROSSED, len(crossed)))]
    turns = {turn: number for number, turn in enumerate({turn for pair in pairs for turn in (pair.old, pair.new)})}
    rows = {
        "turns": [[turn.place, turn.speaker, turn.text, turn.session] for turn in turns],
        "pairs": [[turns[pair.old], turns[pair.new]] for pair in pairs],
    }
    path.write_text(json.dumps(rows, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    return len(pairs)


def load_pairs(path: Path) -> list[Pair]:
    """What `write_pairs` wrote."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    turns = [PairTurn(*row) for row in rows["turns"]]
    return [Pair("", turns[old], turns[new], None) for old, new in rows["pairs"]]


def _bare(each: labels.LabelledConversation) -> Talk:
    said = [turn for turn in each.turns if turn.speaker.lower() != "assistant"]
    turns = (
        PairTurn(place, "user" if turn.speaker == "User" else turn.speaker, " ".join(turn.text.split()), 0)
        for place, turn in enumerate(said)
    )
    return Talk(each.id, tuple(turns), ())


def asked_pairs(talks: Iterable[Talk]) -> list[Pair]:
    """The pairs that the product would ask about: each turn with those before it that are most like it."""
    model = local_succession.load()
    found = []
    for talk in talks:
        for new in talk.turns[1:]:
            before = talk.turns[: new.place]
            found += [Pair(talk.id, before[place], new, None) for place in model.nearest(new.text, _texts(before))]
    return found


def crossed_pairs(talks: Sequence[Talk], chance: Random) -> list[Pair]:
    """Turns that are alike, of different talks, as if one had followed the other: nobody wrote them as a change."""
    turns = [(number, turn) for number, talk in enumerate(talks) for turn in talk.turns]
    owners = np.array([number for number, _ in turns])
    matrix = static_embedder.load().embed(_texts([turn for _, turn in turns])).matrix
    found = []
    for start in range(0, len(turns), BLOCK):
        alike = matrix[start : start + BLOCK] @ matrix.T
        alike[owners[start : start + BLOCK, None] == owners] = -1
        alike[alike > SAME] = -1
        nearest = np.argpartition(-alike, NEXT, axis=1)[:, :NEXT]
        for row, (places, worth) in enumerate(zip(nearest, np.take_along_axis(alike, nearest, 1), strict=True)):
            order = places[np.argsort(-worth, kind="stable")].tolist()
            for place in (*order[:NEAREST], *chance.sample(order[NEAREST:], DRAWN)):
                found.append(_crossed(talks, turns, start + row, place))
    return found


def _crossed(talks: Sequence[Talk], turns: Sequence[tuple[int, PairTurn]], newer: int, older: int) -> Pair:
    """Two turns as if one had said both, since people mostly change what they said themselves."""
    (number, new), (other, old) = turns[newer], turns[older]
    return Pair(f"{talks[other].id}/{talks[number].id}", replace(old, speaker=new.speaker), new, None)


def _texts(turns: Iterable[PairTurn]) -> list[str]:
    return [turn.text[: local_succession.MOST_CHARACTERS] for turn in turns]
