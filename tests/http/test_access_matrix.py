"""Every route, for every role, in every place: exactly what is permitted, and nothing of anybody else's.

The calls are made from the schema. A new route is in here as soon as the application has it. One function judges tokens
for all routes: so one route of each kind is asked with every token for every place, and the others with those on either
side of the line that it draws. `--both-databases` asks them all with every token.
"""

import re
from collections.abc import Collection
from datetime import timedelta
from functools import cache

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from nacre import Nacre, Settings
from nacre.domain.access import AccessRole, IssuedToken, Permission
from nacre.http.app import FAMILIES, create_app
from nacre.http.doors import NEEDS
from tests.conftest import MovableClock
from tests.http.calls import FAMILY_ROUTERS, WORD, Operation, named, of_family, operations

pytestmark = pytest.mark.spec("S19")

# What anyone may ask. A route that is to be added here needs a reason.
# Those that watch over a process hold no token, and are told nothing of anybody's.
OPEN = {("GET", "/health"), ("GET", "/health/live"), ("GET", "/health/ready")}

AGENT, OTHER = "assistant", "other"
ANA, BEN = "ana", "ben"
TARGETS = [(AGENT, ANA), (AGENT, BEN), (OTHER, ANA), (AGENT, None)]
OWNERS = {(AGENT, ANA): "marrow", (AGENT, BEN): "nettle", (AGENT, None): "ochre", (OTHER, ANA): "pewter"}


@cache
def first_of_kind() -> Collection[Operation]:
    """The first route of each kind: what it needs, whose matter it is, and where it is told the user."""
    return {(each.permission, each.level, *each.places()): each for each in reversed(guarded(operations()))}.values()


def guarded(among: Collection[Operation]) -> list[Operation]:
    """The operations that ask for a permission."""
    return [each for each in among if each.permission]


def settings():
    return Settings(embedder="off", worker="off", auth="team", rate_limit=0)


def seed(nacre):
    """Something of every kind for everybody, each with a word of their own."""
    for (agent, user), secret in OWNERS.items():
        scope = nacre.scope(agent, user)
        text = f"I moved to {WORD} and the password hint is {secret}."
        scope.observe("user", text, session="s1", speaker="Kim")
        scope.remember(text, category="general", tags=[secret])
        scope.working("session/s1").save("draft", text, ttl=timedelta(days=1))
        scope.feedback.record("correction", f"{WORD} {secret}", detail=text, session="s1")
        scope.skills.save("email/reply", summary=f"{WORD} {secret}", content=text)
        scope.ontology.set("Kim", "home/general/city", f"{WORD} {secret}")
        scope.summaries.summarize("s1")
        scope.dreams.run(["decay"])
    nacre.parts.worker.drain()


def brains():
    """A brain in which everybody has something."""
    with Nacre(":memory:", settings=settings(), clock=MovableClock()) as nacre:
        seed(nacre)
        yield nacre


def clients(nacre):
    """A client from another machine."""
    with TestClient(create_app(nacre), client=("10.0.0.9", 1), raise_server_exceptions=False) as client:
        yield client


# One for calls of which only the status matters, and one in which nobody but Ana changes anything.
shared = pytest.fixture(scope="module", name="shared")(brains)
quiet = pytest.fixture(scope="module", name="quiet")(brains)


@pytest.fixture(scope="module")
def client(shared):
    yield from clients(shared)


@pytest.fixture(scope="module")
def quiet_client(quiet):
    yield from clients(quiet)


@pytest.fixture(scope="module")
def tokens(shared):
    """Secrets by what they are bound to and their role, from the one with the least rights to the one with the most."""
    made: dict[tuple[str | None, str | None, AccessRole], IssuedToken]
    made = {(AGENT, ANA, role): shared.tokens.issue("t", role, agent=AGENT, user=ANA) for role in reversed(AccessRole)}
    made[AGENT, None, AccessRole.ADMIN] = shared.tokens.issue("t", AccessRole.ADMIN, agent=AGENT)
    made[None, None, AccessRole.ADMIN] = shared.tokens.issue("t", AccessRole.ADMIN)
    return {bound: issued.secret for bound, issued in made.items()}


def permitted(operation, bound, agent, user):
    """The rule, in the words of the document: the role's permission, within the token's agent and user."""
    token_agent, token_user, role = bound
    if operation.permission not in role.permissions:
        return False
    if operation.level == "server":
        return token_agent is None
    if token_agent not in (None, agent):
        return False
    if operation.level == "agent":
        return token_user is None
    # Who names no user means the one that the token is for.
    return token_user is None or user in (None, token_user)


def send(client, call, secret=None):
    headers = dict(call.get("headers", {}))
    if secret:
        headers["authorization"] = f"Bearer {secret}"
    return client.request(**{**call, "headers": headers})


def test_every_route_says_what_it_needs():
    routes = [route for family in FAMILIES for route in family.router.routes if isinstance(route, APIRoute)]
    methods = [(method, route) for route in routes for method in route.methods or ()]
    silent = {(method, route.path) for method, route in methods if NEEDS not in (route.openapi_extra or {})}

    assert silent <= OPEN
    assert all(route.include_in_schema for route in routes), "a route that the schema hides is tested by nobody"
    assert len(guarded(operations())) == len(methods) - len(OPEN)
    assert sorted(str(each) for name in FAMILY_ROUTERS for each in of_family(name)) == sorted(map(str, operations()))


def test_nothing_else_is_there_but_what_is_known_to_be():
    """Routes beside the families have tests of their own, or show nothing of anybody's."""
    families = {route.path for family in FAMILIES for route in family.router.routes}
    with Nacre(":memory:", settings=settings()) as nacre:
        beside = {getattr(route, "path", None) for route in create_app(nacre).routes} - families - {None}

    assert beside <= {"/openapi.json", "/docs", "/mcp", "/", "/assets", "/nacre.svg"}


def cells(operation, bounds, *, every):
    """Tokens and what they ask for: the token's bounds, the agent, the user, and where the user is named.

    What a token opens, one with more rights opens, too. Unless every cell is asked for, a place is tried with the least
    of the tokens that open it and with the greatest that does not.
    """
    for agent, user in TARGETS if operation.level == "scope" else [(AGENT, None), (OTHER, None)]:
        refused = [bound for bound in bounds if not permitted(operation, bound, agent, user)]
        let_in = [bound for bound in bounds if bound not in refused]
        for place in operation.places() if user == BEN else ["anywhere"]:
            for bound in bounds if every else (*refused[-1:], *let_in[:1]):
                yield bound, agent, user, place


@pytest.mark.parametrize("family", FAMILY_ROUTERS)
def test_a_route_lets_in_exactly_whom_it_should(request, client, tokens, family):
    wrong = []
    for operation in guarded(of_family(family)):
        every = operation in first_of_kind() or request.config.getoption("both_databases")
        for bound, agent, user, place in cells(operation, list(tokens), every=every):
            reply = send(client, operation.request(agent, user, place=place), tokens[bound])
            allowed = permitted(operation, bound, agent, user)
            fits = reply.status_code not in (401, 403) if allowed else reply.status_code == 403
            if not fits or reply.status_code >= 500:
                wrong.append((str(operation), bound, agent, user, place, allowed, reply.status_code, reply.text[:300]))
    assert not wrong


@pytest.fixture(scope="module")
def revoked(shared):
    """A secret that was good for everything."""
    over = shared.tokens.issue("over", AccessRole.ADMIN)
    shared.tokens.revoke(over.token.id)
    return over.secret


@pytest.mark.parametrize("family", FAMILY_ROUTERS)
def test_without_a_valid_token_nothing_opens(client, revoked, tokens, family):
    admin = tokens[None, None, AccessRole.ADMIN]
    for operation in guarded(of_family(family)):
        call = operation.request(AGENT, ANA)
        for secret in (None, revoked, admin[:-1], "nacre_0_0") if operation in first_of_kind() else (None, revoked):
            reply = send(client, call, secret)
            with named(operation):
                assert (reply.status_code, reply.json()["error"]["code"]) == (401, "unauthenticated")
                assert reply.headers["www-authenticate"] == "Bearer"


def test_an_expired_token_opens_no_route(client, shared):
    short = shared.tokens.issue(
        "short", AccessRole.ADMIN, expires_at=shared.parts.database.clock() + timedelta(hours=1)
    )
    shared.parts.database.clock.advance(hours=1)

    assert {send(client, each.request(AGENT, ANA), short.secret).status_code for each in guarded(operations())} == {401}


@pytest.fixture(scope="module")
def foreign_ids(quiet):
    """Ids of all kinds that somebody else owns."""
    scope = quiet.scope(AGENT, BEN)
    claims = scope.ontology.versions("Kim", "home/general/city")
    owned = [
        scope.memories.search()[0].memory,
        scope.recall(WORD).hits[0].source,
        scope.graph.get("Kim"),
        *claims[:1],
        *scope.history(limit=1),
        *scope.jobs.list(limit=1),
    ]
    return [str(each.id) for each in owned]


@pytest.mark.parametrize("family", FAMILY_ROUTERS)
def test_a_route_shows_nothing_of_anybody_else(quiet, quiet_client, foreign_ids, family):
    """Not by asking, not by naming ids that belong to others, and not even to an administrator of all agents."""
    foreign = {secret for owner, secret in OWNERS.items() if owner != (AGENT, ANA)}
    own = quiet.tokens.issue("t", AccessRole.ADMIN, agent=AGENT, user=ANA).secret
    every = quiet.tokens.issue("t", AccessRole.ADMIN).secret
    for operation in guarded(of_family(family)):
        if operation.level != "scope":
            continue
        ids_in_path = re.findall(r"\{(\w+)\}", operation.path.replace("{agent}", ""))
        for secret, ids in [(own, None), (every, None), *((own, each) for each in foreign_ids if ids_in_path)]:
            reply = send(quiet_client, operation.request(AGENT, ANA, ids=ids, word=WORD), secret)
            with named(operation):
                assert reply.status_code < 500
                assert not [word for word in foreign if word in reply.text], reply.text[:2_000]


def test_what_nobody_else_is_shown_is_shown_to_its_owner(quiet, quiet_client):
    """Or the test above could not fail."""
    secret = quiet.tokens.issue("t", AccessRole.ADMIN, agent=AGENT, user=BEN).secret
    reading = [each for each in guarded(operations()) if each.permission is Permission.RECALL and each.level == "scope"]

    replies = {str(each): send(quiet_client, each.request(AGENT, BEN, word=WORD), secret).text for each in reading}
    showing = {name for name, text in replies.items() if OWNERS[AGENT, BEN] in text}
    assert showing >= {
        "POST /v1/agents/{agent}/recall",
        "GET /v1/agents/{agent}/working",
        "GET /v1/agents/{agent}/audit",
        "GET /v1/agents/{agent}/summaries",
    }
    assert len(showing) >= 12


def test_denied_calls_are_on_record_over_http(client, shared, tokens):
    shared.parts.database.clock.advance(seconds=1)
    send(client, {"method": "GET", "url": f"/v1/agents/{OTHER}/audit"}, tokens[AGENT, ANA, AccessRole.READONLY])

    listed = send(client, {"method": "GET", "url": "/v1/denials"}, tokens[None, None, AccessRole.ADMIN]).json()[
        "denials"
    ]
    assert (listed[0]["called"], listed[0]["agent"]) == (f"GET /v1/agents/{OTHER}/audit", OTHER)


@pytest.mark.spec("G11")
@pytest.mark.parametrize(("graph", "memory"), [(True, False), (False, True), (True, True)])
def test_every_route_answers_where_an_agent_shares(graph, memory):
    """What is shared is in another scope than what is not, and no statement may name two."""
    for nacre in brains():
        for agent in (AGENT, OTHER):
            nacre.agent(agent).share(knowledge_graph=graph, memory=memory)
        seed(nacre)
        secret = nacre.tokens.issue("t", AccessRole.ADMIN).secret
        for client in clients(nacre):
            replies = {str(each): send(client, each.request(AGENT, ANA), secret) for each in guarded(operations())}

    assert not {name: reply.text for name, reply in replies.items() if reply.status_code >= 500}
