"""`nacre ontology entity`: what the graph is about."""

from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.operations import Force, Payload, writes
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.duplicates import DuplicateCandidate
from nacre.domain.entities import Entity, EntityType
from nacre.domain.operation_results import OperationResult

app = group(
    "Add, rename, correct, merge and archive entities.",
    "nacre ontology entity create Ana --type person --alias 'Ana Petrova'",
    "nacre ontology entity merge ana-petrova ana --reason 'same person'",
    "nacre ontology entity archive ana --dry-run",
)

Name = Annotated[str, typer.Argument(help="The name.")]
NewName = Annotated[str, typer.Argument(help="The new name.")]
Alias = Annotated[str, typer.Argument(help="Another name.")]
Kind = Annotated[EntityType, typer.Option("--type", help="What it is.")]
NewKind = Annotated[EntityType, typer.Argument(metavar="TYPE", help="What it is.")]
Slug = Annotated[str | None, typer.Option(help="A readable id of your own.")]
Description = Annotated[str | None, typer.Option(help="What it is, in a sentence.")]
Aliases = Annotated[list[str] | None, typer.Option("--alias", help="Another name. Repeatable.")]
Properties = Annotated[list[str] | None, typer.Option("--property", metavar="NAME=VALUE", help="Repeatable.")]
Confidence = Annotated[float, typer.Option(min=0, max=1, help="How sure it is.")]
Target = Annotated[str, typer.Argument(help="The entity that stays.")]
Sources = Annotated[list[str], typer.Argument(help="The entities that become part of it.")]
Query = Annotated[str | None, typer.Argument(metavar="[QUERY]", help="Words of the name or description.")]
Pair = Annotated[str, typer.Argument(help="The id of the pair.")]
Alike = Annotated[float, typer.Option(min=0, max=1, help="How alike they must be.")]


@app.command("list")
@scoped
def search(
    scope: ScopedNacre,
    query: Query = None,
    *,
    type: options.Type = None,
    as_of: options.AsOf = None,
    limit: options.Most = 50,
    offset: options.Offset = 0,
) -> list[Entity]:
    """Find entities by words of their name or description; the last changed first without any."""
    return scope.graph.search(query, type=type, as_of=as_of, limit=limit, offset=offset)


@app.command()
@scoped
def show(scope: ScopedNacre, entity: options.Entity, *, as_of: options.AsOf = None) -> Entity:
    """Show one entity, now or as it was."""
    return scope.graph.get(entity, as_of=as_of)


@app.command()
@writes("create_entity")
def create(
    name: Name,
    *,
    type: Kind = EntityType.UNKNOWN,
    slug: Slug = None,
    description: Description = None,
    alias: Aliases = None,
    property: Properties = None,
    confidence: Confidence = 1.0,
) -> Payload:
    """Add an entity, or add to the one that goes by the name."""
    return {
        "name": name,
        "type": type.value,
        "slug": slug,
        "description": description,
        "aliases": alias or [],
        "properties": options.pairs("property", property or ()),
        "confidence": confidence,
    }


@app.command()
@writes("rename_entity")
def rename(entity: options.Entity, new_name: NewName) -> Payload:
    """Give an entity another name; the old one stays an alias."""
    return {"entity": entity, "new_name": new_name}


@app.command()
@writes("retype_entity")
def retype(entity: options.Entity, type: NewKind) -> Payload:
    """Say what an entity really is: a company that was taken for a person, say."""
    return {"entity": entity, "type": type.value}


@app.command()
@writes("archive_entity")
def archive(entity: options.Entity, *, force: Force = False) -> Payload:
    """Take an entity, its links and its claims out of force."""
    return {"entity": entity, "force": force}


@app.command()
@writes("restore_entity")
def restore(entity: options.Entity) -> Payload:
    """Bring an archived entity back, by its id or slug."""
    return {"entity": entity}


@app.command()
@writes("merge_entities")
def merge(target: Target, sources: Sources, *, force: Force = False) -> Payload:
    """Make entities part of another, which gets all they have."""
    return {"target_entity": target, "source_entities": sources, "force": force}


@app.command()
@writes("pin_entity")
def pin(entity: options.Entity) -> Payload:
    """Put an entity before all others."""
    return {"entity": entity}


@app.command()
@writes("unpin_entity")
def unpin(entity: options.Entity) -> Payload:
    """Let a pinned entity take its usual place."""
    return {"entity": entity}


@app.command()
@writes("add_alias")
def alias(entity: options.Entity, alias: Alias) -> Payload:
    """Let an entity go by one more name."""
    return {"entity": entity, "alias": alias}


@app.command()
@writes("remove_alias")
def unalias(entity: options.Entity, alias: Alias) -> Payload:
    """Take one of its other names from an entity."""
    return {"entity": entity, "alias": alias}


@app.command()
@scoped
def duplicates(scope: ScopedNacre, *, limit: options.Most = 50, offset: options.Offset = 0) -> list[DuplicateCandidate]:
    """List pairs that may be the same and wait for a decision, the most alike first."""
    return scope.graph.duplicates(limit=limit, offset=offset)


@app.command("scan-duplicates")
@scoped
def scan_duplicates(scope: ScopedNacre, *, threshold: Alike = 0.9, limit: options.Most = 100) -> output.ShortResult:
    """Look for duplicates in the whole graph and queue them for review."""
    found = scope.graph.scan_duplicates(threshold=threshold, limit=limit)
    return output.ShortResult(str(found), {"found": found})


@app.command("dismiss-duplicate")
@scoped
def dismiss_duplicate(scope: ScopedNacre, pair: Pair) -> OperationResult:
    """Decide that two entities are not the same."""
    return scope.graph.dismiss_duplicate(pair)


output.table(Entity, id="id", slug="slug", type="type", mentions="mentions", name="name")
output.table(DuplicateCandidate, id="id", alike="similarity", one="entity_a", other="entity_b")
