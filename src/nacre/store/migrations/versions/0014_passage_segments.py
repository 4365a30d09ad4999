"""Segments of passages, and which passages ended."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables.columns import Id

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the table and the index. What was said before gets its segments in the background."""
    op.create_table(
        "passage_segments",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("first_seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "first_seq"),
    )
    ended = sa.text("ended_at IS NOT NULL")
    op.create_index("passages_ended", "passages", ["scope_id", "seq"], postgresql_where=ended, sqlite_where=ended)
