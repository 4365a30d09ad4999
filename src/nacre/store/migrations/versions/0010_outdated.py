"""Keys of statements, and marks on those that a later one made outdated."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables.columns import Id, Instant

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add both tables. Statements get their keys as they are learned; what was learned before has none."""
    op.create_table(
        "statement_keys",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("item_id", Id(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "key", "item_id"),
    )
    op.create_index("statement_keys_by_item", "statement_keys", ["scope_id", "item_id"])
    op.create_table(
        "outdated",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("item_id", Id(), nullable=False),
        sa.Column("quote_start", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("quote_end", sa.Integer(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("newer_id", Id(), nullable=False),
        sa.Column("newer_start", sa.Integer(), nullable=False),
        sa.Column("new_value", sa.Text(), nullable=False),
        sa.Column("said_at", Instant(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "item_id", "quote_start"),
    )
    op.create_index("outdated_by_newer", "outdated", ["scope_id", "newer_id"])
