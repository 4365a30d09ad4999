"""The evidence of turns: their words, their places in the conversation, and what makes them recallable."""

from collections.abc import Sequence

from nacre.domain.turns import Turn
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.evidence import passages, sources, turns


def add(
    tx: Transaction,
    spoken_turns: Sequence[Turn],
    source_rows: Sequence[sources.SourceRow],
    prepared: passages.PreparedPassages,
    *,
    unread: bool = False,
    last: bool = False,
) -> scopes.ScopeWrite:
    """Store turns with their sources and passages; `unread` ones are to be learned from.

    The `last` that a transaction does is sent together with its end.
    """
    step = scopes.advance(tx, passages=len(spoken_turns), unread=unread)
    spoken = passages.in_languages(tx, prepared)
    ids = [source.id for source in source_rows]
    parts = passages.new_rows(tx, spoken, step)
    parts += [sources.new_rows(tx, source_rows), turns.new_rows(tx, ids, step.first_seq, spoken_turns)]
    tx.insert_all(parts, last=last)
    return step
