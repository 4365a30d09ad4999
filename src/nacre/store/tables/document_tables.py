"""The vault: documents, the pieces of them that can be recalled, and the links between them."""

from sqlalchemy import Boolean, Column, ForeignKeyConstraint, Index, Integer, LargeBinary, Table, Text
from sqlalchemy.types import JSON

from nacre.store.tables.columns import Id, Instant, metadata, scope_id

documents = Table(
    "documents",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("path", Text, nullable=False),
    Column("title", Text, nullable=False),
    # By what a wikilink finds it: its title and the end of its path, folded.
    Column("title_key", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    # The words as they are now; earlier ones stay as evidence.
    Column("source_id", Id, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("properties", JSON, nullable=False),
    # active or archived.
    Column("status", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("archived_at", Instant),
    # The operation of the log that took what was learned from it out of force.
    Column("archived_by", Id),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index("documents_by_path", documents.c.scope_id, documents.c.path, unique=True)
Index("documents_by_title", documents.c.scope_id, documents.c.title_key)
Index("documents_by_name", documents.c.scope_id, documents.c.name_key)
Index("documents_by_source", documents.c.scope_id, documents.c.source_id)
Index("documents_in_order", documents.c.scope_id, documents.c.status, documents.c.updated_at)

# What recall finds of a document: `passages.item_id` is a chunk.
chunks = Table(
    "chunks",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("document_id", Id, nullable=False),
    Column("source_id", Id, nullable=False),
    Column("position", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    ForeignKeyConstraint(["scope_id", "document_id"], ["documents.scope_id", "documents.id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index("chunks_by_document", chunks.c.scope_id, chunks.c.document_id, chunks.c.position)
Index("chunks_by_source", chunks.c.scope_id, chunks.c.source_id)

wikilinks = Table(
    "wikilinks",
    metadata,
    scope_id(),
    Column("document_id", Id, primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    # As it is written; the name that ends it, folded, is what it is found by.
    Column("target", Text, nullable=False),
    Column("target_key", Text, nullable=False),
    Column("heading", Text),
    Column("label", Text),
    Column("embed", Boolean, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    ForeignKeyConstraint(["scope_id", "document_id"], ["documents.scope_id", "documents.id"], ondelete="CASCADE"),
)
Index("wikilinks_by_target", wikilinks.c.scope_id, wikilinks.c.target_key)
