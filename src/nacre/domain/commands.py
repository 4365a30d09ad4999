"""An operation as somebody orders it: what to do, why, on what evidence, and how sure they are."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol
from uuid import UUID

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.plain import Json, plain

RISKS = ("low", "medium", "high", "review_required", "blocked")
MAX_EVIDENCE = 100
# Operations that are carried out together.
MAX_BATCH = 500


class Operation(Protocol):
    """A change that is checked when it is made: see domain.operations and its neighbours."""

    operation: ClassVar[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """Words that somebody rests on; with `source` they must stand there exactly so."""

    quote: str
    source: UUID | None = None

    def __post_init__(self) -> None:
        checks.text("quote", self.quote)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where an order came from, in the words of the system that gave it."""

    kind: str | None = None
    id: str | None = None
    path: str | None = None
    root: str | None = None

    def __post_init__(self) -> None:
        for name in ("kind", "id", "path", "root"):
            checks.optional_name(f"source_{name}", getattr(self, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One operation with its grounds."""

    operation: Operation
    reason: str | None = None
    evidence: tuple[Quotation, ...] = ()
    confidence: float | None = None
    risk: str | None = None
    origin: Origin | None = None
    actor: str | None = None

    def __post_init__(self) -> None:
        if self.reason is not None:
            checks.text("reason", self.reason, limit=2_000)
        if len(self.evidence) > MAX_EVIDENCE:
            raise Invalid("evidence", f"has {len(self.evidence)} entries; at most {MAX_EVIDENCE} are allowed")
        if self.confidence is not None:
            checks.fraction("confidence", self.confidence)
        if self.risk is not None:
            checks.choice("risk", self.risk, RISKS)
        checks.optional_name("actor", self.actor)


def command(order: Operation | Command) -> Command:
    """`order` as a command; a bare operation has no grounds."""
    if isinstance(order, Command):
        return order
    # Asking whether it is of the protocol takes ten times as long.
    if not hasattr(order, "operation"):
        raise Invalid("operation", f"must be an operation, not {type(order).__name__}")
    return Command(operation=order)


def payload(operation: Operation) -> dict[str, Json]:
    """An operation's fields as JSON holds them."""
    field_value: Any = operation
    return {each.name: plain(getattr(field_value, each.name)) for each in fields(field_value)}
