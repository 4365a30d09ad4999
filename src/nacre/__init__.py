"""Memory and a knowledge graph for AI agents: one file, no key, and the same code on PostgreSQL."""

# As `typing` has it, whose import takes longer than all that is done here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from nacre.aio import AsyncNacre, AsyncScopedNacre
    from nacre.brain import Nacre, ScopedNacre
    from nacre.domain.access import Denial, IssuedToken, Token
    from nacre.domain.answers import Answer
    from nacre.domain.assertions import Assertion
    from nacre.domain.audits import AuditRecord, Inspection
    from nacre.domain.claims import Aspect, Cardinality, Claim
    from nacre.domain.commands import Command, Operation, Origin, Quotation
    from nacre.domain.communities import Communities, CommunityRefresh
    from nacre.domain.constellations import Constellation
    from nacre.domain.contexts import Context, Message
    from nacre.domain.doctor_reports import DoctorReport
    from nacre.domain.documents import (
        Document,
        DocumentInfo,
        DocumentLink,
        DocumentLinks,
        SavedDocument,
        SyncReport,
        VaultHits,
    )
    from nacre.domain.dossiers import Beliefs, Citation, Connection, TimelineEntry
    from nacre.domain.dreams import Dream, DreamRecord, PassReport
    from nacre.domain.duplicates import DuplicateCandidate, MergePlan
    from nacre.domain.entities import Entity, Node
    from nacre.domain.errors import (
        Ambiguous,
        Busy,
        Closed,
        CommitLost,
        Conflict,
        Damaged,
        Denied,
        Full,
        Invalid,
        Misconfigured,
        NacreError,
        NotFound,
        RateLimited,
        SchemaTooNew,
        SlotConstrained,
        StillRunning,
        Unauthenticated,
        Unavailable,
    )
    from nacre.domain.explanations import Explanation, LinkExplanation
    from nacre.domain.extractions import Extraction
    from nacre.domain.feedback import FeedbackKind, Signal
    from nacre.domain.forgetting import ForgetReport, ScrubReport
    from nacre.domain.graph_reports import (
        GraphHealth,
        GraphPicture,
        GraphQuality,
        GraphSketch,
        GraphStats,
        HygieneReport,
        Impact,
        Walk,
    )
    from nacre.domain.hits import Evidence, Hit, Kind, Recall
    from nacre.domain.jobs import Job, JobStatus
    from nacre.domain.links import Link, LinkEvent, Taste
    from nacre.domain.memories import Memory, MemoryChange, MemoryMatch, Outcome, RememberReport, Status
    from nacre.domain.navigation import (
        AspectOutline,
        ClaimOutline,
        Dependency,
        EntityDetail,
        EntityPage,
        EntityTree,
        GroupOutline,
        KnowledgeStats,
        Label,
        PinnedEntity,
    )
    from nacre.domain.offers import EntityHealth, WeightUpkeep
    from nacre.domain.operation_results import DuplicateReport, OperationResult, StreamReport
    from nacre.domain.progress import LearningStatus, Progress
    from nacre.domain.projections import Projection
    from nacre.domain.proposals import ClaimConflict, Proposal, ProposalCitation, ProposalStatus
    from nacre.domain.scopes import Scope, ScopeInfo
    from nacre.domain.sharing import ReadPolicy, SharingSettings
    from nacre.domain.skills import Skill, SkillSummary
    from nacre.domain.suggestions import ProposalConsolidation, Suggestions
    from nacre.domain.summaries import ExpandedSessions, Summary, SummaryReport
    from nacre.domain.tasks import Task, TaskStatus
    from nacre.domain.transfers import Backup, Transfer
    from nacre.domain.traversals import EntityExpansion, Traversal, TraversalConfig, TraversalTelemetry
    from nacre.domain.turns import Observation, Role, SessionInfo, StoredTurn, Turn
    from nacre.domain.working import WorkingEntry
    from nacre.domain.world import Alert, ObservedValue, PerceptionReport, ValueTrend, Watch, WorldSource
    from nacre.models.embedders import Embedder
    from nacre.settings import Settings

__version__ = "0.2.0"

__all__ = [
    "Alert",
    "Ambiguous",
    "Answer",
    "Aspect",
    "AspectOutline",
    "Assertion",
    "AsyncNacre",
    "AsyncScopedNacre",
    "AuditRecord",
    "Backup",
    "Beliefs",
    "Busy",
    "Cardinality",
    "Citation",
    "Claim",
    "ClaimConflict",
    "ClaimOutline",
    "Closed",
    "Command",
    "CommitLost",
    "Communities",
    "CommunityRefresh",
    "Conflict",
    "Connection",
    "Constellation",
    "Context",
    "Damaged",
    "Denial",
    "Denied",
    "Dependency",
    "DoctorReport",
    "Document",
    "DocumentInfo",
    "DocumentLink",
    "DocumentLinks",
    "Dream",
    "DreamRecord",
    "DuplicateCandidate",
    "DuplicateReport",
    "Embedder",
    "Entity",
    "EntityDetail",
    "EntityExpansion",
    "EntityHealth",
    "EntityPage",
    "EntityTree",
    "Evidence",
    "ExpandedSessions",
    "Explanation",
    "Extraction",
    "FeedbackKind",
    "ForgetReport",
    "Full",
    "GraphHealth",
    "GraphPicture",
    "GraphQuality",
    "GraphSketch",
    "GraphStats",
    "GroupOutline",
    "Hit",
    "HygieneReport",
    "Impact",
    "Inspection",
    "Invalid",
    "IssuedToken",
    "Job",
    "JobStatus",
    "Kind",
    "KnowledgeStats",
    "Label",
    "LearningStatus",
    "Link",
    "LinkEvent",
    "LinkExplanation",
    "Memory",
    "MemoryChange",
    "MemoryMatch",
    "MergePlan",
    "Message",
    "Misconfigured",
    "Nacre",
    "NacreError",
    "Node",
    "NotFound",
    "Observation",
    "ObservedValue",
    "Operation",
    "OperationResult",
    "Origin",
    "Outcome",
    "PassReport",
    "PerceptionReport",
    "PinnedEntity",
    "Progress",
    "Projection",
    "Proposal",
    "ProposalCitation",
    "ProposalConsolidation",
    "ProposalStatus",
    "Quotation",
    "RateLimited",
    "ReadPolicy",
    "Recall",
    "RememberReport",
    "Role",
    "SavedDocument",
    "SchemaTooNew",
    "Scope",
    "ScopeInfo",
    "ScopedNacre",
    "ScrubReport",
    "SessionInfo",
    "Settings",
    "SharingSettings",
    "Signal",
    "Skill",
    "SkillSummary",
    "SlotConstrained",
    "Status",
    "StillRunning",
    "StoredTurn",
    "StreamReport",
    "Suggestions",
    "Summary",
    "SummaryReport",
    "SyncReport",
    "Task",
    "TaskStatus",
    "Taste",
    "TimelineEntry",
    "Token",
    "Transfer",
    "Traversal",
    "TraversalConfig",
    "TraversalTelemetry",
    "Turn",
    "Unauthenticated",
    "Unavailable",
    "ValueTrend",
    "VaultHits",
    "Walk",
    "Watch",
    "WeightUpkeep",
    "WorkingEntry",
    "WorldSource",
]

# Names that live elsewhere than among the errors. A name is fetched when it is first asked for: whoever wants the
# version, or a hook that talks to a running server, does not wait for the graph, the models and the database.
_HOMES = {
    "nacre.aio": "AsyncNacre AsyncScopedNacre",
    "nacre.brain": "Nacre ScopedNacre",
    "nacre.domain.access": "Denial IssuedToken Token",
    "nacre.domain.answers": "Answer",
    "nacre.domain.assertions": "Assertion",
    "nacre.domain.audits": "AuditRecord Inspection",
    "nacre.domain.claims": "Aspect Cardinality Claim",
    "nacre.domain.commands": "Command Operation Origin Quotation",
    "nacre.domain.communities": "Communities CommunityRefresh",
    "nacre.domain.constellations": "Constellation",
    "nacre.domain.contexts": "Context Message",
    "nacre.domain.doctor_reports": "DoctorReport",
    "nacre.domain.documents": "Document DocumentInfo DocumentLink DocumentLinks SavedDocument SyncReport VaultHits",
    "nacre.domain.dossiers": "Beliefs Citation Connection TimelineEntry",
    "nacre.domain.dreams": "Dream DreamRecord PassReport",
    "nacre.domain.duplicates": "DuplicateCandidate MergePlan",
    "nacre.domain.entities": "Entity Node",
    "nacre.domain.explanations": "Explanation LinkExplanation",
    "nacre.domain.extractions": "Extraction",
    "nacre.domain.feedback": "FeedbackKind Signal",
    "nacre.domain.forgetting": "ForgetReport ScrubReport",
    "nacre.domain.graph_reports": (
        "GraphHealth GraphPicture GraphQuality GraphSketch GraphStats HygieneReport Impact Walk"
    ),
    "nacre.domain.hits": "Evidence Hit Kind Recall",
    "nacre.domain.jobs": "Job JobStatus",
    "nacre.domain.links": "Link LinkEvent Taste",
    "nacre.domain.memories": "Memory MemoryChange MemoryMatch Outcome RememberReport Status",
    "nacre.domain.navigation": (
        "AspectOutline ClaimOutline Dependency EntityDetail EntityPage "
        "EntityTree GroupOutline KnowledgeStats Label PinnedEntity"
    ),
    "nacre.domain.offers": "EntityHealth WeightUpkeep",
    "nacre.domain.operation_results": "DuplicateReport OperationResult StreamReport",
    "nacre.domain.progress": "LearningStatus Progress",
    "nacre.domain.projections": "Projection",
    "nacre.domain.proposals": "ClaimConflict Proposal ProposalCitation ProposalStatus",
    "nacre.domain.scopes": "Scope ScopeInfo",
    "nacre.domain.sharing": "ReadPolicy SharingSettings",
    "nacre.domain.skills": "Skill SkillSummary",
    "nacre.domain.suggestions": "ProposalConsolidation Suggestions",
    "nacre.domain.summaries": "ExpandedSessions Summary SummaryReport",
    "nacre.domain.tasks": "Task TaskStatus",
    "nacre.domain.transfers": "Backup Transfer",
    "nacre.domain.traversals": "EntityExpansion Traversal TraversalConfig TraversalTelemetry",
    "nacre.domain.turns": "Observation Role SessionInfo StoredTurn Turn",
    "nacre.domain.working": "WorkingEntry",
    "nacre.domain.world": "Alert ObservedValue PerceptionReport ValueTrend Watch WorldSource",
    "nacre.models.embedders": "Embedder",
    "nacre.settings": "Settings",
}


def __getattr__(name: str) -> object:
    """A public name, from where it lives."""
    if name not in __all__:
        raise AttributeError(f"module 'nacre' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - this module loads nothing

    home = next((home for home, names in _HOMES.items() if name in names.split()), "nacre.domain.errors")
    globals()[name] = value = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    """What a program may use."""
    return [*__all__, "__version__"]
