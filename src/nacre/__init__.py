"""Memory and a knowledge graph for AI agents: one file, no key, and the same code on PostgreSQL."""

from nacre.aio import AsyncNacre, AsyncScopedNacre
from nacre.brain import Nacre, ScopedNacre
from nacre.domain.contexts import Context, Message
from nacre.domain.errors import (
    Busy,
    Closed,
    Conflict,
    Denied,
    Invalid,
    Misconfigured,
    NacreError,
    NotFound,
    SchemaTooNew,
    Unavailable,
)
from nacre.domain.hits import Evidence, Hit, Kind, Recall
from nacre.domain.memories import Memory
from nacre.domain.scopes import Scope
from nacre.domain.turns import Observation, Role, Turn
from nacre.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "AsyncNacre",
    "AsyncScopedNacre",
    "Busy",
    "Closed",
    "Conflict",
    "Context",
    "Denied",
    "Evidence",
    "Hit",
    "Invalid",
    "Kind",
    "Memory",
    "Message",
    "Misconfigured",
    "Nacre",
    "NacreError",
    "NotFound",
    "Observation",
    "Recall",
    "Role",
    "SchemaTooNew",
    "Scope",
    "ScopedNacre",
    "Settings",
    "Turn",
    "Unavailable",
]
