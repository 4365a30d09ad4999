"""OAuth 2.1 for `/mcp`, so that hosted assistants can sign in: the SDK's endpoints, and a page of ours for consent."""

from urllib.parse import urlsplit

from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.metadata import MetadataHandler, ProtectedResourceMetadataHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import ClientAuthenticator
from mcp.server.auth.routes import cors_middleware
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from nacre.brain import Nacre
from nacre.domain.checks import is_loopback
from nacre.domain.errors import Misconfigured
from nacre.http.consent import ConsentPage
from nacre.http.oauth_provider import CONSENT, RESOURCE, Provider
from nacre.settings import Settings


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
    page = ConsentPage(nacre, provider)
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

    def __init__(self, provider: Provider) -> None:
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
