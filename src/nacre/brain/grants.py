"""Grants: clients that whoever holds a token lets in, as OAuth has it."""

from collections.abc import Mapping
from uuid import UUID

from nacre.access import grants
from nacre.brain.probing import probed
from nacre.domain.access import Grant, GrantKind, Principal
from nacre.domain.errors import Misconfigured, Unauthenticated
from nacre.wiring import Parts


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
