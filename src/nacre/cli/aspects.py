"""`nacre ontology aspect`: the sides of entities."""

from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.operations import Force, Payload, writes
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.claims import Aspect

app = group(
    "Create, rename, merge and archive the aspects of entities.",
    "nacre ontology aspect create Ana taste",
    "nacre ontology aspect archive Ana taste --reason 'never used' --dry-run",
)

Name = Annotated[str, typer.Argument(metavar="ASPECT", help="The aspect's name.")]
NewName = Annotated[str, typer.Argument(help="The new name.")]
Weight = Annotated[float | None, typer.Option(min=0, max=1, help="The weightier are read first.")]
Source = Annotated[str, typer.Argument(help="The aspect that becomes part of it.")]


@app.command("list")
@scoped
def list_aspects(scope: ScopedNacre, entity: options.Entity) -> list[Aspect]:
    """List the aspects of an entity, the weightiest first."""
    return scope.ontology.aspects(entity)


@app.command()
@writes("create_aspect")
def create(entity: options.Entity, aspect: Name, *, weight: Weight = None) -> Payload:
    """Give an entity an aspect; an archived one comes back."""
    return {"entity": entity, "name": aspect, "weight": weight}


@app.command()
@writes("rename_aspect")
def rename(entity: options.Entity, aspect: Name, new_name: NewName) -> Payload:
    """Give an aspect another name."""
    return {"entity": entity, "aspect": aspect, "new_name": new_name}


@app.command()
@writes("archive_aspect")
def archive(entity: options.Entity, aspect: Name, *, force: Force = False) -> Payload:
    """Take an aspect and its claims out of force."""
    return {"entity": entity, "aspect": aspect, "force": force}


@app.command()
@writes("merge_aspects")
def merge(entity: options.Entity, aspect: Name, source: Source) -> Payload:
    """Make one aspect part of another, which gets its claims."""
    return {"entity": entity, "target": aspect, "source": source}


output.table(Aspect, id="id", key="key", weight="weight", status="status", name="name")
