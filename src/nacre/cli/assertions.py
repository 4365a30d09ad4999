"""`nacre ontology assertion`: who said what, whether or not it is believed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.operations import Payload, writes
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.assertions import Assertion, AssertionStatus, Stance

app = group(
    "Keep who said what of an entity. It says nothing of what is believed: claims do.",
    "nacre ontology assertion add Ana prefers 'tea without sugar' --speaker Bob",
    "nacre ontology assertion list --entity Ana --status all",
)

ALL = "all"

One = Annotated[str, typer.Argument(metavar="ASSERTION", help="The assertion's id.")]
Predicate = Annotated[Stance, typer.Argument(help="How the speaker stands to it.")]
OnlyPredicate = Annotated[Stance | None, typer.Option("--predicate", help="Only these.")]
NewPredicate = Annotated[Stance | None, typer.Option("--predicate", help="How the speaker stands to it.")]
Content = Annotated[str, typer.Argument(callback=options.read, help="What was said; - reads it from stdin.")]
Speaker = Annotated[str | None, typer.Option(help="Who said it.")]
At = Annotated[datetime | None, typer.Option(parser=options.when, metavar="TIME", help="When it was said.")]
Confidence = Annotated[float | None, typer.Option(min=0, max=1, help="How sure it is that it was said.")]
Claim = Annotated[str | None, typer.Option(metavar="ID", help="The version of a claim that it speaks of.")]
ClaimId = Annotated[str, typer.Argument(metavar="CLAIM", help="The id of the claim's version.")]
OfEntity = Annotated[str | None, typer.Option("--entity", help="Only of this entity.")]
Status = Annotated[str, typer.Option(help="active, archived, superseded or all.")]


@app.command("list")
@scoped
def list_assertions(
    scope: ScopedNacre,
    *,
    entity: OfEntity = None,
    predicate: OnlyPredicate = None,
    speaker: Speaker = None,
    status: Status = AssertionStatus.ACTIVE.value,
    claim: Claim = None,
    as_of: options.AsOf = None,
    limit: options.Most = 50,
    offset: options.Offset = 0,
) -> Sequence[Assertion]:
    """List what was said, the last first."""
    return scope.ontology.assertions.list(
        entity=entity,
        predicate=predicate,
        speaker=speaker,
        status=None if status == ALL else status,
        claim=claim,
        as_of=as_of,
        limit=limit,
        offset=offset,
    )


@app.command()
@scoped
def show(scope: ScopedNacre, assertion: One) -> Assertion:
    """Show one assertion, in force or not."""
    return scope.ontology.assertions.get(assertion)


@app.command()
@writes("create_assertion")
def add(
    entity: options.Entity,
    predicate: Predicate,
    content: Content,
    *,
    speaker: Speaker = None,
    at: At = None,
    confidence: Confidence = None,
    claim: Claim = None,
) -> Payload:
    """Write down that somebody claims, believes, observed, decided, prefers, denies or questions something."""
    said = {"entity": entity, "predicate": predicate.value, "content": content, "speaker": speaker}
    return {**said, "asserted_at": at, "confidence": confidence, "attribute_id": claim}


@app.command("link-claim")
@writes("link_assertion")
def link_claim(assertion: One, claim: ClaimId) -> Payload:
    """Say which claim an assertion speaks of."""
    return {"assertion": assertion, "attribute_id": claim}


@app.command()
@writes("archive_assertion")
def archive(assertion: One) -> Payload:
    """Take an assertion out of force."""
    return {"assertion": assertion}


@app.command()
@writes("supersede_assertion")
def supersede(
    assertion: One,
    content: Content,
    *,
    predicate: NewPredicate = None,
    speaker: Speaker = None,
    at: At = None,
    confidence: Confidence = None,
) -> Payload:
    """Put a new assertion in the place of one, which stays readable."""
    said = {"assertion": assertion, "content": content, "predicate": predicate and predicate.value}
    return {**said, "speaker": speaker, "asserted_at": at, "confidence": confidence}


output.table(
    Assertion, id="id", at="asserted_at", speaker="speaker", predicate="predicate", status="status", content="content"
)
