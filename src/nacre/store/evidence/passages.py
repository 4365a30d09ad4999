"""Passages: what recall searches, written beside the rows they come from."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from operator import itemgetter
from uuid import UUID

from sqlalchemy import BigInteger, Integer, Row, and_, bindparam, delete, select, update

from nacre.domain.hits import Kind
from nacre.store.base import bulk_rows, scopes
from nacre.store.base.bulk_rows import Rows
from nacre.store.base.databases import Transaction
from nacre.store.base.dialects import microseconds
from nacre.store.base.row_inserts import NewRows, RowInsert
from nacre.store.evidence import vectors
from nacre.store.evidence.vectors import PackedVectors
from nacre.store.tables.columns import among
from nacre.store.tables.schema import passages, turns
from nacre.text import languages, tokens

# So many turns of a session tell in which language it is.
LAST_SAID = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageDraft:
    """A text that is to become recallable, and what recall should know about it."""

    kind: Kind
    item_id: UUID
    text: str
    at: datetime
    session: str | None = None
    speaker: str | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class PreparedPassages:
    """Drafts with their terms and, from a local embedder, their vectors."""

    drafts: Sequence[PassageDraft]
    texts: tokens.PackedTexts
    vectors: PackedVectors | None


def in_languages(tx: Transaction, prepared: PreparedPassages) -> PreparedPassages:
    """Drafts of too few words to tell their language in that of their session, where it goes on."""
    texts = prepared.texts
    if not texts.unsure:
        return prepared
    spoken = {session: languages.most_spoken(some) for session, some in languages_in(tx, texts.unsure).items()}
    known = {session: language for session, language in spoken.items() if language}
    return replace(prepared, texts=texts.spoken(known))


_ADD = RowInsert(passages)


def add(tx: Transaction, prepared: PreparedPassages) -> range:
    """Store passages and their vectors; return their sequence numbers."""
    step = scopes.advance(tx, passages=len(prepared.drafts))
    tx.insert_all(new_rows(tx, prepared, step))
    return range(step.first_seq, step.first_seq + len(prepared.drafts))


def new_rows(tx: Transaction, prepared: PreparedPassages, step: scopes.ScopeWrite) -> list[NewRows]:
    """The rows of passages and of their vectors, with the sequence numbers that a step took for them."""
    seqs = range(step.first_seq, step.first_seq + len(prepared.drafts))
    scope_id, revision = tx.scope_id, step.revision
    rows = [
        (
            scope_id,
            seq,
            draft.kind.value,
            draft.item_id,
            draft.session,
            draft.speaker,
            draft.role,
            draft.at,
            None,
            revision,
            digest(draft.text),
            packed.language,
            packed.length,
            packed.keys,
            packed.counts,
        )
        for seq, draft, packed in zip(seqs, prepared.drafts, prepared.texts.packed, strict=True)
    ]
    if prepared.vectors is None:
        return [NewRows(_ADD, rows)]
    packed_vectors = dict(zip(seqs, prepared.vectors.rows, strict=True))
    beside = vectors.new_rows(tx, prepared.vectors.space, packed_vectors, revision=vectors.WITH_PASSAGE)
    return [NewRows(_ADD, rows), beside]


def digest(text: str) -> bytes:
    """A short name for a text; the same words have the same one."""
    return blake2b(text.encode(), digest_size=12).digest()


def end(tx: Transaction, item_ids: Sequence[UUID]) -> int:
    """Take the passages of items out of force from now on; they stay readable as of before. Returns the revision."""
    step = scopes.advance(tx)
    tx.execute(
        update(passages)
        .where(
            passages.c.scope_id == tx.scope_id,
            passages.c.item_id == bindparam("ended_item"),
            passages.c.ended_at.is_(None),
        )
        .values(ended_at=tx.now, revision=step.revision),
        [{"ended_item": item_id} for item_id in item_ids],
    )
    return step.revision


def remove(tx: Transaction, item_ids: Sequence[UUID]) -> None:
    """Remove every passage that items ever had, and its vectors."""
    tx.execute(delete(passages).where(passages.c.scope_id == tx.scope_id, passages.c.item_id.in_(item_ids)))


def end_turns(tx: Transaction, moment: datetime) -> tuple[list[UUID], int]:
    """Take out of force what was said before a moment; returns the turns that were in force, and the revision."""
    step = scopes.advance(tx)
    said = and_(passages.c.kind == Kind.TURN.value, passages.c.at < moment, passages.c.ended_at.is_(None))
    mine = update(passages).where(passages.c.scope_id == tx.scope_id, said)
    ended = mine.values(ended_at=tx.now, revision=step.revision).returning(passages.c.item_id)
    return list(tx.execute(ended).scalars()), step.revision


def resume_turns(tx: Transaction, revision: int) -> None:
    """Put the turns that were ended at a revision back in force, as if they had never been ended."""
    step = scopes.advance(tx)
    ended = and_(passages.c.kind == Kind.TURN.value, passages.c.revision == revision, passages.c.ended_at.is_not(None))
    back = update(passages).where(passages.c.scope_id == tx.scope_id, ended)
    tx.execute(back.values(ended_at=None, revision=step.revision))


def in_force(tx: Transaction, digest: bytes, kind: Kind) -> list[UUID]:
    """The items of one kind whose passage in force has these words."""
    given = {"scope": tx.scope_id, "digest": digest, "kind": kind.value}
    return [row.item_id for row in tx.execute(_SAME_WORDS, given)]


_OF_KIND = (
    select(passages.c.item_id)
    .where(passages.c.scope_id == bindparam("scope"), passages.c.kind == bindparam("kind"))
    .where(passages.c.ended_at.is_(None))
)
_SAME_WORDS = _OF_KIND.where(passages.c.digest == bindparam("digest"))
_SINCE = (
    _OF_KIND.where(passages.c.revision > bindparam("revision"))
    .order_by(passages.c.revision.desc())
    .limit(bindparam("most", type_=Integer))
)


def find_items_since(tx: Transaction, revision: int, kind: Kind, limit: int) -> list[UUID]:
    """The items of one kind that became recallable after a revision, the last first."""
    given = {"scope": tx.scope_id, "revision": revision, "kind": kind.value, "most": limit}
    return [row.item_id for row in tx.execute(_SINCE, given)]


def languages_in(tx: Transaction, sessions: Iterable[str]) -> dict[str, list[str]]:
    """The languages of what was said last in sessions, turn by turn."""
    return {
        session: list(tx.execute(_SPOKEN, {"scope": tx.scope_id, "session": session}).scalars()) for session in sessions
    }


_SPOKEN = (
    select(passages.c.language)
    .join_from(turns, passages, and_(passages.c.scope_id == turns.c.scope_id, passages.c.seq == turns.c.seq))
    .where(turns.c.scope_id == bindparam("scope"), turns.c.session == bindparam("session"))
    .order_by(turns.c.seq.desc())
    .limit(LAST_SAID)
)


# What an index holds of each passage, in the order recall.index takes it apart.
INDEXED = (
    passages.c.seq,
    passages.c.kind,
    passages.c.session,
    passages.c.speaker,
    passages.c.role,
    microseconds(passages.c.at).label("at"),
    microseconds(passages.c.ended_at).label("ended_at"),
    passages.c.language,
    passages.c.length,
    passages.c.term_keys,
    passages.c.term_counts,
)


def in_order(tx: Transaction, *, after_seq: int = 0) -> Iterator[Rows]:
    """All passages after one, by sequence number, as `INDEXED` columns, a portion at a time: they take much memory."""
    return bulk_rows.read(tx, _IN_ORDER, {"scope": tx.scope_id, "after_seq": after_seq})


_AFTER = and_(passages.c.scope_id == bindparam("scope"), passages.c.seq > bindparam("after_seq", type_=BigInteger))
_IN_ORDER = select(*INDEXED).where(_AFTER).order_by(passages.c.seq)
_NEXT = _IN_ORDER.limit(bindparam("most", type_=Integer))


def next_ones(tx: Transaction, *, after_seq: int, limit: int) -> Sequence[Row[tuple[object, ...]]]:
    """The next passages after one, by sequence number, as `INDEXED` columns."""
    return tx.execute(_NEXT, {"scope": tx.scope_id, "after_seq": after_seq, "most": limit}).all()


def ended(tx: Transaction, *, until_seq: int) -> list[tuple[int, int]]:
    """Which passages up to one have ended, and when, in microseconds."""
    return [(row.seq, row.ended_at) for row in tx.execute(_ENDED, {"scope": tx.scope_id, "until_seq": until_seq})]


_ENDED = select(passages.c.seq, microseconds(passages.c.ended_at).label("ended_at")).where(
    passages.c.scope_id == bindparam("scope"),
    passages.c.seq <= bindparam("until_seq", type_=BigInteger),
    passages.c.ended_at.is_not(None),
)


def changed(tx: Transaction, *, after: int) -> Sequence[Row[tuple[object, ...]]]:
    """The passages written or ended after revision `after`, by sequence number, as `INDEXED` columns."""
    return sorted(tx.execute(_CHANGED, {"scope": tx.scope_id, "after": after}).all(), key=itemgetter(0))


# Put in order afterwards: a database that is asked for them in order may go through the whole scope.
_CHANGED = select(*INDEXED).where(passages.c.scope_id == bindparam("scope"), passages.c.revision > bindparam("after"))


def by_seq(tx: Transaction, seqs: Sequence[int]) -> Sequence[Row[tuple[object, ...]]]:
    """Some passages, by sequence number, as `INDEXED` columns."""
    mine = and_(passages.c.scope_id == tx.scope_id, among(passages.c.seq, seqs))
    return tx.execute(select(*INDEXED).where(mine).order_by(passages.c.seq)).all() if seqs else []


def keep_present(tx: Transaction, seqs: Sequence[int]) -> set[int]:
    """Those of some passages that are still there, and stay until the transaction ends."""
    mine = and_(passages.c.scope_id == tx.scope_id, passages.c.seq.in_(seqs))
    return set(tx.execute(select(passages.c.seq).where(mine).with_for_update(read=True, key_share=True)).scalars())
