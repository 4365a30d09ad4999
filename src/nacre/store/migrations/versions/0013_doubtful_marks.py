"""Marks on statements that are only perhaps outdated."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Tell sure marks from doubtful ones. All that were set before are sure."""
    op.add_column("outdated", sa.Column("doubtful", sa.Boolean(), nullable=False, server_default=sa.false()))
