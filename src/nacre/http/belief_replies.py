"""Replies of `/api/ontology` about claims, links, assertions and names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from nacre.domain.assertions import Assertion
from nacre.domain.audits import AuditRecord
from nacre.domain.claims import Claim
from nacre.domain.entities import Entity
from nacre.domain.explanations import Explanation, LinkExplanation
from nacre.domain.hits import Evidence
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.http.camel_values import Named
from nacre.http.wire import CamelReply, Shape
from nacre.text.names import match_key

Citation = Annotated[
    Evidence,
    Shape(
        "CitationReply", "The exact words that something rests on, and where they stand.", called={"id": "source_id"}
    ),
]
Decision = Annotated[
    AuditRecord,
    Shape(
        "DecisionReply",
        "An operation that made something what it is; an undo takes its `id` or its `batch`.",
        only=("id", "batch", "operation", "actor", "reason", "at", "proposal", "undone_by"),
        called={"proposal": "proposal_id"},
    ),
]
# The versions before and after one that an explanation shows, the nearest first.
MAX_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsReply:
    """Versions of a claim, the last first."""

    items: Sequence[Claim]
    count: int
    limit: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundsReply:
    """What something rests on, and the operations that made it what it is."""

    evidence: Sequence[Citation]
    decisions: Sequence[Decision]

    @staticmethod
    def grounds(why: Explanation | LinkExplanation) -> dict[str, Any]:
        """The grounds of an explanation."""
        return {
            "evidence": [why.evidence] if why.evidence else [],
            "decisions": why.decisions,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEvidenceReply(GroundsReply):
    """A version of a claim and its grounds."""

    attribute: Claim

    @classmethod
    def shown(cls, why: Explanation) -> Self:
        """The grounds of a claim."""
        return cls(attribute=why.claim, **cls.grounds(why))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEvidencePage:
    """Versions of a claim with their grounds, the last first."""

    items: Sequence[ClaimEvidenceReply]
    count: int
    limit: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationReply(ClaimEvidenceReply):
    """Why something is believed: since when, from which words, what it replaced and who decided."""

    entity: Named
    since: datetime
    until: datetime | None
    replaced: Sequence[Claim]
    followed: Sequence[Claim]

    @classmethod
    def shown(cls, why: Explanation) -> Self:
        """A whole explanation, with the nearest of the other versions."""
        return cls(
            attribute=why.claim,
            **cls.grounds(why),
            entity=why.entity,
            since=why.since,
            until=why.until,
            replaced=why.replaced[:MAX_SHOWN],
            followed=why.followed[:MAX_SHOWN],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationsReply:
    """Explanations, one for each belief."""

    items: Sequence[ExplanationReply]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkReply:
    """One directed edge; it leads to an entity, or to a plain `value`."""

    id: UUID
    source: Named
    dependency_type: str
    target: Named | None
    value: str | None
    confidence: float
    strength: float
    reason: str | None
    properties: Mapping[str, str]
    valid_from: datetime | None
    valid_until: datetime | None
    status: Status
    proposal_id: UUID | None
    created_at: datetime
    updated_at: datetime

    @classmethod
    def shown(cls, link: Link, source: Entity, target: Entity | None) -> Self:
        """A link with its ends."""
        return cls(
            id=link.id,
            source=source,
            dependency_type=link.predicate,
            target=target,
            value=link.value,
            confidence=link.confidence,
            strength=link.strength,
            reason=link.reason,
            properties=link.properties,
            valid_from=link.valid_from,
            valid_until=link.valid_to,
            status=link.status,
            proposal_id=link.proposal,
            created_at=link.created_at,
            updated_at=link.updated_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkEvidenceReply(GroundsReply):
    """A link and its grounds."""

    link: LinkReply

    @classmethod
    def shown(cls, why: LinkExplanation) -> Self:
        """The grounds of a link."""
        return cls(link=LinkReply.shown(why.link, why.source, why.target), **cls.grounds(why))


@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionPage:
    """Some of the assertions, the last first."""

    items: Sequence[Assertion]
    count: int
    limit: int
    offset: int


class AliasReply(CamelReply):
    """Another name of an entity; `id` is how it is told apart, whatever its case."""

    id: str
    alias: str

    @classmethod
    def shown(cls, alias: str) -> Self:
        """A name."""
        return cls(id=match_key(alias), alias=alias)


class AliasesReply(CamelReply):
    """All the other names of an entity, its own left out."""

    entity_id: UUID
    name: str
    items: list[AliasReply]
    count: int

    @classmethod
    def shown(cls, entity: Entity) -> Self:
        """The names of an entity."""
        known = [AliasReply.shown(each) for each in entity.aliases]
        return cls(entity_id=entity.id, name=entity.name, items=known, count=len(known))
