"""Decay: what nobody has seen for long counts for less, entries and the aspects of a graph alike.

An entry that is seen again, or rated anew, is worth what it was rated, and begins anew. Protected entries do not fade.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from nacre.domain.dreams import PassChange, PassName, PassReport, PassStatus
from nacre.domain.memories import Memory, Status
from nacre.graph.operations import offers
from nacre.memory.changing import SET_IMPORTANCE, Changes
from nacre.store.base import audits, scopes
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.evidence import memories
from nacre.store.maintenance import ageing
from nacre.upkeep import ratings
from nacre.upkeep.cycles import PassContext
from nacre.upkeep.ratings import FADED, GRACE, FadedRating
from nacre.upkeep.steps import ACTOR, brief, writing

NAME = PassName.DECAY
DECAY_IMPORTANCE = "decay_importance"
# Entries that one transaction fades; people wait no longer than that.
TOGETHER = 200

_WHY = f"Nobody has seen it for more than {GRACE.days} days."


class DecayPass:
    """The pass over a scope's memories, and over the weights of its graph."""

    def __init__(self, homes: Homes, graphs: Homes) -> None:
        self._homes = homes
        self._graphs = graphs

    @property
    def name(self) -> PassName:
        """Which pass it is."""
        return NAME

    def fingerprint(self, _night: PassContext) -> str | None:
        """None: time passes whether or not anything changes, and a second run on one day writes nothing."""
        return None

    def run(self, night: PassContext) -> PassReport:
        """Let fade what is due, some entries at a time."""
        with self._homes.read(night.scope) as tx:
            due = self._due(tx)
        changes: list[PassChange] = []
        waiting = 0
        for start in range(0, len(due), TOGETHER):
            if night.disturbed():
                waiting = len(due) - start
                break
            with writing(self._homes, night) as tx:
                scopes.lock(tx)
                changes += _fade(tx, due[start : start + TOGETHER])
        counts = {"faded": len(changes), "looked_at": len(due) - waiting}
        if not waiting:
            with writing(self._graphs, night) as tx:
                counts["aspects_decayed"] = offers.tend(tx).aspects_decayed
        status = PassStatus.STOPPED if waiting else PassStatus.DONE
        return PassReport(name=NAME, status=status, changes=tuple(changes), counts=counts, waiting=waiting)

    def _due(self, tx: Transaction) -> list[UUID]:
        """What was not seen for long, and what had faded before it was seen again."""
        return list(dict.fromkeys([*ageing.unseen_since(tx, tx.now - GRACE), *ageing.marked(tx, FADED)]))


def _fade(tx: Transaction, ids: Sequence[UUID]) -> list[PassChange]:
    changes, made = Changes(tx, ACTOR), list[PassChange]()
    for memory in sorted(memories.by_id(tx, ids).values(), key=lambda each: each.id):
        after = aged(tx, memory) if memory.status is Status.ACTIVE else memory
        if (after.importance, after.metadata) != (memory.importance, memory.metadata):
            changes.save(after)
            made.append(_change(memory, after))
    if made:
        changes.written(DECAY_IMPORTANCE, {"memory_ids": [change.items[0] for change in made]}, _WHY)
    return made


def aged(tx: Transaction, memory: Memory) -> Memory:
    """The entry as it is worth now."""
    known = ratings.faded(memory)
    rated, since = _rated(tx, memory, known)
    kept = {name: value for name, value in memory.metadata.items() if name != FADED}
    if ratings.is_protected(replace(memory, importance=rated, metadata=kept)):
        return replace(memory, importance=rated, metadata=kept)
    left = ratings.left(rated, since, tx.now)
    if left >= rated:
        return replace(memory, importance=rated, metadata=kept)
    hand_rated = since.isoformat() if since != memory.last_seen_at else None
    note = FadedRating(rating=rated, left=left, seen=memory.last_seen_at.isoformat(), rated=hand_rated)
    return replace(memory, importance=left, metadata={**kept, FADED: note.text()})


def _rated(tx: Transaction, memory: Memory, faded: FadedRating | None) -> tuple[float, datetime]:
    """What an entry was rated, and since when nobody has seen or rated it."""
    seen = memory.last_seen_at
    if faded and memory.importance == faded.left:
        by_hand = datetime.fromisoformat(faded.rated) if faded.rated else seen
        return faded.rating, max(seen, by_hand)
    if faded and memory.last_seen_at.isoformat() != faded.seen:
        # Seen again: it is worth at least what it was.
        return max(faded.rating, memory.importance), seen
    # Whoever rates an entry has seen it.
    rated = [record.at for record in audits.touching(tx, "memories", memory.id) if record.operation == SET_IMPORTANCE]
    return memory.importance, max([seen, *rated])


def _change(before: Memory, after: Memory) -> PassChange:
    what = f"importance {before.importance:.2f} to {after.importance:.2f}: “{brief(before.content)}”"
    why = _WHY if after.importance < before.importance else "It was seen again."
    return PassChange(what=what, why=why, items=(str(before.id),))
