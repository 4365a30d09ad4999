"""`/api/ontology/assertions/…`: who said what, whether or not it is believed."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query

from nacre.domain.access import Permission
from nacre.domain.assertions import Assertion, AssertionStatus, Stance
from nacre.http.belief_replies import AssertionPage
from nacre.http.doors import Entered, OfAgentId, needs
from nacre.http.ontology_bodies import (
    ALL,
    ArchiveBody,
    AssertionBody,
    LinkClaimBody,
    SupersedeBody,
    Words,
    quotations,
    spelled,
)
from nacre.http.queries import AN_ID, AsOf, Limit, Offset
from nacre.http.shapes import CamelRoute

router = APIRouter(prefix="/api/ontology/assertions", tags=["ontology"], route_class=CamelRoute)

AssertionPath = Annotated[UUID, Path(description="The id of an assertion.", examples=[AN_ID])]
StatusQuery = Annotated[
    str, Query(description="One status, or `all`.", json_schema_extra={"enum": [*AssertionStatus, ALL]})
]


@router.get("", **needs(Permission.RECALL))
def list_assertions(
    scope: OfAgentId,
    *,
    entity: Words | None = None,
    predicate: Stance | None = None,
    speaker: Words | None = None,
    status: StatusQuery = AssertionStatus.ACTIVE.value,
    claim_attribute_id: UUID | None = None,
    as_of: AsOf = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> AssertionPage:
    """What was said, the last first; `as_of` shows what had been said by then and was in force then."""
    page = scope.ontology.assertions.list(
        entity=entity,
        predicate=predicate,
        speaker=speaker,
        status=None if status == ALL else status,
        claim=claim_attribute_id,
        as_of=as_of,
        limit=limit,
        offset=offset,
    )
    items = page
    return AssertionPage(items=items, count=len(items), limit=limit, offset=offset)


@router.post("", status_code=201, **needs(Permission.MODIFY))
def create_assertion(body: AssertionBody, door: Entered) -> Assertion:
    """Write down that somebody claims, believes, observed, decided, prefers, denies or questions something."""
    scope = body.scope(door)
    with spelled(attribute_id="claim_attribute_id"):
        return scope.ontology.assertions.add(
            body.subject(),
            body.predicate,
            body.content,
            speaker=body.speaker,
            asserted_at=body.asserted_at,
            confidence=body.confidence,
            evidence=quotations(body.evidence),
            claim=body.claim_attribute_id,
            reason=body.reason,
            origin=body.named_origin(),
            created_by=door.actor(body.author()),
        )


@router.get("/{assertion}", **needs(Permission.RECALL))
def get_assertion(scope: OfAgentId, assertion: AssertionPath) -> Assertion:
    """One assertion, in force or not."""
    return scope.ontology.assertions.get(assertion)


@router.post("/{assertion}/link-claim", **needs(Permission.MODIFY))
def link_assertion(assertion: AssertionPath, body: LinkClaimBody, door: Entered) -> Assertion:
    """Say which claim an assertion speaks of. The claim stays as it is."""
    held = body.scope(door).ontology.assertions
    return held.link_claim(assertion, body.attribute_id, reason=body.reason, actor=door.actor(body.actor))


@router.post("/{assertion}/archive", **needs(Permission.MODIFY))
def archive_assertion(assertion: AssertionPath, door: Entered, body: ArchiveBody | None = None) -> Assertion:
    """Take an assertion out of force."""
    said = body or ArchiveBody()
    held = said.scope(door).ontology.assertions
    held.archive(assertion, reason=said.reason, actor=door.actor(said.actor))
    return held.get(assertion)


@router.post("/{assertion}/supersede", status_code=201, **needs(Permission.MODIFY))
def supersede_assertion(assertion: AssertionPath, body: SupersedeBody, door: Entered) -> Assertion:
    """Put a new assertion in the place of one, which stays readable."""
    return body.scope(door).ontology.assertions.supersede(
        assertion,
        body.content,
        predicate=body.predicate,
        speaker=body.speaker,
        asserted_at=body.asserted_at,
        confidence=body.confidence,
        evidence=quotations(body.evidence),
        reason=body.reason,
        created_by=door.actor(body.actor),
    )
