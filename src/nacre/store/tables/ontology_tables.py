"""Tables of beliefs about entities, and of every operation that made them."""

from sqlalchemy import BigInteger, Column, Float, ForeignKeyConstraint, Index, Integer, Table, Text
from sqlalchemy.types import JSON

from nacre.store.tables.columns import Id, Instant, metadata, scope_id

# Sides of an entity, such as "work" or "taste"; the weightier are read first.
aspects = Table(
    "aspects",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("entity_id", Id, nullable=False),
    Column("name", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("weight", Float, nullable=False),
    # active or archived.
    Column("status", Text, nullable=False),
    Column("archived_at", Instant),
    Column("archived_by", Text),
    Column("archive_reason", Text),
    Column("proposal_id", Id),
    # When feedback last moved the weight.
    Column("weighed_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"]),
)
Index("aspects_by_key", aspects.c.scope_id, aspects.c.entity_id, aspects.c.key, unique=True)

# Versions of claims: entity, aspect, group, claim, and what it says.
attributes = Table(
    "attributes",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("entity_id", Id, nullable=False),
    Column("aspect_id", Id, nullable=False),
    Column("group_key", Text, nullable=False),
    # None where nobody said what the claim is about; such a claim is never superseded.
    Column("claim_key", Text),
    # attribute or constraint.
    Column("kind", Text, nullable=False),
    Column("value", Text, nullable=False),
    # The value as it is compared.
    Column("normalized", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("importance", Float, nullable=False),
    # active, superseded or deleted.
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),
    # The first version of its chain; its own id where it is the first.
    Column("root_id", Id, nullable=False),
    Column("previous_id", Id),
    Column("superseded_by", Id),
    Column("valid_from", Instant),
    Column("valid_to", Instant),
    Column("memory_id", Id),
    Column("source_id", Id),
    Column("quote_start", Integer),
    Column("quote_end", Integer),
    # Who wrote the version, and what decided that it should be written so.
    Column("actor", Text, nullable=False),
    Column("decision", Text),
    Column("archived_at", Instant),
    Column("archived_by", Text),
    Column("archive_reason", Text),
    Column("proposal_id", Id),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"]),
    ForeignKeyConstraint(["scope_id", "aspect_id"], ["aspects.scope_id", "aspects.id"]),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index(
    "attributes_by_slot",
    *(attributes.c[name] for name in ("scope_id", "aspect_id", "group_key", "claim_key", "status")),
)
Index("attributes_by_entity", attributes.c.scope_id, attributes.c.entity_id, attributes.c.status, attributes.c.kind)
Index("attributes_by_root", attributes.c.scope_id, attributes.c.root_id, attributes.c.version)
Index("attributes_by_memory", attributes.c.scope_id, attributes.c.memory_id)
Index("attributes_by_source", attributes.c.scope_id, attributes.c.source_id)

# What the values of links and claims are found by when a new one is judged: see ontology.value_keys.
value_keys = Table(
    "value_keys",
    metadata,
    scope_id(),
    # Of the holder, the slot and a key of the value.
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    # A link or a claim.
    Column("item_id", Id, primary_key=True),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    sqlite_with_rowid=False,
)
Index("value_keys_by_item", value_keys.c.scope_id, value_keys.c.item_id)

# Links and claims whose keys are not worked out yet, noted by the database itself: see store.value_triggers.
unkeyed_values = Table(
    "unkeyed_values",
    metadata,
    scope_id(),
    # The source of a link, or the aspect of a claim.
    Column("holder_id", Id, primary_key=True),
    Column("item_id", Id, primary_key=True),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    sqlite_with_rowid=False,
)

# Whether a claim or a predicate holds one value at a time or several, where that was declared or learned.
cardinalities = Table(
    "cardinalities",
    metadata,
    scope_id(),
    # A claim's `aspect/group/claim`, or a predicate.
    Column("key", Text, primary_key=True),
    # single or multi.
    Column("cardinality", Text, nullable=False),
    # declared or learned.
    Column("origin", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

# The lifecycle of entities that are tasks.
tasks = Table(
    "tasks",
    metadata,
    scope_id(),
    Column("entity_id", Id, primary_key=True),
    # open, in_progress, blocked, done or cancelled.
    Column("status", Text, nullable=False),
    Column("expires_at", Instant),
    Column("retention_until", Instant),
    Column("completed_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
)
Index("tasks_by_status", tasks.c.scope_id, tasks.c.status, tasks.c.expires_at)

# Who said what, whether or not it is taken for true.
assertions = Table(
    "assertions",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("entity_id", Id, nullable=False),
    Column("attribute_id", Id),
    Column("predicate", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("speaker", Text),
    Column("asserted_at", Instant, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("evidence", JSON, nullable=False),
    Column("source_id", Id),
    Column("quote_start", Integer),
    Column("quote_end", Integer),
    # active, archived or superseded.
    Column("status", Text, nullable=False),
    Column("supersedes_id", Id),
    Column("archived_at", Instant),
    Column("archived_by", Text),
    Column("archive_reason", Text),
    Column("created_by", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"]),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index("assertions_by_entity", assertions.c.scope_id, assertions.c.entity_id, assertions.c.status)
Index("assertions_by_attribute", assertions.c.scope_id, assertions.c.attribute_id)
Index("assertions_by_source", assertions.c.scope_id, assertions.c.source_id)

# Operations that wait for somebody to decide.
proposals = Table(
    "proposals",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("batch_id", Id, nullable=False),
    Column("operation", Text, nullable=False),
    Column("payload", JSON, nullable=False),
    # pending, applied, rejected or failed.
    Column("status", Text, nullable=False),
    Column("confidence", Float),
    Column("rationale", Text),
    Column("evidence", JSON, nullable=False),
    Column("risk", Text),
    Column("source_kind", Text),
    Column("source_id", Text),
    Column("source_path", Text),
    Column("source_root", Text),
    Column("created_by", Text, nullable=False),
    Column("applied_by", Text),
    Column("rejected_by", Text),
    Column("result", JSON),
    Column("audit_id", Id),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("applied_at", Instant),
    Column("rejected_at", Instant),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("proposals_by_status", proposals.c.scope_id, proposals.c.status, proposals.c.created_at)

# Every operation that was carried out, with each row before and after it. A part a month: see store.partitions.
audit = Table(
    "audit",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    # The order in which operations were done, whatever the clock said.
    Column("seq", BigInteger, nullable=False),
    Column("batch_id", Id, nullable=False),
    Column("operation", Text, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("actor", Text, nullable=False),
    Column("reason", Text),
    Column("changes", JSON, nullable=False),
    # Evidence, confidence, risk and origin, as the caller gave them.
    Column("grounds", JSON),
    Column("proposal_id", Id),
    Column("at", Instant, nullable=False),
    Column("undoes", Id),
    Column("undone_by", Id),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    postgresql_partition_by="RANGE (id)",
)
Index("audit_in_order", audit.c.scope_id, audit.c.seq)
Index("audit_by_batch", audit.c.scope_id, audit.c.batch_id)

# Which rows each operation touched, so that an undo can name what came later.
audit_rows = Table(
    "audit_rows",
    metadata,
    scope_id(),
    Column("row", Text, primary_key=True),
    Column("audit_id", Id, primary_key=True),
    ForeignKeyConstraint(["scope_id", "audit_id"], ["audit.scope_id", "audit.id"], ondelete="CASCADE"),
    postgresql_partition_by="RANGE (audit_id)",
    sqlite_with_rowid=False,
)
Index("audit_rows_by_audit", audit_rows.c.scope_id, audit_rows.c.audit_id)
