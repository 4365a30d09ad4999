"""Keys of values, so that a new one is judged against few of those held."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables import value_triggers
from nacre.store.tables.columns import Id

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Note every link and claim; its keys are worked out when a value is first judged beside it."""
    op.create_table(
        "value_keys",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("item_id", Id(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "key", "item_id"),
    )
    op.create_index("value_keys_by_item", "value_keys", ["scope_id", "item_id"])
    op.create_table(
        "unkeyed_values",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("holder_id", Id(), nullable=False),
        sa.Column("item_id", Id(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "holder_id", "item_id"),
    )
    into = "INSERT INTO unkeyed_values (scope_id, holder_id, item_id)"
    op.execute(f"{into} SELECT scope_id, source_entity, id FROM links")  # noqa: S608 - no input in it
    op.execute(f"{into} SELECT scope_id, aspect_id, id FROM attributes")  # noqa: S608 - no input in it
    for table in ("entities", "links", "attributes"):
        value_triggers.create(op.get_bind(), table)
