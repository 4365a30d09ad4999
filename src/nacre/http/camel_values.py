"""Values that replies show in camelCase: what the schema calls each, and what it says of it."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel

from nacre.domain import (
    assertions,
    claims,
    commands,
    constellations,
    dossiers,
    duplicates,
    entities,
    graph_reports,
    navigation,
    offers,
    projections,
    proposals,
    suggestions,
    summaries,
    traversals,
)
from nacre.domain.graph_reports import (
    AttributeSummary,
    DuplicateEntities,
    HygieneReport,
    HygieneTotals,
    MentionCandidate,
    SuspiciousEntity,
)
from nacre.http.knowledge_bodies import AspectReply, AttributeReply, DependencyReply, KnownEntityReply
from nacre.http.wire import Shape

# Forms that a document dictates.
MODELS: Mapping[type, type[BaseModel]] = {
    claims.Aspect: AspectReply,
    claims.Claim: AttributeReply,
    entities.Entity: KnownEntityReply,
    navigation.Dependency: DependencyReply,
}
Named = Annotated[
    entities.Entity,
    Shape("NamedReply", "An entity by its names.", only=("id", "name", "slug", "type"), typed={"type": str}),
]

CAMEL: Mapping[type, Shape] = {
    assertions.Assertion: Shape(
        "AssertionReply",
        "Something that somebody said of an entity.",
        only=(
            "id",
            "entity",
            "claim",
            "predicate",
            "content",
            "speaker",
            "asserted_at",
            "confidence",
            "evidence",
            "source",
            "status",
            "supersedes",
            "created_by",
            "created_at",
            "updated_at",
            "archived_at",
            "archived_by",
            "archive_reason",
        ),
        called={
            "entity": "subject_entity_id",
            "claim": "claim_attribute_id",
            "source": "source_id",
            "supersedes": "supersedes_assertion_id",
        },
    ),
    commands.Quotation: Shape("QuotationReply", "Words that somebody rests on, and the source they stand in."),
    constellations.Constellation: Shape(
        "ConstellationReply", "A graph as a dashboard draws it, with the graphs of agents that let others read theirs."
    ),
    constellations.DrawnAspect: Shape("DrawnAspectReply"),
    constellations.DrawnClaim: Shape(
        "DrawnClaimReply",
        "What a claim says; `/api/ontology/claims/explain` tells why.",
        only=(
            "id",
            "group",
            "claim",
            "kind",
            "value",
            "confidence",
            "importance",
            "version",
            "valid_from",
            "valid_to",
            "created_at",
            "updated_at",
        ),
        called={"group": "group_key", "claim": "claim_key", "value": "content", "valid_to": "valid_until"},
    ),
    constellations.DrawnCommunity: Shape("DrawnCommunityReply"),
    constellations.DrawnDream: Shape("DrawnDreamReply"),
    constellations.DrawnEntity: Shape(
        "DrawnEntityReply",
        "An entity, the agent whose it is, all its links counted, its community, and its weightiest aspects.",
        called={"agent": "agent_id", "community": "community_id"},
    ),
    constellations.DrawnProposal: Shape("DrawnProposalReply"),
    constellations.DrawnLink: Shape(
        "EdgeReply",
        "A link between two entities.",
        called={
            "source": "source_entity_id",
            "target": "target_entity_id",
            "predicate": "dependency_type",
            "valid_to": "valid_until",
        },
    ),
    constellations.EntitySummary: Shape(
        "NodeReply",
        "An entity; it was first heard of at `createdAt`, and last asked about at `lastReferencedAt`.",
        only=(
            "id",
            "name",
            "slug",
            "type",
            "description",
            "confidence",
            "mentions",
            "pinned",
            "pinned_at",
            "created_at",
            "updated_at",
            "last_referenced_at",
        ),
        called={"type": "entity_type"},
    ),
    constellations.AspectSummary: Shape(
        "SideReply",
        "A side of an entity; the weightier are read first.",
        only=("id", "name", "key", "weight"),
        called={"key": "canonical_name"},
    ),
    constellations.TimeRange: Shape(
        "TimeRangeReply", "From when on something is known, and when it last changed; null where nothing is."
    ),
    constellations.GraphTotals: Shape("TotalsReply", module="nacre.http.constellation_replies"),
    dossiers.AspectHistory: Shape("AspectHistoryReply"),
    dossiers.Beliefs: Shape(
        "BeliefsReply",
        "What is, and was, believed of an entity, the weightiest aspects first.",
        typed={"entity": Named},
    ),
    dossiers.Citation: Shape(
        "PassageReply",
        "The exact words that something rests on, up to 300 characters on either side of them, and who said it when.",
        called={"source": "source_id"},
    ),
    dossiers.ClaimHistory: Shape(
        "ClaimHistoryReply",
        "Everything a claim said, what holds first; `total` counts what is not shown, too.",
        called={"claim": "claim_key"},
    ),
    dossiers.GroupHistory: Shape("GroupHistoryReply", "The claims of a group.", called={"group": "group_key"}),
    dossiers.TimelineEntry: Shape(
        "EventReply",
        "An operation, as the log has it, and the tables in which it touched the entity. Its `id` is what undo takes.",
    ),
    dossiers.ClaimVersion: Shape(
        "VersionedReply",
        "One version of a claim; `holds` says whether it is believed, now or at the moment that was asked about.",
        called={"claim": "attribute"},
    ),
    AttributeSummary: Shape(
        "AttributeSummaryReply", "Claims in force that stand in no group, have no key, or rest on nothing."
    ),
    DuplicateEntities: Shape("TwinsReply"),
    HygieneReport: Shape("HygieneReply", "The gravest of what looks wrong; nothing was changed."),
    MentionCandidate: Shape("MentionReply", "A memory that names a known entity without being known to speak of it."),
    SuspiciousEntity: Shape("SuspiciousReply"),
    HygieneTotals: Shape(
        "TotalsReply",
        "How much was looked at and found, whether it is shown or not.",
        module="nacre.http.insight_bodies",
    ),
    graph_reports.AffectedEntity: Shape(
        "AffectedReply",
        "An entity, and the last link on the way to it, with `~` in front when it leads the other way.",
        typed={"type": str},
    ),
    graph_reports.Impact: Shape(
        "GraphImpactReply", "What a change may come to, the nearest first; `truncated` says that there is more."
    ),
    graph_reports.Layer: Shape("LayerReply"),
    navigation.AspectOutline: Shape("AspectOutlineReply", "An aspect; `groupCount` says how many groups there are."),
    navigation.ClaimOutline: Shape("ClaimOutlineReply", "A claim, and what it says now."),
    navigation.EntityDetail: Shape(
        "DetailReply", "One entity in numbers; `structuralDensity` is the sum of its aspects, claims and dependencies."
    ),
    navigation.GroupOutline: Shape("GroupOutlineReply", "A group of claims; `claimCount` says how many there are."),
    navigation.KnowledgeStats: Shape(
        "KnowledgeStatsReply", "The graph in numbers, and how much of what is remembered it covers."
    ),
    navigation.Label: Shape(
        "LabelReply",
        "What an id stands for.\n\n"
        "An entity has a name. A claim is that of `name`, about `key`, and says `text`; "
        "a link leads from `name` to `text`;\n"
        "an assertion about `name` says `text`.",
    ),
    navigation.TreeLimits: Shape("LimitsReply", "How much of a tree is shown."),
    navigation.EntityOverview: Shape(
        "ListedReply",
        "An entity, when evidence last spoke of it, and how much of it is in force.",
        module="nacre.http.knowledge_bodies",
    ),
    navigation.EntityPage: Shape("PageReply", "Some of the entities."),
    navigation.PinnedEntity: Shape("PinnedReply"),
    navigation.EntityTree: Shape("TreeReply", "An entity, its aspects, their groups and their claims."),
    offers.EntityHealth: Shape(
        "EntityHealthReply", "How well what is offered about an entity serves; a session that used any of it is a win."
    ),
    projections.Point: Shape(
        "PointReply",
        "A memory or a turn, the beginning of what it says, and where it stands, from -1 to 1 on both axes.",
    ),
    projections.Projection: Shape("ProjectionReply"),
    proposals.ProposalCitation: Shape(
        "CitedReply",
        "Words that a proposal rests on, up to 300 characters on either side of them, and who said them when.",
    ),
    proposals.ClaimConflict: Shape(
        "ConflictReply",
        "A claim for which several values are proposed; one that is `multi` may take them all.",
        only=("entity", "entity_id", "aspect", "group", "claim", "cardinality", "values", "proposals"),
        called={"group": "group_key", "claim": "claim_key", "proposals": "proposal_ids"},
    ),
    proposals.ProposedValue: Shape(
        "RivalReply",
        "One of several values that are proposed for a claim.",
        called={"proposal": "proposal_id", "evidence": "evidence_count"},
    ),
    duplicates.MergeImpact: Shape("ImpactReply", "What a merge moves.", called={"links": "dependencies"}),
    duplicates.MergePlan: Shape(
        "PlanReply", "How entities would be merged; `proposals` are those that wait for a decision on it."
    ),
    duplicates.MergeEntity: Shape("TwinReply", "An entity of a merge."),
    suggestions.Advice: Shape(
        "AdvisedReply",
        "Which proposal a language model would apply, and why. It decides nothing.",
        called={"proposal": "proposal_id"},
    ),
    suggestions.RepeatedProposals: Shape(
        "RepeatedReply", "Proposals that say the same: one still waits, and the others were rejected for it."
    ),
    suggestions.Rivals: Shape(
        "RivalsReply",
        "A claim for which several values wait, and what a model says of them where one was asked.",
        only=(
            "conflict.entity",
            "conflict.entity_id",
            "conflict.aspect",
            "conflict.group",
            "conflict.claim",
            "conflict.cardinality",
            "conflict.values",
            "conflict.proposals",
            "advice",
        ),
        called={"conflict.group": "group_key", "conflict.claim": "claim_key", "conflict.proposals": "proposal_ids"},
    ),
    summaries.ExpandedSessions: Shape("ExpandedSessionsReply", typed={"entity_name": str}),
    summaries.SessionSummary: Shape(
        "SessionSummaryReply",
        "What a session came to; `harness` is the agent that it was held with.",
        module="nacre.http.insight_bodies",
    ),
    traversals.ExpandedDependency: Shape(
        "ExpandedDependencyReply", "A link of the entity: the name at its other end, and whether it comes from there."
    ),
    traversals.Excerpt: Shape("ExcerptReply"),
    traversals.ExpandedAspect: Shape("ExpandedAspectReply"),
    traversals.EntityExpansion: Shape("ExpansionReply"),
    traversals.TraversalTelemetry: Shape("TelemetryReply", "What a traversal came to."),
}
