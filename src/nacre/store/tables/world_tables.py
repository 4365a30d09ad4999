"""Tables of the world: watches, readings of them, and moves that somebody was told of."""

from sqlalchemy import Boolean, Column, Float, ForeignKeyConstraint, Index, Table, Text

from nacre.store.tables.columns import Id, Instant, metadata, scope_id

# What somebody asked for, and how reading went for everything that is watched.
watches = Table(
    "watches",
    metadata,
    scope_id(),
    # The name of the subject as names are compared.
    Column("key", Text, primary_key=True),
    Column("subject", Text, nullable=False),
    # What the source calls it, and which source; what fits where there is none.
    Column("symbol", Text),
    Column("source", Text),
    Column("threshold", Float),
    # Whether somebody asked for it, or asked not to have it watched; neither for what the graph alone names.
    Column("asked", Boolean, nullable=False),
    Column("muted", Boolean, nullable=False),
    Column("read_at", Instant),
    Column("failed_at", Instant),
    Column("error", Text),
    Column("created_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

observations = Table(
    "observations",
    metadata,
    scope_id(),
    Column("key", Text, primary_key=True),
    Column("source", Text, primary_key=True),
    Column("at", Instant, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("symbol", Text, nullable=False),
    Column("value", Float, nullable=False),
    Column("unit", Text, nullable=False),
    # The day's change in per cent, as the source tells it.
    Column("change", Float),
    Column("created_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("observations_in_order", observations.c.scope_id, observations.c.key, observations.c.at)

alerts = Table(
    "alerts",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("key", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("value", Float, nullable=False),
    Column("unit", Text, nullable=False),
    Column("reference", Float, nullable=False),
    Column("change", Float, nullable=False),
    Column("at", Instant, nullable=False),
    # delivered, held or capped.
    Column("status", Text, nullable=False),
    # What was told together has one delivery.
    Column("delivery_id", Id),
    Column("delivered_at", Instant),
    Column("posted_at", Instant),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("alerts_in_order", alerts.c.scope_id, alerts.c.at)
Index("alerts_by_subject", alerts.c.scope_id, alerts.c.key, alerts.c.at)
Index("alerts_by_status", alerts.c.scope_id, alerts.c.status, alerts.c.delivered_at)
Index("alerts_by_delivery", alerts.c.scope_id, alerts.c.delivery_id)
