"""Updates: stories in which something changes, told turn by turn, and what is known at their end.

The stories were written by people who had not read the code. `open` and `open-2` were looked at while the code was
written; the sealed ones were not, and nothing was tuned on them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select

from bench.errors import MissingData
from bench.progress import Progress
from bench.sources import ROOT
from bench.tables import Table
from nacre import Nacre, ScopedNacre, Settings
from nacre.domain.hits import Hit, HitStanding
from nacre.domain.memories import Status
from nacre.store.tables import schema as tables_of

Json = dict[str, Any]

FOLDER = ROOT / "bench" / "labels" / "update-stories"
SPLITS = ("open", "sealed", "open-2", "sealed-2", "sealed-3")
DOORS = ("observe", "remember")
BUDGET = 1_000
# What happened stays true, so it is never outdated: "left Acme" holds the name of what is over.
_HAPPENED = frozenset({"events", "visits", "decisions", "opinions", "notes"})
_MEASURES = ("right", "known", "stale", "wrongly ended", "recall first", "in context")


@dataclass(frozen=True, slots=True)
class Held:
    """A fact of a graph at the end of a story: its value, the words it rests on, and whether it is in force."""

    value: str
    quote: str
    holds: bool


def load(split: str) -> list[Json]:
    """The stories of a split."""
    path = FOLDER / f"{split}.jsonl"
    if not path.exists():
        raise MissingData(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def measure(extraction: str, splits: Sequence[str], progress: Progress) -> Json:
    """Every figure, by split and by the door that the stories came in through."""
    stories = {split: load(split) for split in splits}
    found: Json = {}
    with progress.track("updates", len(DOORS) * sum(map(len, stories.values()))) as advance:
        for split, some in stories.items():
            for door in DOORS:
                judged = []
                for story in some:
                    judged += judge(story, door, extraction)
                    advance(1)
                found[f"{split}, {door}"] = figures(judged)
    return {"extraction": extraction, "figures": found}


def judge(story: Json, door: str, extraction: str) -> list[Json]:
    """What is known at the end of a story, for each question that is asked of it."""
    clock = _Clock()
    with Nacre(
        ":memory:", settings=Settings.model_validate({"extraction": extraction, "worker": "off"}), clock=clock
    ) as nacre:
        scope = nacre.scope("updates", user="user")
        for turn in story["turns"]:
            _tell(scope, turn, door, clock)
            nacre.parts.worker.drain()
        clock.now += timedelta(days=1)
        held = list(_held(nacre, scope))
        return [_judged(scope, story, ask, held) for ask in story["asks"]]


def _tell(scope: ScopedNacre, turn: Json, door: str, clock: "_Clock") -> None:
    clock.now = max(clock.now + timedelta(minutes=1), datetime.fromisoformat(turn["at"]).replace(hour=9, tzinfo=UTC))
    if door == "remember":
        scope.remember(turn["text"])
        return
    speaker = None if turn["speaker"] == "user" else turn["speaker"]
    scope.observe("user", turn["text"], speaker=speaker, session=turn["at"], at=clock.now)


def _held(nacre: Nacre, scope: ScopedNacre) -> Iterator[Held]:
    """Every link and claim of the graph, but for what happened once and for all."""
    scope.learned()
    links, attributes, entities, sources = (
        tables_of.links,
        tables_of.attributes,
        tables_of.entities,
        tables_of.sources,
    )
    with nacre.parts.database.read(scope.scope) as tx:
        texts = _pairs(tx.execute(select(sources.c.id, sources.c.text).where(sources.c.scope_id == tx.scope_id)))
        names = _pairs(tx.execute(select(entities.c.id, entities.c.name).where(entities.c.scope_id == tx.scope_id)))
        for row in tx.execute(select(links).where(links.c.scope_id == tx.scope_id)):
            holds = _holds(row, tx.now)
            yield Held(names.get(row.target_entity) or row.value or "", _quoted(row, texts), holds)
        for row in tx.execute(select(attributes).where(attributes.c.scope_id == tx.scope_id)):
            if row.claim_key not in _HAPPENED:
                yield Held(row.value, _quoted(row, texts), _holds(row, tx.now))


def _pairs(rows: Iterable[Any]) -> dict[Any, str]:
    return {row[0]: row[1] for row in rows}


def _holds(row: Any, now: datetime) -> bool:
    return row.status == Status.ACTIVE.value and (row.valid_to is None or row.valid_to > now)


def _quoted(row: Any, texts: Mapping[Any, str]) -> str:
    said = texts.get(row.source_id, "")
    return said[row.quote_start : row.quote_end] if row.quote_start is not None else ""


def _judged(scope: ScopedNacre, story: Json, ask: Json, held: Sequence[Held]) -> Json:
    current, outdated = ask["current"], ask["outdated"]
    hits = scope.recall(ask["question"], limit=20)
    known = any(_names(f"{fact.value} {fact.quote}", current) for fact in held if fact.holds)
    stale = any(_names(fact.value, outdated) and not _names(fact.value, current) for fact in held if fact.holds)
    told = any(_names(f"{fact.value}", [*current, *outdated]) for fact in held)
    if not told:
        # The graph has no word on it: what recall says of the turns stands for it.
        ends = {mark.by for hit in hits for mark in hit.outdated if _names(mark.value, outdated)}
        known = _stands(hits, current)
        stale = _stands((hit for hit in hits if hit.id not in ends and not _names(hit.text, current)), outdated)
    ended = [
        value
        for value in ask.get("still", ())
        if any(_names(fact.value, [value]) for fact in held)
        and not any(_names(f"{fact.value} {fact.quote}", [value]) for fact in held if fact.holds)
    ]
    first = next((hit for hit in hits if _names(hit.text, [*current, *outdated])), None)
    context = scope.context(ask["question"], budget=BUDGET).text
    return {
        "id": story["id"],
        "kind": story["kind"],
        "language": story["lang"],
        "right": (known or not current) and not stale,
        "known": known or not current,
        "stale": stale,
        "wrongly ended": bool(ended),
        "recall first": first is not None and _names(first.text, current) if current and outdated else None,
        "in context": _names(context, current) if current else None,
        "told": told,
    }


def _stands(hits: Iterable[Hit], values: Sequence[str]) -> bool:
    return any(_names(hit.text, values) and hit.standing in (None, HitStanding.CURRENT) for hit in hits)


def _names(text: str, values: Sequence[str]) -> bool:
    return any(value.casefold() in text.casefold() for value in values)


def figures(judged: Sequence[Json]) -> Json:
    """Shares of every measure, overall and by kind, and what went wrong."""
    kinds = Counter(each["kind"] for each in judged)
    return {
        "asked": len(judged),
        **{name: _share(judged, name) for name in _MEASURES},
        "by_kind": {kind: _share([each for each in judged if each["kind"] == kind], "right") for kind in sorted(kinds)},
        "wrong": [each["id"] for each in judged if not each["right"]],
        "ended": [each["id"] for each in judged if each["wrongly ended"]],
    }


def _share(judged: Sequence[Json], name: str) -> float:
    asked = [each[name] for each in judged if each[name] is not None]
    return round(sum(asked) / len(asked), 4) if asked else 0.0


class _Clock:
    """A clock that stands where the story is."""

    def __init__(self) -> None:
        self.now = datetime(2020, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def tables(document: Json) -> list[Table]:
    """The figures of every split and door, and what is right by kind."""
    found = document["updates"]["figures"]
    rows = tuple(
        (name, str(each["asked"]), *(f"{each[measure]:.0%}" for measure in _MEASURES)) for name, each in found.items()
    )
    note = "right: the current value is in force and no outdated one. known: the current value is in force. Where the "
    note += "graph has no word on it, the standing of the turns that recall finds counts; one that names the current "
    note += "value too, or that itself ended the outdated one, is not stale. recall first: of the turns "
    note += f"with either value the first has the current one. in context: within {BUDGET} tokens."
    return [Table("Updates told in stories", ("", "asked", *_MEASURES), rows, note)]
