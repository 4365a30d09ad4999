"""`nacre knowledge`: looking through the graph, and at the state it is in."""

from collections.abc import Iterable
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.claims import Claim, ClaimKind, ClaimStatus
from nacre.domain.communities import Communities, Community, CommunityRefresh
from nacre.domain.constellations import Constellation
from nacre.domain.graph_reports import GraphHealth, GraphQuality, HygieneReport
from nacre.domain.navigation import (
    DIRECTIONS,
    AspectOutline,
    ClaimOutline,
    Dependency,
    EntityDetail,
    EntityOverview,
    EntityPage,
    EntityTree,
    GroupOutline,
    KnowledgeStats,
    PinnedEntity,
)
from nacre.domain.offers import EntityHealth
from nacre.domain.summaries import ExpandedSessions, SessionSummary
from nacre.domain.traversals import DEFAULT_EXPANSION, EntityExpansion

app = group(
    "Look through the graph. Nothing here changes it.",
    "nacre knowledge entities --type person",
    "nacre knowledge tree Ana",
    "nacre knowledge attributes Ana taste --status all",
    "nacre knowledge hygiene --json",
)

Aspect = Annotated[str, typer.Argument(help="An aspect: its id or name.")]
OneAspect = Annotated[str | None, typer.Option("--aspect", help="Only this aspect.")]
Group = Annotated[str, typer.Argument(help="A group of claims.")]
SomeGroup = Annotated[str | None, typer.Argument(help="Only this group of claims.")]
SomeClaim = Annotated[str | None, typer.Argument(help="Only this claim.")]
Part = Annotated[str | None, typer.Option("--query", "-q", help="A part of the name.")]
Depth = Annotated[int, typer.Option(min=1, max=3, help="1 shows aspects, 2 groups as well, 3 claims, too.")]
AtMost = Annotated[int, typer.Option(help="How many of each at most.")]
Kind = Annotated[ClaimKind | None, typer.Option(help="Only this kind of claim.")]
Status = Annotated[str, typer.Option(help="active, superseded, deleted or all.")]
Direction = Annotated[str, typer.Option(help=f"One of {', '.join(DIRECTIONS)}.")]
Tokens = Annotated[int, typer.Option(help="How many tokens at most.")]
Fewest = Annotated[int, typer.Option(help="Only entities that this many sessions were offered.")]
Memories = Annotated[int, typer.Option(help="How many of the newest memories to look at.")]
OwnOnly = Annotated[bool, typer.Option("--own", help="Leave out what other agents share.")]
About = Annotated[str | None, typer.Argument(metavar="[ENTITY]", help="Only sessions that speak of this entity.")]
Range = Annotated[str | None, typer.Option(metavar="RANGE", help="last_week, last_month, a time, or FROM/TO.")]


@app.command()
@scoped
def entities(
    scope: ScopedNacre,
    *,
    type: options.Type = None,
    query: Part = None,
    limit: options.Most = 50,
    offset: options.Offset = 0,
) -> EntityPage:
    """List entities: the pinned first, then the most mentioned."""
    return scope.knowledge.entities(type=type, q=query, limit=limit, offset=offset)


@app.command()
@scoped
def entity(scope: ScopedNacre, entity: options.Entity) -> EntityDetail:
    """Show one entity in numbers."""
    return scope.knowledge.entity(entity)


@app.command()
@scoped
def tree(
    scope: ScopedNacre,
    entity: options.Entity,
    *,
    max_aspects: AtMost = 20,
    max_groups: AtMost = 20,
    max_claims: AtMost = 50,
    depth: Depth = 3,
) -> EntityTree:
    """Show what is believed of an entity, in outline."""
    return scope.knowledge.tree(
        entity, max_aspects=max_aspects, max_groups=max_groups, max_claims=max_claims, depth=depth
    )


@app.command()
@scoped
def aspects(
    scope: ScopedNacre, entity: options.Entity, *, limit: options.Most = 50, offset: options.Offset = 0
) -> list[AspectOutline]:
    """List the aspects of an entity, the weightiest first."""
    return scope.knowledge.aspects(entity, limit=limit, offset=offset)


@app.command()
@scoped
def groups(scope: ScopedNacre, entity: options.Entity, aspect: Aspect) -> list[GroupOutline]:
    """List the groups of an aspect, the fullest first."""
    return scope.knowledge.groups(entity, aspect)


@app.command()
@scoped
def claims(scope: ScopedNacre, entity: options.Entity, aspect: Aspect, group: Group) -> list[ClaimOutline]:
    """List the claims of a group, each with what it says now."""
    return scope.knowledge.claims(entity, aspect, group)


@app.command()
@scoped
def attributes(
    scope: ScopedNacre,
    entity: options.Entity,
    aspect: Aspect,
    group: SomeGroup = None,
    claim: SomeClaim = None,
    *,
    kind: Kind = None,
    status: Status = ClaimStatus.ACTIVE.value,
    limit: options.Most = 50,
    offset: options.Offset = 0,
) -> list[Claim]:
    """List versions of the claims of an aspect, a group or one claim."""
    return scope.knowledge.attributes(
        entity, aspect, group, claim, kind=kind, status=status, limit=limit, offset=offset
    )


@app.command()
@scoped
def dependencies(
    scope: ScopedNacre,
    entity: options.Entity,
    *,
    direction: Direction = "both",
    limit: options.Most = 100,
    offset: options.Offset = 0,
) -> list[Dependency]:
    """List the links between an entity and others, the strongest first."""
    return scope.knowledge.dependencies(entity, direction=direction, limit=limit, offset=offset)


@app.command()
@scoped
def pinned(scope: ScopedNacre, *, limit: options.Most = 200) -> list[PinnedEntity]:
    """List the pinned entities, the last pinned first."""
    return scope.knowledge.pinned(limit=limit)


@app.command()
@scoped
def expand(
    scope: ScopedNacre, entity: options.Entity, *, aspect: OneAspect = None, max_tokens: Tokens = DEFAULT_EXPANSION
) -> EntityExpansion:
    """Show all that is known of an entity, as much as fits."""
    return scope.ontology.expand(entity, aspect, max_tokens=max_tokens)


@app.command()
@scoped
def sessions(
    scope: ScopedNacre,
    entity: About = None,
    *,
    session: options.OnlySession = None,
    time_range: Range = None,
    limit: options.Most = 10,
) -> ExpandedSessions:
    """Show what the sessions that speak of an entity came to, the newest first."""
    return scope.summaries.expand(entity, session=session, time_range=time_range, max_results=limit)


@app.command()
@scoped
def communities(scope: ScopedNacre, *, limit: options.Most = 50, offset: options.Offset = 0) -> Communities:
    """List groups of entities that belong together, the largest first."""
    return scope.knowledge.communities(limit=limit, offset=offset)


@app.command("refresh-communities")
@scoped
def refresh_communities(scope: ScopedNacre) -> CommunityRefresh:
    """Make the communities anew, now."""
    return scope.knowledge.refresh_communities()


@app.command()
@scoped
def constellation(scope: ScopedNacre, *, limit: options.Most = 150, own: OwnOnly = False) -> Constellation:
    """Show the graph as a dashboard draws it; `--json` has all of it."""
    return scope.knowledge.constellation(limit=limit, shared=not own)


@app.command()
@scoped
def stats(scope: ScopedNacre) -> KnowledgeStats:
    """Show how much is known, and how much of what is remembered it covers."""
    return scope.knowledge.stats()


@app.command()
@scoped
def hygiene(scope: ScopedNacre, *, limit: options.Most = 50, memory_limit: Memories = 200) -> HygieneReport:
    """Show what in the graph looks wrong."""
    return scope.knowledge.hygiene(limit=limit, memory_limit=memory_limit)


@app.command()
@scoped
def quality(scope: ScopedNacre) -> GraphQuality:
    """Show how much of the graph can be looked up, and how well it is built."""
    return scope.knowledge.quality()


@app.command()
@scoped
def health(scope: ScopedNacre) -> GraphHealth:
    """Show whether recall can walk the graph."""
    return scope.knowledge.health()


@app.command("entity-health")
@scoped
def entity_health(
    scope: ScopedNacre, *, since: options.Since = None, min_comparisons: Fewest = 3, limit: options.Most = 100
) -> list[EntityHealth]:
    """Show how well what is offered about each entity serves."""
    return scope.ontology.offers.health(since=since, min_comparisons=min_comparisons, limit=limit)


@output.words(EntityTree)
def _tree(tree: EntityTree) -> Iterable[str]:
    yield f"{tree.entity.name} ({tree.entity.type.value})"
    for side in tree.items:
        yield f"  {side.aspect.name}, weight {side.aspect.weight:.2f}: {side.claim_count} claims"
        for held in side.groups:
            yield f"    {held.group_key}"
            for claim in held.claims:
                yield f"      {claim.claim_key or '-'}: {output.line(claim.preview or '')}"


@output.words(EntityExpansion)
def _expansion(expansion: EntityExpansion) -> Iterable[str]:
    yield f"{expansion.entity.name} ({expansion.entity.type.value})"
    for rule in expansion.constraints:
        yield f"  must hold: {output.line(rule.value)}"
    for side in expansion.aspects:
        yield f"  {side.name}, weight {side.weight:.2f}"
        yield from (f"    {claim.slot.claim or '-'}: {output.line(claim.value)}" for claim in side.attributes)
    for link in expansion.dependencies:
        arrow = f"<--{link.type}--" if link.incoming else f"--{link.type}-->"
        yield f"  {arrow} {link.target}"
    for said in (*expansion.memories, *expansion.turns):
        yield f"  {said.id}  {output.line(said.content)}"


@output.words(HygieneReport)
def _hygiene(report: HygieneReport) -> Iterable[str]:
    found, claims = report.totals, report.attribute_summary
    yield f"Looked at {found.entities} entities and {found.memories} memories."
    for odd in report.suspicious_entities:
        yield f"suspicious\t{odd.id}\t{output.line(odd.name)}\t{odd.reason.value}"
    for twins in report.duplicate_entities:
        yield f"duplicates\t{output.line(twins.canonical_name)}\t{', '.join(map(str, twins.ids))}"
    for place in report.safe_mention_candidates:
        yield f"unnoted\t{place.memory_id}\t{output.line(place.entity_name)}\t{output.line(place.snippet)}"
    yield f"claims without a group\t{claims.missing_group_key}"
    yield f"claims without a key\t{claims.missing_claim_key}"
    yield f"claims without evidence\t{claims.missing_source_memory}"


@output.words(Constellation)
def _constellation(drawn: Constellation) -> Iterable[str]:
    for each in drawn.entities:
        yield f"{each.agent}\t{output.line(each.entity.name)}\t{', '.join(side.aspect.name for side in each.aspects)}"
    yield f"{len(drawn.dependencies)} links, {len(drawn.proposals)} proposals, {len(drawn.dreams)} dreams"


output.items(EntityPage, "items")
output.table(
    EntityOverview,
    id="entity.id",
    type="entity.type",
    aspects="aspect_count",
    claims="attribute_count",
    constraints="constraint_count",
    links="dependency_count",
    name="entity.name",
)
output.table(
    AspectOutline,
    weight="aspect.weight",
    groups="group_count",
    claims="claim_count",
    constraints="constraint_count",
    aspect="aspect.name",
)
output.table(
    GroupOutline, claims="claim_count", values="attribute_count", constraints="constraint_count", group="group_key"
)
output.table(
    ClaimOutline,
    claim="claim_key",
    active="active_count",
    superseded="superseded_count",
    updated="latest_updated_at",
    says="preview",
)
output.table(
    Claim,
    id="id",
    version="version",
    status="status",
    kind="kind",
    since="since",
    claim=lambda claim: str(claim.slot),
    value="value",
)
output.table(
    Dependency,
    id="link.id",
    source="source_name",
    predicate="link.predicate",
    strength="link.strength",
    confidence="link.confidence",
    target="target_name",
)
output.table(PinnedEntity, id="id", pinned="pinned_at", name="name")
output.items(Communities, "items")
output.table(Community, id="id", members="member_count", cohesion="cohesion", name="name")
output.items(ExpandedSessions, "summaries")
output.table(SessionSummary, session="session_key", latest="latest_at", content="content")
output.table(
    EntityHealth, id="entity_id", sessions="comparison_count", used="win_rate", trend="trend", name="entity_name"
)
