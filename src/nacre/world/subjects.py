"""Subjects that are watched: what somebody asked for, and what the graph holds that has a price."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from nacre.domain.entities import Entity
from nacre.domain.errors import Conflict, NotFound
from nacre.domain.ids import EntityId
from nacre.domain.world import MAX_WATCHES, Watch
from nacre.graph.identity import naming
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.work import watches
from nacre.store.work.watches import WatchRow
from nacre.text import names

# Names of this kind mean the same to everybody. Others say something about the user and are sent to a source only
# when somebody asks for it.
_TICKER = re.compile(r"(?=.*[A-Z])[A-Z0-9][A-Z0-9.\-]{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Something to be read; `keys` are all that it was ever called in histories."""

    key: str
    keys: frozenset[str]
    name: str
    symbol: str
    source: str | None
    threshold: float | None
    entity: EntityId | None
    kept: WatchRow | None

    def watch(self, source: str | None, threshold: float) -> Watch:
        """The subject as callers see it; what nobody chose is as the settings say."""
        kept = self.kept or WatchRow(key=self.key, subject=self.name)
        return Watch(
            subject=self.name,
            symbol=self.symbol,
            source=self.source or source,
            threshold=self.threshold or threshold,
            asked=kept.asked,
            read_at=kept.read_at,
            failed_at=kept.failed_at,
            error=kept.error,
        )


def named(graph: Transaction | None, subject: str) -> tuple[str, frozenset[str], Entity | None]:
    """What a subject is called, every key it may have, and its entity where the graph has one."""
    entity = None
    if graph is not None:
        with suppress(NotFound):
            entity = naming.find(graph, subject)
    if entity is None:
        return subject, frozenset({names.match_key(subject)}), None
    return entity.name, frozenset({names.match_key(subject), *_keys(entity)}), entity


def watched(tx: Transaction, graph: Transaction | None) -> list[Subject]:
    """All that is watched, by name: at most 200 that were asked for, and as many of the graph."""
    kept = watches.every(tx)
    muted = {key for key, each in kept.items() if each.muted}
    asked = [_asked(graph, each) for each in kept.values() if each.asked and not each.muted]
    taken = {key for each in asked for key in each.keys} | muted
    held = [each for each in of_graph(graph, kept) if taken.isdisjoint(each.keys)]
    return sorted([*asked, *held], key=lambda each: each.key)


def of_graph(graph: Transaction | None, watch_rows: Mapping[str, WatchRow] | None = None) -> list[Subject]:
    """What the graph holds that has a price, and a name to ask for it by."""
    found = watches.subjects(graph, MAX_WATCHES) if graph is not None else []
    return [_held(entity, symbol, watch_rows or {}) for entity in found if (symbol := ticker(entity))]


def ticker(entity: Entity | None) -> str | None:
    """The name of an entity by which anybody may ask for it."""
    called = (entity.name, *entity.aliases) if entity else ()
    return next((name for name in called if _TICKER.fullmatch(name)), None)


def _asked(graph: Transaction | None, watch_row: WatchRow) -> Subject:
    name, keys, entity = named(graph, watch_row.subject)
    return Subject(
        key=watch_row.key,
        keys=keys | {watch_row.key},
        name=name,
        symbol=watch_row.symbol or ticker(entity) or watch_row.subject,
        source=watch_row.source,
        threshold=watch_row.threshold,
        entity=entity.id if entity else None,
        kept=watch_row,
    )


def _held(entity: Entity, symbol: str, watch_rows: Mapping[str, WatchRow]) -> Subject:
    key = names.match_key(entity.name)
    return Subject(
        key=key,
        keys=frozenset({key, *_keys(entity)}),
        name=entity.name,
        symbol=symbol,
        source=None,
        threshold=None,
        entity=entity.id,
        kept=watch_rows.get(key),
    )


def _keys(entity: Entity) -> set[str]:
    return {names.match_key(name) for name in (entity.name, *entity.aliases)}


def watch(tx: Transaction, graph: Transaction | None, subject: str, given: Mapping[str, str | float | None]) -> Subject:
    """Have a subject watched as `given` says, in place of how it was watched."""
    scopes.lock(tx)
    key, name = _row(tx, graph, subject)
    kept = watches.every(tx).get(key)
    if not (kept and kept.asked) and watches.count(tx) >= MAX_WATCHES:
        raise Conflict(f"{MAX_WATCHES} subjects are watched already. Stop watching one first.")
    watches.put(tx, key, name, {**given, "asked": True, "muted": False})
    return next(each for each in watched(tx, graph) if each.key == key)


def unwatch(tx: Transaction, graph: Transaction | None, subject: str) -> bool:
    """Stop watching a subject, whoever asked for it, until somebody asks again; whether it was watched."""
    scopes.lock(tx)
    key, name = _row(tx, graph, subject)
    was = any(key in each.keys for each in watched(tx, graph))
    watches.put(tx, key, name, {"asked": False, "muted": True, "failed_at": None, "error": None})
    if not any(key in each.keys for each in of_graph(graph)):
        # Nothing but the row would have it watched again.
        watches.remove(tx, [key])
    return was


def _row(tx: Transaction, graph: Transaction | None, subject: str) -> tuple[str, str]:
    """The key of the row that is about a subject, under whichever name it was asked for, and its name."""
    name, keys, _ = named(graph, subject)
    held = watches.every(tx)
    return next((key for key in sorted(keys) if key in held), names.match_key(name)), name
