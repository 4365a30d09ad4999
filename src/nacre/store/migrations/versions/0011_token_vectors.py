"""Vectors of the tokens of passages."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables.columns import Id

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the table. What was said before gets its vectors in the background."""
    op.create_table(
        "token_vectors",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("space", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "seq"], ["passages.scope_id", "passages.seq"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("scope_id", "seq", "space"),
    )
