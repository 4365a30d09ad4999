"""Requests and replies of `/api/knowledge` and `/api/graph`, in the words of their document.

A field whose name differs here from the value's own says so with `validation_alias`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, StrictInt
from pydantic.alias_generators import to_camel

from nacre.brain import Door, ScopedNacre
from nacre.domain.claims import Claim, ClaimKind, ClaimStatus
from nacre.domain.graph_reports import DIRECTIONS, MAX_DEPTH
from nacre.domain.memories import Status
from nacre.domain.navigation import AspectOutline, ClaimOutline, Dependency, GroupOutline
from nacre.domain.summaries import MAX_RESULTS
from nacre.domain.traversals import DEFAULT_EXPANSION, MAX_EXPANSION
from nacre.http.bodies import Name, limits
from nacre.http.wire import CamelReply


def _called(name: str, *inside: str) -> Any:
    """What the value itself calls a field, or the place inside it where it is."""
    return Field(validation_alias=AliasPath(name, *inside) if inside else name)


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


class KnowledgeBody(BaseModel):
    """Whose knowledge is meant: the server's own agent's, where none is named."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)

    agent_id: Name | None = Field(default=None, description="Whose knowledge; the server's own agent if left out.")
    user_id: Name | None = Field(default=None, description="Keep to this user's memory.")
    chat_id: Name | None = Field(default=None, description="Keep to this chat's memory.")

    def scope(self, door: Door) -> ScopedNacre:
        """The memory that is meant, if the caller may reach it."""
        return door.scope(self.agent_id, self.user_id, self.chat_id)


class ExpandBody(KnowledgeBody):
    """The entity, or the aspect of it, that somebody wants to know all about."""

    model_config = _example(entity="Billing", aspect="schedule", maxTokens=2000)

    entity: Name = Field(description="By its id, its slug or a name.")
    aspect: Name | None = None
    max_tokens: Annotated[StrictInt, limits(minimum=1, maximum=MAX_EXPANSION)] = DEFAULT_EXPANSION


class ExpandSessionBody(KnowledgeBody):
    """The entity whose sessions are looked for, and when they were."""

    model_config = _example(entityName="Billing", timeRange="last_week", maxResults=10)

    entity_name: Name
    session_id: Name | None = None
    time_range: Name | None = Field(default=None, description="`last_week`, `last_month`, or an ISO time to start at.")
    max_results: Annotated[StrictInt, limits(minimum=1, maximum=MAX_RESULTS)] = 10


class GraphImpactBody(KnowledgeBody):
    """The entity that is about to change, which way to look, and how far."""

    model_config = _example(entityId="billing", direction="upstream", maxDepth=3)

    entity_id: Name = Field(description="By its id, its slug or a name.")
    direction: Annotated[str, limits(enum=list(DIRECTIONS))] = Field(
        default="downstream", description="`downstream` along the links, `upstream` against them."
    )
    max_depth: Annotated[StrictInt, limits(minimum=1, maximum=MAX_DEPTH)] = 3


class KnownEntityReply(CamelReply):
    """An entity as people read it."""

    id: UUID
    name: str
    slug: str
    entity_type: str = _called("type")
    description: str | None
    aliases: list[str]
    properties: dict[str, str]
    confidence: float
    mentions: int
    pinned: Annotated[bool, BeforeValidator(lambda moment: moment is not None)] = _called("pinned_at")
    pinned_at: datetime | None
    status: Status
    archived_at: datetime | None
    archived_by: str | None
    archive_reason: str | None
    last_referenced_at: datetime | None
    last_synthesized_at: datetime | None
    proposal_id: UUID | None = _called("proposal")
    created_at: datetime
    updated_at: datetime


class AspectReply(CamelReply):
    """A side of an entity; the weightier are read first."""

    id: UUID
    entity_id: UUID = _called("entity")
    name: str
    canonical_name: str = _called("key")
    weight: float
    status: Status
    archived_at: datetime | None
    archived_by: str | None
    archive_reason: str | None
    proposal_id: UUID | None = _called("proposal")
    created_at: datetime
    updated_at: datetime


class AttributeReply(CamelReply):
    """One version of one claim, and what it rests on."""

    id: UUID
    entity_id: UUID = _called("entity")
    aspect_id: UUID = _called("aspect")
    aspect: str = _called("slot", "aspect")
    group_key: str = _called("slot", "group")
    claim_key: str | None = _called("slot", "claim")
    kind: ClaimKind
    content: str = _called("value")
    confidence: float
    importance: float
    status: ClaimStatus
    version: int
    version_root_id: UUID = _called("root")
    previous_attribute_id: UUID | None = _called("previous")
    superseded_by: UUID | None
    valid_from: datetime | None
    valid_until: datetime | None = _called("valid_to")
    memory_id: UUID | None = _called("memory")
    source_id: UUID | None = _called("evidence")
    quote: tuple[int, int] | None
    created_by: str = _called("actor")
    decision: str | None
    archived_at: datetime | None
    archived_by: str | None
    archive_reason: str | None
    proposal_id: UUID | None = _called("proposal")
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectsReply:
    """The aspects of an entity."""

    items: Sequence[AspectOutline]
    limit: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupsReply:
    """The groups of an aspect."""

    items: Sequence[GroupOutline]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsReply:
    """The claims of a group."""

    items: Sequence[ClaimOutline]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributesReply:
    """Versions of claims."""

    items: Sequence[Claim]
    limit: int
    offset: int


class DependencyReply(CamelReply):
    """A link between two entities, seen from one of them."""

    id: UUID = _called("link", "id")
    direction: Literal["incoming", "outgoing"]
    dependency_type: str = _called("link", "predicate")
    strength: float = _called("link", "strength")
    confidence: float = _called("link", "confidence")
    aspect_id: UUID | None = _called("link", "aspect")
    reason: str | None = _called("link", "reason")
    source_entity_id: UUID = _called("link", "source")
    source_entity_name: str = _called("source_name")
    target_entity_id: UUID = _called("link", "target")
    target_entity_name: str = _called("target_name")
    created_at: datetime = _called("link", "created_at")
    updated_at: datetime = _called("link", "updated_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class DependenciesReply:
    """Links to and from an entity."""

    items: Sequence[Dependency]
    limit: int
    offset: int


class PinReply(CamelReply):
    """The entity stands before all others."""

    pinned: Literal[True] = True
    pinned_at: datetime
    audit: UUID | None = Field(description="What an undo takes.")


class UnpinReply(CamelReply):
    """The entity stands where it belongs."""

    pinned: Literal[False] = False
    audit: UUID | None = Field(description="What an undo takes.")
