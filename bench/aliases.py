"""How well two names of one person are told from the names of two, on the dialogues of DialogRE."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

from bench.sources import read_json
from bench.tables import Table, number
from nacre.domain import ids
from nacre.domain.entities import EntityType
from nacre.domain.ids import EntityId
from nacre.graph.identity import resolution
from nacre.models.static_embedder import StaticEmbedder
from nacre.store.graph.candidates import ComparableEntity
from nacre.text import names

Json = dict[str, Any]

FILES = ("dialogre/train.json", "dialogre/dev.json")
SAME = "per:alternate_names"
_SPEAKER = "Speaker "
_PERSON = "PER"
_EVIDENCE = {"names": "names alone", "vectors": "names and vectors"}
_LEVELS = {"automatic": ("merge",), "flagged": ("merge", "flag")}


@dataclass(frozen=True, slots=True)
class Couple:
    """Two names from one dialogue. `kind`: `listed` as alternate names, `linked` by a speaker label, or `other`."""

    one: str
    other: str
    kind: str


def load(data: Path) -> list[Couple]:
    """Every two names of persons that occur in one dialogue."""
    dialogues: list[Any] = [dialogue for name in FILES for dialogue in read_json(data, name)]
    return [couple for _, relations in dialogues for couple in couples(relations)]


def couples(relations: Sequence[Json]) -> Iterator[Couple]:
    """The named persons of a dialogue, two by two. Labels such as `Speaker 2` only say who is who."""
    listed = {frozenset((each["x"], each["y"])) for each in relations if SAME in each["r"]}
    persons = {each[side] for each in relations for side in "xy" if each[f"{side}_type"] == _PERSON}
    persons |= {name for pair in listed for name in pair}
    groups = _groups(listed)
    for one, other in combinations(sorted(name for name in persons if not name.startswith(_SPEAKER)), 2):
        linked = any(one in group and other in group for group in groups)
        yield Couple(one, other, "listed" if {one, other} in listed else "linked" if linked else "other")


def measure(found: Sequence[Couple]) -> Json:
    """Precision and recall of both verdicts, by names alone and with vectors of the names."""
    embedder = StaticEmbedder()
    ours, theirs = (embedder.matrix([getattr(each, side) for each in found]) for side in ("one", "other"))
    cosines = (ours * theirs).sum(axis=1).tolist()
    verdicts = {
        "names": [_verdict(each, None) for each in found],
        "vectors": [_verdict(each, cosine) for each, cosine in zip(found, cosines, strict=True)],
    }
    counts = {kind: sum(each.kind == kind for each in found) for kind in ("listed", "linked", "other")}
    return {
        "couples": counts,
        "scores": {
            evidence: {level: _scores(found, said, accepted) for level, accepted in _LEVELS.items()}
            for evidence, said in verdicts.items()
        },
    }


def tables(document: Json) -> list[Table]:
    """One row for each kind of evidence and verdict."""
    counts = document["aliases"]["couples"]
    rows = [
        (
            _EVIDENCE[evidence],
            level,
            str(scores["right"]),
            str(scores["wrong"]),
            _percent(scores["precision"]),
            _percent(scores["recall"]),
            _percent(scores["recall_linked"]),
        )
        for evidence, levels in document["aliases"]["scores"].items()
        for level, scores in levels.items()
    ]
    columns = ("evidence", "verdict", "right", "wrong", "precision", "recall, listed", "recall, linked")
    note = (
        f"{counts['listed']} pairs listed as alternate names, {counts['linked']} linked by the label of one speaker, "
        f"and {counts['other']} of other names in one dialogue."
    )
    return [Table("DialogRE", columns, tuple(rows), note)]


def _verdict(couple: Couple, cosine: float | None) -> str:
    return resolution.judge(_named(couple.one), _named(couple.other), cosine).verdict


def _named(name: str) -> ComparableEntity:
    key = EntityId(ids.new(datetime.now(UTC)))
    return ComparableEntity(id=key, name=name, type=EntityType.PERSON, keyed=((names.match_key(name), name),))


def _scores(found: Sequence[Couple], said: Sequence[str], accepted: Sequence[str]) -> Json:
    taken = [each.kind for each, verdict in zip(found, said, strict=True) if verdict in accepted]
    right, wrong = len(taken) - taken.count("other"), taken.count("other")
    return {
        "right": right,
        "wrong": wrong,
        "precision": _share(right, right + wrong),
        "recall": _share(taken.count("listed"), sum(each.kind == "listed" for each in found)),
        "recall_linked": _share(taken.count("linked"), sum(each.kind == "linked" for each in found)),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _percent(value: float | None) -> str:
    return number(None if value is None else value * 100, 1)


def _groups(pairs: set[frozenset[str]]) -> list[set[str]]:
    """Names that are one person's, step by step."""
    groups: list[set[str]] = []
    for pair in pairs:
        touched = [group for group in groups if group & pair]
        groups = [group for group in groups if not group & pair]
        groups.append(set(pair).union(*touched))
    return groups
