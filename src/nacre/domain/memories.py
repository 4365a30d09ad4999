"""Long-term memory: what an agent was told to keep."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.ids import MemoryId, SourceId

GENERAL = "general"
MAX_TAGS = 50
MAX_METADATA = 100

_CATEGORY = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")


def check_category(value: object) -> str:
    """`value`, if it is a path such as `user-preferences/timezone`."""
    category = checks.name("category", value)
    if not _CATEGORY.fullmatch(category):
        raise Invalid("category", f"must be letters, digits, `_` and `-` in parts joined by `/`, not {category!r}")
    return category


def check_tags(values: object) -> tuple[str, ...]:
    """`values` without repeats, in their order, if each is a tag."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise Invalid("tags", "must be a list of tags")
    tags = tuple(dict.fromkeys(checks.name("tags", tag) for tag in values))
    if len(tags) > MAX_TAGS:
        raise Invalid("tags", f"has {len(tags)} tags; at most {MAX_TAGS} are allowed")
    return tags


def check_metadata(values: object) -> dict[str, str]:
    """`values`, if it maps names to text."""
    if not isinstance(values, Mapping):
        raise Invalid("metadata", "must map names to text")
    if len(values) > MAX_METADATA:
        raise Invalid("metadata", f"has {len(values)} entries; at most {MAX_METADATA} are allowed")
    return {checks.name("metadata", key): checks.text("metadata", value, limit=10_000) for key, value in values.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One long-term memory entry, and the part of its source that it rests on."""

    id: MemoryId
    content: str
    category: str
    source: SourceId
    quote: tuple[int, int]
    created_at: datetime
    updated_at: datetime
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    importance: float = 0.5

    @property
    def searchable(self) -> str:
        """The text that search sees: content, tags, and the category with its separators as spaces."""
        return " ".join([self.content, *self.tags, re.sub(r"[/_-]", " ", self.category)])
