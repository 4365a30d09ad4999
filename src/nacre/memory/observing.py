"""Turns become evidence that can be recalled when the call returns; learning from them follows."""

from collections.abc import Sequence
from datetime import datetime

from nacre.domain import ids
from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.scopes import Scope
from nacre.domain.turns import Observation, Role, Turn
from nacre.models.embedders import Embedder
from nacre.store import evidence, passages, sharing
from nacre.store.databases import Database
from nacre.store.sources import Source, SourceKind
from nacre.text import injections


def observe(
    database: Database, embedder: Embedder | None, scope: Scope, said: Sequence[Turn], *, learns: bool
) -> tuple[list[Observation], bool]:
    """Store turns, in order and all together: either every one is there afterwards or none.

    `learns` says whether the graph is to learn from what people say in them. The second of what comes back says
    whether that is a graph which others tell things, too.
    """
    if not said:
        return [], False
    now = database.clock()
    observed = [_observation(turn, now) for turn in said]
    prepared = passages.prepare(embedder, [_draft(turn, each) for turn, each in zip(said, observed, strict=True)])
    kept = [_source(turn, each) for turn, each in zip(said, observed, strict=True)]
    unread = learns and any(turn.role == Role.USER for turn in said)
    with database.write(scope) as tx:
        shared = unread and scope.user is not None and sharing.of(tx).graph_home(scope) != scope
        evidence.add(tx, said, kept, prepared, unread=unread)
    return observed, shared


def _observation(turn: Turn, now: datetime) -> Observation:
    found = injections.flags(turn.text)
    return Observation(id=SourceId(ids.new(now)), at=turn.at or now, session=turn.session, flags=found)


def _draft(turn: Turn, observed: Observation) -> passages.Draft:
    return passages.Draft(
        kind=Kind.TURN,
        item_id=observed.id,
        text=turn.searchable,
        at=observed.at,
        session=turn.session,
        speaker=turn.speaker,
        role=turn.role,
    )


def _source(turn: Turn, observed: Observation) -> Source:
    return Source(
        id=observed.id, kind=SourceKind.TURN, text=turn.text, at=observed.at, ref=turn.ref, flags=observed.flags
    )
