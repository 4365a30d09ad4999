"""Tokens and grants: who may call the server, as what, and where."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from nacre.access import grants, tokens
from nacre.brain.probing import probed
from nacre.domain import ids
from nacre.domain.access import Denial, Grant, GrantKind, IssuedToken, Principal, Token
from nacre.domain.errors import Misconfigured, Unauthenticated
from nacre.wiring import Parts


@probed("tokens")
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


@probed("grants")
class Grants:
    """Codes, access tokens and refresh tokens; each carries the rights of a token, and ends with it."""

    def __init__(self, parts: Parts) -> None:
        secret = parts.settings.oauth_secret
        if secret is None:
            raise Misconfigured("Sign-ins need a secret to be signed with: set NACRE_OAUTH_SECRET.")
        self._parts = parts
        self._secret = secret.get_secret_value().encode()
        self._database = parts.database

    def issue(
        self,
        kind: GrantKind,
        token: UUID,
        *,
        client: str,
        family: str | None = None,
        details: Mapping[str, str] | None = None,
    ) -> str:
        """A grant of a token's rights to a client; one of a `family` ends with the others of it."""
        return grants.issue(self._database, self._secret, kind, token, client=client, family=family, details=details)

    def read(self, kind: GrantKind, text: str) -> Grant | None:
        """The grant that a client holds; nothing where it does not hold, or is of another kind."""
        return grants.read(self._database, self._secret, kind, text)

    def spend(self, grant: Grant) -> bool:
        """Use up a grant; False where it was used before, and then all that came from the same consent is over."""
        return grants.spend(self._database, grant)

    def revoke(self, grant: Grant) -> None:
        """End a grant and all that came from the same consent."""
        grants.revoke(self._database, grant)

    def principal(self, text: str) -> Principal:
        """The caller that an access token stands for; `Unauthenticated` where it opens nothing."""
        grant = self.read(GrantKind.ACCESS, text)
        if grant is None:
            raise Unauthenticated("The sign-in is not valid here: unknown, over or revoked.")
        return grant.principal
