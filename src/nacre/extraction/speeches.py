"""Speeches: turns of users and memories with their statements, as they are compared with each other."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from nacre.domain.ids import SourceId
from nacre.domain.memories import Memory
from nacre.domain.turns import Role, StoredTurn
from nacre.memory.statements import TextStatements, read_statements
from nacre.models.readings import SpokenTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """A turn or a memory with its statements; `order` tells which of two of one moment came later."""

    id: UUID
    order: tuple[datetime, UUID]
    statements: TextStatements
    speaker: str | None = None
    session: str | None = None
    is_memory: bool = False
    # Where its words are kept.
    source: SourceId | None = None


def speech_of_turn(stored: StoredTurn) -> Speech | None:
    """A turn of a user with its statements; None where it states nothing."""
    if stored.turn.role != Role.USER:
        return None
    speech = _speech(stored.id, stored.turn.text, stored.at, stored.turn.speaker, stored.turn.session)
    return replace(speech, source=SourceId(stored.id)) if speech else None


def speech_of_memory(memory: Memory) -> Speech | None:
    """A memory with its statements; None where it states nothing."""
    speech = _speech(memory.id, memory.content, memory.updated_at)
    return replace(speech, is_memory=True, source=SourceId(memory.source)) if speech else None


def _speech(
    key: UUID, text: str, at: datetime, speaker: str | None = None, session: str | None = None
) -> Speech | None:
    found = read_statements(text, at)
    if not (found.frames or found.every):
        return None
    return Speech(id=key, order=(at, key), statements=found, speaker=speaker, session=session)


def spoken_turn(speech: Speech) -> SpokenTurn:
    """A speech as models read it."""
    return SpokenTurn(speech.speaker or Role.USER.value, speech.statements.text)


def is_same_talk(newer: Speech, older: Speech) -> bool:
    """Whether two speeches are of one session."""
    return newer.session is not None and newer.session == older.session
