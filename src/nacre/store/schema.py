"""Every table, defined once for both databases. `scope_id` leads every key and every index."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.types import JSON

from nacre.store.columns import Id, Instant

metadata = MetaData()


def _scope_id(**options: Any) -> Column[Any]:
    return Column("scope_id", Id, primary_key=True, nullable=False, **options)


scopes = Table(
    "scopes",
    metadata,
    _scope_id(),
    Column("agent", Text, nullable=False),
    Column("user", Text),
    Column("chat", Text),
    # Counts the scope's writes. Taken under the row's lock, so revisions become visible in order.
    Column("revision", BigInteger, nullable=False),
    # The next free `passages.seq`.
    Column("next_seq", BigInteger, nullable=False),
    # Rows were removed for good at this revision: an index loaded before it must be loaded anew.
    Column("purged_revision", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
)
Index("scopes_by_agent", scopes.c.agent, scopes.c.user)

sources = Table(
    "sources",
    metadata,
    _scope_id(),
    Column("id", Id, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("ref", Text),
    Column("at", Instant, nullable=False),
    Column("created_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

turns = Table(
    "turns",
    metadata,
    _scope_id(),
    Column("id", Id, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("role", Text, nullable=False),
    Column("speaker", Text),
    Column("session", Text),
    ForeignKeyConstraint(["scope_id", "id"], ["sources.scope_id", "sources.id"], ondelete="CASCADE"),
)
Index("turns_by_session", turns.c.scope_id, turns.c.session, turns.c.seq)

memories = Table(
    "memories",
    metadata,
    _scope_id(),
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
    _scope_id(),
    Column("memory_id", Id, primary_key=True),
    Column("tag", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    ForeignKeyConstraint(["scope_id", "memory_id"], ["memories.scope_id", "memories.id"], ondelete="CASCADE"),
)

# Everything a memory rests on: the first source, and each that said it again or added to it.
memory_sources = Table(
    "memory_sources",
    metadata,
    _scope_id(),
    Column("memory_id", Id, primary_key=True),
    Column("source_id", Id, primary_key=True),
    Column("quote_start", Integer, nullable=False),
    Column("quote_end", Integer, nullable=False),
    ForeignKeyConstraint(["scope_id", "memory_id"], ["memories.scope_id", "memories.id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index("memory_sources_by_source", memory_sources.c.scope_id, memory_sources.c.source_id)

# What can be recalled: one row per searchable text, derived from the row that `item_id` names. A passage is
# never rewritten: when its item changes it ends, and a new one takes a new `seq`.
passages = Table(
    "passages",
    metadata,
    _scope_id(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("item_id", Id, nullable=False),
    Column("session", Text),
    Column("speaker", Text),
    Column("role", Text),
    Column("at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("revision", BigInteger, nullable=False),
    # Names the text, so that the same words need a vector only once.
    Column("digest", LargeBinary, nullable=False),
    Column("language", Text, nullable=False),
    Column("length", Integer, nullable=False),
    Column("term_keys", LargeBinary, nullable=False),
    Column("term_counts", LargeBinary, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("passages_by_revision", passages.c.scope_id, passages.c.revision)
Index("passages_by_digest", passages.c.scope_id, passages.c.digest)
Index("passages_by_item", passages.c.scope_id, passages.c.item_id)

# One vector per passage and embedder, so that two vector spaces never meet.
vectors = Table(
    "vectors",
    metadata,
    _scope_id(),
    Column("embedder", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("revision", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
    ForeignKeyConstraint(["scope_id", "seq"], ["passages.scope_id", "passages.seq"], ondelete="CASCADE"),
)
Index("vectors_by_revision", vectors.c.scope_id, vectors.c.embedder, vectors.c.revision)

# Scratch space with an end: see memory.working.
working = Table(
    "working",
    metadata,
    _scope_id(),
    Column("key", Text, primary_key=True),
    Column("namespace", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("category", Text),
    Column("tags", JSON, nullable=False),
    Column("stored_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("working_by_namespace", working.c.scope_id, working.c.namespace, working.c.expires_at)

# Named procedures: see memory.skills.
skills = Table(
    "skills",
    metadata,
    _scope_id(),
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
    _scope_id(),
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

# How far a reader of the conversation log has come: see memory.conversations.
cursors = Table(
    "cursors",
    metadata,
    _scope_id(),
    Column("reader", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

# What a session was already shown, so that it is not shown twice.
recall_ledger = Table(
    "recall_ledger",
    metadata,
    _scope_id(),
    Column("session", Text, primary_key=True),
    Column("item_id", Id, primary_key=True),
    Column("at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("recall_ledger_by_item", recall_ledger.c.scope_id, recall_ledger.c.item_id)

# Work to be done later, enqueued in the transaction that needs it: see work.queues.
jobs = Table(
    "jobs",
    metadata,
    _scope_id(),
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

# What the graph is about. Full-text search beside it: see store.fulltext.
entities = Table(
    "entities",
    metadata,
    _scope_id(),
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    # Lower-case and hyphened, for people and programs; callers may bring their own.
    Column("slug", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("description", Text),
    Column("properties", JSON, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("mentions", Integer, nullable=False),
    Column("pinned_at", Instant),
    # active or archived.
    Column("status", Text, nullable=False),
    Column("archived_at", Instant),
    Column("archived_by", Text),
    Column("archive_reason", Text),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("last_referenced_at", Instant),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("entities_by_slug", entities.c.scope_id, entities.c.slug, unique=True)
Index("entities_by_type", entities.c.scope_id, entities.c.status, entities.c.type, entities.c.updated_at)

# Every name an entity goes by, its own included, under the key that texts are matched with.
aliases = Table(
    "aliases",
    metadata,
    _scope_id(),
    Column("key", Text, primary_key=True),
    Column("entity_id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
)
Index("aliases_by_entity", aliases.c.scope_id, aliases.c.entity_id)

# Where evidence speaks of an entity.
mentions = Table(
    "mentions",
    metadata,
    _scope_id(),
    Column("entity_id", Id, primary_key=True),
    Column("source_id", Id, primary_key=True),
    Column("quote_start", Integer, primary_key=True, autoincrement=False),
    Column("quote_end", Integer, nullable=False),
    ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index("mentions_by_source", mentions.c.scope_id, mentions.c.source_id)

# One edge table: an entity, a predicate, and another entity or a plain value.
links = Table(
    "links",
    metadata,
    _scope_id(),
    Column("id", Id, primary_key=True),
    Column("source_entity", Id, nullable=False),
    Column("predicate", Text, nullable=False),
    Column("target_entity", Id),
    Column("value", Text),
    Column("confidence", Float, nullable=False),
    Column("strength", Float, nullable=False),
    Column("reason", Text),
    Column("properties", JSON, nullable=False),
    Column("valid_from", Instant),
    Column("valid_to", Instant),
    # active or archived.
    Column("status", Text, nullable=False),
    Column("source_id", Id),
    Column("quote_start", Integer),
    Column("quote_end", Integer),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id", "source_entity"], ["entities.scope_id", "entities.id"]),
    ForeignKeyConstraint(["scope_id", "target_entity"], ["entities.scope_id", "entities.id"]),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index("links_from", links.c.scope_id, links.c.source_entity, links.c.status, links.c.predicate)
Index("links_to", links.c.scope_id, links.c.target_entity, links.c.status, links.c.predicate)
Index("links_by_source", links.c.scope_id, links.c.source_id)

# Pairs of entities that may be the same; a decided pair stays decided.
dedup_candidates = Table(
    "dedup_candidates",
    metadata,
    _scope_id(),
    Column("id", Id, primary_key=True),
    Column("entity_a", Id, nullable=False),
    Column("entity_b", Id, nullable=False),
    Column("similarity", Float, nullable=False),
    # pending, dismissed or merged.
    Column("status", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("decided_at", Instant),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("dedup_by_pair", *(dedup_candidates.c[name] for name in ("scope_id", "entity_a", "entity_b")), unique=True)

# Every operation that was carried out, with each row before and after it.
audit = Table(
    "audit",
    metadata,
    _scope_id(),
    Column("id", Id, primary_key=True),
    # The order in which operations were done, whatever the clock said.
    Column("seq", BigInteger, nullable=False),
    Column("batch_id", Id, nullable=False),
    Column("operation", Text, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("actor", Text, nullable=False),
    Column("reason", Text),
    Column("changes", JSON, nullable=False),
    Column("at", Instant, nullable=False),
    Column("undoes", Id),
    Column("undone_by", Id),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("audit_in_order", audit.c.scope_id, audit.c.seq)
Index("audit_by_batch", audit.c.scope_id, audit.c.batch_id)

# Which rows each operation touched, so that an undo can name what came later.
audit_rows = Table(
    "audit_rows",
    metadata,
    _scope_id(),
    Column("row", Text, primary_key=True),
    Column("audit_id", Id, primary_key=True),
    ForeignKeyConstraint(["scope_id", "audit_id"], ["audit.scope_id", "audit.id"], ondelete="CASCADE"),
)

# Choices that belong to an agent, a user or a chat, such as sharing.
settings = Table(
    "settings",
    metadata,
    _scope_id(),
    Column("name", Text, primary_key=True),
    Column("value", JSON, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
