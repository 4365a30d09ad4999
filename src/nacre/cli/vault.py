"""`nacre vault`: documents, their links, and one search over documents, episodes and the graph."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from nacre.brain import Nacre, ScopedNacre
from nacre.cli import options, output
from nacre.cli.options import group
from nacre.cli.scoped import scoped, whole
from nacre.cli.upkeep import DryRun
from nacre.domain.documents import (
    Document,
    DocumentInfo,
    DocumentLink,
    DocumentLinks,
    SavedDocument,
    SyncReport,
    VaultHit,
    VaultHits,
    Visibility,
)
from nacre.domain.forgetting import ForgetReport

app = group(
    "Keep documents, for yourself, for a team or for all users of an agent.",
    "nacre vault sync ~/notes --user ana",
    "nacre vault add runbooks/deploy.md deploy.md --visibility shared",
    "nacre vault search 'how do we deploy?' --user ana",
)

# What is no text, or says more than its text.
FILES = (".pdf", ".docx", ".html", ".htm")

DocumentPath = Annotated[str, typer.Argument(metavar="PATH", help="A path such as notes/launch.md.")]
Source = Annotated[
    str | None,
    typer.Argument(metavar="FILE", show_default=False, help="A file; - is stdin; else the file at PATH, else stdin."),
]
One = Annotated[str, typer.Argument(metavar="DOCUMENT", help="The document's path or id.")]
For = Annotated[Visibility | None, typer.Option("--visibility", help="For whom it is: oneself, a team, or all users.")]
Team = Annotated[str | None, typer.Option(help="The team, for a document of a team.")]
Below = Annotated[str | None, typer.Option("--prefix", help="Only documents below this path.")]
As = Annotated[str | None, typer.Option("--prefix", help="Where to keep them; the folder's name if left out.")]
Folder = Annotated[Path, typer.Argument(exists=True, file_okay=False, help="A folder of Markdown files.")]
Archived = Annotated[bool, typer.Option("--archived", help="Those out of force instead.")]
AgentName = Annotated[str, typer.Argument(metavar="AGENT", help="The agent.")]
TeamName = Annotated[str, typer.Argument(metavar="TEAM", help="The team.")]
Members = Annotated[list[str] | None, typer.Option("--member", help="A user. Repeatable; none dissolves the team.")]


@app.command()
@scoped
def add(
    scope: ScopedNacre, path: DocumentPath, file: Source = None, *, visibility: For = None, team: Team = None
) -> SavedDocument:
    """Keep a document, in place of what its path held: Markdown, text, PDF, Word or HTML."""
    file = file or (path if Path(path).is_file() else options.STDIN)
    name = path if file == options.STDIN else file
    if Path(name).suffix.lower() not in FILES:
        return scope.vault.save(path, options.content(file), visibility=visibility, team=team)
    return scope.vault.add_file(path, options.data(file), name=Path(name).name, visibility=visibility, team=team)


@app.command("list")
@scoped
def list_documents(
    scope: ScopedNacre,
    *,
    prefix: Below = None,
    visibility: For = None,
    team: Team = None,
    archived: Archived = False,
    as_of: options.AsOf = None,
    limit: options.Most = 100,
    offset: options.Offset = 0,
) -> list[DocumentInfo]:
    """List documents, the last changed first."""
    return scope.vault.list(
        prefix=prefix, visibility=visibility, team=team, archived=archived, as_of=as_of, limit=limit, offset=offset
    )


@app.command()
@scoped
def get(
    scope: ScopedNacre, document: One, *, visibility: For = None, team: Team = None, as_of: options.AsOf = None
) -> Document:
    """Print a document."""
    return scope.vault.get(document, visibility=visibility, team=team, as_of=as_of)


@app.command()
@scoped
def search(
    scope: ScopedNacre,
    query: options.Query,
    *,
    prefix: Below = None,
    visibility: For = None,
    team: Team = None,
    limit: options.Most = 10,
) -> VaultHits:
    """Search documents, episodes and the graph at once, best first."""
    return scope.vault.search(query, prefix=prefix, visibility=visibility, team=team, limit=limit)


@app.command()
@scoped
def sync(
    scope: ScopedNacre,
    folder: Folder,
    *,
    prefix: As = None,
    visibility: For = None,
    team: Team = None,
    dry_run: DryRun = False,
) -> SyncReport:
    """Keep the Markdown files of a folder as documents; those of files that are gone are archived."""
    return scope.vault.sync(folder, prefix=prefix, visibility=visibility, team=team, dry_run=dry_run)


@app.command()
@scoped
def archive(scope: ScopedNacre, document: One, *, visibility: For = None, team: Team = None) -> DocumentInfo:
    """Take a document out of force."""
    return scope.vault.archive(document, visibility=visibility, team=team)


@app.command()
@scoped
def restore(scope: ScopedNacre, document: One, *, visibility: For = None, team: Team = None) -> SavedDocument:
    """Put an archived document back in force."""
    return scope.vault.restore(document, visibility=visibility, team=team)


@app.command()
@scoped
def delete(scope: ScopedNacre, document: One, *, visibility: For = None, team: Team = None) -> ForgetReport:
    """Remove a document for good."""
    return scope.vault.delete(document, visibility=visibility, team=team)


@app.command()
@scoped
def links(scope: ScopedNacre, document: One, *, visibility: For = None, team: Team = None) -> DocumentLinks:
    """Show where a document leads, and what leads to it."""
    return scope.vault.links(document, visibility=visibility, team=team)


@app.command()
@scoped
def broken(scope: ScopedNacre, *, limit: options.Most = 100) -> list[DocumentLink]:
    """List the links that lead nowhere."""
    return scope.vault.broken(limit=limit)


@app.command()
@whole
def teams(nacre: Nacre, agent: AgentName) -> dict[str, list[str]]:
    """Show the teams of an agent and their members."""
    return nacre.agent(agent).teams.list()


@app.command()
@whole
def team(nacre: Nacre, agent: AgentName, name: TeamName, *, member: Members = None) -> dict[str, list[str]]:
    """Let a team of an agent have these members and no others."""
    return nacre.agent(agent).teams.set(name, member or ())


@output.words(Document)
def _document(document: Document) -> Iterator[str]:
    yield document.content


@output.words(DocumentInfo)
def _listed(document: DocumentInfo) -> Iterator[str]:
    yield f"{document.path} is {document.status.value}."


@output.words(SavedDocument)
def _saved(saved: SavedDocument) -> Iterator[str]:
    yield f"{saved.document.path}: {saved.outcome.value}."


@output.words(SyncReport)
def _synced(synced: SyncReport) -> Iterator[str]:
    if synced.dry_run:
        yield "A dry run: nothing was changed."
    for done in ("added", "changed", "archived"):
        yield from (f"{done}\t{path}" for path in getattr(synced, done))
    yield from (f"skipped\t{each.path}\t{each.why}" for each in synced.skipped)
    yield f"{synced.unchanged} unchanged."


@output.words(DocumentLinks)
def _links(links: DocumentLinks) -> Iterator[str]:
    yield from (f"to\t{_target(each)}\t{each.target}" for each in links.outgoing)
    yield from (f"from\t{each.source.path}\t{each.target}" for each in links.backlinks)


def _target(link: DocumentLink) -> str:
    return link.document.path if link.document else "(broken)"


output.table(DocumentInfo, path="path", visibility="visibility", team="team", changed="updated_at", title="title")
output.table(VaultHit, score="score", origin="origin", title="title", path="path", snippet="snippet")
output.table(DocumentLink, document=lambda link: link.source.path, leads_to=_target, written="target")
output.items(VaultHits, "items")
