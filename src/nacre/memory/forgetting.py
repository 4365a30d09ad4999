"""Forgetting: out of force, where history stays readable, or purged, where nothing stays."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from uuid import UUID

from nacre.domain.audits import CALLER
from nacre.domain.errors import NotFound
from nacre.domain.forgetting import ForgetReport
from nacre.domain.scopes import Scope
from nacre.graph.operations.endings import set_aside, set_aside_all
from nacre.memory import pointers
from nacre.memory.changing import DOCUMENTS_ENDED, FORGET, TURNS_ENDED, Changes, remake
from nacre.models.embedders import Embedder
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import documents, memories, passages, sources, summaries
from nacre.store.maintenance import purging
from nacre.store.maintenance.derivations import RemovedCounts
from nacre.store.maintenance.purging import PurgeSelection

REASON = "forgotten"
# Later than anything; not of a clock, because there is no 29 February 9999.
_END_OF_TIME = datetime(9999, 12, 31, tzinfo=UTC)


def forget_memories(
    database: Database,
    scope: Scope,
    keys: Sequence[UUID],
    *,
    purge: bool,
    actor: str = CALLER,
    embedder: Embedder | None = None,
) -> ForgetReport:
    """Forget single entries, which must be there. What an entry that is purged had replaced holds again."""
    with database.write(scope) as tx:
        scopes.lock(tx)
        found = memories.by_id(tx, keys)
        for each in keys:
            if each not in found:
                raise NotFound("memory", str(each))
        # What was split out of an entry is the entry, in other words.
        family = [*keys, *(each.id for each in memories.expanded_from(tx, list(found.values())))]
        if purge:
            # So is what it was merged into or from: its words are there, too.
            family = list(memories.by_id(tx, list(memories.merged_with(tx, family))))
        condemned = purging.condemn(tx, family)
        return _purge(tx, condemned, embedder) if purge else _set_aside(tx, condemned, actor)


def forget_before(
    database: Database,
    scope: Scope,
    moment: datetime,
    *,
    purge: bool,
    actor: str = CALLER,
    embedder: Embedder | None = None,
) -> ForgetReport:
    """Forget what was said, kept, scribbled or criticised before a moment, and what was learned from it."""
    with database.write(scope) as tx:
        scopes.lock(tx)
        condemned = purging.condemn(tx, memories.before(tx, moment), moment)
        report = _purge(tx, condemned, embedder) if purge else _set_aside(tx, condemned, actor, moment)
        if purge:
            purging.world_before(tx, moment)
        return report + _drop_passing(tx, moment)


def forget_everything(database: Database, scope: Scope, *, purge: bool, actor: str = CALLER) -> ForgetReport:
    """Forget all that the scope holds."""
    with database.write(scope) as tx:
        scopes.lock(tx)
        if not purge:
            condemned = purging.condemn(tx, memories.before(tx, _END_OF_TIME), _END_OF_TIME)
            report = _set_aside(tx, condemned, actor, _END_OF_TIME, whole=True)
            return report + _drop_passing(tx, _END_OF_TIME)
        copied = _purge_copies(tx, sources.every(tx))
        removed = purging.everything(tx)
    counted = {name: removed[name] for name in ("memories", "turns", "working", "skills", "feedback", "documents")}
    own = RemovedCounts(entities=removed["entities"], links=removed["links"], claims=removed["attributes"])
    return ForgetReport(**counted, **asdict(own + copied), purged=True, pending=False)


def purge_documents(tx: Transaction, keys: Sequence[UUID]) -> ForgetReport:
    """Remove documents for good, with all that they ever said and what was learned from it alone."""
    return _purge(tx, purging.condemn_documents(tx, keys))


def _drop_passing(tx: Transaction, moment: datetime) -> ForgetReport:
    """Remove what has no history to keep: scratch entries and signals live for minutes and days."""
    # Nobody is told any more of what is forgotten; what was read of the world goes only for good.
    purging.watches_before(tx, moment)
    return ForgetReport(working=purging.working_before(tx, moment), feedback=purging.feedback_before(tx, moment))


def _purge(tx: Transaction, condemned: PurgeSelection, embedder: Embedder | None = None) -> ForgetReport:
    mended = pointers.mend_pointers(tx, condemned.memories) if condemned.memories else []
    gone = _purge_copies(tx, condemned.sources) + purging.carry_out(tx, condemned)
    if mended:
        # What they were found by may have been the words that go.
        passages.remove(tx, mended)
        remake(tx, mended, embedder)
    scopes.purged(tx)
    counted = {name: len(getattr(condemned, name)) for name in ("memories", "turns", "documents")}
    return ForgetReport(**counted, **asdict(gone), purged=True, pending=False)


def _purge_copies(tx: Transaction, keys: Sequence[UUID]) -> RemovedCounts:
    """Purge what other scopes of the agent, which share the graph, hold of evidence."""
    gone = RemovedCounts()
    for place in sources.holders(tx, keys):
        other = sharing.moved(tx, place)
        scopes.lock(other)
        gone += purging.copies(other, keys)
        scopes.advance(other)
    return gone


def _set_aside(
    tx: Transaction, condemned: PurgeSelection, actor: str, moment: datetime | None = None, *, whole: bool = False
) -> ForgetReport:
    """Archive entries, documents and what was learned; turns end. What is shared stays: others rely on it.

    The `whole` of a scope takes with it what callers stated without evidence.
    """
    changes = Changes(tx, actor)
    kept = changes.archive(condemned.memories, REASON)
    ended, revision = passages.end_turns(tx, moment) if moment else ([], None)
    summaries.set_aside(tx, ended)
    filed = [each.document for each in documents.by_id(tx, condemned.documents).values() if each.in_force]
    archived = documents.archive(tx, filed) if filed else None
    gone = set_aside(changes.journal, condemned.sources, condemned.memories, REASON)
    if whole:
        gone += set_aside_all(changes.journal, REASON)
    if changes.journal.changes or ended or filed:
        changes.written(FORGET, {TURNS_ENDED: revision, DOCUMENTS_ENDED: archived}, REASON)
    return ForgetReport(memories=kept, turns=len(ended), documents=len(filed), **asdict(gone))
