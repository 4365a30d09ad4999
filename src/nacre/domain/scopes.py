"""Scopes: an agent's memory, optionally for one user, optionally in one chat; or a team's documents."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from uuid import UUID

from nacre.domain import checks
from nacre.domain.ids import ScopeId

# What the graph calls a user who has no name.
NAMELESS_USER = "User"


@dataclass(frozen=True, kw_only=True)
class Scope:
    """The owner of everything stored; part of every key, every read and every write."""

    agent: str
    user: str | None = None
    chat: str | None = None
    # A team has no memory of its own, only documents: see `memory.vault`.
    team: str | None = None

    def __post_init__(self) -> None:
        checks.name("agent", self.agent)
        checks.optional_name("user", self.user)
        checks.optional_name("chat", self.chat)
        checks.optional_name("team", self.team)

    @cached_property
    def id(self) -> ScopeId:
        """Derived from the names, so any process knows it without asking the database.

        128 bits: two different scopes never share one. Lengths are part of what is
        hashed, so that no choice of names can imitate another scope.
        """
        digest = blake2b(digest_size=16, person=b"nacre-scope")
        # Only a team's id has a fourth part: the others are what they were before there were teams.
        for part in (self.agent, self.user, self.chat, *([self.team] if self.team else [])):
            data = b"" if part is None else part.encode()
            digest.update((-1 if part is None else len(data)).to_bytes(8, "little", signed=True) + data)
        return ScopeId(UUID(bytes=digest.digest()))

    @property
    def user_name(self) -> str:
        """What the graph calls the user."""
        return user_name(self.user)

    def __str__(self) -> str:
        return "/".join(part for part in (self.agent, self.user, self.chat, self.team) if part is not None)


def user_name(user: str | None) -> str:
    """What the graph calls the user of an agent."""
    return user or NAMELESS_USER


@dataclass(frozen=True, slots=True)
class ScopeInfo:
    """A scope of an agent: whose it is, since when it is there, and when it last changed."""

    user: str | None
    chat: str | None
    created_at: datetime
    changed_at: datetime | None
