"""What the requests and replies about the server, its agents and its tokens hold."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StrictBool

from nacre.domain.access import Permission, Role
from nacre.domain.sharing import ReadPolicy
from nacre.http.bodies import Instant, Name, Reply


class AgentsReply(Reply):
    """Agents that something was kept for, by name."""

    agents: list[str]


class ScopeReply(Reply):
    """A user's or a chat's memory; the agent's own where neither is named. `changed_at` is when it was last written."""

    user: str | None
    chat: str | None
    created_at: datetime
    changed_at: datetime | None


class ScopesReply(Reply):
    """The memories of an agent, its own first."""

    scopes: list[ScopeReply]
    limit: int
    offset: int


class CallerReply(Reply):
    """Who calls, what they may do, and whose memory is meant where they name none.

    A token that is bound to an agent or a user says so in `bound_agent` and `bound_user`.
    """

    name: str
    local: bool
    role: Role
    permissions: list[Permission]
    bound_agent: str | None
    bound_user: str | None
    agent: str
    user: str | None


class TokenBody(BaseModel):
    """A token to issue."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"name": "laptop of ana", "role": "agent", "agent": "assistant", "user": "ana"}]
        },
    )

    name: Name = Field(description="What people know it by.")
    role: Role = Role.AGENT
    agent: Name | None = Field(default=None, description="The one agent it is for; every agent if left out.")
    user: Name | None = Field(default=None, description="The one user of that agent it is for.")
    expires_at: Instant | None = Field(default=None, description="When it ends; never if left out.")


class TokenReply(Reply):
    """What is known of a token."""

    id: UUID
    prefix: str
    name: str
    role: Role
    agent: str | None
    user: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class IssuedReply(Reply):
    """A new token; `secret` is what callers send, and is shown here and never again."""

    token: TokenReply
    secret: str


class TokensReply(Reply):
    """Tokens, the newest first, those that are over included."""

    tokens: list[TokenReply]


class DenialReply(Reply):
    """A call that was turned away."""

    id: UUID
    at: datetime
    called: str
    reason: str
    token_id: UUID | None
    permission: Permission | None
    agent: str | None
    user: str | None


class DenialsReply(Reply):
    """The calls of the last 30 days that were turned away, the last first."""

    denials: list[DenialReply]


class SettingsReply(Reply):
    """The settings of the server; of a secret, only whether there is one."""

    settings: dict[str, Any]


class SharingBody(BaseModel):
    """What is to change; what is left out stays."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"share_knowledge_graph": True, "read_policy": "isolated"}]}
    )

    share_knowledge_graph: StrictBool | None = Field(default=None, description="One graph for all users and chats.")
    share_memory: StrictBool | None = Field(default=None, description="One long-term memory for all users and chats.")
    read_policy: ReadPolicy | None = Field(default=None, description="Whether other agents may read its graph.")


class SharingReply(Reply):
    """What an agent shares."""

    share_knowledge_graph: bool
    share_memory: bool
    read_policy: ReadPolicy
