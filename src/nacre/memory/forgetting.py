"""Forgetting: out of force, where history stays readable, or purged, where nothing stays."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain.errors import NotFound
from nacre.domain.forgetting import Forgotten
from nacre.domain.scopes import Scope
from nacre.store import memories, passages, purging, scopes
from nacre.store.databases import Database, Transaction

REASON = "forgotten"


def forget_memories(database: Database, scope: Scope, ids: Sequence[UUID], *, purge: bool) -> Forgotten:
    """Forget single entries, which must be there."""
    with database.write(scope) as tx:
        found = memories.by_id(tx, ids)
        for each in ids:
            if each not in found:
                raise NotFound("memory", str(each))
        # What was split out of an entry is the entry, in other words.
        family = [*ids, *(each.id for each in memories.expanded_from(tx, list(found.values())))]
        count = purging.memories_by_id(tx, family) if purge else memories.archive(tx, family, REASON)
        return _done(tx, Forgotten(memories=count, purged=purge))


def forget_before(database: Database, scope: Scope, moment: datetime, *, purge: bool) -> Forgotten:
    """Forget what was said, kept, scribbled or criticised before a moment."""
    with database.write(scope) as tx:
        old = memories.before(tx, moment)
        if purge:
            return _done(
                tx,
                Forgotten(
                    memories=purging.memories_by_id(tx, old),
                    turns=purging.turns_before(tx, moment),
                    working=purging.working_before(tx, moment),
                    feedback=purging.feedback_before(tx, moment),
                    purged=True,
                ),
            )
        kept = memories.archive(tx, old, REASON)
        # Scratch entries and signals live for minutes and days; they have no history to keep.
        return Forgotten(
            memories=kept,
            turns=passages.end_turns(tx, moment),
            working=purging.working_before(tx, moment),
            feedback=purging.feedback_before(tx, moment),
        )


def forget_everything(database: Database, scope: Scope, *, purge: bool) -> Forgotten:
    """Forget all that the scope holds."""
    if not purge:
        return forget_before(database, scope, database.clock().replace(year=9999), purge=False)
    with database.write(scope) as tx:
        scopes.lock(tx)
        removed = purging.everything(tx)
    counted = {name: removed[name] for name in ("memories", "turns", "working", "skills", "feedback")}
    return Forgotten(**counted, purged=True)


def _done(tx: Transaction, report: Forgotten) -> Forgotten:
    if report.purged:
        scopes.purged(tx)
    return report
