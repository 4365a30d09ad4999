"""Tokens: who may call the server, as what, and where."""

from datetime import datetime
from uuid import UUID

from nacre.access import tokens
from nacre.brain.probing import probed
from nacre.domain import ids
from nacre.domain.access import Denial, IssuedToken, Token
from nacre.wiring import Parts


@probed("tokens", redacts=False)
class Tokens:
    """Tokens with a role, bound to an agent and a user where these are named."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._database = parts.database

    def issue(
        self,
        name: str,
        role: str = "agent",
        *,
        agent: str | None = None,
        user: str | None = None,
        expires_at: datetime | None = None,
    ) -> IssuedToken:
        """Make a token: `admin`, `operator`, `agent` or `readonly`. Its secret is in the reply and kept nowhere."""
        return tokens.issue(self._database, name, role, agent=agent, user=user, expires_at=expires_at)

    def revoke(self, token: UUID | str) -> Token:
        """Have a token open nothing from now on."""
        return tokens.revoke(self._database, ids.parse("token", token))

    def denials(self, *, limit: int = 50, before: datetime | None = None) -> list[Denial]:
        """The calls of the last 30 days that were turned away, the last first."""
        return tokens.denials(self._database, limit=limit, before=before)

    def list(self) -> list[Token]:
        """Every token, the newest first, those that are over included."""
        return tokens.every(self._database)
