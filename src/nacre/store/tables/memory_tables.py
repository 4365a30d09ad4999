"""Long-term memories, working memory, skills and feedback."""

from sqlalchemy import Column, Float, ForeignKeyConstraint, Index, Integer, Table, Text
from sqlalchemy.types import JSON

from nacre.store.tables.columns import Id, Instant, metadata, scope_id

memories = Table(
    "memories",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("content", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("metadata", JSON, nullable=False),
    Column("importance", Float, nullable=False),
    Column("source_id", Id, nullable=False),
    Column("quote_start", Integer, nullable=False),
    Column("quote_end", Integer, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    # Twelve characters that people and agents use in place of the id.
    Column("short", Text, nullable=False, server_default=""),
    # active or archived; see domain.memories.
    Column("status", Text, nullable=False, server_default="active"),
    Column("last_seen_at", Instant),
    Column("reinforced", Integer, nullable=False, server_default="0"),
    Column("archived_at", Instant),
    Column("archive_reason", Text),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index("memories_by_source", memories.c.scope_id, memories.c.source_id)
Index("memories_by_short", memories.c.scope_id, memories.c.short)
Index("memories_by_category", memories.c.scope_id, memories.c.status, memories.c.category)

memory_tags = Table(
    "memory_tags",
    metadata,
    scope_id(),
    Column("memory_id", Id, primary_key=True),
    Column("tag", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    ForeignKeyConstraint(["scope_id", "memory_id"], ["memories.scope_id", "memories.id"], ondelete="CASCADE"),
)
Index("memory_tags_by_tag", memory_tags.c.scope_id, memory_tags.c.tag)

# Everything a memory rests on: the first source, and each that said it again or added to it.
memory_sources = Table(
    "memory_sources",
    metadata,
    scope_id(),
    Column("memory_id", Id, primary_key=True),
    Column("source_id", Id, primary_key=True),
    Column("quote_start", Integer, nullable=False),
    Column("quote_end", Integer, nullable=False),
    ForeignKeyConstraint(["scope_id", "memory_id"], ["memories.scope_id", "memories.id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index("memory_sources_by_source", memory_sources.c.scope_id, memory_sources.c.source_id)

# Scratch space with an end: see memory.working.
working = Table(
    "working",
    metadata,
    scope_id(),
    Column("key", Text, primary_key=True),
    Column("namespace", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("category", Text),
    Column("tags", JSON, nullable=False),
    Column("stored_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
# The hourly sweep is of every scope.
Index("working_expired", working.c.expires_at)
Index("working_by_namespace", working.c.scope_id, working.c.namespace, working.c.expires_at)

# Named procedures: see memory.skills.
skills = Table(
    "skills",
    metadata,
    scope_id(),
    Column("name", Text, primary_key=True),
    Column("summary", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("see_also", JSON, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

# What people thought of what the agent did: see memory.feedback.
feedback = Table(
    "feedback",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("session", Text),
    Column("subject", Text, nullable=False),
    Column("detail", Text),
    Column("at", Instant, nullable=False),
    Column("consumed_at", Instant),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("feedback_by_time", feedback.c.scope_id, feedback.c.at)
