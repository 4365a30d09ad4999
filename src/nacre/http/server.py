"""Routes about the server itself: its agents, its tokens, and how it is set up."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query
from starlette.responses import Response

from nacre import __version__
from nacre.brain import Nacre
from nacre.domain.access import LOCAL, IssuedToken, Permission, Token
from nacre.domain.forgetting import ForgetReport
from nacre.domain.sharing import SharingSettings
from nacre.http.bodies import LINE, DatabaseReply, HealthReply
from nacre.http.doors import AgentPath, Entered, OfAgentId, brain, needs
from nacre.http.queries import AN_ID, BeforeTime, Limit, Offset
from nacre.http.server_bodies import (
    AgentsReply,
    CallerReply,
    DenialsReply,
    ScopesReply,
    SettingsReply,
    SharingBody,
    TokenBody,
    TokensReply,
)
from nacre.http.shapes import SnakeRoute
from nacre.settings import placed, shown

router = APIRouter(tags=["server"], route_class=SnakeRoute)

UserPath = Annotated[str, Path(description="A user of the agent.", examples=["ana"], json_schema_extra=LINE)]
Purge = Annotated[bool, Query(description="Remove it for good. Else it stays readable as of earlier.")]
TokenPath = Annotated[UUID, Path(description="Its id.", examples=[AN_ID])]


@router.get("/health")
def health(nacre: Annotated[Nacre, Depends(brain)]) -> HealthReply:
    """Whether the server and its database answer; anyone may ask."""
    database = nacre.parts.database
    database.ping()
    return HealthReply(status="ok", version=__version__, database=DatabaseReply(kind=database.kind, ok=True))


@router.get("/v1/agents", **needs(Permission.ADMIN))
def agents(door: Entered, limit: Limit = 100, offset: Offset = 0) -> AgentsReply:
    """Every agent that something was kept for, by name."""
    return AgentsReply(agents=door.server().agents()[offset : offset + limit])


@router.get("/v1/agents/{agent}/scopes", **needs(Permission.RECALL))
def scopes(agent: AgentPath, door: Entered, limit: Limit = 100, offset: Offset = 0) -> ScopesReply:
    """The users and chats that an agent keeps something for, its own memory first."""
    found = door.agent(agent).scopes(limit=limit, offset=offset)
    return ScopesReply(scopes=found, limit=limit, offset=offset)


@router.delete("/v1/agents/{agent}/users/{name}", **needs(Permission.FORGET))
def forget_user(agent: AgentPath, name: UserPath, door: Entered, purge: Purge = False) -> ForgetReport:
    """Forget everything of a user with an agent, in every chat; `purge` removes it for good."""
    return door.forget_user(agent, name, purge=purge)


@router.get("/v1/me", **needs(Permission.RECALL))
def me(scope: OfAgentId, door: Entered) -> CallerReply:
    """Who calls, what they may do, and whose memory is meant where they name none."""
    caller = door.principal
    return CallerReply(
        name=caller.name,
        local=caller == LOCAL,
        role=caller.role,
        permissions=sorted(caller.role.permissions),
        bound_agent=caller.agent,
        bound_user=caller.user,
        agent=scope.scope.agent,
        user=scope.scope.user,
    )


@router.get("/v1/agents/{agent}/sharing", **needs(Permission.ADMIN))
def sharing(agent: AgentPath, door: Entered) -> SharingSettings:
    """What an agent shares among its users, and with other agents."""
    return door.agent(agent).sharing()


@router.patch("/v1/agents/{agent}/sharing", **needs(Permission.ADMIN))
def share(agent: AgentPath, body: SharingBody, door: Entered) -> SharingSettings:
    """Change what an agent shares. Nothing is moved or lost."""
    return door.agent(agent).share(
        knowledge_graph=body.share_knowledge_graph, memory=body.share_memory, read_policy=body.read_policy
    )


@router.post("/v1/tokens", status_code=201, **needs(Permission.ADMIN))
def issue_token(body: TokenBody, door: Entered, response: Response) -> IssuedToken:
    """Issue a token. Its secret is in this reply and nowhere else."""
    issued = door.server().tokens.issue(**body.model_dump())
    response.headers["Cache-Control"] = "no-store"
    return issued


@router.get("/v1/tokens", **needs(Permission.ADMIN))
def tokens(door: Entered, limit: Limit = 100, offset: Offset = 0) -> TokensReply:
    """Tokens, the newest first, those that are over included; never their secrets."""
    return TokensReply(tokens=door.server().tokens.list()[offset : offset + limit])


@router.delete("/v1/tokens/{token}", **needs(Permission.ADMIN))
def revoke_token(token: TokenPath, door: Entered) -> Token:
    """Have a token open nothing from now on."""
    return door.server().tokens.revoke(token)


@router.get("/v1/denials", **needs(Permission.ADMIN))
def denials(door: Entered, limit: Limit = 50, before: BeforeTime = None) -> DenialsReply:
    """The calls of the last 30 days that were turned away, the last first."""
    return DenialsReply(denials=door.server().tokens.denials(limit=limit, before=before))


@router.get("/v1/settings", **needs(Permission.ADMIN))
def settings(door: Entered) -> SettingsReply:
    """How the server is set up; of secrets, only whether there are any. A database in a file has its whole path."""
    settings = door.server().parts.settings
    return SettingsReply(settings={**shown(settings), "database": placed(settings.database)})
