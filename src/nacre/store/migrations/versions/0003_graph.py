"""Entities, aliases, mentions, links, duplicate candidates, the audit log and settings."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables import fulltext, views
from nacre.store.tables.columns import Id, Instant

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the tables of the graph."""
    _entities()
    _links()
    _audit()
    fulltext.create(op.get_bind())
    views.create(op.get_bind())


def _scope_id() -> sa.Column[object]:
    return sa.Column("scope_id", Id(), primary_key=True, nullable=False)


def _entities() -> None:
    op.create_table(
        "entities",
        _scope_id(),
        sa.Column("id", Id(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("description", sa.Text()),
        sa.Column("properties", sa.JSON(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("mentions", sa.Integer(), nullable=False),
        sa.Column("pinned_at", Instant()),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("archived_at", Instant()),
        sa.Column("archived_by", sa.Text()),
        sa.Column("archive_reason", sa.Text()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.Column("last_referenced_at", Instant()),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    )
    op.create_index("entities_by_slug", "entities", ["scope_id", "slug"], unique=True)
    op.create_index("entities_by_type", "entities", ["scope_id", "status", "type", "updated_at"])
    op.create_table(
        "aliases",
        _scope_id(),
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("entity_id", Id(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
    )
    op.create_index("aliases_by_entity", "aliases", ["scope_id", "entity_id"])
    op.create_table(
        "mentions",
        _scope_id(),
        sa.Column("entity_id", Id(), primary_key=True),
        sa.Column("source_id", Id(), primary_key=True),
        sa.Column("quote_start", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("quote_end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
    )
    op.create_index("mentions_by_source", "mentions", ["scope_id", "source_id"])


def _links() -> None:
    op.create_table(
        "links",
        _scope_id(),
        sa.Column("id", Id(), primary_key=True),
        sa.Column("source_entity", Id(), nullable=False),
        sa.Column("predicate", sa.Text(), nullable=False),
        sa.Column("target_entity", Id()),
        sa.Column("value", sa.Text()),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("strength", sa.Float(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("properties", sa.JSON(), nullable=False),
        sa.Column("valid_from", Instant()),
        sa.Column("valid_to", Instant()),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("source_id", Id()),
        sa.Column("quote_start", sa.Integer()),
        sa.Column("quote_end", sa.Integer()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "source_entity"], ["entities.scope_id", "entities.id"]),
        sa.ForeignKeyConstraint(["scope_id", "target_entity"], ["entities.scope_id", "entities.id"]),
        sa.ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
    )
    op.create_index("links_from", "links", ["scope_id", "source_entity", "status", "predicate"])
    op.create_index("links_to", "links", ["scope_id", "target_entity", "status", "predicate"])
    op.create_index("links_by_source", "links", ["scope_id", "source_id"])
    op.create_table(
        "dedup_candidates",
        _scope_id(),
        sa.Column("id", Id(), primary_key=True),
        sa.Column("entity_a", Id(), nullable=False),
        sa.Column("entity_b", Id(), nullable=False),
        sa.Column("similarity", sa.Float(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("decided_at", Instant()),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    )
    op.create_index("dedup_by_pair", "dedup_candidates", ["scope_id", "entity_a", "entity_b"], unique=True)


def _audit() -> None:
    op.create_table(
        "audit",
        _scope_id(),
        sa.Column("id", Id(), primary_key=True),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("batch_id", Id(), nullable=False),
        sa.Column("operation", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("changes", sa.JSON(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("undoes", Id()),
        sa.Column("undone_by", Id()),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    )
    op.create_index("audit_in_order", "audit", ["scope_id", "seq"])
    op.create_index("audit_by_batch", "audit", ["scope_id", "batch_id"])
    op.create_table(
        "audit_rows",
        _scope_id(),
        sa.Column("row", sa.Text(), primary_key=True),
        sa.Column("audit_id", Id(), primary_key=True),
        sa.ForeignKeyConstraint(["scope_id", "audit_id"], ["audit.scope_id", "audit.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "settings",
        _scope_id(),
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    )
