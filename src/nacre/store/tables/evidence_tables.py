"""Tables of evidence: everything that was said, and the part of it that can be recalled."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    false,
    text,
)
from sqlalchemy.types import JSON

from nacre.store.tables.columns import Id, Instant, metadata, scope_id

scopes = Table(
    "scopes",
    metadata,
    scope_id(),
    Column("agent", Text, nullable=False),
    Column("user", Text),
    Column("chat", Text),
    Column("team", Text),
    # Counts the scope's writes. Taken under the row's lock, so revisions become visible in order.
    Column("revision", BigInteger, nullable=False),
    # The next free `passages.seq`.
    Column("next_seq", BigInteger, nullable=False),
    # Rows were removed for good at this revision: an index loaded before it must be loaded anew.
    Column("purged_revision", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    # When the last revision was taken.
    Column("changed_at", Instant),
    # Learning cursor: the first passage that the graph has not learned from, and how far into its text it has come.
    Column("unread_seq", BigInteger),
    Column("unread_offset", Integer, nullable=False, server_default="0"),
)
Index("scopes_by_agent", scopes.c.agent, scopes.c.user)
_UNREAD = scopes.c.unread_seq.is_not(None)
Index("scopes_unread", scopes.c.scope_id, postgresql_where=_UNREAD, sqlite_where=_UNREAD)

sources = Table(
    "sources",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("ref", Text),
    Column("at", Instant, nullable=False),
    Column("created_at", Instant, nullable=False),
    # What readers should be wary of in it, such as instructions: see text.injections.
    Column("flags", JSON(none_as_null=True)),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

# Tables without a rowid lie in the tree of their key, on SQLite: beside a table, that tree holds every key twice. Only
# for small rows that nothing refers to: of a larger one, most would lie on a page of its own.
turns = Table(
    "turns",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("role", Text, nullable=False),
    Column("speaker", Text),
    Column("session", Text),
    ForeignKeyConstraint(["scope_id", "id"], ["sources.scope_id", "sources.id"], ondelete="CASCADE"),
    sqlite_with_rowid=False,
)
Index("turns_by_session", turns.c.scope_id, turns.c.session, turns.c.seq)

# What can be recalled: one row per searchable text, derived from the row that `item_id` names. A passage is
# never rewritten: when its item changes it ends, and a new one takes a new `seq`.
passages = Table(
    "passages",
    metadata,
    scope_id(),
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

_ENDED = passages.c.ended_at.is_not(None)
# Beside the segments below: which passages ended is all of them that ever changes.
Index("passages_ended", passages.c.scope_id, passages.c.seq, postgresql_where=_ENDED, sqlite_where=_ENDED)

# Thousands of passages in few bytes, so that an index need not be loaded row by row: see recall.passage_columns. They
# are derived from the rows, and go whenever rows of the scope do.
passage_segments = Table(
    "passage_segments",
    metadata,
    scope_id(),
    Column("first_seq", BigInteger, primary_key=True, autoincrement=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

# One vector per passage and embedder, so that two vector spaces never meet. Whoever removes a passage finds them first.
vectors = Table(
    "vectors",
    metadata,
    scope_id(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("embedder", Text, primary_key=True),
    # 0 for one that was stored together with its passage: then the passage's revision is its own.
    Column("revision", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
    ForeignKeyConstraint(["scope_id", "seq"], ["passages.scope_id", "passages.seq"], ondelete="CASCADE"),
)
_LATER = vectors.c.revision > text("0")
Index(
    "vectors_by_revision",
    vectors.c.scope_id,
    vectors.c.embedder,
    vectors.c.revision,
    postgresql_where=_LATER,
    sqlite_where=_LATER,
)

# Vectors of a passage's tokens, by the network they are of: read only for those that may answer a question.
token_vectors = Table(
    "token_vectors",
    metadata,
    scope_id(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("space", Text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    ForeignKeyConstraint(["scope_id", "seq"], ["passages.scope_id", "passages.seq"], ondelete="CASCADE"),
)

# What the statements of turns and memories are found by: see memory.statements. A row for each key, and not for each
# item under it: the scope and the key would take many times what tells the item.
statement_keys = Table(
    "statement_keys",
    metadata,
    scope_id(),
    # Of a kind of value and a word that tells what it is a value of.
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    # The sequence numbers of the newest passages under it: see store.statement_keys.
    Column("places", LargeBinary, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    sqlite_with_rowid=False,
)

# Statements that a later one made outdated, by the turn or memory and the place of the sentence in it.
outdated = Table(
    "outdated",
    metadata,
    scope_id(),
    Column("item_id", Id, primary_key=True),
    Column("quote_start", Integer, primary_key=True, autoincrement=False),
    Column("quote_end", Integer, nullable=False),
    Column("value", Text, nullable=False),
    # What says otherwise, and where in it.
    Column("newer_id", Id, nullable=False),
    Column("newer_start", Integer, nullable=False),
    Column("new_value", Text, nullable=False),
    # When that was said.
    Column("said_at", Instant, nullable=False),
    Column("created_at", Instant, nullable=False),
    # Whether it only may be so.
    Column("doubtful", Boolean, nullable=False, server_default=false()),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("outdated_by_newer", outdated.c.scope_id, outdated.c.newer_id)

# What a later turn or memory perhaps makes outdated, too little likely to be said: whoever reads one gets both.
likely_successors = Table(
    "likely_successors",
    metadata,
    scope_id(),
    Column("item_id", Id, primary_key=True),
    Column("newer_id", Id, primary_key=True),
    Column("chance", Float, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    sqlite_with_rowid=False,
)
Index("likely_successors_by_newer", likely_successors.c.scope_id, likely_successors.c.newer_id)

# What a session was already shown, so that it is not shown twice.
recall_ledger = Table(
    "recall_ledger",
    metadata,
    scope_id(),
    Column("session", Text, primary_key=True),
    Column("item_id", Id, primary_key=True),
    Column("at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
    sqlite_with_rowid=False,
)
Index("recall_ledger_by_item", recall_ledger.c.scope_id, recall_ledger.c.item_id)

# How far a reader of the conversation log has come: see memory.conversations.
cursors = Table(
    "cursors",
    metadata,
    scope_id(),
    Column("reader", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

# Choices that belong to an agent, a user or a chat, such as sharing.
settings = Table(
    "settings",
    metadata,
    scope_id(),
    Column("name", Text, primary_key=True),
    Column("value", JSON, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)

# What a session came to, in a few sentences.
summaries = Table(
    "summaries",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("session", Text, nullable=False),
    Column("content", Text, nullable=False),
    # extractive or abstractive.
    Column("method", Text, nullable=False),
    Column("earliest_at", Instant, nullable=False),
    Column("latest_at", Instant, nullable=False),
    Column("turns", Integer, nullable=False),
    # The last turn that it covers, so that a session that went on is summed up anew.
    Column("last_seq", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["scope_id"], ["scopes.scope_id"]),
)
Index("summaries_by_session", summaries.c.scope_id, summaries.c.session, unique=True)

# What recall offered a session about an entity, and whether it was used.
offers = Table(
    "offers",
    metadata,
    scope_id(),
    Column("session", Text, primary_key=True),
    Column("item_id", Id, primary_key=True),
    Column("entity_id", Id, primary_key=True),
    Column("score", Float, nullable=False),
    Column("at", Instant, nullable=False),
    Column("used_at", Instant),
    # The links and aspects by which the item was reached.
    Column("path", JSON, nullable=False),
    ForeignKeyConstraint(["scope_id", "entity_id"], ["entities.scope_id", "entities.id"], ondelete="CASCADE"),
)
Index("offers_by_entity", offers.c.scope_id, offers.c.entity_id, offers.c.at)
