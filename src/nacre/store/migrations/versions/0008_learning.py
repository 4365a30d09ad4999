"""Learning cursor: where in a scope the turns begin that the graph has not learned from."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the cursor. What an older version stored was learned when it was stored."""
    op.add_column("scopes", sa.Column("unread_seq", sa.BigInteger()))
    op.add_column("scopes", sa.Column("unread_offset", sa.Integer(), nullable=False, server_default="0"))
    unread = sa.text("unread_seq IS NOT NULL")
    op.create_index("scopes_unread", "scopes", ["scope_id"], postgresql_where=unread, sqlite_where=unread)
