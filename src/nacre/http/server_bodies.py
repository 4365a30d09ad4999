"""Requests and replies about the server, its agents and its tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool

from nacre.domain.access import AccessRole, Denial, Permission, Token
from nacre.domain.scopes import ScopeInfo
from nacre.domain.sharing import ReadPolicy
from nacre.http.bodies import Instant, Name
from nacre.http.wire import Reply


class AgentsReply(Reply):
    """Agents that something was kept for, by name."""

    agents: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopesReply:
    """The memories of an agent, its own first."""

    scopes: Sequence[ScopeInfo]
    limit: int
    offset: int


class CallerReply(Reply):
    """Who calls, what they may do, and whose memory is meant where they name none.

    A token that is bound to an agent or a user says so in `bound_agent` and `bound_user`.
    """

    name: str
    local: bool
    role: AccessRole
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
    role: AccessRole = AccessRole.AGENT
    agent: Name | None = Field(default=None, description="The one agent it is for; every agent if left out.")
    user: Name | None = Field(default=None, description="The one user of that agent it is for.")
    expires_at: Instant | None = Field(default=None, description="When it ends; never if left out.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensReply:
    """Tokens, the newest first, those that are over included."""

    tokens: Sequence[Token]


@dataclass(frozen=True, slots=True, kw_only=True)
class DenialsReply:
    """The calls of the last 30 days that were turned away, the last first."""

    denials: Sequence[Denial]


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
