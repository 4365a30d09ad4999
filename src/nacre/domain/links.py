"""Edges of the graph: an entity, a predicate, and another entity or a plain value; and the tastes they tell of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from nacre.domain import keys
from nacre.domain.ids import AspectId, EntityId, LinkId, ProposalId, SourceId
from nacre.domain.memories import Status

RELATED_TO = "related_to"
HAS_PRICE = "has_price"
PREFERS, DISLIKES = "prefers", "dislikes"
LIVES_IN, LOCATED_IN, WORKS_AT, PARTNER_OF, OWNS = "lives_in", "located_in", "works_at", "partner_of", "owns"
# What such a link carries where it was read: the exact number, the day's change, and until when that is today's.
EXACT, CHANGE, UNTIL = "exact", "change", "until"

# The vocabularies of the documents. Callers may use others; extractors may not.
_PREDICATES = """
works_on works_at works_with manages reports_to collaborates_with knows belongs_to part_of depends_on blocks created
completed assigned_to scheduled_for located_in based_at lives_in uses implements integrates_with related_to owns
owned_by prefers dislikes preferred_source uses_tool project_name hosted_on has_role has_price authored references
provides requires informs maintains built learned_from teaches assumes supports_claim authored_by links_to contains
contains_note contradicts supersedes produced_artifact precedes follows triggers may_execute requires_approval_from
impacts produces consumes friend_of colleague_of family_of partner_of member_of is
"""
PREDICATES = frozenset(_PREDICATES.split())


def check_predicate(value: object) -> str:
    """`value` as predicates are spelled."""
    return keys.canonical("predicate", value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One directed edge. It leads to `target`, or to the plain `value` where there is no target."""

    id: LinkId
    source: EntityId
    predicate: str
    created_at: datetime
    updated_at: datetime
    target: EntityId | None = None
    value: str | None = None
    confidence: float = 1.0
    strength: float = 1.0
    reason: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    status: Status = Status.ACTIVE
    evidence: SourceId | None = None
    quote: tuple[int, int] | None = None
    aspect: AspectId | None = None
    archived_at: datetime | None = None
    archived_by: str | None = None
    archive_reason: str | None = None
    proposal: ProposalId | None = None

    def holds_at(self, moment: datetime) -> bool:
        """Whether it is in force at a moment, going by its own dates; without one it holds since it was stored.

        What had ended before it was stored has no known beginning: it held at any time before its end.
        """
        lasts = self.valid_to is None or self.valid_to > moment
        if self.valid_from is None and self.valid_to is not None and self.valid_to <= self.created_at:
            began = True
        else:
            began = (self.valid_from or self.created_at) <= moment
        return self.status is Status.ACTIVE and began and lasts


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkEvent:
    """One thing that happened to a link: what it was before and after."""

    event: str
    at: datetime
    before: dict[str, Any] | None
    after: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """The names of those who like a thing and of those who dislike it; nobody where what they felt is over."""

    likers: tuple[str, ...] = ()
    dislikers: tuple[str, ...] = ()

    def __str__(self) -> str:
        """What a kind such as `preference` leaves out: nothing where the thing is liked and no more than that."""
        if not self.likers and not self.dislikers:
            return "no longer liked or disliked"
        liked = f"liked by {', '.join(self.likers)}, " if self.likers else ""
        return f"{liked}disliked by {', '.join(self.dislikers)}" if self.dislikers else ""
