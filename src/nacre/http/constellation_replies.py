"""What a dashboard draws, and a way to write it that is fast enough for thousands of rows at once."""

from datetime import datetime
from functools import cache
from typing import Any, get_args
from uuid import UUID

from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo
from pydantic_core import to_json

from nacre.domain.claims import ClaimKind
from nacre.domain.constellations import Constellation
from nacre.domain.entities import EntityType
from nacre.http.wire import CamelReply


def _called(name: str) -> Any:
    """What the value itself calls a field."""
    return Field(validation_alias=name)


def rendered(drawn: Constellation) -> bytes:
    """A constellation as JSON, as `ConstellationReply` describes it.

    Checking every row once more on its way out takes several times as long as writing it; a test does so instead.
    """
    return to_json(_written(drawn, ConstellationReply))


def _written(value: Any, model: type[BaseModel]) -> dict[str, Any]:
    shown = {}
    for name, attribute, part in _fields(model):
        held = getattr(value, attribute)
        if part is None:
            shown[name] = held
        elif isinstance(held, tuple):
            shown[name] = [_written(each, part) for each in held]
        else:
            shown[name] = _written(held, part)
    return shown


@cache
def _fields(model: type[BaseModel]) -> list[tuple[str, str, type[BaseModel] | None]]:
    """The fields of a reply: its name there, what the value calls it, and the reply that it holds."""
    return [
        (str(field.serialization_alias), str(field.validation_alias) if _renamed(field) else name, _part(field))
        for name, field in model.model_fields.items()
    ]


def _renamed(field: FieldInfo) -> bool:
    return field.validation_alias != field.serialization_alias


def _part(field: FieldInfo) -> type[BaseModel] | None:
    held = next(iter(get_args(field.annotation)), field.annotation)
    return held if isinstance(held, type) and issubclass(held, BaseModel) else None


class NodeReply(CamelReply):
    """An entity; it was first heard of at `createdAt`, and last asked about at `lastReferencedAt`."""

    id: UUID
    name: str
    slug: str
    entity_type: EntityType = _called("type")
    description: str | None
    confidence: float
    mentions: int
    pinned: bool
    pinned_at: datetime | None
    created_at: datetime
    updated_at: datetime
    last_referenced_at: datetime | None


class SideReply(CamelReply):
    """A side of an entity; the weightier are read first."""

    id: UUID
    name: str
    canonical_name: str = _called("key")
    weight: float


class DrawnClaimReply(CamelReply):
    """What a claim says; `/api/ontology/claims/explain` tells why."""

    id: UUID
    group_key: str = _called("group")
    claim_key: str | None = _called("claim")
    kind: ClaimKind
    content: str = _called("value")
    confidence: float
    importance: float
    version: int
    valid_from: datetime | None
    valid_until: datetime | None = _called("valid_to")
    created_at: datetime
    updated_at: datetime


class DrawnAspectReply(CamelReply):
    """An aspect and its most important claims."""

    aspect: SideReply
    attributes: list[DrawnClaimReply]


class DrawnEntityReply(CamelReply):
    """An entity, the agent whose it is, all its links counted, its community, and its weightiest aspects."""

    agent_id: str = _called("agent")
    entity: NodeReply
    last_mentioned_at: datetime | None
    degree: int
    aliases: list[str]
    community_id: UUID | None = _called("community")
    aspects: list[DrawnAspectReply]


class EdgeReply(CamelReply):
    """A link between two entities."""

    id: UUID
    source_entity_id: UUID = _called("source")
    target_entity_id: UUID = _called("target")
    dependency_type: str = _called("predicate")
    strength: float
    confidence: float
    valid_from: datetime | None
    valid_until: datetime | None = _called("valid_to")
    created_at: datetime


class DrawnCommunityReply(CamelReply):
    """A group of entities that are linked closely."""

    id: UUID
    name: str
    member_count: int


class DrawnProposalReply(CamelReply):
    """A change that waits for somebody to decide."""

    id: UUID
    operation: str
    payload: dict[str, Any]
    confidence: float | None
    rationale: str | None
    risk: str | None
    created_by: str
    created_at: datetime


class DrawnDreamReply(CamelReply):
    """What a night's work came to."""

    id: UUID
    trigger: str
    status: str
    report: dict[str, Any]
    started_at: datetime
    finished_at: datetime | None


class TimeRangeReply(CamelReply):
    """From when on something is known, and when it last changed; null where nothing is."""

    earliest: datetime | None
    latest: datetime | None


class TotalsReply(CamelReply):
    """How much there is, whether it is drawn or not."""

    entities: int
    dependencies: int


class ConstellationReply(CamelReply):
    """A graph as a dashboard draws it, with the graphs of agents that let others read theirs."""

    as_of: datetime | None
    range: TimeRangeReply
    totals: TotalsReply
    entities: list[DrawnEntityReply]
    dependencies: list[EdgeReply]
    communities: list[DrawnCommunityReply]
    proposals: list[DrawnProposalReply]
    dreams: list[DrawnDreamReply]
