"""Aspects, claims, tasks, assertions, proposals, the history of links, communities, summaries, and the night's work."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables import link_triggers
from nacre.store.tables.columns import Id, Instant

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the tables of the ontology and of dreaming."""
    op.create_table(
        "link_history",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("link_id", Id(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("before", sa.JSON()),
        sa.Column("after", sa.JSON()),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "link_id", "seq"),
    )
    op.create_table(
        "cardinalities",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("cardinality", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "key"),
    )
    op.create_table(
        "communities",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("cohesion", sa.Float(), nullable=False),
        sa.Column("member_count", sa.Integer(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_table(
        "dreams",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("trigger", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("started_at", Instant(), nullable=False),
        sa.Column("finished_at", Instant()),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("dreams_in_order", "dreams", ["scope_id", "started_at"])
    op.create_table(
        "gates",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("pass", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "pass"),
    )
    op.create_table(
        "proposals",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("batch_id", Id(), nullable=False),
        sa.Column("operation", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float()),
        sa.Column("rationale", sa.Text()),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("risk", sa.Text()),
        sa.Column("source_kind", sa.Text()),
        sa.Column("source_id", sa.Text()),
        sa.Column("source_path", sa.Text()),
        sa.Column("source_root", sa.Text()),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("applied_by", sa.Text()),
        sa.Column("rejected_by", sa.Text()),
        sa.Column("result", sa.JSON()),
        sa.Column("audit_id", Id()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.Column("applied_at", Instant()),
        sa.Column("rejected_at", Instant()),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("proposals_by_status", "proposals", ["scope_id", "status", "created_at"])
    op.create_table(
        "summaries",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("earliest_at", Instant(), nullable=False),
        sa.Column("latest_at", Instant(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("summaries_by_session", "summaries", ["scope_id", "session"], unique=True)
    op.create_table(
        "usage",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("usage_in_order", "usage", ["scope_id", "at"])
    op.create_table(
        "aspects",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("entity_id", Id(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("archived_at", Instant()),
        sa.Column("archived_by", sa.Text()),
        sa.Column("archive_reason", sa.Text()),
        sa.Column("proposal_id", Id()),
        sa.Column("weighed_at", Instant()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("aspects_by_key", "aspects", ["scope_id", "entity_id", "key"], unique=True)
    op.create_table(
        "assertions",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("entity_id", Id(), nullable=False),
        sa.Column("attribute_id", Id()),
        sa.Column("predicate", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("speaker", sa.Text()),
        sa.Column("asserted_at", Instant(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("source_id", Id()),
        sa.Column("quote_start", sa.Integer()),
        sa.Column("quote_end", sa.Integer()),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("supersedes_id", Id()),
        sa.Column("archived_at", Instant()),
        sa.Column("archived_by", sa.Text()),
        sa.Column("archive_reason", sa.Text()),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"]),
        sa.ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("assertions_by_attribute", "assertions", ["scope_id", "attribute_id"])
    op.create_index("assertions_by_entity", "assertions", ["scope_id", "entity_id", "status"])
    op.create_index("assertions_by_source", "assertions", ["scope_id", "source_id"])
    op.create_table(
        "community_members",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("community_id", Id(), nullable=False),
        sa.Column("entity_id", Id(), nullable=False),
        sa.ForeignKeyConstraint(
            ["scope_id", "community_id"], ["communities.scope_id", "communities.id"], ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("scope_id", "community_id", "entity_id"),
    )
    op.create_index("community_members_by_entity", "community_members", ["scope_id", "entity_id"])
    op.create_table(
        "offers",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("item_id", Id(), nullable=False),
        sa.Column("entity_id", Id(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("used_at", Instant()),
        sa.Column("path", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("scope_id", "session", "item_id", "entity_id"),
    )
    op.create_index("offers_by_entity", "offers", ["scope_id", "entity_id", "at"])
    op.create_table(
        "tasks",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("entity_id", Id(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("expires_at", Instant()),
        sa.Column("retention_until", Instant()),
        sa.Column("completed_at", Instant()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("scope_id", "entity_id"),
    )
    op.create_index("tasks_by_status", "tasks", ["scope_id", "status", "expires_at"])
    op.create_table(
        "attributes",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("entity_id", Id(), nullable=False),
        sa.Column("aspect_id", Id(), nullable=False),
        sa.Column("group_key", sa.Text(), nullable=False),
        sa.Column("claim_key", sa.Text()),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("normalized", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("root_id", Id(), nullable=False),
        sa.Column("previous_id", Id()),
        sa.Column("superseded_by", Id()),
        sa.Column("valid_from", Instant()),
        sa.Column("valid_to", Instant()),
        sa.Column("memory_id", Id()),
        sa.Column("source_id", Id()),
        sa.Column("quote_start", sa.Integer()),
        sa.Column("quote_end", sa.Integer()),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text()),
        sa.Column("archived_at", Instant()),
        sa.Column("archived_by", sa.Text()),
        sa.Column("archive_reason", sa.Text()),
        sa.Column("proposal_id", Id()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "aspect_id"], ["aspects.scope_id", "aspects.id"]),
        sa.ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"]),
        sa.ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("attributes_by_entity", "attributes", ["scope_id", "entity_id", "status", "kind"])
    op.create_index("attributes_by_memory", "attributes", ["scope_id", "memory_id"])
    op.create_index("attributes_by_root", "attributes", ["scope_id", "root_id", "version"])
    op.create_index("attributes_by_slot", "attributes", ["scope_id", "aspect_id", "group_key", "claim_key", "status"])
    op.create_index("attributes_by_source", "attributes", ["scope_id", "source_id"])
    op.add_column("audit", sa.Column("grounds", sa.JSON()))
    op.add_column("audit", sa.Column("proposal_id", Id()))
    op.add_column("entities", sa.Column("last_synthesized_at", Instant()))
    op.add_column("entities", sa.Column("proposal_id", Id()))
    op.create_index(
        "entities_in_order",
        "entities",
        [
            "scope_id",
            "status",
            sa.literal_column("mentions DESC"),
            sa.literal_column("updated_at DESC"),
            "name",
            "id",
            "pinned_at",
        ],
    )
    op.create_index("entities_pinned", "entities", ["scope_id", "pinned_at"])
    op.add_column("links", sa.Column("aspect_id", Id()))
    op.add_column("links", sa.Column("archived_at", Instant()))
    op.add_column("links", sa.Column("archived_by", sa.Text()))
    op.add_column("links", sa.Column("archive_reason", sa.Text()))
    op.add_column("links", sa.Column("proposal_id", Id()))
    surest = ["confidence", "updated_at", "id"]
    op.create_index("links_best_from", "links", ["scope_id", "source_entity", "status", *surest])
    op.create_index("links_best_to", "links", ["scope_id", "target_entity", "status", *surest])
    op.add_column("scopes", sa.Column("changed_at", Instant()))
    link_triggers.create(op.get_bind())
