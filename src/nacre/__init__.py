"""Memory and a knowledge graph for AI agents: one file, no key, and the same code on PostgreSQL."""

# As `typing` has it, whose import takes longer than all that is done here.
TYPE_CHECKING = False

if TYPE_CHECKING:
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

__version__ = "0.2.0"

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

# Names that live elsewhere than among the errors. A name is fetched when it is first asked for: whoever wants the
# version, or a hook that talks to a running server, does not wait for the graph, the models and the database.
_HOMES = {
    "nacre.aio": ("AsyncNacre", "AsyncScopedNacre"),
    "nacre.brain": ("Nacre", "ScopedNacre"),
    "nacre.domain.contexts": ("Context", "Message"),
    "nacre.domain.feedback": ("FeedbackKind", "Signal"),
    "nacre.domain.forgetting": ("Forgotten",),
    "nacre.domain.hits": ("Evidence", "Hit", "Kind", "Recall"),
    "nacre.domain.memories": ("Match", "Memory", "Outcome", "Remembered", "Status"),
    "nacre.domain.scopes": ("Scope",),
    "nacre.domain.sharing": ("ReadPolicy", "Sharing"),
    "nacre.domain.skills": ("Skill", "SkillSummary"),
    "nacre.domain.turns": ("Observation", "Role", "Turn"),
    "nacre.domain.working": ("Entry",),
    "nacre.settings": ("Settings",),
}


def __getattr__(name: str) -> object:
    """A public name, from where it lives."""
    if name not in __all__:
        raise AttributeError(f"module 'nacre' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - this module loads nothing

    home = next((home for home, names in _HOMES.items() if name in names), "nacre.domain.errors")
    globals()[name] = value = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    """What a program may use."""
    return [*__all__, "__version__"]
