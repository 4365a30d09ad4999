"""`/v1/agents/{agent}/vault`: documents, their links, teams, and one search over documents, episodes and the graph."""

from typing import Annotated

from fastapi import APIRouter, Path

from nacre.domain.access import Permission
from nacre.domain.documents import Document, DocumentInfo, DocumentLinks, SavedDocument, VaultHits
from nacre.domain.forgetting import ForgetReport
from nacre.http.bodies import LINE
from nacre.http.doors import AgentPath, Entered, OfAgent, needs
from nacre.http.queries import AsOf, Limit, Offset
from nacre.http.shapes import SnakeRoute
from nacre.http.vault_bodies import (
    Archived,
    Below,
    BrokenReply,
    DocumentBody,
    DocumentsReply,
    FileBody,
    For,
    MembersBody,
    OfTeam,
    One,
    SelectBody,
    TeamsReply,
    VaultSearchBody,
)

router = APIRouter(prefix="/v1/agents/{agent}/vault", tags=["vault"], route_class=SnakeRoute)

TeamPath = Annotated[str, Path(description="A team.", examples=["platform"], json_schema_extra=LINE)]


@router.post("/documents", status_code=201, **needs(Permission.DOCUMENTS))
def save_document(agent: AgentPath, body: DocumentBody, door: Entered) -> SavedDocument:
    """Keep a Markdown document, in place of what its path held; that stays readable as of before."""
    return body.scope(door, agent).vault.save(**body.arguments())


@router.post("/files", status_code=201, **needs(Permission.DOCUMENTS))
def add_file(agent: AgentPath, body: FileBody, door: Entered) -> SavedDocument:
    """Keep what a PDF, Word, HTML, Markdown or text file says as a document, in place of what its path held."""
    return body.scope(door, agent).vault.add_file(**body.arguments())


@router.get("/documents", **needs(Permission.RECALL))
def documents(
    scope: OfAgent,
    *,
    prefix: Below = None,
    visibility: For = None,
    team: OfTeam = None,
    archived: Archived = False,
    as_of: AsOf = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> DocumentsReply:
    """Documents without their words, the last changed first."""
    found = scope.vault.list(
        prefix=prefix, visibility=visibility, team=team, archived=archived, as_of=as_of, limit=limit, offset=offset
    )
    return DocumentsReply(documents=found)


@router.get("/document", **needs(Permission.RECALL))
def document(
    scope: OfAgent, document: One, visibility: For = None, team: OfTeam = None, as_of: AsOf = None
) -> Document:
    """A document with its words, as it is or as it was at a moment."""
    return scope.vault.get(document, visibility=visibility, team=team, as_of=as_of)


@router.delete("/document", **needs(Permission.DOCUMENTS))
def delete_document(scope: OfAgent, document: One, visibility: For = None, team: OfTeam = None) -> ForgetReport:
    """Remove a document for good, with all it ever said and what was learned from it alone."""
    return scope.vault.delete(document, visibility=visibility, team=team)


@router.post("/archive", **needs(Permission.DOCUMENTS))
def archive_document(agent: AgentPath, body: SelectBody, door: Entered) -> DocumentInfo:
    """Take a document out of force; it stays readable as of before."""
    return body.scope(door, agent).vault.archive(body.document, **body.options())


@router.post("/restore", **needs(Permission.DOCUMENTS))
def restore_document(agent: AgentPath, body: SelectBody, door: Entered) -> SavedDocument:
    """Put an archived document back in force."""
    return body.scope(door, agent).vault.restore(body.document, **body.options())


@router.get("/links", **needs(Permission.RECALL))
def document_links(scope: OfAgent, document: One, visibility: For = None, team: OfTeam = None) -> DocumentLinks:
    """The wikilinks of a document with the documents they lead to, and those that lead to it."""
    return scope.vault.links(document, visibility=visibility, team=team)


@router.get("/broken", **needs(Permission.RECALL))
def broken_links(scope: OfAgent, limit: Limit = 100, offset: Offset = 0) -> BrokenReply:
    """The wikilinks that lead to no document that the caller may see."""
    return BrokenReply(links=scope.vault.broken(limit=limit, offset=offset))


@router.post("/search", **needs(Permission.RECALL))
def vault_search(agent: AgentPath, body: VaultSearchBody, door: Entered) -> VaultHits:
    """Search documents (0.4), episodes (0.3) and the graph (0.3) at once, each scored by how well it fits."""
    return body.scope(door, agent).vault.search(**body.arguments())


@router.get("/teams", **needs(Permission.ADMIN))
def teams(agent: AgentPath, door: Entered) -> TeamsReply:
    """The teams of an agent and their members."""
    return TeamsReply(teams=door.agent(agent).teams.list())


@router.put("/teams/{team}", **needs(Permission.ADMIN))
def set_team(agent: AgentPath, team: TeamPath, body: MembersBody, door: Entered) -> TeamsReply:
    """Let a team have these members and no others; without any, there is no such team."""
    return TeamsReply(teams=door.agent(agent).teams.set(team, body.members))
