"""`nacre ontology link`: what connects entities."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.operations import Payload, writes
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.explanations import LinkExplanation
from nacre.domain.hits import Evidence
from nacre.domain.links import Link, LinkEvent

app = group(
    "Create, change, archive and explain links.",
    "nacre ontology link create Ana works_on Nacre",
    "nacre ontology link create Ana has_role --value maintainer",
    "nacre ontology link history 0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e",
)

Source = Annotated[str, typer.Argument(help="The entity it leads from.")]
Predicate = Annotated[str, typer.Argument(help="What connects them, such as works_on.")]
Target = Annotated[str | None, typer.Argument(metavar="[TARGET]", help="The entity it leads to.")]
Value = Annotated[str | None, typer.Option(help="A plain value in place of a target.")]
Type = Annotated[str | None, typer.Option(help="What it is, if it is new.")]
One = Annotated[str, typer.Argument(metavar="LINK", help="The link's id.")]
Sure = Annotated[float | None, typer.Option(min=0, max=1, help="How sure it is.")]
Strong = Annotated[float | None, typer.Option(min=0, max=1, help="How strong it is.")]
Moment = Annotated[
    datetime | None, typer.Option(parser=options.when, metavar="TIME", help="When it begins or ends to hold.")
]
Properties = Annotated[list[str] | None, typer.Option("--property", metavar="NAME=VALUE", help="Repeatable.")]


@app.command("list")
@scoped
def list_links(scope: ScopedNacre, entity: options.Entity, *, as_of: options.AsOf = None) -> list[Link]:
    """List the links at an entity, now or at a time, the newest first."""
    return scope.graph.links(entity, as_of=as_of)


@app.command()
@writes("create_link")
def create(
    source: Source,
    predicate: Predicate,
    target: Target = None,
    *,
    value: Value = None,
    source_type: Type = None,
    target_type: Type = None,
    confidence: Sure = None,
    strength: Strong = None,
    property: Properties = None,
    valid_from: Moment = None,
    valid_to: Moment = None,
) -> Payload:
    """Link two entities, or an entity and a plain value; unknown names become entities."""
    ends = {"source": source, "predicate": predicate, "target": target, "value": value}
    types = {"source_type": source_type, "target_type": target_type}
    held = {"confidence": confidence, "strength": strength, "valid_from": valid_from, "valid_to": valid_to}
    return {**ends, **types, **held, "properties": options.pairs("property", property or ())}


@app.command()
@writes("update_link")
def update(
    link: One,
    *,
    confidence: Sure = None,
    strength: Strong = None,
    property: Properties = None,
    valid_from: Moment = None,
    valid_to: Moment = None,
) -> Payload:
    """Change how sure or strong a link is, or when it holds."""
    held = {"confidence": confidence, "strength": strength, "valid_from": valid_from, "valid_to": valid_to}
    return {"link": link, **held, "properties": options.pairs("property", property) if property else None}


@app.command()
@writes("archive_link")
def archive(link: One) -> Payload:
    """Take a link out of force."""
    return {"link": link}


@app.command()
@scoped
def evidence(scope: ScopedNacre, link: One) -> list[Evidence]:
    """Show the exact words that a link rests on."""
    found = scope.ontology.explain_link(link).evidence
    return [found] if found else []


@app.command()
@scoped
def explain(scope: ScopedNacre, link: One) -> LinkExplanation:
    """Say why a link is there, and who decided."""
    return scope.ontology.explain_link(link)


@app.command()
@scoped
def history(scope: ScopedNacre, link: One) -> list[LinkEvent]:
    """List everything that happened to a link, as the database wrote it down."""
    return scope.ontology.link_history(link)


@output.words(LinkExplanation)
def _explanation(why: LinkExplanation) -> Iterable[str]:
    link = why.link
    end = why.target.name if why.target else link.value
    yield output.line(f"{why.source.name} --{link.predicate}--> {end} ({link.status.value}) [{link.id}]")
    yield f"  confidence {link.confidence:.2f}, strength {link.strength:.2f}"
    if why.evidence:
        yield "  " + output.line(f"words: {why.evidence.quote}")
    for record in why.decisions:
        yield "  " + output.line(f"{record.operation} by {record.actor}: {record.reason or '-'}")


def _changed(event: LinkEvent) -> dict[str, object]:
    before, after = event.before or {}, event.after or {}
    return {name: after.get(name) for name in {**before, **after} if before.get(name) != after.get(name)}


output.table(
    Link,
    id="id",
    source="source",
    predicate="predicate",
    confidence="confidence",
    strength="strength",
    target=lambda link: link.target or link.value,
)
output.table(LinkEvent, at="at", event="event", changed=_changed)
