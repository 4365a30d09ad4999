"""Who may come in, who was turned away, and what was answered. These rows belong to the server, not to a scope."""

from uuid import UUID

from sqlalchemy import Column, Index, Integer, LargeBinary, Table, Text

from nacre.domain.ids import ScopeId
from nacre.store.tables.columns import Id, Instant, metadata, scope_id

# No scope has this id: they are all digests. It keeps the rule that a scope leads every key.
SERVER = ScopeId(UUID(int=0))
# What stands for the call of a key in `replies` that goes with no call, and is only there so that it is taken once.
SPENT = b""

api_keys = Table(
    "api_keys",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    # The part of a token that is shown; the rest is kept as a digest.
    Column("prefix", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    # Where it is valid; every agent or every user where there is none.
    Column("agent", Text),
    Column("user", Text),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("revoked_at", Instant),
    Column("last_used_at", Instant),
)
Index("api_keys_by_prefix", api_keys.c.scope_id, api_keys.c.prefix, unique=True)

denials = Table(
    "denials",
    metadata,
    scope_id(),
    Column("id", Id, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("token_id", Id),
    Column("permission", Text),
    Column("agent", Text),
    Column("user", Text),
    # What was called, such as `POST /v1/agents/a/recall`.
    Column("called", Text, nullable=False),
    Column("reason", Text, nullable=False),
)
Index("denials_in_order", denials.c.scope_id, denials.c.at)

# What was answered under an idempotency key, so that a call that is sent twice is carried out once.
replies = Table(
    "replies",
    metadata,
    scope_id(),
    Column("key", LargeBinary, primary_key=True),
    # Names the call: the same key for another call is a mistake.
    Column("call", LargeBinary, nullable=False),
    # The scope that the reply quotes, so that a purge finds it.
    Column("about", Id),
    Column("status", Integer),
    Column("body", LargeBinary),
    Column("created_at", Instant, nullable=False),
)
Index("replies_in_order", replies.c.scope_id, replies.c.created_at)
Index("replies_about", replies.c.scope_id, replies.c.about)
