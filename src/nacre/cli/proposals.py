"""`nacre ontology proposals`: changes that wait for somebody to decide."""

from collections.abc import Iterable
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.operations import Actor, Reason
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.audits import CALLER
from nacre.domain.duplicates import MergePlan
from nacre.domain.proposals import ClaimConflict, Proposal, ProposalCitation, ProposalStatus

app = group(
    "See what is proposed, and decide.",
    "nacre ontology proposals list --status pending",
    "nacre ontology proposals apply 0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e",
    "nacre ontology proposals repair duplicates --propose",
)
repair = group("Find what should be merged.", "nacre ontology proposals repair duplicates --limit 10")
app.add_typer(repair, name="repair")

One = Annotated[str, typer.Argument(metavar="PROPOSAL", help="The proposal's id.")]
Status = Annotated[ProposalStatus | None, typer.Option(help="Only these.")]
Target = Annotated[str, typer.Argument(help="The entity that would stay.")]
Sources = Annotated[list[str], typer.Argument(help="The entities that would become part of it.")]
Propose = Annotated[bool, typer.Option("--propose", help="Keep the merges for review.")]


@app.command("list")
@scoped
def list_proposals(
    scope: ScopedNacre, *, status: Status = None, limit: options.Most = 50, offset: options.Offset = 0
) -> list[Proposal]:
    """List proposals, the last first."""
    return scope.ontology.proposals.list(status, limit=limit, offset=offset)


@app.command()
@scoped
def show(scope: ScopedNacre, proposal: One) -> Proposal:
    """Show one proposal, decided or not."""
    return scope.ontology.proposals.get(proposal)


@app.command()
@scoped
def evidence(scope: ScopedNacre, proposal: One) -> list[ProposalCitation]:
    """Show the words that a proposal rests on, and where they were said."""
    return scope.ontology.proposals.evidence(proposal)


@app.command()
@scoped
def apply(scope: ScopedNacre, proposal: One, *, actor: Actor = CALLER) -> Proposal:
    """Carry out a proposal that is pending."""
    return scope.ontology.proposals.apply(proposal, actor=actor)


@app.command()
@scoped
def reject(scope: ScopedNacre, proposal: One, *, reason: Reason = None, actor: Actor = CALLER) -> Proposal:
    """Decide against a proposal that is pending."""
    return scope.ontology.proposals.reject(proposal, reason=reason, actor=actor)


@app.command()
@scoped
def conflicts(scope: ScopedNacre, *, limit: options.Most = 50) -> list[ClaimConflict]:
    """List the claims for which more than one value is proposed."""
    return scope.ontology.proposals.conflicts(limit=limit)


@repair.command()
@scoped
def duplicates(
    scope: ScopedNacre, *, limit: options.Most = 25, propose: Propose = False, actor: Actor = CALLER
) -> list[MergePlan]:
    """Say how entities that have one name would be merged."""
    return scope.ontology.proposals.repair_duplicates(limit=limit, propose=propose, actor=actor)


@app.command("merge-plan")
@scoped
def merge_plan(
    scope: ScopedNacre, target: Target, sources: Sources, *, propose: Propose = False, actor: Actor = CALLER
) -> MergePlan:
    """Say what it would mean to make entities part of another."""
    return scope.ontology.proposals.merge_plan(target, sources, propose=propose, actor=actor)


@output.words(ClaimConflict)
def _conflict(conflict: ClaimConflict) -> Iterable[str]:
    yield output.line(f"{conflict.entity}: {conflict.aspect}/{conflict.group}/{conflict.claim}")
    for each in conflict.values:
        yield "  " + output.line(f"{each.value} [{each.proposal}]")


@output.words(MergePlan)
def _plan(plan: MergePlan) -> Iterable[str]:
    merged = ", ".join(f"{each.name} ({each.slug})" for each in plan.sources)
    yield output.line(f"{merged} into {plan.target.name} ({plan.target.slug}): {plan.risk}, {plan.confidence:.2f}")
    moved = plan.impact
    yield f"  moves {moved.aspects} aspects, {moved.attributes} claims, {moved.links} links"
    for each in plan.proposals:
        yield f"  proposed [{each}]"


output.table(
    Proposal,
    id="id",
    status="status",
    confidence="confidence",
    risk="risk",
    operation="operation",
    by="created_by",
    why=lambda proposal: proposal.rationale or output.cell(proposal.payload),
)
output.table(ProposalCitation, source="source", kind="kind", at="at", quote="quote")
