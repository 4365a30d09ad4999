"""Life of a memory, working memory, skills, feedback, cursors, the recall ledger and jobs."""

import sqlalchemy as sa
from alembic import op

from nacre.store.tables.columns import Id, Instant

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the tables of the memory tiers."""
    _memories()
    _memory_sources()
    _working()
    _learning()
    _ledgers()
    _jobs()


def _scope_id() -> sa.Column[object]:
    return sa.Column("scope_id", Id(), primary_key=True, nullable=False)


def _of_scope() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"])


def _memories() -> None:
    op.add_column("memories", sa.Column("short", sa.Text(), nullable=False, server_default=""))
    op.add_column("memories", sa.Column("status", sa.Text(), nullable=False, server_default="active"))
    op.add_column("memories", sa.Column("last_seen_at", Instant()))
    op.add_column("memories", sa.Column("reinforced", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("memories", sa.Column("archived_at", Instant()))
    op.add_column("memories", sa.Column("archive_reason", sa.Text()))
    last_twelve = "right(replace(id::text, '-', ''), 12)"
    if op.get_bind().dialect.name == "sqlite":
        last_twelve = "lower(substr(hex(id), 21))"
    op.execute(f"UPDATE memories SET short = {last_twelve}, last_seen_at = updated_at")  # noqa: S608 - no input in it
    op.create_index("memories_by_short", "memories", ["scope_id", "short"])
    op.create_index("memories_by_category", "memories", ["scope_id", "status", "category"])


def _memory_sources() -> None:
    op.create_table(
        "memory_sources",
        _scope_id(),
        sa.Column("memory_id", Id(), primary_key=True),
        sa.Column("source_id", Id(), primary_key=True),
        sa.Column("quote_start", sa.Integer(), nullable=False),
        sa.Column("quote_end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id", "memory_id"], ["memories.scope_id", "memories.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
    )
    op.create_index("memory_sources_by_source", "memory_sources", ["scope_id", "source_id"])
    op.execute(
        "INSERT INTO memory_sources (scope_id, memory_id, source_id, quote_start, quote_end)"
        " SELECT scope_id, id, source_id, quote_start, quote_end FROM memories"
    )


def _working() -> None:
    op.create_table(
        "working",
        _scope_id(),
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("namespace", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("category", sa.Text()),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("stored_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=False),
        _of_scope(),
    )
    op.create_index("working_by_namespace", "working", ["scope_id", "namespace", "expires_at"])


def _learning() -> None:
    op.create_table(
        "skills",
        _scope_id(),
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("see_also", sa.JSON(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        _of_scope(),
    )
    op.create_table(
        "feedback",
        _scope_id(),
        sa.Column("id", Id(), primary_key=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("session", sa.Text()),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text()),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("consumed_at", Instant()),
        _of_scope(),
    )
    op.create_index("feedback_by_time", "feedback", ["scope_id", "at"])


def _ledgers() -> None:
    op.create_table(
        "cursors",
        _scope_id(),
        sa.Column("reader", sa.Text(), primary_key=True),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        _of_scope(),
    )
    op.create_table(
        "recall_ledger",
        _scope_id(),
        sa.Column("session", sa.Text(), primary_key=True),
        sa.Column("item_id", Id(), primary_key=True),
        sa.Column("at", Instant(), nullable=False),
        _of_scope(),
    )
    op.create_index("recall_ledger_by_item", "recall_ledger", ["scope_id", "item_id"])


def _jobs() -> None:
    op.create_table(
        "jobs",
        _scope_id(),
        sa.Column("id", Id(), primary_key=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("run_at", Instant(), nullable=False),
        sa.Column("leased_until", Instant()),
        sa.Column("error", sa.Text()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("finished_at", Instant()),
        _of_scope(),
    )
    op.create_index("jobs_by_status", "jobs", ["scope_id", "status", "run_at"])
    op.create_index("jobs_due", "jobs", ["status", "run_at"])
