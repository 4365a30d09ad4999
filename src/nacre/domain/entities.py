"""Entities: people, projects, places and things that the graph is about, and what leads to and from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from nacre.domain.ids import EntityId, ProposalId
from nacre.domain.links import Link
from nacre.domain.memories import Status

MAX_ALIASES = 100
MIN_MATCHED = 3


class EntityType(StrEnum):
    """Every kind of thing that any of the documents knows."""

    PERSON = "person"
    ORGANIZATION = "organization"
    PROJECT = "project"
    PRODUCT = "product"
    TECHNOLOGY = "technology"
    TOOL = "tool"
    SYSTEM = "system"
    SKILL = "skill"
    TASK = "task"
    EVENT = "event"
    DOCUMENT = "document"
    CONCEPT = "concept"
    TOPIC = "topic"
    LOCATION = "location"
    PLACE = "place"
    ASSET = "asset"
    PREFERENCE = "preference"
    FACT = "fact"
    TIME = "time"
    SOURCE = "source"
    ARTIFACT = "artifact"
    AGENT = "agent"
    POLICY = "policy"
    ACTION = "action"
    WORKFLOW = "workflow"
    OBJECT_TYPE = "object_type"
    INTERFACE = "interface"
    OBSERVATION = "observation"
    CLAIM_SLOT = "claim_slot"
    CLAIM_VALUE = "claim_value"
    UNKNOWN = "unknown"


# Other words for the same kinds, as people and models write them.
_SPELLINGS = {"org": "organization", "organisation": "organization", "company": "organization", "people": "person"}
_SPELLINGS |= {"organizations": "organization", "places": "place", "assets": "asset", "preferences": "preference"}
_TYPES = {each.value: each for each in EntityType}


def entity_type(value: object) -> EntityType:
    """The type a caller means; `unknown` for what no document knows, never an error."""
    text = str(value).strip().lower().replace(" ", "_").replace("-", "_")
    text = _SPELLINGS.get(text, text)
    return _TYPES.get(text, EntityType.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A named thing; `slug` is its readable id, `aliases` are its other names."""

    id: EntityId
    name: str
    slug: str
    type: EntityType
    created_at: datetime
    updated_at: datetime
    description: str | None = None
    aliases: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    confidence: float = 1.0
    mentions: int = 0
    pinned_at: datetime | None = None
    status: Status = Status.ACTIVE
    archived_at: datetime | None = None
    archived_by: str | None = None
    archive_reason: str | None = None
    last_referenced_at: datetime | None = None
    last_synthesized_at: datetime | None = None
    proposal: ProposalId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An entity and the links at it, in both directions, the newest first, as they were at one moment."""

    entity: Entity
    links: tuple[Link, ...] = ()
