"""Which entities a traversal may start from. Those out of force are never among them."""

import re
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, Float, Select, and_, column, func, literal_column, or_, select, table

from nacre.domain.entities import EntityType
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.reads.entity_search import within
from nacre.store.tables.columns import Id
from nacre.store.tables.schema import aliases, entities

_fts = table("entities_fts", column("id", Id))
# A word as both full-text indexes hold it; with the signs of `c++` it would be a query of its own.
_PLAIN = re.compile(r"[^\W_]+")


def pinned(tx: Transaction, limit: int) -> list[UUID]:
    """The pinned entities, the last pinned first."""
    mine = (*_in_force(tx), entities.c.pinned_at.is_not(None))
    newest = select(entities.c.id).where(*mine).order_by(entities.c.pinned_at.desc(), entities.c.id)
    return list(tx.execute(newest.limit(limit)).scalars())


def projects(tx: Transaction, keys: Sequence[str], slugs: Sequence[str], limit: int) -> list[UUID]:
    """The projects that go by any of some names or slugs, those by an earlier one first."""
    owned = and_(aliases.c.scope_id == entities.c.scope_id, aliases.c.entity_id == entities.c.id)
    rows = tx.execute(
        select(entities.c.id, entities.c.slug, aliases.c.key)
        .join_from(entities, aliases, owned)
        .where(*_in_force(tx), entities.c.type == EntityType.PROJECT.value)
        .where(or_(aliases.c.key.in_(keys), entities.c.slug.in_(slugs)))
        .order_by(entities.c.mentions.desc(), entities.c.id)
    )
    place = {key: rank for rank, key in reversed([*enumerate(keys), *enumerate(slugs)])}
    beyond = len(place)
    ranked = sorted(rows, key=lambda row: min(place.get(row.key, beyond), place.get(row.slug, beyond)))
    return list(dict.fromkeys(row.id for row in ranked))[:limit]


def with_any_word(tx: Transaction, words: Sequence[str], limit: int) -> list[UUID]:
    """The entities with any of some words in their name or description, the best match first."""
    plain = list(dict.fromkeys(part for word in words for part in _PLAIN.findall(word)))
    if not plain:
        return []
    hits = (_on_postgresql if tx.connection.dialect.name == "postgresql" else _on_sqlite)(tx, plain).subquery()
    rows = tx.execute(
        select(entities.c.id)
        .join_from(hits, entities, entities.c.id == hits.c.id)
        .where(*_in_force(tx))
        .order_by(hits.c.rank, entities.c.mentions.desc(), entities.c.id)
        .limit(limit)
    )
    return list(rows.scalars())


def _in_force(tx: Transaction) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return entities.c.scope_id == tx.scope_id, entities.c.status == Status.ACTIVE.value


def _on_sqlite(tx: Transaction, words: Sequence[str]) -> Select[tuple[UUID, float]]:
    either = " OR ".join(f'"{word}"' for word in words)
    whole: ColumnElement[str] = literal_column("entities_fts")
    rank = func.bm25(whole, 0.0, 0.0, 10.0, 1.0, type_=Float)
    asked = f"scope : {tx.scope_id.hex} AND {{name description}} : ({either})"
    return select(_fts.c.id, rank.label("rank")).where(whole.op("MATCH")(asked))


def _on_postgresql(tx: Transaction, words: Sequence[str]) -> Select[tuple[UUID, float]]:
    asked = func.to_tsquery("simple", " | ".join(f"'{word}'" for word in words))
    text: ColumnElement[str] = literal_column("entities.tsv")
    rank = -func.ts_rank(text, asked, type_=Float)
    mine = (entities.c.scope_id == tx.scope_id, text.op("@@")(within(tx, asked)))
    return select(entities.c.id, rank.label("rank")).where(*mine)
