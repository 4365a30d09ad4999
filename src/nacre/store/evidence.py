"""The evidence of turns: their words, their places in the conversation, and what makes them recallable."""

from collections.abc import Sequence

from nacre.domain.turns import Turn
from nacre.store import passages, scopes, sources, turns
from nacre.store.databases import Transaction


def add(
    tx: Transaction,
    said: Sequence[Turn],
    kept: Sequence[sources.Source],
    prepared: passages.Prepared,
    *,
    unread: bool = False,
    last: bool = False,
) -> scopes.Step:
    """Store turns with their sources and passages; `unread` ones are to be learned from.

    The `last` that a transaction does is sent together with its end.
    """
    step = scopes.advance(tx, passages=len(said), unread=unread)
    spoken = passages.in_languages(tx, prepared)
    ids = [source.id for source in kept]
    parts = passages.new_rows(tx, spoken, step)
    parts += [sources.new_rows(tx, kept), turns.new_rows(tx, ids, step.first_seq, said)]
    tx.insert_all(parts, last=last)
    return step
