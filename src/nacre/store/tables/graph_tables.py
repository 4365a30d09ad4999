"""Entities and the links between them."""

from sqlalchemy import Column, Float, ForeignKeyConstraint, Index, Integer, Table, Text
from sqlalchemy.types import JSON

from nacre.store.tables.columns import Id, Instant, metadata, scope_id

# What the graph is about. Full-text search beside it: see store.fulltext.
entities = Table(
    "entities",
    metadata,
    scope_id(),
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
    # When its sessions were last summed up.
    Column("last_synthesized_at", Instant),
    Column("proposal_id", Id),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("entities_by_slug", entities.c.scope_id, entities.c.slug, unique=True)
Index("entities_by_type", entities.c.scope_id, entities.c.status, entities.c.type, entities.c.updated_at)
# The order in which people look through them, after the few that are pinned.
Index(
    "entities_in_order",
    entities.c.scope_id,
    entities.c.status,
    entities.c.mentions.desc(),
    entities.c.updated_at.desc(),
    entities.c.name,
    # So that a deep page is found in the index alone.
    entities.c.id,
    entities.c.pinned_at,
)
_PINNED = entities.c.pinned_at.is_not(None)
Index("entities_pinned", entities.c.scope_id, entities.c.pinned_at, postgresql_where=_PINNED, sqlite_where=_PINNED)

# Every name an entity goes by, its own included, under the key that texts are matched with.
aliases = Table(
    "aliases",
    metadata,
    scope_id(),
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
    scope_id(),
    Column("entity_id", Id, primary_key=True),
    Column("source_id", Id, primary_key=True),
    Column("quote_start", Integer, primary_key=True, autoincrement=False),
    Column("quote_end", Integer, nullable=False),
    ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
    sqlite_with_rowid=False,
)
Index("mentions_by_source", mentions.c.scope_id, mentions.c.source_id)

_SUREST = ("confidence", "updated_at", "id")

# One edge table: an entity, a predicate, and another entity or a plain value.
links = Table(
    "links",
    metadata,
    scope_id(),
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
    # The side of the source entity that it belongs to.
    Column("aspect_id", Id),
    Column("archived_at", Instant),
    Column("archived_by", Text),
    Column("archive_reason", Text),
    Column("proposal_id", Id),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id", "source_entity"], ["entities.scope_id", "entities.id"]),
    ForeignKeyConstraint(["scope_id", "target_entity"], ["entities.scope_id", "entities.id"]),
    ForeignKeyConstraint(["scope_id", "source_id"], ["sources.scope_id", "sources.id"]),
)
Index("links_from", links.c.scope_id, links.c.source_entity, links.c.status, links.c.predicate)
Index("links_to", links.c.scope_id, links.c.target_entity, links.c.status, links.c.predicate)
# A walk reads the surest links of an entity first, and of a hub only those.
Index("links_best_from", *(links.c[name] for name in ("scope_id", "source_entity", "status", *_SUREST)))
Index("links_best_to", *(links.c[name] for name in ("scope_id", "target_entity", "status", *_SUREST)))
Index("links_by_source", links.c.scope_id, links.c.source_id)

# Pairs of entities that may be the same; a decided pair stays decided.
dedup_candidates = Table(
    "dedup_candidates",
    metadata,
    scope_id(),
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

# What happened to every link, written by the database itself: see store.link_triggers and store.partitions.
link_history = Table(
    "link_history",
    metadata,
    scope_id(),
    Column("link_id", Id, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    # insert, update or delete.
    Column("event", Text, nullable=False),
    Column("at", Instant, nullable=False),
    Column("before", JSON),
    Column("after", JSON),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    postgresql_partition_by="RANGE (link_id)",
)

# Groups of entities that are linked more closely with each other than with the rest.
communities = Table(
    "communities",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("cohesion", Float, nullable=False),
    Column("member_count", Integer, nullable=False),
    Column("summary", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

community_members = Table(
    "community_members",
    metadata,
    scope_id(),
    Column("community_id", Id, primary_key=True),
    Column("entity_id", Id, primary_key=True),
    ForeignKeyConstraint(["scope_id", "community_id"], ["communities.scope_id", "communities.id"], ondelete="CASCADE"),
    ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
)
Index("community_members_by_entity", community_members.c.scope_id, community_members.c.entity_id)
