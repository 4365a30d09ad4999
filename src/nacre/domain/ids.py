"""Identifiers: UUIDv7, so that they sort by the time they were made."""

import secrets
from datetime import datetime
from threading import Lock
from typing import NewType
from uuid import UUID

from nacre.domain.errors import Invalid

SourceId = NewType("SourceId", UUID)
MemoryId = NewType("MemoryId", UUID)
ScopeId = NewType("ScopeId", UUID)
EntityId = NewType("EntityId", UUID)
LinkId = NewType("LinkId", UUID)
AuditId = NewType("AuditId", UUID)
AspectId = NewType("AspectId", UUID)
ClaimId = NewType("ClaimId", UUID)
AssertionId = NewType("AssertionId", UUID)
ProposalId = NewType("ProposalId", UUID)


_RANDOM_BITS = 74


class _Last:
    """The last id that was made here: those of one moment must still sort in the order they were made."""

    lock = Lock()
    milliseconds = -1
    random = 0


def new(now: datetime) -> UUID:
    """A fresh UUIDv7 for the instant `now`, greater than every one that this process made for the same instant."""
    milliseconds = int(now.timestamp() * 1000) & (1 << 48) - 1
    with _Last.lock:
        # Half the room is left for those that follow; a step of random size cannot be guessed.
        if milliseconds == _Last.milliseconds:
            random = (_Last.random + 1 + secrets.randbits(32)) & (1 << _RANDOM_BITS) - 1
        else:
            random = secrets.randbits(_RANDOM_BITS - 1)
        _Last.milliseconds, _Last.random = milliseconds, random
    high, low = random >> 62, random & (1 << 62) - 1
    return UUID(int=milliseconds << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low)


def parse(kind: str, value: str | UUID) -> UUID:
    """Read an id that a caller gave."""
    if isinstance(value, UUID):
        return value
    try:
        return UUID(value)
    except (ValueError, AttributeError, TypeError) as error:
        raise Invalid(kind, f"must be an id such as 0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e, not {value!r}") from error
