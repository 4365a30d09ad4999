"""How well it is decided whether a new value replaces an old one, and whether two names are one thing's.

Both are judged on labels of our own (`bench/labels`). The author of the rules wrote them: `tuning` and `held-out`
before the rules, `fresh` after the rules first stood. Nothing was tuned on the last two.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.errors import MissingData
from bench.sources import ROOT
from bench.tables import NONE, Table, number
from nacre.domain import ids
from nacre.domain.claims import Claim, Slot
from nacre.domain.entities import EntityType
from nacre.domain.ids import AspectId, ClaimId, EntityId
from nacre.graph.beliefs.supersession import ENDING, Action, judge
from nacre.graph.identity import resolution
from nacre.models.static_embedder import StaticEmbedder
from nacre.store.graph.candidates import ComparableEntity
from nacre.text import names

Json = dict[str, Any]

LABELS = ROOT / "bench" / "labels"
SPLITS = ("tuning", "held-out", "fresh")
# What a retraction does that nothing held is about.
NOTHING = "nothing"
_LEVELS = {"automatic": ("merge",), "flagged": ("merge", "flag")}
_EVIDENCE = {"names": "names alone", "vectors": "names and vectors"}
_SIGNET_MARKERS = """
    currently|now|recently|lately|updated|changed|switched|replaced|no longer|not anymore|instead|previously|formerly
"""
_MARKERS = tuple(_SIGNET_MARKERS.strip().split("|"))
_NUMBER_WORDS = frozenset("zero one two three four five six seven eight nine ten eleven twelve".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Decided:
    """An action, and the held values that it ends."""

    action: str
    ended: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A label and what became of it."""

    label: Json
    decided: Decided

    @property
    def right(self) -> bool:
        """Whether the action is one of those expected, and ends the old value and no other."""
        fits = self.decided.action in self.label["expected"]
        return fits and (not self.supersedes or self.decided.ended == (self.label["old"],))

    @property
    def supersedes(self) -> bool:
        return bool(self.decided.ended)

    @property
    def must(self) -> bool:
        """Whether every expected action ends the old value."""
        return all(action in ENDING for action in self.label["expected"])

    @property
    def may(self) -> bool:
        return any(action in ENDING for action in self.label["expected"])


def load(labels: Path = LABELS) -> tuple[list[Json], list[Json]]:
    """The update pairs and the pairs of names."""
    return _lines(labels / "updates.jsonl"), _lines(labels / "names.jsonl")


def measure(updates: Sequence[Json], pairs: Sequence[Json]) -> Json:
    """Every figure of the section."""
    judged = [Judged(label, nacre(label)) for label in updates]
    return {
        "updates": {split: _scores(_of(judged, split)) for split in SPLITS},
        "kinds": {
            kind: {
                split: _scores(each for each in _of(judged, split) if each.label["kind"] == kind) for split in SPLITS
            }
            for kind in dict.fromkeys(label["kind"] for label in updates)
        },
        "baselines": {
            name: {split: _scores(_of([Judged(label, rule(label)) for label in updates], split)) for split in SPLITS}
            for name, rule in RULES.items()
        },
        "confusion": _confusion(judged),
        "errors": [_error(each) for each in judged if not each.right],
        "names": _measure_names(pairs),
    }


def nacre(label: Json) -> Decided:
    """What Nacre decides, knowing no more of the slot than its key."""
    held = _held(label)
    at, slot = _instant(label["new_date"]), _slot(label)
    verdict = judge(slot, None, held, label["new"], at=at, said=label["sentence"])
    ended = verdict.over if verdict.action in ENDING else ()
    action = NOTHING if verdict.action is Action.RETRACT and not ended else verdict.action.value
    return Decided(action, tuple(claim.value for claim in held if claim.id in ended))


def always(label: Json) -> Decided:
    """The baseline that lets every new value replace all others."""
    return Decided(Action.REPLACE.value, (label["old"], *label.get("beside", ())))


def signet(label: Json) -> Decided:
    """The write-time rule of Signet: enough words in common, and another number or a marker in the newer text.

    It compares sentences, so the key of the claim is written before each value: "favourite colour is blue".
    """
    ended = tuple(old for old in (label["old"], *label.get("beside", ())) if _signet_supersedes(label, old))
    return Decided((Action.REPLACE if ended else Action.ADD).value, ended)


RULES: dict[str, Callable[[Json], Decided]] = {"nacre": nacre, "always replace": always, "Signet, at write": signet}


def tables(document: Json) -> list[Table]:
    """Totals beside the baselines, then kinds, confusion, names, and every error."""
    return [
        _totals(document["baselines"]),
        _by_kind(document["kinds"]),
        _confused(document["confusion"]),
        _named(document["names"]),
        *_errors(document["errors"], document["names"]["errors"]),
    ]


def _lines(path: Path) -> list[Json]:
    if not path.is_file():
        raise MissingData(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _slot(label: Json) -> Slot:
    return Slot.of(label["aspect"], label["group"], label["claim"])


def _instant(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)


def _held(label: Json) -> list[Claim]:
    since = _instant(label["old_date"])
    return [_claim(label, value, since) for value in (label["old"], *label.get("beside", ()))]


def _claim(label: Json, value: str, since: datetime) -> Claim:
    key = ClaimId(ids.new(since))
    return Claim(
        id=key,
        entity=EntityId(ids.new(since)),
        aspect=AspectId(ids.new(since)),
        slot=_slot(label),
        value=value,
        created_at=since,
        updated_at=since,
        root=key,
        actor="bench",
    )


def _signet_supersedes(label: Json, old: str) -> bool:
    key = f"{label['claim'].replace('_', ' ')} is " if label["claim"] else ""
    newer = f"{key}{label['new']}"
    ours, theirs = _signet_tokens(newer), _signet_tokens(key + old)
    overlap = len(ours & theirs)
    numbers = [{token for token in side if token.isdigit() or token in _NUMBER_WORDS} for side in (ours, theirs)]
    marked = any(marker in f"{newer} {label['sentence'] or ''}".lower() for marker in _MARKERS)
    return overlap >= 3 and (numbers[0] != numbers[1] or (marked and overlap >= 4))


def _signet_tokens(text: str) -> set[str]:
    return {token for token in re.findall(r"[a-z0-9]+", text.lower()) if len(token) > 1}


def _of(judged: Iterable[Judged], split: str) -> list[Judged]:
    return [each for each in judged if each.label["split"] == split]


def _scores(judged: Iterable[Judged]) -> Json:
    """Of "supersedes or not": wrong is to end a value that stays, or another than the old; missed is not to end it."""
    found = list(judged)
    ending = [each for each in found if each.supersedes]
    good = sum(each.may and each.decided.ended == (each.label["old"],) for each in ending)
    must = [each for each in found if each.must]
    return {
        "labels": len(found),
        "right": sum(each.right for each in found),
        "accuracy": _share(sum(each.right for each in found), len(found)),
        "precision": _share(good, len(ending)),
        "recall": _share(sum(each.label["old"] in each.decided.ended for each in must), len(must)),
        "wrongly_ended": len(ending) - good,
        "must_end": len(must),
    }


def _confusion(judged: Sequence[Judged]) -> Json:
    """Expected action (the first of those that are right, or the one that was chosen) by the action chosen."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in judged:
        expected = each.label["expected"]
        counts[each.decided.action if each.decided.action in expected else expected[0], each.decided.action] += 1
    actions = [*(action.value for action in Action), NOTHING]
    return {wanted: {chosen: counts[wanted, chosen] for chosen in actions} for wanted in actions}


def _error(each: Judged) -> Json:
    label = each.label
    return {
        **{name: label[name] for name in ("id", "split", "kind", "claim", "old", "new", "sentence", "expected")},
        "chosen": each.decided.action,
        "ended": list(each.decided.ended),
    }


def _measure_names(pairs: Sequence[Json]) -> Json:
    embedder = StaticEmbedder()
    ours, theirs = (embedder.matrix([pair[side] for pair in pairs]) for side in ("one", "other"))
    cosines: list[float] = (ours * theirs).sum(axis=1).tolist()
    said = {
        "names": [_verdict(pair, None) for pair in pairs],
        "vectors": [_verdict(pair, cosine) for pair, cosine in zip(pairs, cosines, strict=True)],
    }
    return {
        "pairs": {"same": sum(pair["same"] for pair in pairs), "different": sum(not pair["same"] for pair in pairs)},
        "scores": {
            evidence: {level: _name_scores(pairs, verdicts, accepted) for level, accepted in _LEVELS.items()}
            for evidence, verdicts in said.items()
        },
        "errors": [
            {**pair, "evidence": evidence, "chosen": verdict}
            for evidence, verdicts in said.items()
            for pair, verdict in zip(pairs, verdicts, strict=True)
            if (verdict == "apart") == pair["same"]
        ],
    }


def _verdict(pair: Json, cosine: float | None) -> str:
    one, other = (_entity(pair[side], EntityType(pair["type"])) for side in ("one", "other"))
    return resolution.judge(one, other, cosine).verdict


def _entity(name: str, kind: EntityType) -> ComparableEntity:
    key = EntityId(ids.new(datetime.now(UTC)))
    return ComparableEntity(id=key, name=name, type=kind, keyed=((names.match_key(name), name),))


def _name_scores(pairs: Sequence[Json], verdicts: Sequence[str], accepted: Sequence[str]) -> Json:
    taken = [pair["same"] for pair, verdict in zip(pairs, verdicts, strict=True) if verdict in accepted]
    return {
        "right": sum(taken),
        "wrong": len(taken) - sum(taken),
        "precision": _share(sum(taken), len(taken)),
        "recall": _share(sum(taken), sum(pair["same"] for pair in pairs)),
    }


def _totals(baselines: Json) -> Table:
    rows = [
        (
            name,
            split,
            str(scores["labels"]),
            _percent(scores["accuracy"]),
            _percent(scores["precision"]),
            _percent(scores["recall"]),
            str(scores["wrongly_ended"]),
        )
        for name, splits in baselines.items()
        for split, scores in splits.items()
    ]
    columns = ("rule", "split", "labels", "right action", "precision", "recall", "wrongly ended")
    note = (
        "Precision and recall of ending an old value. An action is right when the label allows it and it ends the old "
        "value and no other. Labels and rules have one author: held-out labels were written before the rules, fresh "
        "ones after the rules first stood, and neither was tuned on. The fresh ones say most about new sentences."
    )
    return Table("Updates", columns, tuple(rows), note)


def _by_kind(kinds: Json) -> Table:
    rows = [(kind, *(cell for split in SPLITS for cell in _cells(splits[split]))) for kind, splits in kinds.items()]
    figures = ("right", "precision", "recall")
    columns = ("kind", *(f"{name}, {split}" for split in SPLITS for name in figures))
    return Table("Updates by kind", columns, tuple(rows), f"{NONE}: nothing was ended, or nothing had to be.")


def _cells(scores: Json) -> tuple[str, ...]:
    right = f"{scores['right']} of {scores['labels']}"
    return right, _percent(scores["precision"]), _percent(scores["recall"])


def _confused(confusion: Json) -> Table:
    chosen = [name for name in confusion if any(row[name] for row in confusion.values())]
    rows = [
        (wanted, *(str(row[name] or "") for name in chosen)) for wanted, row in confusion.items() if any(row.values())
    ]
    return Table("Expected action by chosen action", ("expected", *chosen), tuple(rows), "Both splits.")


def _named(figures: Json) -> Table:
    rows = [
        (
            _EVIDENCE[evidence],
            level,
            str(scores["right"]),
            str(scores["wrong"]),
            _percent(scores["precision"]),
            _percent(scores["recall"]),
        )
        for evidence, levels in figures["scores"].items()
        for level, scores in levels.items()
    ]
    counts = figures["pairs"]
    note = f"{counts['same']} pairs of names of one thing, {counts['different']} of two."
    return Table("Names", ("evidence", "verdict", "right", "wrong", "precision", "recall"), tuple(rows), note)


def _errors(updates: Sequence[Json], pairs: Sequence[Json]) -> list[Table]:
    fields = ("id", "split", "kind", "claim", "old", "new", "sentence", "expected", "chosen")
    named = ("id", "type", "one", "other", "same", "evidence", "chosen")
    return [
        Table("Every wrong update", fields, tuple(tuple(_cell(each[name]) for name in fields) for each in updates)),
        Table("Every wrong pair of names", named, tuple(tuple(_cell(each[name]) for name in named) for each in pairs)),
    ]


def _cell(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return NONE if value is None else str(value).replace("|", "\\|")


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _percent(value: float | None) -> str:
    return number(None if value is None else value * 100, 1)
