"""`nacre ontology claim`: what is believed of entities, its versions, and why."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.operations import Force, Payload, writes
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.claims import Cardinality, Claim, ClaimKind, Slot
from nacre.domain.explanations import Explanation
from nacre.domain.hits import Evidence

app = group(
    "Add, set, supersede and explain claims. A claim stands at ASPECT/GROUP/CLAIM or ASPECT/CLAIM.",
    "nacre ontology claim set Ana taste/favourite_colour green",
    "nacre ontology claim versions Ana taste/favourite_colour",
    "nacre ontology claim explain --entity Ana",
)

Path = Annotated[str, typer.Argument(metavar="CLAIM", help="Where it stands: aspect/group/claim or aspect/claim.")]
Value = Annotated[str, typer.Argument(callback=options.read, help="What it says; - reads it from stdin.")]
One = Annotated[str, typer.Argument(metavar="ID", help="The id of one version.")]
SomeOne = Annotated[str | None, typer.Argument(metavar="[ID]", help="The id of one version.")]
NewValue = Annotated[str | None, typer.Argument(metavar="[VALUE]", help="What it says from now on.")]
By = Annotated[str | None, typer.Option("--by", metavar="ID", help="The version that takes its place.")]
Kind = Annotated[ClaimKind, typer.Option(help="A fact, or a rule that only gives way to force.")]
Confidence = Annotated[float, typer.Option(min=0, max=1, help="How sure it is.")]
Importance = Annotated[float, typer.Option(min=0, max=1, help="How much it matters.")]
ValidFrom = Annotated[
    datetime | None, typer.Option(parser=options.when, metavar="TIME", help="Since when it holds; now if left out.")
]
OfEntity = Annotated[str | None, typer.Option("--entity", help="What is believed of this entity.")]
AtPath = Annotated[str | None, typer.Option("--claim", metavar="CLAIM", help="Only this claim of the entity.")]
Key = Annotated[str, typer.Argument(help="A claim's path, or a predicate.")]
HowMany = Annotated[Cardinality, typer.Argument(help="One value at a time, or several.")]


def _placed(path: str) -> Payload:
    slot = Slot.at(path)
    return {"aspect": slot.aspect, "group": slot.group, "claim": slot.claim}


@app.command("list")
@scoped
def list_claims(scope: ScopedNacre, entity: options.Entity, *, as_of: options.AsOf = None) -> list[Claim]:
    """List what is believed of an entity, or was at a time."""
    return scope.ontology.claims(entity, as_of=as_of)


@app.command()
@writes("add_claim_value")
def add(
    entity: options.Entity,
    path: Path,
    value: Value,
    *,
    kind: Kind = ClaimKind.ATTRIBUTE,
    confidence: Confidence = 1.0,
    importance: Importance = 0.5,
    valid_from: ValidFrom = None,
) -> Payload:
    """Add a value beside those that a claim has."""
    said = {"entity": entity, "value": value, "kind": kind.value, "valid_from": valid_from}
    return {**said, **_placed(path), "confidence": confidence, "importance": importance}


@app.command("set")
@writes("set_claim_value")
def set_value(
    entity: options.Entity,
    path: Path,
    value: Value,
    *,
    kind: Kind = ClaimKind.ATTRIBUTE,
    confidence: Confidence = 1.0,
    importance: Importance = 0.5,
    valid_from: ValidFrom = None,
    force: Force = False,
) -> Payload:
    """Give a claim a new value; the old value stays in its history."""
    said = {"entity": entity, "value": value, "kind": kind.value, "valid_from": valid_from, "force": force}
    return {**said, **_placed(path), "confidence": confidence, "importance": importance}


@app.command()
@writes("supersede_claim_value")
def supersede(
    claim: One, new_value: NewValue = None, *, by: By = None, valid_from: ValidFrom = None, force: Force = False
) -> Payload:
    """Replace one value by a new one, or by one that is there."""
    new = {"new_value": new_value, "superseded_by": by, "valid_from": valid_from}
    return {"attribute_id": claim, **new, "force": force}


@app.command()
@writes("archive_claim_value")
def archive(claim: One, *, force: Force = False) -> Payload:
    """Take one value of a claim out of force."""
    return {"attribute_id": claim, "force": force}


@app.command()
@writes("restore_claim_version")
def restore(claim: One, *, force: Force = False) -> Payload:
    """Let a claim say again what it said in an earlier version."""
    return {"attribute_id": claim, "force": force}


@app.command()
@writes("declare_cardinality")
def declare(key: Key, cardinality: HowMany) -> Payload:
    """Say whether a claim or a predicate holds one value at a time or several."""
    return {"key": key, "cardinality": cardinality.value}


@app.command()
@scoped
def versions(scope: ScopedNacre, entity: options.Entity, path: Path) -> list[Claim]:
    """List everything a claim ever said, the last version first."""
    return scope.ontology.versions(entity, path)


@app.command()
@scoped
def evidence(scope: ScopedNacre, claim: One) -> list[Evidence]:
    """Show the exact words that a version rests on."""
    return [each.evidence for each in scope.ontology.explain(claim) if each.evidence]


@app.command()
@scoped
def explain(
    scope: ScopedNacre,
    claim: SomeOne = None,
    *,
    entity: OfEntity = None,
    path: AtPath = None,
    as_of: options.AsOf = None,
) -> list[Explanation]:
    """Say why something is believed: since when, from which words, what it replaced and who decided."""
    return scope.ontology.explain(claim, entity=entity, path=path, as_of=as_of)


@output.words(Explanation)
def _explanation(why: Explanation) -> Iterable[str]:
    claim = why.claim
    yield output.line(f"{why.entity.name}: {claim.slot} says {claim.value} ({claim.status.value}) [{claim.id}]")
    until = f" until {output.cell(why.until, person=True)}" if why.until else ""
    yield f"  since {output.cell(why.since, person=True)}{until}, confidence {claim.confidence:.2f}"
    if why.evidence:
        yield "  " + output.line(f"words: {why.evidence.quote}")
    for before in why.replaced:
        yield "  " + output.line(f"replaced: {before.value} [{before.id}]")
    for after in why.followed:
        yield "  " + output.line(f"followed by: {after.value} [{after.id}]")
    for record in why.decisions:
        yield "  " + output.line(f"{record.operation} by {record.actor}: {record.reason or claim.decision or '-'}")


output.table(Evidence, source="id", start="start", end="end", session="session", speaker="speaker", quote="quote")
