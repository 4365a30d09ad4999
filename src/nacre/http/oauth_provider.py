"""The authorization server behind sign-in: what the SDK's endpoints ask of it, about clients, codes and tokens.

Clients are public and prove themselves by PKCE. A client id is what was registered, in writing: anyone may register,
so there is nothing to keep and nothing to forge. Consent is given with a token, whose rights the client then has.
"""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from urllib.parse import urlencode, urlsplit

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    IdentityAssertionParams,
    RefreshToken,
    RegistrationError,
    TokenError,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl, ValidationError
from starlette.concurrency import run_in_threadpool

from nacre.brain import Nacre
from nacre.brain.doors import Grants
from nacre.domain.access import GRANT_LIFETIMES, Grant, GrantKind
from nacre.domain.checks import is_loopback

RESOURCE, CONSENT = "/mcp", "/oauth/consent"
MAX_NAME, MAX_ADDRESSES, MAX_ADDRESS, MAX_CLIENT = 100, 10, 500, 4_000
# What no browser may be sent to.
REFUSED_SCHEMES = ("javascript", "data", "file", "vbscript", "blob", "about", "ftp", "ws", "wss")
# Where a browser may be sent; it stands in a header of the page, so nothing else may stand in it.
ORIGIN = re.compile(r"https?://[a-z0-9.:\[\]-]+|[a-z][a-z0-9+.-]*:")
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class StoredCode(AuthorizationCode):
    """A code, with the grant that it is."""

    grant: Grant


class StoredRefresh(RefreshToken):
    """A refresh token, with the grant that it is."""

    grant: Grant


class StoredAccess(AccessToken):
    """An access token, with the grant that it is."""

    grant: Grant


class Provider:
    """What the SDK's endpoints ask of an authorization server."""

    def __init__(self, nacre: Nacre, issuer: str) -> None:
        self.issuer = issuer
        self.grants = Grants(nacre.parts)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Register a client: its id is what it registers, and it gets no secret."""
        addresses = [str(each) for each in client_info.redirect_uris or []]
        if not addresses or len(addresses) > MAX_ADDRESSES or not all(map(_is_allowed, addresses)):
            raise RegistrationError(
                "invalid_redirect_uri", "Redirects go to https, to loopback, or to an app's scheme."
            )
        written = {"name": (client_info.client_name or "")[:MAX_NAME], "to": addresses, "scope": client_info.scope}
        client_id = urlsafe_b64encode(json.dumps(written, separators=(",", ":")).encode()).decode().rstrip("=")
        if len(client_id) > MAX_CLIENT:
            raise RegistrationError("invalid_client_metadata", "That is too much to register.")
        client_info.client_id = client_id
        client_info.client_secret = client_info.client_secret_expires_at = None
        client_info.token_endpoint_auth_method = "none"  # noqa: S105 - no password

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """The client that an id describes; nothing where it describes none that could have been registered."""
        if len(client_id) > MAX_CLIENT:
            return None
        try:
            written = json.loads(urlsafe_b64decode(client_id + "=" * (-len(client_id) % 4)))
            addresses = [str(AnyUrl(each)) for each in written["to"]]
            if not addresses or not all(map(_is_allowed, addresses)):
                return None
            return OAuthClientInformationFull(
                client_id=client_id,
                client_name=written["name"] or None,
                redirect_uris=[AnyUrl(each) for each in addresses],
                scope=written["scope"],
                token_endpoint_auth_method="none",  # noqa: S106 - no password
            )
        except (ValueError, TypeError, KeyError, NoBase64, ValidationError):
            return None

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Where a browser goes next: to the page on which consent is given."""
        if params.resource and params.resource.rstrip("/") not in (self.issuer, f"{self.issuer}{RESOURCE}"):
            raise AuthorizeError("invalid_target", "This server signs in to its own memory alone.")
        if not CHALLENGE.fullmatch(params.code_challenge):
            raise AuthorizeError("invalid_request", "The code challenge is no SHA-256.")
        asked = {
            "client_id": client.client_id,
            "redirect_uri": str(params.redirect_uri),
            "named": "yes" if params.redirect_uri_provided_explicitly else "",
            "code_challenge": params.code_challenge,
            "scope": " ".join(params.scopes or []),
            "state": params.state,
        }
        held = {name: value for name, value in asked.items() if value}
        return f"{self.issuer}{CONSENT}?{urlencode(held)}"

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> StoredCode | None:
        """The code that a client holds."""
        grant = await self._read(GrantKind.CODE, authorization_code, client)
        if grant is None:
            return None
        held = grant.details
        return StoredCode(
            code=authorization_code,
            scopes=held.get("scope", "").split(),
            expires_at=grant.expires_at.timestamp(),
            client_id=grant.client,
            code_challenge=held["code_challenge"],
            redirect_uri=AnyUrl(held["redirect_uri"]),
            redirect_uri_provided_explicitly=bool(held.get("named")),
            grant=grant,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: StoredCode
    ) -> OAuthToken:
        """Tokens for a code, once."""
        return await run_in_threadpool(self._exchange, client, authorization_code.grant, authorization_code.scopes)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> StoredRefresh | None:
        """The refresh token that a client holds."""
        grant = await self._read(GrantKind.REFRESH, refresh_token, client)
        if grant is None:
            return None
        ends, scopes = int(grant.expires_at.timestamp()), grant.details.get("scope", "").split()
        return StoredRefresh(token=refresh_token, client_id=grant.client, scopes=scopes, expires_at=ends, grant=grant)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: StoredRefresh, scopes: list[str]
    ) -> OAuthToken:
        """New tokens for a refresh token, once."""
        return await run_in_threadpool(self._exchange, client, refresh_token.grant, scopes)

    async def load_access_token(self, token: str) -> StoredAccess | None:
        """The access token that a client holds."""
        grant = await self._read(GrantKind.ACCESS, token)
        if grant is None:
            return None
        return StoredAccess(token=token, client_id=grant.client, scopes=[], grant=grant)

    async def revoke_token(self, token: StoredAccess | StoredRefresh) -> None:
        """End all that came from the same consent."""
        await run_in_threadpool(self.grants.revoke, token.grant)

    async def exchange_identity_assertion(
        self,
        client: OAuthClientInformationFull,  # noqa: ARG002 - the SDK's signature
        params: IdentityAssertionParams,  # noqa: ARG002
    ) -> OAuthToken:
        """Refused: nobody else may say who somebody is."""
        raise TokenError("unsupported_grant_type")

    async def _read(self, kind: GrantKind, text: str, client: OAuthClientInformationFull | None = None) -> Grant | None:
        grant = await run_in_threadpool(self.grants.read, kind, text)
        return grant if grant and (client is None or grant.client == client.client_id) else None

    def _exchange(self, client: OAuthClientInformationFull, grant: Grant, scopes: list[str]) -> OAuthToken:
        token = grant.principal.token
        if token is None or not self.grants.spend(grant):
            raise TokenError("invalid_grant", "It was used before; sign in again.")
        scope = {"scope": " ".join(scopes)} if scopes else {}
        access, refresh = (
            self.grants.issue(kind, token, client=client.client_id, family=grant.family, details=scope)
            for kind in (GrantKind.ACCESS, GrantKind.REFRESH)
        )
        seconds = int(GRANT_LIFETIMES[GrantKind.ACCESS].total_seconds())
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=seconds, scope=scope.get("scope"))


def origin(address: str) -> str:
    """Where an address leads, as far as a person can judge it: a host, or the scheme of an app."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else f"{parts.scheme}:"


def _is_allowed(address: str) -> bool:
    """Whether a browser may be sent there with a code: by https, to this machine, or to an app by its scheme."""
    parts = urlsplit(address)
    refused = parts.fragment or len(address) > MAX_ADDRESS or parts.scheme in REFUSED_SCHEMES
    if refused or not ORIGIN.fullmatch(origin(address)):
        return False
    return is_loopback(parts.hostname or "") if parts.scheme == "http" else bool(parts.netloc or parts.path)
