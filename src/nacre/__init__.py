"""Memory and a knowledge graph for AI agents: one file, no key, and the same code on PostgreSQL."""

from nacre.aio import AsyncNacre, AsyncScopedNacre
from nacre.brain import Nacre, ScopedNacre
from nacre.domain.contexts import Context, Message
from nacre.domain.errors import (
    Ambiguous,
    Busy,
    Closed,
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
from nacre.domain.feedback import FeedbackKind, Signal
from nacre.domain.forgetting import Forgotten
from nacre.domain.hits import Evidence, Hit, Kind, Recall
from nacre.domain.memories import Match, Memory, Outcome, Remembered, Status
from nacre.domain.scopes import Scope
from nacre.domain.sharing import ReadPolicy, Sharing
from nacre.domain.skills import Skill, SkillSummary
from nacre.domain.turns import Observation, Role, Turn
from nacre.domain.working import Entry
from nacre.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "Ambiguous",
    "AsyncNacre",
    "AsyncScopedNacre",
    "Busy",
    "Closed",
    "Conflict",
    "Context",
    "Damaged",
    "Denied",
    "Entry",
    "Evidence",
    "FeedbackKind",
    "Forgotten",
    "Full",
    "Hit",
    "Invalid",
    "Kind",
    "Match",
    "Memory",
    "Message",
    "Misconfigured",
    "Nacre",
    "NacreError",
    "NotFound",
    "Observation",
    "Outcome",
    "RateLimited",
    "ReadPolicy",
    "Recall",
    "Remembered",
    "Role",
    "SchemaTooNew",
    "Scope",
    "ScopedNacre",
    "Settings",
    "Sharing",
    "Signal",
    "Skill",
    "SkillSummary",
    "SlotConstrained",
    "Status",
    "StillRunning",
    "Turn",
    "Unauthenticated",
    "Unavailable",
]
