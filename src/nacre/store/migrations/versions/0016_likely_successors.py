"""Likely successors: what later turns and memories perhaps make outdated."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables.columns import Id

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the table. What was compared before has no such successors."""
    op.create_table(
        "likely_successors",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("item_id", Id(), nullable=False),
        sa.Column("newer_id", Id(), nullable=False),
        sa.Column("chance", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "item_id", "newer_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("likely_successors_by_newer", "likely_successors", ["scope_id", "newer_id"])
