"""Callers: the memory that a connection may reach, asked for anew with every call."""

from dataclasses import dataclass
from typing import Protocol

from nacre.brain import Door, Nacre, ScopedNacre
from nacre.domain.access import LOCAL, Permission, Principal
from nacre.domain.audits import AGENT
from nacre.tools.catalogue import SESSION


class Caller(Protocol):
    """What a server knows of whoever sent it a message."""

    @property
    def session(self) -> str:
        """Where it keeps its working memory."""
        ...

    @property
    def actor(self) -> str:
        """Who its changes are written down to."""
        ...

    def may(self, permission: Permission) -> bool:
        """Whether calls that need the permission are worth offering to it."""
        ...

    def scope(self, permission: Permission, called: str) -> ScopedNacre:
        """The memory it acts on, if it may do what it calls."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whoever started the server on this machine: one scope, and everything allowed in it."""

    memory: ScopedNacre
    session: str = SESSION
    actor: str = AGENT

    def may(self, permission: Permission) -> bool:
        """Everything the machine's own user may."""
        return permission in LOCAL.role.permissions

    def scope(self, permission: Permission, called: str) -> ScopedNacre:  # noqa: ARG002 - asked of nobody
        """The one scope."""
        return self.memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """A caller over a network: it comes through the same door as every other request."""

    nacre: Nacre
    principal: Principal
    agent: str | None = None
    user: str | None = None
    chat: str | None = None
    session: str = SESSION

    @property
    def actor(self) -> str:
        """The token's own name, as over HTTP; whoever is at the machine itself is an agent."""
        return AGENT if self.principal == LOCAL else self.principal.name

    def may(self, permission: Permission) -> bool:
        """What its role allows."""
        return permission in self.principal.role.permissions

    def scope(self, permission: Permission, called: str) -> ScopedNacre:
        """The scope that it names, else its token's, else the settings'; refusals are kept on record."""
        door = Door(self.nacre, self.principal, permission, f"mcp {called}")
        settings = self.nacre.parts.settings
        at_home = self.principal.agent is None and self.agent in (None, settings.agent)
        return door.scope(self.agent, self.user or (settings.user if at_home else None), self.chat)
