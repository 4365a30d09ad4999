"""Full-text search over entities, as each database does it: see store.fulltext for what it rests on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Float,
    Select,
    and_,
    case,
    cast,
    column,
    func,
    literal,
    literal_column,
    select,
    table,
    union_all,
)
from sqlalchemy.dialects.postgresql import TSQUERY

from nacre.store.base.databases import Transaction
from nacre.store.graph.entities import drawn, in_force
from nacre.store.tables.columns import Id
from nacre.store.tables.fulltext import SIGNS, spelled
from nacre.store.tables.schema import aliases, entities
from nacre.text.letters import fold

# Lower is better, and no text scores below this.
_EXACT = -1e9
_IN_NAME = 10.0
_SIGNS = re.compile(f"[{SIGNS}]+")

_fts = table("entities_fts", column("id", Id))

Hits = Select[tuple[UUID, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityQuery:
    """The words of a query, the key it has as a name, and the type that entities must have."""

    words: Sequence[str]
    key: str
    kind: str | None = None
    as_of: datetime | None = None


def search(tx: Transaction, asked: EntityQuery, limit: int, offset: int) -> list[UUID]:
    """Ids of entities in force in whose name or description every word asked for begins a word.

    Those that go by the name asked for come first, whether their text has the words or not.
    """
    named = select(aliases.c.entity_id.label("id"), literal(_EXACT, Float).label("rank")).where(
        aliases.c.scope_id == tx.scope_id, aliases.c.key == asked.key
    )
    hits = union_all(named, _matching(tx, asked.words)).subquery() if asked.words else named.subquery()
    rows = tx.execute(
        select(entities.c.id)
        .join_from(hits, entities, and_(entities.c.scope_id == tx.scope_id, entities.c.id == hits.c.id))
        .where(*_shown(asked.kind, asked.as_of))
        .group_by(entities.c.id, entities.c.mentions)
        .order_by(func.min(hits.c.rank), entities.c.mentions.desc(), entities.c.id)
        .limit(limit)
        .offset(offset)
    )
    return list(rows.scalars())


def newest(tx: Transaction, kind: str | None, limit: int, offset: int, as_of: datetime | None = None) -> list[UUID]:
    """Ids of entities in force, the last changed first; bare mentions only among those of no known type."""
    named = [drawn(tx)] if kind is None else []
    rows = tx.execute(
        select(entities.c.id)
        .where(entities.c.scope_id == tx.scope_id, *_shown(kind, as_of), *named)
        .order_by(entities.c.updated_at.desc(), entities.c.id.desc())
        .limit(limit)
        .offset(offset)
    )
    return list(rows.scalars())


def _shown(kind: str | None, as_of: datetime | None) -> list[ColumnElement[bool]]:
    active = in_force(as_of)
    return [active] if kind is None else [active, entities.c.type == kind]


def _matching(tx: Transaction, words: Sequence[str]) -> Hits:
    return (_on_postgresql if tx.connection.dialect.name == "postgresql" else _on_sqlite)(tx, words)


def _on_sqlite(tx: Transaction, words: Sequence[str]) -> Hits:
    phrases = " AND ".join(f'"{spelled(word).replace(chr(34), chr(34) * 2)}" *' for word in words)
    asked = f"scope : {tx.scope_id.hex} AND {{name description}} : ({phrases})"
    whole: ColumnElement[str] = literal_column("entities_fts")
    # The weights of the columns scope, id, name and description.
    rank = func.bm25(whole, 0.0, 0.0, _IN_NAME, 1.0, type_=Float)
    return select(_fts.c.id, rank.label("rank")).where(whole.op("MATCH")(asked))


def _on_postgresql(tx: Transaction, words: Sequence[str]) -> Hits:
    text: ColumnElement[str] = literal_column("entities.tsv")
    asked, in_name = (func.to_tsquery("simple", _phrases(words, weight)) for weight in ("", "A"))
    rank = func.ts_rank(text, asked, type_=Float) + case((text.op("@@")(in_name), _IN_NAME), else_=0.0)
    mine = (entities.c.scope_id == tx.scope_id, text.op("@@")(within(tx, asked)))
    return select(entities.c.id, (-rank).label("rank")).where(*mine)


def within(tx: Transaction, asked: ColumnElement[Any]) -> ColumnElement[Any]:
    """A question of PostgreSQL's full text narrowed to the scope, which is a word of every text."""
    return cast(f"'{tx.scope_id}'", TSQUERY).op("&&")(asked)


def _phrases(words: Sequence[str], weight: str) -> str:
    """Every word as FTS5 reads it: `node.js` is `node` and right after it what begins with `js`."""
    cut = [[f"'{part}'" for part in _SIGNS.split(fold(word.lower())) if part] for word in words]
    return " & ".join(f"({' <-> '.join(parts)}:*{weight})" for parts in cut if parts)
