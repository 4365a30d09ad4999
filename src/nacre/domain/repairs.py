"""Entities that go by one name: which should stay, and what a merge would move."""

from dataclasses import dataclass

from nacre.domain.ids import EntityId, ProposalId

MAX_GROUPS = 100
# How sure it is that entities of one name are one thing: of one type, and of several.
SAME_TYPE = 0.86
OTHER_TYPE = 0.72


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeEntity:
    """As much of an entity as is needed to decide on it."""

    id: EntityId
    name: str
    slug: str
    type: str
    mentions: int
    pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeImpact:
    """What a merge moves: how often the sources were mentioned, where memories speak of them, and what they hold."""

    source_mentions: int
    memory_mentions: int
    aspects: int
    attributes: int
    links: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlan:
    """Entities that may be one: `target` would stay, `sources` would become part of it.

    The risk is `low`, `review_required` where the types differ, or `blocked` where a source is pinned: then nothing is
    proposed. `proposals` are those that wait for a decision on just these merges.
    """

    target: MergeEntity
    sources: tuple[MergeEntity, ...]
    confidence: float
    risk: str
    impact: MergeImpact
    proposals: tuple[ProposalId, ...] = ()
