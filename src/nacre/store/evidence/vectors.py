"""Vectors of passages, packed by whoever made them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from uuid import UUID

from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, func, literal_column, select, union_all

from nacre.domain.hits import Kind
from nacre.store.base import bulk_rows
from nacre.store.base.bulk_rows import Rows
from nacre.store.base.databases import Transaction
from nacre.store.base.row_inserts import NewRows, RowInsert
from nacre.store.tables.columns import among
from nacre.store.tables.schema import passages, vectors

# The revision of a vector that is stored together with its passage.
WITH_PASSAGE = 0


@dataclass(frozen=True, slots=True)
class StoredVector:
    """An item in force and its packed vector."""

    item: UUID
    kind: Kind
    at: datetime
    data: bytes


@dataclass(frozen=True, slots=True)
class PackedVectors:
    """Vectors of one space as bytes, in the order of the texts they are of."""

    space: str
    rows: Sequence[bytes]


_ADD = RowInsert(vectors, missing=True)


def add(tx: Transaction, space: str, packed: Mapping[int, bytes], *, revision: int) -> None:
    """Store packed vectors by their passages' sequence numbers; where another process was first, its vector stays."""
    tx.insert_all([new_rows(tx, space, packed, revision=revision)])


def new_rows(tx: Transaction, space: str, packed: Mapping[int, bytes], *, revision: int) -> NewRows:
    """The rows of packed vectors."""
    scope_id = tx.scope_id
    return NewRows(_ADD, [(scope_id, seq, space, revision, data) for seq, data in packed.items()])


def in_order(tx: Transaction, space: str) -> Iterator[Rows]:
    """All vectors of `space` by sequence number, a portion at a time: together they take much memory."""
    return bulk_rows.read(tx, _IN_ORDER, {"scope": tx.scope_id, "space": space})


def changed(tx: Transaction, space: str, *, after: int) -> list[tuple[int, bytes]]:
    """The vectors of `space` written after revision `after`, by sequence number; also some of passages that ended."""
    rows = tx.execute(_CHANGED, {"scope": tx.scope_id, "space": space, "after": after}).all()
    return sorted(((row.seq, row.data) for row in rows), key=itemgetter(0))


_IN_ORDER = (
    select(vectors.c.seq, vectors.c.data)
    .where(vectors.c.scope_id == bindparam("scope"), vectors.c.embedder == bindparam("space"))
    .order_by(vectors.c.seq)
)
_OF_SPACE = select(vectors.c.seq, vectors.c.data).where(
    vectors.c.scope_id == bindparam("scope"), vectors.c.embedder == bindparam("space")
)
# Put in order afterwards: a database that is asked for them in order may go through the whole scope.
_CHANGED = union_all(
    _OF_SPACE.join(passages, and_(passages.c.scope_id == vectors.c.scope_id, passages.c.seq == vectors.c.seq)).where(
        passages.c.scope_id == bindparam("scope"),
        passages.c.revision > bindparam("after", type_=BigInteger),
        vectors.c.revision == WITH_PASSAGE,
    ),
    # The index holds no others, and SQLite uses it only where the statement says so.
    _OF_SPACE.where(
        vectors.c.revision > bindparam("after", type_=BigInteger), vectors.c.revision > literal_column("0")
    ),
)


def by_seq(tx: Transaction, space: str, seqs: Sequence[int]) -> list[tuple[int, bytes]]:
    """The vectors of `space` of some passages, by sequence number."""
    mine = and_(vectors.c.scope_id == tx.scope_id, vectors.c.embedder == space, among(vectors.c.seq, seqs))
    rows = tx.execute(select(vectors.c.seq, vectors.c.data).where(mine).order_by(vectors.c.seq)) if seqs else ()
    return [(row.seq, row.data) for row in rows]


def known(tx: Transaction, space: str, digests: Collection[bytes]) -> dict[bytes, bytes]:
    """Stored vectors of texts that the scope has embedded before, by the texts' digests."""
    beside = and_(vectors.c.scope_id == passages.c.scope_id, vectors.c.seq == passages.c.seq)
    rows = tx.execute(
        select(passages.c.digest, vectors.c.data)
        .join(vectors, beside)
        .where(passages.c.scope_id == tx.scope_id, passages.c.digest.in_(digests), vectors.c.embedder == space)
    )
    return {row.digest: row.data for row in rows}


def coverage(tx: Transaction, space: str) -> tuple[int, int]:
    """How many passages in force have a vector of `space`, and how many there are."""
    row = tx.execute(
        select(func.count(vectors.c.seq).label("embedded"), func.count().label("passages"))
        .select_from(passages)
        .join(vectors, _beside(tx, space), isouter=True)
        .where(passages.c.scope_id == tx.scope_id, passages.c.ended_at.is_(None))
    ).one()
    return row.embedded, row.passages


def missing(tx: Transaction, space: str, *, after_seq: int, limit: int) -> list[int]:
    """The next passages in force that have no vector of `space`, by sequence number."""
    has_none = vectors.c.seq.is_(None)
    rows = tx.execute(
        select(passages.c.seq)
        .join(vectors, _beside(tx, space), isouter=True)
        .where(passages.c.scope_id == tx.scope_id, passages.c.seq > after_seq, passages.c.ended_at.is_(None), has_none)
        .order_by(passages.c.seq)
        .limit(limit)
    )
    return list(rows.scalars())


def newest(tx: Transaction, space: str, kind: Kind, limit: int) -> list[StoredVector]:
    """The last items of a kind that are in force and have a vector of `space`, the newest first."""
    rows = tx.execute(
        select(passages.c.item_id, passages.c.at, vectors.c.data)
        .join(vectors, _beside(tx, space))
        .where(_of_kind(tx, kind))
        .order_by(passages.c.seq.desc())
        .limit(limit)
    )
    return [StoredVector(row.item_id, kind, row.at, row.data) for row in rows]


def count(tx: Transaction, space: str, kind: Kind) -> int:
    """How many items of a kind are in force and have a vector of `space`."""
    held = select(func.count()).select_from(passages).join(vectors, _beside(tx, space)).where(_of_kind(tx, kind))
    return int(tx.execute(held).scalar_one())


def _beside(tx: Transaction, space: str) -> ColumnElement[bool]:
    return and_(vectors.c.scope_id == tx.scope_id, vectors.c.embedder == space, vectors.c.seq == passages.c.seq)


def _of_kind(tx: Transaction, kind: Kind) -> ColumnElement[bool]:
    return and_(passages.c.scope_id == tx.scope_id, passages.c.kind == kind.value, passages.c.ended_at.is_(None))
