"""Assistants sign in to `/mcp` with the SDK's own OAuth client: over a real server, with a page for consent."""

import base64
import hashlib
import json
import re
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx
import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from pydantic import AnyUrl, SecretStr

from mcp import Client
from nacre import Misconfigured, Nacre, Settings
from nacre.cli import listeners
from nacre.cli.addresses import Address
from nacre.http.app import create_app
from tests.serving import answering
from tests.waits import HANGS

BACK = "http://127.0.0.1:9/callback"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
SECRET = "s" * 32
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"accept": "application/json, text/event-stream"}


class Site:
    """A server that assistants can sign in to, and a browser without cookies."""

    def __init__(self, nacre, url):
        self.nacre, self.url = nacre, url
        self.http = httpx.Client(base_url=url, trust_env=False, timeout=HANGS)

    def register(self, **more):
        told = {"redirect_uris": [BACK], "client_name": "Claude & <b>Co</b>", **more}
        return self.http.post("/register", json=told)

    def consent(self, secret, client=None, *, answer="allow", **more):
        """The reply to whoever answers on the page; what was asked comes from `/authorize`."""
        asked = {"client_id": client or self.register().json()["client_id"], "redirect_uri": BACK, "state": "x"}
        asked |= {"response_type": "code", "code_challenge": CHALLENGE, **more}
        sent_on = self.http.get("/authorize", params=asked)
        assert sent_on.status_code == 302, sent_on.text
        page = self.http.get(sent_on.headers["location"])
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        return self.http.post("/oauth/consent", data={**fields, "token": secret, "answer": answer})

    def code(self, secret, client):
        return query(self.consent(secret, client).headers["location"])["code"]

    def exchange(self, client, **more):
        told = {"client_id": client, "redirect_uri": BACK, "code_verifier": VERIFIER, **more}
        return self.http.post("/token", data={"grant_type": "authorization_code", **told})

    def refresh(self, client, token):
        return self.http.post(
            "/token", data={"grant_type": "refresh_token", "client_id": client, "refresh_token": token}
        )

    def ping(self, token):
        return self.http.post("/mcp", json=PING, headers={**ACCEPT, "authorization": f"Bearer {token}"}).status_code


@pytest.fixture
def site(sqlite_url, clock):
    # The SDK looks at the clock of the machine.
    clock.now = datetime.now(UTC)
    with listeners.listening("127.0.0.1", 0) as listener:
        url = Address.of(listener, "a").url
        settings = Settings(embedder="off", worker="off", auth="team", public_url=url, oauth_secret=SecretStr(SECRET))
        with Nacre(sqlite_url, settings=settings, clock=clock) as nacre, answering(nacre, listener):
            site = Site(nacre, url)
            yield site
            site.http.close()


@pytest.fixture
def held(site):
    """A token for one agent and one user."""
    return site.nacre.tokens.issue("ana's laptop", role="agent", agent="assistant", user="ana")


def query(address):
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


class Kept:
    """What the SDK's client keeps."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


@pytest.mark.spec("N3")
def test_the_client_of_the_sdk_signs_in_and_acts_with_the_rights_of_the_token(site, held):
    seen: list[str] = []

    async def follow(address):
        page = site.http.get(site.http.get(address).headers["location"])
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        seen.append(site.http.post("/oauth/consent", data={**fields, "token": held.secret}).headers["location"])

    async def called_back():
        back = query(seen[-1])
        return AuthorizationCodeResult(code=back["code"], state=back["state"], iss=back["iss"])

    async def run():
        metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(BACK)], client_name="Tests")
        auth = OAuthClientProvider(f"{site.url}/mcp", metadata, Kept(), follow, called_back)
        async with (
            httpx2.AsyncClient(auth=auth, timeout=HANGS, trust_env=False) as sender,
            Client(streamable_http_client(f"{site.url}/mcp", http_client=sender), mode="auto") as client,
        ):
            return await client.call_tool("remember", {"text": "Ana plays the oboe."})

    assert not anyio.run(run).is_error
    assert [each.content for each in _memories(site)] == ["Ana plays the oboe."]
    assert site.nacre.scope("assistant", "ana").history(limit=1)[0].actor == "ana's laptop"


def _memories(site):
    return [match.memory for match in site.nacre.scope("assistant", "ana").memories.search()]


def test_a_code_is_good_once_for_its_client_its_address_and_its_verifier(site, held, clock):
    client = site.register().json()["client_id"]
    other = site.register(client_name="Other").json()["client_id"]
    stolen = site.code(held.secret, client)
    refused = [
        site.exchange(other, code=stolen),
        site.exchange(client, code=stolen, code_verifier="w" * 43),
        site.exchange(client, code=stolen, redirect_uri="http://127.0.0.1:9/other"),
        site.exchange(client, code=stolen[:-3] + "AAA"),
        site.exchange(client, code=stolen.replace("nacre_grant_", "")[4:]),
        site.refresh(client, stolen),
    ]
    given = site.exchange(client, code=stolen).json()
    again = site.exchange(client, code=stolen)
    late = site.code(held.secret, client)
    clock.advance(minutes=1)

    assert {reply.status_code for reply in refused} == {400}
    assert again.json()["error"] == "invalid_grant"
    # Whoever sent it again has a copy: what the first one got is over too.
    assert site.ping(given["access_token"]) == 401
    assert site.refresh(client, given["refresh_token"]).json()["error"] == "invalid_grant"
    assert site.exchange(client, code=late).json()["error"] == "invalid_grant"


def test_access_ends_in_an_hour_and_is_refreshed_once(site, held, clock):
    client = site.register().json()["client_id"]
    first = site.exchange(client, code=site.code(held.secret, client)).json()
    assert site.ping(first["access_token"]) == 200
    assert site.ping(first["refresh_token"]) == 401
    clock.advance(hours=1)
    assert site.ping(first["access_token"]) == 401

    second = site.refresh(client, first["refresh_token"]).json()
    assert site.ping(second["access_token"]) == 200
    assert site.refresh(client, first["refresh_token"]).status_code == 400
    assert site.ping(second["access_token"]) == 401


def test_what_is_revoked_opens_nothing(site, held):
    client = site.register().json()["client_id"]
    by_client, by_owner = (site.exchange(client, code=site.code(held.secret, client)).json() for _ in range(2))
    site.http.post("/revoke", data={"client_id": client, "token": by_client["access_token"]})
    assert (site.ping(by_client["access_token"]), site.ping(by_owner["access_token"])) == (401, 200)
    # A purge of what all share lets go of idempotency keys, not of these.
    shared = site.nacre.scope("assistant")
    shared.forget(shared.remember("The office is in Faro.").memory.id, purge=True)
    assert site.refresh(client, by_client["refresh_token"]).status_code == 400

    site.nacre.tokens.revoke(held.token.id)
    assert site.ping(by_owner["access_token"]) == 401
    assert site.refresh(client, by_owner["refresh_token"]).status_code == 400


def test_a_sign_in_opens_mcp_and_nothing_else(site, held):
    client = site.register().json()["client_id"]
    access = site.exchange(client, code=site.code(held.secret, client)).json()["access_token"]
    route = "/v1/agents/assistant/recall?user=ana"
    assert site.http.post(route, json={"query": "x"}, headers={"authorization": f"Bearer {access}"}).status_code == 401


def test_the_page_says_who_asks_and_lets_nobody_in_without_a_token(site, held):
    wrong = site.consent("nacre_000000000000_wrong")
    empty = site.consent("")
    no = site.consent("", answer="deny")

    assert {wrong.status_code, empty.status_code} == {401}
    assert "Claude &amp; &lt;b&gt;Co&lt;/b&gt;" in wrong.text
    assert "http://127.0.0.1:9" in wrong.text
    assert "frame-ancestors 'none'" in wrong.headers["content-security-policy"]
    assert query(no.headers["location"]) == {"error": "access_denied", "state": "x", "iss": site.url}
    assert [denial.called for denial in site.nacre.tokens.denials()] == ["POST /oauth/consent"] * 2


@pytest.mark.parametrize(
    "address",
    [
        "http://evil.example/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://ok.example/#part",
        "https://ana:pw@ok.example/",
        "https://a;script-src */",
    ],
)
def test_a_browser_is_sent_nowhere_odd(site, address):
    written = json.dumps({"name": "x", "to": [address], "scope": None}).encode()
    forged = base64.urlsafe_b64encode(written).decode().rstrip("=")
    asked = {"client_id": forged, "redirect_uri": address, "response_type": "code", "code_challenge": CHALLENGE}

    assert site.register(redirect_uris=[address]).status_code == 400
    assert site.http.get("/authorize", params=asked).status_code == 400
    assert site.http.get("/oauth/consent", params=asked).status_code == 400


@pytest.mark.parametrize("address", ["https://claude.ai/api/mcp/auth_callback", "cursor://anysphere.cursor/cb", BACK])
def test_only_the_very_address_that_was_registered_is_redirected_to(site, held, address):
    client = site.register(redirect_uris=[address]).json()["client_id"]
    assert site.consent(held.secret, client, redirect_uri=address).headers["location"].startswith(f"{address}?")
    asked = {"client_id": client, "redirect_uri": f"{address}/more", "code_challenge": CHALLENGE}
    assert site.http.get("/authorize", params={**asked, "response_type": "code"}).status_code == 400
    assert site.http.post("/oauth/consent", data={**asked, "token": held.secret}).status_code == 400


def test_a_caller_without_a_token_is_told_where_to_sign_in(site):
    refused = site.http.post("/mcp", json=PING, headers=ACCEPT)
    told = re.search(r'resource_metadata="([^"]+)"', refused.headers["www-authenticate"])
    assert told
    resource = site.http.get(told[1]).json()
    server = site.http.get("/.well-known/oauth-authorization-server").json()

    assert resource["resource"] == f"{site.url}/mcp"
    assert resource["authorization_servers"] == [server["issuer"]] == [site.url]
    assert server["code_challenge_methods_supported"] == ["S256"]


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"public_url": "https://x.example"}, "NACRE_OAUTH_SECRET"),
        ({"public_url": "http://x.example", "oauth_secret": SECRET}, "https"),
    ],
)
def test_half_a_sign_in_is_refused_at_the_start(sqlite_url, given, match):
    with (
        Nacre(sqlite_url, settings=Settings(embedder="off", worker="off", auth="team", **given)) as nacre,
        pytest.raises(Misconfigured, match=match),
    ):
        create_app(nacre)
