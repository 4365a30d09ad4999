"""World tables: watches, readings and alerts."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables.columns import Id, Instant

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the tables of the world model."""
    op.create_table(
        "watches",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("symbol", sa.Text()),
        sa.Column("source", sa.Text()),
        sa.Column("threshold", sa.Float()),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.Column("muted", sa.Boolean(), nullable=False),
        sa.Column("read_at", Instant()),
        sa.Column("failed_at", Instant()),
        sa.Column("error", sa.Text()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "key"),
    )
    op.create_table(
        "observations",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("symbol", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("change", sa.Float()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "key", "source", "at"),
    )
    op.create_index("observations_in_order", "observations", ["scope_id", "key", "at"])
    op.create_table(
        "alerts",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("id", Id(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("reference", sa.Float(), nullable=False),
        sa.Column("change", sa.Float(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("delivery_id", Id()),
        sa.Column("delivered_at", Instant()),
        sa.Column("posted_at", Instant()),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "id"),
    )
    op.create_index("alerts_in_order", "alerts", ["scope_id", "at"])
    op.create_index("alerts_by_subject", "alerts", ["scope_id", "key", "at"])
    op.create_index("alerts_by_status", "alerts", ["scope_id", "status", "delivered_at"])
    op.create_index("alerts_by_delivery", "alerts", ["scope_id", "delivery_id"])
