"""OAuth 2.1 for `/mcp`, so that hosted assistants can sign in: the SDK's endpoints, and a page of ours for consent.

Clients are public and prove themselves by PKCE. A client id is what was registered, in writing: anyone may register,
so there is nothing to keep and nothing to forge. Consent is given with a token, whose rights the client then has.
"""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from urllib.parse import urlencode, urlsplit

from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.metadata import MetadataHandler, ProtectedResourceMetadataHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import ClientAuthenticator
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
from mcp.server.auth.routes import cors_middleware
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, OAuthToken, ProtectedResourceMetadata
from pydantic import AnyHttpUrl, AnyUrl, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from nacre.brain import Nacre
from nacre.brain.doors import Grants
from nacre.domain.access import GRANT_LIFETIMES, Grant, GrantKind
from nacre.domain.errors import Misconfigured
from nacre.http.guards import is_loopback
from nacre.settings import Settings

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


def is_on(settings: Settings) -> bool:
    """Whether assistants can sign in."""
    return settings.auth != "local" and settings.public_url is not None


def challenge(settings: Settings) -> str:
    """What a caller without a token is told: where to find out how to sign in, where one can."""
    if not is_on(settings):
        return "Bearer"
    return f'Bearer resource_metadata="{settings.public_url}/.well-known/oauth-protected-resource{RESOURCE}"'


def routes(nacre: Nacre) -> list[Route]:
    """The endpoints of sign-in; none where the settings name no address."""
    settings = nacre.parts.settings
    issuer = settings.public_url
    if issuer is None or not is_on(settings):
        return []
    parts = urlsplit(issuer)
    if parts.scheme != "https" and not is_loopback(parts.hostname or ""):
        raise Misconfigured("Sign-in is for https alone: NACRE_PUBLIC_URL must begin with it.")
    from nacre.http import consent  # noqa: PLC0415 - which needs this module

    provider = Provider(nacre, issuer)
    clients = ClientAuthenticator(provider)
    options = ClientRegistrationOptions(enabled=True)
    resource = ProtectedResourceMetadata(
        resource=AnyHttpUrl(f"{issuer}{RESOURCE}"),
        # As text, so that it stays the very address of the issuer.
        authorization_servers=[issuer],  # type: ignore[list-item]
        resource_name="Nacre",
    )
    posting = ["POST", "OPTIONS"]
    reading = ["GET", "OPTIONS"]
    page = consent.ConsentPage(nacre, provider)
    served = {
        f"/.well-known/oauth-protected-resource{RESOURCE}": (
            ProtectedResourceMetadataHandler(resource).handle,
            reading,
        ),
        "/.well-known/oauth-authorization-server": (MetadataHandler(_metadata(issuer)).handle, reading),
        "/register": (RegistrationHandler(provider, options).handle, posting),
        "/token": (TokenHandler(provider, clients).handle, posting),
        "/revoke": (Revocation(provider).handle, posting),
    }
    return [
        *(
            Route(path, cors_middleware(handler, methods), methods=methods, include_in_schema=False)
            for path, (handler, methods) in served.items()
        ),
        Route("/authorize", AuthorizationHandler(provider).handle, methods=["GET", "POST"], include_in_schema=False),
        Route(CONSENT, page.show, methods=["GET"], include_in_schema=False),
        Route(CONSENT, page.decide, methods=["POST"], include_in_schema=False),
    ]


def _metadata(issuer: str) -> OAuthMetadata:
    return OAuthMetadata.model_validate(
        {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "registration_endpoint": f"{issuer}/register",
            "revocation_endpoint": f"{issuer}/revoke",
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }
    )


class Revocation:
    """The endpoint at which a client ends its sign-in. The SDK's own wants a secret, which public clients have not."""

    def __init__(self, provider: "Provider") -> None:
        self._provider = provider

    async def handle(self, request: Request) -> Response:
        """End what a token of the client belongs to; one that is nothing is no error."""
        form = await request.form()
        client = await self._provider.get_client(str(form.get("client_id", "")))
        if client is None:
            return Response(status_code=401)
        text = str(form.get("token", ""))
        token = await self._provider.load_access_token(text) or await self._provider.load_refresh_token(client, text)
        if token and token.client_id == client.client_id:
            await self._provider.revoke_token(token)
        return Response(headers={"Cache-Control": "no-store"})


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
