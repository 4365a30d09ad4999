"""Requests to `/api/ontology`. Names are those of the documents."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from nacre.brain import Door, ScopedNacre
from nacre.domain.assertions import MAX_CONTENT, Stance
from nacre.domain.claims import MAX_VERSION, ClaimKind, ClaimStatus, Slot
from nacre.domain.commands import MAX_BATCH, MAX_EVIDENCE, RISKS, Origin
from nacre.domain.duplicates import MAX_GROUPS
from nacre.domain.errors import Invalid
from nacre.domain.proposals import MAX_LISTED
from nacre.domain.suggestions import MAX_SUGGESTED
from nacre.http.bodies import LINE, WORDS, Fraction, Instant, Name, Text, limits

SOURCE_FIELDS = ("source_kind", "source_id", "source_path", "source_root")
MAX_REASON = 2_000
ALL = "all"


Limit = Annotated[int, Query(json_schema_extra={"minimum": 1, "maximum": MAX_LISTED})]
Version = Annotated[int, Query(json_schema_extra={"minimum": 1, "maximum": MAX_VERSION})]
Words = Annotated[str, Query(json_schema_extra=LINE)]
Actor = Annotated[
    str | None, Query(description="Who does it; a token signs with its own name alone.", json_schema_extra=LINE)
]
Reason = Annotated[str, limits(maxLength=MAX_REASON, **WORDS)]
Content = Annotated[str, limits(maxLength=MAX_CONTENT, **WORDS)]
# Words that stand alone, or a quote with its source.
Evidence = Annotated[
    list[Any],
    limits(maxItems=MAX_EVIDENCE, items={"anyOf": [{"type": "string", "minLength": 1}, {"type": "object"}]}),
]
EXAMPLE = {
    "operation": "set_claim_value",
    "payload": {"entity": "Newsletter", "aspect": "schedule", "claim_key": "weekday", "value": "Tuesday"},
    "reason": "They said so.",
    "confidence": 0.9,
}


@contextmanager
def spelled(**names: str) -> Iterator[None]:
    """Have an error name a field as the request does."""
    try:
        yield
    except Invalid as error:
        if error.field not in names:
            raise
        raise Invalid(names[error.field], error.problem) from error


def example(**fields: Any) -> ConfigDict:
    """A body that knows its fields, and what one looks like."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [fields]})


class Whose(BaseModel):
    """Whose ontology is meant: the server's own agent's, where none is named."""

    model_config = ConfigDict(extra="forbid")

    agent_id: Name | None = Field(default=None, description="Whose ontology; the server's own agent if left out.")
    user_id: Name | None = Field(default=None, description="Keep to this user's.")
    chat_id: Name | None = Field(default=None, description="Keep to this chat's.")

    def scope(self, door: Door) -> ScopedNacre:
        """The memory that is meant, if the caller may reach it."""
        return door.scope(self.agent_id, self.user_id, self.chat_id)


class SignedBody(Whose):
    """Whose ontology is meant, and who changes it."""

    actor: Name | None = Field(default=None, description="Who does it; a token signs with its own name alone.")


class Mode(SignedBody):
    """How an order is carried out: at once, only tried, or kept for review."""

    dry_run: StrictBool = Field(default=False, description="Only try it: nothing of it stays.")
    propose: StrictBool = Field(default=False, description="Keep it for review; never together with `dry_run`.")


class Origins(BaseModel):
    """Where an order came from, in the words of the system that gave it."""

    source_kind: Name | None = None
    source_id: Name | None = None
    source_path: Name | None = None
    source_root: Name | None = None

    def origin(self) -> dict[str, Any]:
        """What was said of it."""
        return {name: getattr(self, name) for name in SOURCE_FIELDS if getattr(self, name) is not None}

    def named_origin(self) -> Origin | None:
        """The same as a value; None where nothing was said."""
        held = {name.removeprefix("source_"): value for name, value in self.origin().items()}
        return Origin(**held) if held else None


class Order(SignedBody, Origins):
    """An operation, its payload, and the grounds for it."""

    operation: Annotated[str, limits(minLength=1)]
    payload: Annotated[dict[str, Any], limits(minProperties=1)]
    reason: Reason | None = None
    rationale: Reason | None = Field(default=None, description="Another word for `reason`.")
    evidence: Evidence | None = Field(default=None, description="Quotes, each perhaps with the `source_id` it is from.")
    confidence: Fraction | None = None
    risk: Annotated[str, limits(enum=list(RISKS))] | None = None

    def envelope(self) -> dict[str, Any]:
        """The order as the ontology takes it."""
        grounds = ("operation", "payload", "reason", "rationale", "evidence", "confidence", "risk")
        return {**{name: getattr(self, name) for name in grounds}, **self.origin()}


def quotations(given: Sequence[Any]) -> list[Any]:
    """Evidence as assertions take it: words that stand alone are a quote, and a source goes by one name."""
    return [_quotation(each) for each in given]


def _quotation(given: Any) -> Any:
    if isinstance(given, str):
        return {"quote": given}
    return {_QUOTED.get(name, name): value for name, value in given.items()} if isinstance(given, dict) else given


_QUOTED = {"source_id": "source", "source_ref": "source"}


class ProposalBody(Order):
    """An operation to keep for review."""

    model_config = example(**EXAMPLE, risk="low")


class OperationBody(Order, Mode):
    """An operation to carry out, to try, or to keep for review."""

    model_config = example(**EXAMPLE, dry_run=True)


class Batch(SignedBody, Origins):
    """Operations, all or none. What the batch says of their source holds for each that says nothing of it."""

    model_config = example(operations=[EXAMPLE], source_kind="import")

    operations: Annotated[list[dict[str, Any]], limits(minItems=1, maxItems=MAX_BATCH)] | None = None
    items: Annotated[list[dict[str, Any]], limits(minItems=1, maxItems=MAX_BATCH)] | None = Field(
        default=None, description="Another word for `operations`."
    )

    def envelopes(self) -> list[dict[str, Any]]:
        """The orders as the ontology takes them."""
        if (self.operations is None) == (self.items is None):
            raise Invalid("operations", "or `items` must be given, and not both")
        inherited = self.origin()
        return [{**inherited, **each} for each in self.operations or self.items or []]


class OperationsBody(Batch, Mode):
    """Operations to carry out, to try, or to keep for review."""

    model_config = example(operations=[EXAMPLE], source_kind="import", dry_run=True)


class DecisionBody(SignedBody):
    """Who decides on a proposal, and whose it is."""

    model_config = example(agent_id="assistant")


class EditBody(SignedBody):
    """What is to be different about a proposal; what is left out stays."""

    model_config = example(
        payload={"entity": "Newsletter", "aspect": "schedule", "claim_key": "weekday", "value": "Friday"}
    )

    payload: Annotated[dict[str, Any], limits(minProperties=1)] | None = Field(
        default=None, description="In place of the whole payload."
    )
    rationale: Reason | None = None
    confidence: Fraction | None = None


class RejectionBody(SignedBody):
    """Who decides against a proposal, and why."""

    model_config = example(reason="That is another one.")

    reason: Reason | None = None


class DuplicatesBody(SignedBody):
    """How many groups of entities with one name to look at, and whether to keep their merges for review."""

    model_config = example(limit=25, propose=True)

    limit: Annotated[StrictInt, limits(minimum=1, maximum=MAX_GROUPS)] = 25
    propose: StrictBool = False


class MergePlanBody(SignedBody):
    """Entities that may be one."""

    model_config = example(target_entity="Mercury", source_entities=["mercury-tool"])

    target_entity: Name = Field(description="The one that would stay, by id, slug or name.")
    source_entities: Annotated[list[Name], limits(minItems=1)] = Field(
        description="Those that would become part of it."
    )
    propose: StrictBool = False


class AliasBody(SignedBody):
    """Another name of an entity."""

    model_config = example(alias="J. Doe", confidence=0.9, source="import")

    alias: Name
    confidence: Fraction | None = None
    source: Name | None = Field(default=None, description="Where the name comes from; kept in the log.")


class AssertionBody(SignedBody, Origins):
    """That somebody said something of an entity."""

    model_config = example(entity="Billing", predicate="believes", content="The web team owns it", speaker="Bob")

    entity: Name | None = Field(default=None, description="By id, slug or name.")
    entity_id: Name | None = Field(default=None, description="Another word for `entity`.")
    predicate: Stance
    content: Content
    speaker: Name | None = None
    asserted_at: Instant | None = None
    confidence: Fraction = 1.0
    evidence: Evidence = []
    claim_attribute_id: str | None = Field(default=None, description="The version of a claim that it speaks of.")
    created_by: Name | None = Field(default=None, description="Another word for `actor`.")
    reason: Reason | None = None

    def author(self) -> str | None:
        """Who writes it down."""
        if self.actor is not None and self.created_by is not None:
            raise Invalid("created_by", "and `actor` say the same; give one of them")
        return self.created_by if self.actor is None else self.actor

    def subject(self) -> str:
        """The entity that is spoken of."""
        named = [each for each in (self.entity, self.entity_id) if each is not None]
        if len(named) != 1:
            raise Invalid("entity", "or `entity_id` must be given, and not both")
        return named[0]


class LinkClaimBody(SignedBody):
    """The claim that an assertion speaks of."""

    model_config = example(attribute_id="0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e")

    attribute_id: str = Field(description="A version of a claim that is in force.")
    reason: Reason | None = None


class ArchiveBody(SignedBody):
    """Why something is taken out of force."""

    model_config = example(reason="a rumour")

    reason: Reason | None = None


class SupersedeBody(SignedBody):
    """What takes the place of an assertion; what is not given stays as it was."""

    model_config = example(content="The platform team owns it", predicate="claims")

    content: Content
    predicate: Stance | None = None
    speaker: Name | None = None
    asserted_at: Instant | None = None
    confidence: Fraction | None = None
    evidence: Evidence = []
    reason: Reason | None = None


class ExtractBody(SignedBody):
    """A text, or where one is kept, to be read for what the ontology should know."""

    model_config = example(text="Ana works at Acme.", write_proposals=True)

    text: Text | None = None
    of: Name | None = Field(
        default=None,
        alias="from",
        description="`transcript:` or `session:` and a session, or `source:` or `artifact:` and the id of evidence.",
    )
    write_proposals: StrictBool = Field(default=False, description="Keep what is found for review.")
    write_assertions: StrictBool = Field(default=False, description="Write down who said what.")
    use_provider: StrictBool = Field(default=False, description="Have the language model read it, not the rules.")
    limit: Annotated[StrictInt, limits(minimum=1, maximum=MAX_SUGGESTED)] = 100

    def place(self) -> dict[str, str]:
        """The text or where it is kept, under the names of the method that reads it."""
        if (self.text is None) == (self.of is None):
            raise Invalid("text", "or `from` must be given, and not both")
        if self.of is None:
            return {"text": self.text or ""}
        kind, found, key = self.of.partition(":")
        if not found or kind not in _PLACES:
            raise Invalid("from", f"must begin with {', '.join(f'`{each}:`' for each in _PLACES)}")
        return {_PLACES[kind]: key}


_PLACES = {"transcript": "session", "session": "session", "source": "source", "artifact": "source"}


class ConsolidateBody(SignedBody):
    """How many of the proposals that wait to go through."""

    model_config = example(limit=50)

    limit: Annotated[StrictInt, limits(minimum=1, maximum=MAX_LISTED)] = 50
    dry_run: StrictBool = False
    use_provider: StrictBool = Field(default=False, description="Have the language model say which rival is best.")


class ClaimPath:
    """Which claim of which entity a request is about."""

    def __init__(
        self,
        *,
        entity: Annotated[str, Query(description="By id, slug or name.", json_schema_extra=LINE)],
        aspect: Words,
        claim: Words,
        group: Annotated[str | None, Query(description="`general` if left out.")] = None,
        kind: ClaimKind | None = None,
        status: Annotated[
            str | None, Query(description="One status, or `all`.", json_schema_extra={"enum": [*ClaimStatus, ALL]})
        ] = None,
    ) -> None:
        self.entity = entity
        self.path = str(Slot.of(aspect, group, claim))
        self.kind = kind
        self._status = status

    def status_or(self, usual: str | None) -> str | None:
        """The status that is wanted; None for all."""
        return usual if self._status is None else None if self._status == ALL else self._status
