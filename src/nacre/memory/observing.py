"""Turns become evidence that can be recalled when the call returns; learning from them follows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from nacre.domain import ids
from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.scopes import Scope
from nacre.domain.turns import Observation, Role, Turn
from nacre.memory import passage_drafts
from nacre.models.embedders import Embedder
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import passages, turns
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.text import injections


@dataclass(frozen=True, slots=True)
class PreparedTurns:
    """Turns with all that can be made ready without a transaction."""

    said: Sequence[Turn]
    observed: Sequence[Observation]
    prepared: passages.PreparedPassages

    def write(self, tx: Transaction, *, learns: bool, last: bool = False) -> bool:
        """Store them in order, as the `last` that is done; whether a graph learns from them which others tell things.

        `learns` says whether the graph is to learn from what people say in them.
        """
        unread = learns and any(turn.role == Role.USER for turn in self.said)
        kept = [_source(turn, each) for turn, each in zip(self.said, self.observed, strict=True)]
        step = turns.add(tx, self.said, kept, self.prepared, unread=unread, last=last)
        return step.shares_graph and tx.scope.user is not None


def prepare(embedder: Embedder | None, turns: Sequence[Turn], now: datetime) -> PreparedTurns:
    """Make turns ready to be stored."""
    observed = [_observation(turn, now) for turn in turns]
    drafts = [_draft(turn, each) for turn, each in zip(turns, observed, strict=True)]
    return PreparedTurns(turns, observed, passage_drafts.prepare(embedder, drafts))


def observe(
    database: Database, embedder: Embedder | None, scope: Scope, turns: Sequence[Turn], *, learns: bool
) -> tuple[list[Observation], bool]:
    """Store turns, in order and all together: either every one is there afterwards or none.

    `learns` says whether the graph is to learn from what people say in them. The second of what comes back says
    whether that is a graph which others tell things, too.
    """
    if not turns:
        return [], False
    ready = prepare(embedder, turns, database.clock())
    with database.write(scope) as tx:
        shared = ready.write(tx, learns=learns, last=True)
    return list(ready.observed), shared


def _observation(turn: Turn, now: datetime) -> Observation:
    found = injections.flags(turn.text)
    return Observation(id=SourceId(ids.new(now)), at=turn.at or now, session=turn.session, flags=found)


def _draft(turn: Turn, observed: Observation) -> passages.PassageDraft:
    return passages.PassageDraft(
        kind=Kind.TURN,
        item_id=observed.id,
        text=turn.searchable,
        at=observed.at,
        session=turn.session,
        speaker=turn.speaker,
        role=turn.role,
    )


def _source(turn: Turn, observed: Observation) -> SourceRow:
    return SourceRow(
        id=observed.id, kind=SourceKind.TURN, text=turn.text, at=observed.at, ref=turn.ref, flags=observed.flags
    )
