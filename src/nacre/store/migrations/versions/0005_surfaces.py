"""Tokens, denied calls and replies; the documents of the vault; flags on evidence; teams."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables.columns import Id, Instant

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the tables of access and of the vault."""
    op.create_table(
        "api_keys",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text()),
        sa.Column("user", sa.Text()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant()),
        sa.Column("revoked_at", Instant()),
        sa.Column("last_used_at", Instant()),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("api_keys_by_prefix", "api_keys", ["scope_id", "prefix"], unique=True)
    op.create_table(
        "denials",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("token_id", Id()),
        sa.Column("permission", sa.Text()),
        sa.Column("agent", sa.Text()),
        sa.Column("user", sa.Text()),
        sa.Column("called", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("denials_in_order", "denials", ["scope_id", "at"])
    op.create_table(
        "replies",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("call", sa.LargeBinary(), nullable=False),
        sa.Column("about", Id()),
        sa.Column("status", sa.Integer()),
        sa.Column("body", sa.LargeBinary()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("scope_id", "key"),
    )
    op.create_index("replies_about", "replies", ["scope_id", "about"])
    op.create_index("replies_in_order", "replies", ["scope_id", "created_at"])
    op.create_table(
        "documents",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("title_key", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("source_id", Id(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("properties", sa.JSON(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.Column("archived_at", Instant()),
        sa.Column("archived_by", Id()),
        sa.ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("documents_by_name", "documents", ["scope_id", "name_key"])
    op.create_index("documents_by_path", "documents", ["scope_id", "path"], unique=True)
    op.create_index("documents_by_title", "documents", ["scope_id", "title_key"])
    op.create_index("documents_in_order", "documents", ["scope_id", "status", "updated_at"])
    op.create_table(
        "chunks",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("document_id", Id(), nullable=False),
        sa.Column("source_id", Id(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["scope_id", "document_id"], ["documents.scope_id", "documents.id"], ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("chunks_by_document", "chunks", ["scope_id", "document_id", "position"])
    op.create_index("chunks_by_source", "chunks", ["scope_id", "source_id"])
    op.create_table(
        "wikilinks",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("document_id", Id(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("target_key", sa.Text(), nullable=False),
        sa.Column("heading", sa.Text()),
        sa.Column("label", sa.Text()),
        sa.Column("embed", sa.Boolean(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["scope_id", "document_id"], ["documents.scope_id", "documents.id"], ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("scope_id", "document_id", "position"),
    )
    op.create_index("wikilinks_by_target", "wikilinks", ["scope_id", "target_key"])
    op.create_index("memory_tags_by_tag", "memory_tags", ["scope_id", "tag"])
    op.add_column("scopes", sa.Column("team", sa.Text()))
    op.add_column("sources", sa.Column("flags", sa.JSON()))
