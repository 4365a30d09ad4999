"""Places under keys of statements: a row for each key, and not for each item under it."""

from array import array
from itertools import groupby
from operator import itemgetter

import sqlalchemy as sa
from alembic import op

from nacre.store.tables.columns import Id

revision = "0015"
down_revision = "0014"

_HELD = sa.text(
    "SELECT held.scope_id, held.key, max(passages.seq) AS seq FROM statement_keys AS held"
    " JOIN passages ON passages.scope_id = held.scope_id AND passages.item_id = held.item_id"
    " GROUP BY held.scope_id, held.key, held.item_id ORDER BY held.scope_id, held.key, seq"
).columns(scope_id=Id(), key=sa.BigInteger(), seq=sa.BigInteger())
# As statement_keys.MOST_OF_A_KEY.
_MOST = 100
_TOGETHER = 5_000


def upgrade() -> None:
    """Gather what is under each key, as far as it is among the newest. Items without a passage are found by nothing."""
    connection = op.get_bind()
    held = connection.execute(_HELD).all()
    op.drop_table("statement_keys")
    made = op.create_table(
        "statement_keys",
        sa.Column("scope_id", Id(), nullable=False),
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("places", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
        sa.PrimaryKeyConstraint("scope_id", "key"),
        sqlite_with_rowid=False,
    )
    rows = [
        {"scope_id": scope, "key": key, "places": array("I", [row.seq for row in some][-_MOST:]).tobytes()}
        for (scope, key), some in groupby(held, itemgetter(0, 1))
    ]
    for start in range(0, len(rows), _TOGETHER):
        op.bulk_insert(made, rows[start : start + _TOGETHER])
