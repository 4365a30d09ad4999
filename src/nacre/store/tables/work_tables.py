"""Work to be done later."""

from sqlalchemy import Column, Float, ForeignKeyConstraint, Index, Integer, Table, Text
from sqlalchemy.types import JSON

from nacre.store.tables.columns import Id, Instant, metadata, scope_id

# Work to be done later, enqueued in the transaction that needs it: see work.queues.
jobs = Table(
    "jobs",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("payload", JSON, nullable=False),
    # waiting, running, done or dead.
    Column("status", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("run_at", Instant, nullable=False),
    # A running job whose lease has passed belongs to a worker that died; another may take it.
    Column("leased_until", Instant),
    Column("error", Text),
    Column("created_at", Instant, nullable=False),
    Column("finished_at", Instant),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("jobs_by_status", jobs.c.scope_id, jobs.c.status, jobs.c.run_at)
# Workers look for due jobs of every scope.
Index("jobs_due", jobs.c.status, jobs.c.run_at)

# What each night's work came to.
dreams = Table(
    "dreams",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("trigger", Text, nullable=False),
    # running, done, stopped or failed.
    Column("status", Text, nullable=False),
    Column("report", JSON, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("finished_at", Instant),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("dreams_in_order", dreams.c.scope_id, dreams.c.started_at)
Index("dreams_by_end", dreams.c.scope_id, dreams.c.finished_at)

# What a pass last read, so that it is skipped when nothing of it has changed.
gates = Table(
    "gates",
    metadata,
    scope_id(),
    Column("pass", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

# What language models were asked, and what it cost.
usage = Table(
    "usage",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("cost", Float, nullable=False),
    Column("at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("usage_in_order", usage.c.scope_id, usage.c.at)
