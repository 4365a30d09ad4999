"""Operations on entities of special kinds: policies, action types, interfaces and tasks."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as default
from datetime import datetime
from typing import ClassVar

from nacre.domain import checks
from nacre.domain.entities import EntityType
from nacre.domain.memories import check_metadata
from nacre.domain.operations import MAX_DESCRIPTION, Selector, check_selector
from nacre.domain.tasks import TaskStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A named thing with a definition, and optionally the entity that it is about."""

    name: str
    definition: str
    entity: Selector | None = None
    properties: Mapping[str, str] = default(default_factory=dict)
    reason: str | None = None

    type: ClassVar[EntityType]
    predicate: ClassVar[str]

    def __post_init__(self) -> None:
        checks.name("name", self.name)
        checks.text("definition", self.definition, limit=MAX_DESCRIPTION)
        if self.entity is not None:
            check_selector("entity", self.entity)
        object.__setattr__(self, "properties", check_metadata(self.properties))


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePolicy(Definition):
    """Write down a rule; the entity it governs requires it."""

    operation: ClassVar[str] = "create_policy"
    type: ClassVar[EntityType] = EntityType.POLICY
    predicate: ClassVar[str] = "requires"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateActionType(Definition):
    """Write down a kind of action; the entity may execute it."""

    operation: ClassVar[str] = "create_action_type"
    type: ClassVar[EntityType] = EntityType.ACTION
    predicate: ClassVar[str] = "may_execute"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateInterface(Definition):
    """Write down what things of a kind have in common; the entity implements it."""

    operation: ClassVar[str] = "create_interface"
    type: ClassVar[EntityType] = EntityType.INTERFACE
    predicate: ClassVar[str] = "implements"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachInterface:
    """Say that an entity implements an interface."""

    operation: ClassVar[str] = "attach_interface"

    entity: Selector
    interface: Selector
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        check_selector("interface", self.interface)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTask:
    """Make an entity a task, or move it on in its life; what is not given stays."""

    operation: ClassVar[str] = "set_task"

    entity: Selector
    status: TaskStatus | str | None = None
    expires_at: datetime | None = None
    retention_until: datetime | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        if self.status is not None:
            object.__setattr__(self, "status", TaskStatus(checks.choice("status", self.status, list(TaskStatus))))
        for name in ("expires_at", "retention_until"):
            object.__setattr__(self, name, checks.optional_instant(name, getattr(self, name)))
