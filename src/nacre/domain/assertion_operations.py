"""Operations on assertions. None of them changes a claim."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.assertions import MAX_CONTENT, Stance
from nacre.domain.commands import MAX_EVIDENCE, Quotation
from nacre.domain.errors import Invalid
from nacre.domain.operations import Selector, check_selector


def check_evidence(values: object) -> tuple[Quotation, ...]:
    """`values`, if each is a quote, or a quote and the source it stands in."""
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise Invalid("evidence", "must be a list of quotes and their sources")
    found = tuple(_entry(value) for value in values)
    if len(found) > MAX_EVIDENCE:
        raise Invalid("evidence", f"has {len(found)} entries; at most {MAX_EVIDENCE} are allowed")
    return found


def _entry(value: object) -> Quotation:
    if isinstance(value, Quotation):
        return value
    if not isinstance(value, Mapping) or not value.keys() <= {"quote", "source"}:
        raise Invalid("evidence", f"must hold `quote` and perhaps `source`, not {value!r}")
    source = value.get("source")
    return Quotation(
        quote=checks.text("quote", value.get("quote")), source=None if source is None else ids.parse("source", source)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAssertion:
    """Write down that somebody said something of an entity, whether or not it is taken for true."""

    operation: ClassVar[str] = "create_assertion"

    entity: Selector
    predicate: Stance | str
    content: str
    speaker: str | None = None
    asserted_at: datetime | None = None
    confidence: float = 1.0
    evidence: tuple[Quotation, ...] = ()
    attribute_id: UUID | str | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        object.__setattr__(self, "predicate", Stance(checks.choice("predicate", self.predicate, list(Stance))))
        checks.text("content", self.content, limit=MAX_CONTENT)
        checks.optional_name("speaker", self.speaker)
        object.__setattr__(self, "asserted_at", checks.optional_instant("asserted_at", self.asserted_at))
        checks.fraction("confidence", self.confidence)
        object.__setattr__(self, "evidence", check_evidence(self.evidence))
        _check_reason(self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkAssertion:
    """Say which claim an assertion speaks of: the version that is in force now."""

    operation: ClassVar[str] = "link_assertion"

    assertion: UUID | str
    attribute_id: UUID | str
    reason: str | None = None

    def __post_init__(self) -> None:
        _check_reason(self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveAssertion:
    """Take an assertion out of force."""

    operation: ClassVar[str] = "archive_assertion"

    assertion: UUID | str
    reason: str | None = None

    def __post_init__(self) -> None:
        _check_reason(self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersedeAssertion:
    """Put a new assertion in the place of one. What is not given stays as it was, but evidence has to be given anew."""

    operation: ClassVar[str] = "supersede_assertion"

    assertion: UUID | str
    content: str
    predicate: Stance | str | None = None
    speaker: str | None = None
    asserted_at: datetime | None = None
    confidence: float | None = None
    evidence: tuple[Quotation, ...] = ()
    reason: str | None = None

    def __post_init__(self) -> None:
        checks.text("content", self.content, limit=MAX_CONTENT)
        if self.predicate is not None:
            object.__setattr__(self, "predicate", Stance(checks.choice("predicate", self.predicate, list(Stance))))
        checks.optional_name("speaker", self.speaker)
        object.__setattr__(self, "asserted_at", checks.optional_instant("asserted_at", self.asserted_at))
        if self.confidence is not None:
            checks.fraction("confidence", self.confidence)
        object.__setattr__(self, "evidence", check_evidence(self.evidence))
        _check_reason(self.reason)


def _check_reason(value: object) -> None:
    if value is not None:
        checks.text("reason", value, limit=2_000)
