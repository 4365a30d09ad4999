"""What `/api/ontology` answers about claims, links, assertions and names."""

from datetime import datetime
from typing import Any, Self
from uuid import UUID

from nacre.domain.assertions import Assertion, AssertionStatus, Stance
from nacre.domain.audits import Record
from nacre.domain.entities import Entity
from nacre.domain.explanations import Explanation, LinkExplanation
from nacre.domain.hits import Evidence
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.http.knowledge_bodies import AttributeReply
from nacre.http.proposal_replies import QuotationReply
from nacre.http.wire import CamelReply, camel
from nacre.text.names import match_key

# The versions before and after one that an explanation shows, the nearest first.
MAX_SHOWN = 50


class VersionsReply(CamelReply):
    """Versions of a claim, the last first."""

    items: list[AttributeReply]
    count: int
    limit: int
    offset: int


class CitationReply(CamelReply):
    """The exact words that something rests on, and where they stand."""

    source_id: UUID
    quote: str
    start: int
    end: int
    ref: str | None
    session: str | None
    speaker: str | None
    role: str | None
    flags: list[str]

    @classmethod
    def shown(cls, evidence: Evidence | None) -> list[Self]:
        """None or one."""
        if evidence is None:
            return []
        held: Any = camel(evidence)
        return [cls(source_id=held.pop("id"), **held)]


class DecisionReply(CamelReply):
    """An operation that made something what it is; an undo takes its `id` or its `batch`."""

    id: UUID
    batch: UUID
    operation: str
    actor: str
    reason: str | None
    at: datetime
    proposal_id: UUID | None
    undone_by: UUID | None

    @classmethod
    def shown(cls, record: Record) -> Self:
        """A line of the log."""
        return cls(
            id=record.id,
            batch=record.batch,
            operation=record.operation,
            actor=record.actor,
            reason=record.reason,
            at=record.at,
            proposal_id=record.proposal,
            undone_by=record.undone_by,
        )


class GroundsReply(CamelReply):
    """What something rests on, and the operations that made it what it is."""

    evidence: list[CitationReply]
    decisions: list[DecisionReply]

    @staticmethod
    def grounds(why: Explanation | LinkExplanation) -> dict[str, Any]:
        """The grounds of an explanation."""
        return {
            "evidence": CitationReply.shown(why.evidence),
            "decisions": [DecisionReply.shown(each) for each in why.decisions],
        }


class ClaimEvidenceReply(GroundsReply):
    """A version of a claim and its grounds."""

    attribute: AttributeReply

    @classmethod
    def shown(cls, why: Explanation) -> Self:
        """The grounds of a claim."""
        return cls(attribute=AttributeReply.of(why.claim), **cls.grounds(why))


class ClaimEvidencePage(CamelReply):
    """Versions of a claim with their grounds, the last first."""

    items: list[ClaimEvidenceReply]
    count: int
    limit: int
    offset: int


class NamedReply(CamelReply):
    """An entity by its names."""

    id: UUID
    name: str
    slug: str
    type: str

    @classmethod
    def shown(cls, entity: Entity) -> Self:
        """An entity, briefly."""
        return cls(id=entity.id, name=entity.name, slug=entity.slug, type=entity.type.value)


class ExplanationReply(ClaimEvidenceReply):
    """Why something is believed: since when, from which words, what it replaced and who decided."""

    entity: NamedReply
    since: datetime
    until: datetime | None
    replaced: list[AttributeReply]
    followed: list[AttributeReply]

    @classmethod
    def shown(cls, why: Explanation) -> Self:
        """A whole explanation, with the nearest of the other versions."""
        return cls(
            attribute=AttributeReply.of(why.claim),
            **cls.grounds(why),
            entity=NamedReply.shown(why.entity),
            since=why.since,
            until=why.until,
            replaced=[AttributeReply.of(each) for each in why.replaced[:MAX_SHOWN]],
            followed=[AttributeReply.of(each) for each in why.followed[:MAX_SHOWN]],
        )


class ExplanationsReply(CamelReply):
    """Explanations, one for each belief."""

    items: list[ExplanationReply]
    count: int


class LinkReply(CamelReply):
    """One directed edge; it leads to an entity, or to a plain `value`."""

    id: UUID
    source: NamedReply
    dependency_type: str
    target: NamedReply | None
    value: str | None
    confidence: float
    strength: float
    reason: str | None
    properties: dict[str, str]
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
            source=NamedReply.shown(source),
            dependency_type=link.predicate,
            target=NamedReply.shown(target) if target else None,
            value=link.value,
            confidence=link.confidence,
            strength=link.strength,
            reason=link.reason,
            properties=dict(link.properties),
            valid_from=link.valid_from,
            valid_until=link.valid_to,
            status=link.status,
            proposal_id=link.proposal,
            created_at=link.created_at,
            updated_at=link.updated_at,
        )


class LinkEvidenceReply(GroundsReply):
    """A link and its grounds."""

    link: LinkReply

    @classmethod
    def shown(cls, why: LinkExplanation) -> Self:
        """The grounds of a link."""
        return cls(link=LinkReply.shown(why.link, why.source, why.target), **cls.grounds(why))


class AssertionReply(CamelReply):
    """Something that somebody said of an entity."""

    id: UUID
    subject_entity_id: UUID
    claim_attribute_id: UUID | None
    predicate: Stance
    content: str
    speaker: str | None
    asserted_at: datetime
    confidence: float
    evidence: list[QuotationReply]
    source_id: UUID | None
    status: AssertionStatus
    supersedes_assertion_id: UUID | None
    created_by: str
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None
    archived_by: str | None
    archive_reason: str | None

    @classmethod
    def shown(cls, assertion: Assertion) -> Self:
        """An assertion in the words of the documents."""
        return cls(
            id=assertion.id,
            subject_entity_id=assertion.entity,
            claim_attribute_id=assertion.claim,
            predicate=assertion.predicate,
            content=assertion.content,
            speaker=assertion.speaker,
            asserted_at=assertion.asserted_at,
            confidence=assertion.confidence,
            evidence=[QuotationReply.of(each) for each in assertion.evidence],
            source_id=assertion.source,
            status=assertion.status,
            supersedes_assertion_id=assertion.supersedes,
            created_by=assertion.created_by,
            created_at=assertion.created_at,
            updated_at=assertion.updated_at,
            archived_at=assertion.archived_at,
            archived_by=assertion.archived_by,
            archive_reason=assertion.archive_reason,
        )


class AssertionPage(CamelReply):
    """Some of the assertions, the last first."""

    items: list[AssertionReply]
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
