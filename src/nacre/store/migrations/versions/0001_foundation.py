"""Scopes, sources, turns, memories, passages and vectors."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables.columns import Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    _evidence()
    _memories()
    _passages()


def _key(name: str) -> sa.Column[object]:
    return sa.Column(name, Id(), primary_key=True, nullable=False)


def _evidence() -> None:
    op.create_table(
        "scopes",
        _key("scope_id"),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("user", sa.Text()),
        sa.Column("chat", sa.Text()),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("next_seq", sa.BigInteger(), nullable=False),
        sa.Column("purged_revision", sa.BigInteger(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
    )
    op.create_index("scopes_by_agent", "scopes", ["agent", "user"])
    op.create_table(
        "sources",
        _key("scope_id"),
        _key("id"),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("ref", sa.Text()),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    )
    op.create_table(
        "turns",
        _key("scope_id"),
        _key("id"),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("speaker", sa.Text()),
        sa.Column("session", sa.Text()),
        sa.ForeignKeyConstraint(["scope_id", "id"], ["sources.scope_id", "sources.id"], ondelete="CASCADE"),
    )
    op.create_index("turns_by_session", "turns", ["scope_id", "session", "seq"])


def _memories() -> None:
    op.create_table(
        "memories",
        _key("scope_id"),
        _key("id"),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("metadata", sa.JSON(), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("source_id", Id(), nullable=False),
        sa.Column("quote_start", sa.Integer(), nullable=False),
        sa.Column("quote_end", sa.Integer(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
    )
    op.create_index("memories_by_source", "memories", ["scope_id", "source_id"])
    op.create_table(
        "memory_tags",
        _key("scope_id"),
        _key("memory_id"),
        sa.Column("tag", sa.Text(), primary_key=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "memory_id"], ["memories.scope_id", "memories.id"], ondelete="CASCADE"),
    )


def _passages() -> None:
    op.create_table(
        "passages",
        _key("scope_id"),
        sa.Column("seq", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("item_id", Id(), nullable=False),
        sa.Column("session", sa.Text()),
        sa.Column("speaker", sa.Text()),
        sa.Column("role", sa.Text()),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("ended_at", Instant()),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("term_keys", sa.LargeBinary(), nullable=False),
        sa.Column("term_counts", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    )
    op.create_index("passages_by_revision", "passages", ["scope_id", "revision"])
    op.create_index("passages_by_digest", "passages", ["scope_id", "digest"])
    op.create_index("passages_by_item", "passages", ["scope_id", "item_id"])
    op.create_table(
        "vectors",
        _key("scope_id"),
        sa.Column("embedder", sa.Text(), primary_key=True),
        sa.Column("seq", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "seq"], ["passages.scope_id", "passages.seq"], ondelete="CASCADE"),
    )
    op.create_index("vectors_by_revision", "vectors", ["scope_id", "embedder", "revision"])
