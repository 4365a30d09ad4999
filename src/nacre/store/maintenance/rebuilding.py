"""Passages made anew from the rows they come from, and the indexes that a database itself keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, Index, and_, bindparam, delete, inspect, select, text, update

from nacre.domain.hits import Kind
from nacre.domain.turns import StoredTurn
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.evidence import documents, memories, passages, turns
from nacre.store.evidence.passages import PassageDraft, PreparedPassages
from nacre.store.maintenance import integrity_checks
from nacre.store.tables import fulltext
from nacre.store.tables.schema import audit, chunks, metadata, sources, summaries, token_vectors, vectors
from nacre.store.tables.schema import passages as stored
from nacre.text import tokens

TOGETHER = 500


def forgotten_until(tx: Transaction, operation: str, field: str) -> datetime | None:
    """When turns of the scope were last forgotten: by an operation with such a field, unless it was taken back."""
    done = and_(audit.c.operation == operation, audit.c.undone_by.is_(None))
    rows = tx.execute(select(audit.c.at, audit.c.payload).where(audit.c.scope_id == tx.scope_id, done))
    return max((row.at for row in rows if row.payload.get(field) is not None), default=None)


def lost_turns(tx: Transaction, since: datetime | None) -> list[StoredTurn]:
    """Turns without a passage whose own places are free; only those that were learned `since`, where given."""
    lack = sources.c.id.in_(lacking(tx, Kind.TURN))
    learned = [lack] if since is None else [lack, sources.c.created_at > since]
    kept = list(tx.execute(select(sources.c.id).where(sources.c.scope_id == tx.scope_id, *learned)).scalars())
    said = list(turns.by_id(tx, kept).values())
    taken = set(
        tx.execute(
            select(stored.c.seq).where(stored.c.scope_id == tx.scope_id, stored.c.seq.in_([each.seq for each in said]))
        ).scalars()
    )
    return [each for each in said if each.seq not in taken]


def put_turns_back(tx: Transaction, said: Sequence[StoredTurn], prepared: PreparedPassages) -> None:
    """Give turns their passages back, each at its own place."""
    seqs = passages.add(tx, prepared)
    moved = update(stored).where(stored.c.scope_id == tx.scope_id, stored.c.seq == bindparam("made"))
    places = [{"made": made, "own": each.seq} for made, each in zip(seqs, said, strict=True)]
    tx.execute(moved.values(seq=bindparam("own")), places)


def lacking(tx: Transaction, kind: Kind) -> list[UUID]:
    """Some of what recall should find and cannot."""
    return integrity_checks.keys(tx, integrity_checks.UNHEARD[kind], TOGETHER)


def rewrite(tx: Transaction, texts: Mapping[int, str]) -> None:
    """Have passages say what their texts do; vectors that may be of other words go, to be made anew."""
    for seq, words in texts.items():
        packed = tokens.pack(words)
        terms = {"term_keys": packed.keys, "term_counts": packed.counts}
        said = {"digest": passages.digest(words), "language": packed.language, "length": packed.length, **terms}
        here = (stored.c.scope_id == tx.scope_id, stored.c.seq == seq)
        tx.execute(update(stored).where(*here).values(said))
    for table in (vectors, token_vectors):
        tx.execute(delete(table).where(table.c.scope_id == tx.scope_id, table.c.seq.in_(list(texts))))


def turn_draft(stored_turn: StoredTurn) -> PassageDraft:
    """What recall should know of a turn."""
    turn = stored_turn.turn
    return PassageDraft(
        kind=Kind.TURN,
        item_id=stored_turn.id,
        text=turn.searchable,
        at=stored_turn.at,
        session=turn.session,
        speaker=turn.speaker,
        role=turn.role,
    )


def _of_memories(tx: Transaction, ids: Sequence[UUID]) -> list[PassageDraft]:
    return [
        PassageDraft(kind=Kind.MEMORY, item_id=each.id, text=each.searchable, at=each.updated_at)
        for each in memories.by_id(tx, ids).values()
    ]


def _of_summaries(tx: Transaction, ids: Sequence[UUID]) -> list[PassageDraft]:
    mine = select(summaries).where(summaries.c.scope_id == tx.scope_id, summaries.c.id.in_(ids))
    return [
        PassageDraft(kind=Kind.SUMMARY, item_id=row.id, text=row.content, at=row.latest_at) for row in tx.execute(mine)
    ]


def _of_chunks(tx: Transaction, ids: Sequence[UUID]) -> list[PassageDraft]:
    beside = and_(sources.c.scope_id == chunks.c.scope_id, sources.c.id == chunks.c.source_id)
    mine = select(chunks.c.id, sources.c.at).join_from(chunks, sources, beside)
    said = {row.id: row.at for row in tx.execute(mine.where(chunks.c.scope_id == tx.scope_id, chunks.c.id.in_(ids)))}
    texts = documents.searchable(tx, ids)
    return [PassageDraft(kind=Kind.DOCUMENT, item_id=key, text=words, at=said[key]) for key, words in texts.items()]


def drafts(tx: Transaction, kind: Kind, ids: Sequence[UUID]) -> list[PassageDraft]:
    """What recall should know of memories, summaries or pieces of documents."""
    return _DRAFTS[kind](tx, ids)


_DRAFTS = {Kind.MEMORY: _of_memories, Kind.SUMMARY: _of_summaries, Kind.DOCUMENT: _of_chunks}


def missing_indexes(tx: AllScopes) -> list[str]:
    """The indexes of the schema that the database does not have, or cannot use."""
    return sorted(str(index.name) for index in _lost(tx.connection))


def create_indexes(tx: AllScopes) -> None:
    """Make the indexes that are missing."""
    for index in _lost(tx.connection):
        tx.connection.exec_driver_sql(f'DROP INDEX IF EXISTS "{index.name}"')
        index.create(tx.connection)


def _lost(connection: Connection) -> list[Index]:
    found = inspect(connection).get_multi_indexes().values()
    usable = {index["name"] for indexes in found for index in indexes} - _invalid(connection)
    return [index for table in metadata.sorted_tables for index in table.indexes if index.name not in usable]


def _invalid(connection: Connection) -> set[str | None]:
    if connection.dialect.name != "postgresql":
        return set()
    query = "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE NOT i.indisvalid"
    return set(connection.execute(text(query)).scalars())


def corruption(tx: AllScopes) -> list[str]:
    """What the database says is wrong with its own pages and indexes; PostgreSQL keeps no such check at hand."""
    if tx.connection.dialect.name != "sqlite":
        return []
    said = tx.connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars()
    return [each for each in said if each != "ok"]


def words_out_of_step(tx: AllScopes) -> int:
    """How many rows of the full-text index are missing, left over or wrong; PostgreSQL computes them itself."""
    return fulltext.out_of_step(tx.connection) if tx.connection.dialect.name == "sqlite" else 0


def rebuild_words(tx: AllScopes) -> None:
    """Make the full-text index anew."""
    if tx.connection.dialect.name == "sqlite":
        fulltext.rebuild(tx.connection)


@dataclass(frozen=True, slots=True)
class Storage:
    """What a database is kept in: its size, and on SQLite its file and how it logs writes."""

    kind: str
    megabytes: float
    path: str | None = None
    mode: str | None = None


def storage(tx: AllScopes) -> Storage:
    """Where and how the database is kept."""
    connection = tx.connection
    if connection.dialect.name == "postgresql":
        size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        return Storage("PostgreSQL", size / 2**20)
    pages, page = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size"))
    mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
    files = [row.file for row in connection.exec_driver_sql("PRAGMA database_list") if row.name == "main"]
    return Storage("SQLite", pages * page / 2**20, files[0] or None, mode)
