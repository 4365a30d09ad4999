"""The page on which whoever holds a token lets an assistant in."""

import secrets
from collections.abc import Mapping
from html import escape

from mcp.server.auth.provider import construct_redirect_uri
from mcp.shared.auth import InvalidRedirectUriError, OAuthClientInformationFull
from pydantic import AnyUrl, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from nacre.brain import Nacre, enter
from nacre.domain.access import GrantKind, Permission
from nacre.domain.errors import NacreError, RateLimited
from nacre.http.oauth_provider import CHALLENGE, CONSENT, Provider, origin

# What a sign-in is about, as the page hands it on.
CARRIED = ("client_id", "redirect_uri", "named", "code_challenge", "scope", "state")
MAX_SECRET = 500
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nacre: let an assistant in</title>
<style nonce="{nonce}">
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem; }}
input {{ width: 100%; font: inherit; padding: .4rem; box-sizing: border-box; }}
button {{ font: inherit; padding: .4rem 1rem; margin-top: 1rem; }}
.wrong {{ color: #b00020; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #111; color: #eee; }} .wrong {{ color: #ff8a80; }} }}
</style></head><body>
<h1>Let an assistant in?</h1>
<p><strong>{name}</strong> asks to use this memory. It will be sent to <strong>{target}</strong>.
Go on only if you have just asked an assistant there to connect.</p>
<p>It will be able to do what the token that you enter can do. Revoking that token ends it.</p>
{problem}<form method="post" action="{action}">{hidden}
<label for="token">A token of this server (<code>nacre token issue</code>)</label>
<input id="token" name="token" type="password" autocomplete="off" autofocus required>
<button name="answer" value="allow">Let it in</button>
<button name="answer" value="deny" formnovalidate>No</button>
</form></body></html>
"""
BROKEN = "This sign-in is broken or was changed on its way. Start again in your assistant."


class ConsentPage:
    """Asks for a token, and sends the browser back to the client with a code."""

    def __init__(self, nacre: Nacre, provider: Provider) -> None:
        self._nacre = nacre
        self._provider = provider

    async def show(self, request: Request) -> Response:
        """Ask."""
        asked = {name: request.query_params.get(name, "") for name in CARRIED}
        client = await self._client(asked)
        return self._page(client, asked) if client else HTMLResponse(BROKEN, status_code=400, headers=_headers())

    async def decide(self, request: Request) -> Response:
        """Send the browser back, with a code where the token opens something."""
        form = {name: str(value) for name, value in (await request.form()).items()}
        asked = {name: form.get(name, "") for name in CARRIED}
        client = await self._client(asked)
        if client is None:
            return HTMLResponse(BROKEN, status_code=400, headers=_headers())
        if form.get("answer") == "deny":
            return self._back(asked, error="access_denied")
        try:
            code = await run_in_threadpool(self._code, request, asked, form.get("token", "").strip()[:MAX_SECRET])
        except NacreError as error:
            return self._page(client, asked, problem=str(error), status=429 if isinstance(error, RateLimited) else 401)
        return self._back(asked, code=code)

    async def _client(self, asked: dict[str, str]) -> OAuthClientInformationFull | None:
        """The client, if it registered the very address that is to be redirected to; that is then spelt as there."""
        client = await self._provider.get_client(asked["client_id"])
        if client is None or not CHALLENGE.fullmatch(asked["code_challenge"]):
            return None
        try:
            asked["redirect_uri"] = str(client.validate_redirect_uri(AnyUrl(asked["redirect_uri"])))
        except (InvalidRedirectUriError, ValidationError):
            return None
        return client

    def _code(self, request: Request, asked: Mapping[str, str], secret: str) -> str:
        address = request.client.host if request.client else ""
        # No token is never good enough here, not even for whoever is at the machine itself.
        door = enter(self._nacre, secret, Permission.RECALL, called=f"POST {CONSENT}", address=address, at_home=False)
        token = door.principal.token
        if token is None:
            raise TypeError("Whoever came in has no token.")
        kept = {name: asked[name] for name in ("redirect_uri", "named", "code_challenge", "scope") if asked[name]}
        return self._provider.grants.issue(GrantKind.CODE, token, client=asked["client_id"], details=kept)

    def _back(self, asked: Mapping[str, str], **answer: str) -> Response:
        state = {"state": asked["state"]} if asked["state"] else {}
        url = construct_redirect_uri(asked["redirect_uri"], **answer, **state, iss=self._provider.issuer)
        return RedirectResponse(url, status_code=303, headers={"Cache-Control": "no-store", **_REFERRER})

    def _page(
        self, client: OAuthClientInformationFull, asked: Mapping[str, str], *, problem: str = "", status: int = 200
    ) -> Response:
        nonce, target = secrets.token_urlsafe(16), origin(asked["redirect_uri"])
        hidden = "".join(
            f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in asked.items() if value
        )
        text = PAGE.format(
            nonce=nonce,
            name=escape(client.client_name or "A client without a name"),
            target=escape(target),
            problem=f'<p class="wrong" role="alert">{escape(problem)}</p>\n' if problem else "",
            action=CONSENT,
            hidden=hidden,
        )
        return HTMLResponse(text, status_code=status, headers=_headers(nonce, target))


_REFERRER = {"Referrer-Policy": "no-referrer"}


def _headers(nonce: str = "", target: str = "") -> dict[str, str]:
    # A browser counts the redirect after a form as part of its action.
    allowed = f"default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self' {target}; base-uri 'none'; "
    return {
        "Content-Security-Policy": f"{allowed}frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cache-Control": "no-store",
        **_REFERRER,
    }
