"""Permissions, roles, principals, tokens and grants: who may do what, and where."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from nacre.domain import checks
from nacre.domain.errors import Invalid


class Permission(StrEnum):
    """What a caller may be allowed to do."""

    REMEMBER = "remember"
    RECALL = "recall"
    MODIFY = "modify"
    FORGET = "forget"
    RECOVER = "recover"
    ADMIN = "admin"
    DOCUMENTS = "documents"
    CONNECTORS = "connectors"
    DIAGNOSTICS = "diagnostics"
    ANALYTICS = "analytics"


class AccessRole(StrEnum):
    """A set of permissions by name."""

    ADMIN = "admin"
    OPERATOR = "operator"
    AGENT = "agent"
    READONLY = "readonly"

    @property
    def permissions(self) -> frozenset[Permission]:
        """What the role may do."""
        return PERMISSIONS[self]


PERMISSIONS: Mapping[AccessRole, frozenset[Permission]] = {
    AccessRole.ADMIN: frozenset(Permission),
    AccessRole.OPERATOR: frozenset(Permission) - {Permission.ADMIN},
    AccessRole.AGENT: frozenset(
        {
            Permission.REMEMBER,
            Permission.RECALL,
            Permission.MODIFY,
            Permission.FORGET,
            Permission.RECOVER,
            Permission.DOCUMENTS,
        }
    ),
    AccessRole.READONLY: frozenset({Permission.RECALL}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """A caller: its role, and the agent and the user it is bound to where it is."""

    name: str
    role: AccessRole
    agent: str | None = None
    user: str | None = None
    token: UUID | None = None

    def refusal(self, permission: Permission, agent: str | None, user: str | None) -> str | None:
        """Why it may not do this there; None when it may. Without an agent or a user, all of them are meant."""
        if permission not in self.role.permissions:
            return f"The role `{self.role.value}` has no permission `{permission.value}`."
        if self.agent not in (None, agent):
            return f"This token is for the agent `{self.agent}` alone."
        if self.user not in (None, user):
            return f"This token is for the user `{self.user}` alone."
        return None


# Whoever is at the machine itself.
LOCAL = Principal(name="local", role=AccessRole.ADMIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What is known of a token; the token itself is only ever shown when it is issued."""

    id: UUID
    prefix: str
    name: str
    role: AccessRole
    agent: str | None
    user: str | None
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None

    def valid(self, now: datetime) -> bool:
        """Whether it opens doors at a moment."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    @property
    def principal(self) -> Principal:
        """The caller that it stands for."""
        return Principal(name=self.name, role=self.role, agent=self.agent, user=self.user, token=self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedToken:
    """A new token; `secret` is what a caller sends and cannot be read again."""

    token: Token
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Denial:
    """A call that was turned away."""

    id: UUID
    at: datetime
    called: str
    reason: str
    token_id: UUID | None = None
    permission: Permission | None = None
    agent: str | None = None
    user: str | None = None


def role(value: object) -> AccessRole:
    """The role that a caller named."""
    return AccessRole(checks.choice("role", value, list(AccessRole)))


def check_binding(agent: str | None, user: str | None) -> None:
    """Refuse a user without an agent: a user is somebody for an agent."""
    checks.optional_name("agent", agent)
    checks.optional_name("user", user)
    if user and not agent:
        raise Invalid("agent", "must be named where a user is")


class GrantKind(StrEnum):
    """What a grant is for."""

    CODE = "code"
    ACCESS = "access"
    REFRESH = "refresh"


GRANT_LIFETIMES: Mapping[GrantKind, timedelta] = {
    GrantKind.CODE: timedelta(minutes=1),
    GrantKind.ACCESS: timedelta(hours=1),
    GrantKind.REFRESH: timedelta(days=30),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A grant that holds: whose rights it carries, for which client, and until when. A `family` ends together."""

    kind: GrantKind
    id: str
    family: str
    client: str
    expires_at: datetime
    principal: Principal
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedReply:
    """What an idempotency key was taken for, and what was answered; there is no status while the call runs."""

    call: bytes
    status: int | None
    body: bytes | None
