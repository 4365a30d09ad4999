"""The passages that are likeliest to answer a question, found by the database: for scopes too large for memory.

With indexes of its own (see store.scope_indexes) a scope is searched through them. Without, its passages are read
through and nothing of them is kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import add
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, LargeBinary, Text, and_, bindparam, cast, func, literal, or_, select

from nacre.domain.hits import Kind
from nacre.store.base.databases import Transaction
from nacre.store.base.dialects import occurrences
from nacre.store.reads.scope_indexes import Vector
from nacre.store.tables.columns import among
from nacre.store.tables.schema import passages, turns, vectors

# So many of the newest passages tell how long they are and in which languages.
SAMPLE = 1_000
# A term that more passages hold is not counted to the end.
MANY = 20_000
_LAST = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageFilter:
    """Which passages count."""

    kinds: frozenset[Kind]
    session: str | None = None
    as_of: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    among: Sequence[int] | None = None

    @property
    def narrow(self) -> bool:
        """Whether it leaves out more than what has ended."""
        return any(each is not None for each in (self.session, self.as_of, self.since, self.until, self.among))


@dataclass(frozen=True, slots=True)
class Sample:
    """What passages of a scope are like."""

    languages: frozenset[str]
    mean_length: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How passages are found and ranked by words: what each of them, as its terms, is worth; the constants of BM25."""

    weights: Mapping[tuple[int, ...], float]
    # Passages are looked up by these terms, from a sequence number on; the others only rank.
    leading: Sequence[int]
    first_seq: int
    k1: float
    b: float
    mean_length: float


def sample(tx: Transaction) -> Sample:
    """What the newest passages are like."""
    mine = select(passages.c.language, passages.c.length).where(passages.c.scope_id == tx.scope_id)
    newest = mine.order_by(passages.c.seq.desc()).limit(SAMPLE).subquery()
    counted = (
        select(newest.c.language, func.count().label("passages"), func.sum(newest.c.length).label("terms"))
        .select_from(newest)
        .group_by(newest.c.language)
    )
    rows = tx.execute(counted).all()
    total = sum(row.passages for row in rows)
    return Sample(frozenset(row.language for row in rows), sum(row.terms for row in rows) / total if total else 0.0)


def holders(tx: Transaction, keys: Sequence[int], population: int, *, indexed: bool) -> dict[int, int]:
    """How many passages hold each term; of a term that many hold, about how many."""
    if not keys:
        return {}
    return _counted_by_index(tx, keys, population) if indexed else _counted(tx, keys)


def _counted(tx: Transaction, keys: Sequence[int]) -> dict[int, int]:
    sums = [func.sum(func.sign(_occurrences(key))) for key in keys]
    row = tx.execute(select(*sums).where(passages.c.scope_id == tx.scope_id)).one()
    return {key: int(count or 0) for key, count in zip(keys, row, strict=True)}


def _counted_by_index(tx: Transaction, keys: Sequence[int], population: int) -> dict[int, int]:
    found = {}
    for key in keys:
        some = select(passages.c.seq).where(_mine(tx), _holding([key])).limit(MANY).subquery()
        row = tx.execute(select(func.count(some.c.seq).label("held"), func.max(some.c.seq).label("last"))).one()
        # They come about as they were written, so those that were counted are the oldest.
        found[key] = row.held if row.held < MANY else round(row.held * max(1.0, population / row.last))
    return found


def by_words(tx: Transaction, words: Words, passage_filter: PassageFilter, limit: int, *, indexed: bool) -> list[int]:
    """The passages that fit the words best."""
    if not words.leading:
        return []
    holding = _holding(words.leading) if indexed else or_(*(_occurrences(key) > 0 for key in words.leading))
    fitting = select(passages.c.seq).where(_mine(tx) if indexed else passages.c.scope_id == tx.scope_id, holding)
    if words.first_seq:
        fitting = fitting.where(passages.c.seq >= words.first_seq)
    best = fitting.where(*_passing(passage_filter)).order_by(_score(words).desc(), passages.c.seq.desc()).limit(limit)
    return list(tx.execute(best).scalars())


def by_meaning(
    tx: Transaction, space: str, vector: Sequence[float], passage_filter: PassageFilter, limit: int
) -> list[int]:
    """The passages whose vectors are nearest to one; for a scope that has an index of them."""
    # Past a filter, the search goes on until enough are found.
    settings = {"iterative_scan": "relaxed_order", "ef_search": str(limit)}
    tx.execute(select(*(func.set_config(f"hnsw.{name}", value, True) for name, value in settings.items())))
    kind = Vector(len(vector))
    mine = (_same(vectors.c.scope_id, tx.scope_id), _same(vectors.c.embedder, space))
    near = cast(func.nacre_numbers(vectors.c.data), kind).op("<=>")(cast(literal(_written(vector), Text), kind))
    beside = and_(passages.c.scope_id == vectors.c.scope_id, passages.c.seq == vectors.c.seq)
    found = (
        select(vectors.c.seq).join(passages, beside).where(*mine, *_passing(passage_filter)).order_by(near).limit(limit)
    )
    return list(tx.execute(found).scalars())


def around(tx: Transaction, seqs: Sequence[int], width: int) -> list[list[int]]:
    """Each of some turns with the `width` turns before and after it in its session, in order."""
    if not seqs:
        return []
    spans = (
        select(passages.c.seq, passages.c.session)
        .add_columns(_end(tx, width, passages.c.seq, before=True).label("low"))
        .add_columns(_end(tx, width, passages.c.seq, before=False).label("high"))
        .where(passages.c.scope_id == tx.scope_id, among(passages.c.seq, seqs), passages.c.session.is_not(None))
        .subquery()
    )
    inside = and_(turns.c.session == spans.c.session, turns.c.seq.between(spans.c.low, spans.c.high))
    rows = tx.execute(
        select(spans.c.seq.label("middle"), turns.c.seq)
        .join_from(spans, turns, inside)
        .where(turns.c.scope_id == tx.scope_id)
        .order_by(spans.c.seq, turns.c.seq)
    )
    seqs_by_middle: dict[int, list[int]] = {}
    for row in rows:
        seqs_by_middle.setdefault(row.middle, []).append(row.seq)
    return list(seqs_by_middle.values())


def _end(tx: Transaction, width: int, middle: ColumnElement[int], *, before: bool) -> ColumnElement[int]:
    """Where the turns beside one end, on either side."""
    said = turns.alias()
    beyond = said.c.seq < middle if before else said.c.seq > middle
    order = said.c.seq.desc() if before else said.c.seq.asc()
    last = (
        select(said.c.seq)
        .where(said.c.scope_id == tx.scope_id, said.c.session == passages.c.session, beyond)
        .order_by(order)
        .limit(1)
        .offset(width - 1)
        .correlate(passages)
        .scalar_subquery()
    )
    return func.coalesce(last, 0 if before else _LAST)


def _passing(passage_filter: PassageFilter) -> list[ColumnElement[bool]]:
    tests: list[ColumnElement[bool]] = [passages.c.kind.in_(sorted(kind.value for kind in passage_filter.kinds))]
    if passage_filter.as_of is None:
        tests.append(passages.c.ended_at.is_(None))
    else:
        tests.append(or_(passages.c.ended_at.is_(None), passages.c.ended_at > passage_filter.as_of))
        tests.append(passages.c.at <= passage_filter.as_of)
    if passage_filter.since is not None:
        tests.append(passages.c.at >= passage_filter.since)
    if passage_filter.until is not None:
        tests.append(passages.c.at <= passage_filter.until)
    if passage_filter.session is not None:
        tests.append(passages.c.session == passage_filter.session)
    # What leaves so many is no filter that could leave nothing, and a statement should not grow without end.
    if passage_filter.among is not None and len(passage_filter.among) <= MANY:
        tests.append(among(passages.c.seq, passage_filter.among))
    return tests


def _score(words: Words) -> ColumnElement[Any]:
    """BM25 of a passage alone; said more plainly in recall.bm25, which ranks what this finds."""
    mean = words.mean_length or 1.0
    norm = words.k1 * (1 - words.b) + passages.c.length * (words.k1 * words.b / mean)
    worth = [weight * (1.0 - norm / (_said(word) + norm)) for word, weight in words.weights.items()]
    return reduce(add, worth)


def _said(word: Sequence[int]) -> ColumnElement[Any]:
    """How often a passage has any of the terms of a word."""
    return reduce(add, map(_occurrences, word))


def _occurrences(key: int) -> occurrences:
    return occurrences(passages.c.term_keys, passages.c.term_counts, literal(key.to_bytes(8, "little"), LargeBinary))


def _holding(keys: Sequence[int]) -> ColumnElement[bool]:
    written = [key.to_bytes(8, "little").hex() for key in keys]
    return func.nacre_terms(passages.c.term_keys).op("&&", is_comparison=True)(literal(written, ARRAY(Text)))


def _mine(tx: Transaction) -> ColumnElement[bool]:
    return _same(passages.c.scope_id, tx.scope_id)


def _same(column: ColumnElement[Any], value: object) -> ColumnElement[bool]:
    """Written into the statement: only then does the database know that an index of one scope has what is asked for."""
    return column == bindparam(None, value, type_=column.type, literal_execute=True, unique=True)


def _written(vector: Sequence[float]) -> str:
    return f"[{','.join(f'{each:.6g}' for each in vector)}]"
