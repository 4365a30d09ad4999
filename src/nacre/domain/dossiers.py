"""All that there is about one entity: what was believed when, from which words, and what was done about it."""

from dataclasses import dataclass
from datetime import datetime

from nacre.domain.audits import AuditRecord
from nacre.domain.claims import Aspect, Claim
from nacre.domain.entities import Entity
from nacre.domain.ids import SourceId
from nacre.domain.links import Link

MAX_VERSIONS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The exact words that something rests on, what stands before and after them, and who said it when."""

    source: SourceId
    kind: str
    quote: str
    before: str
    after: str
    start: int
    end: int
    at: datetime
    ref: str | None = None
    session: str | None = None
    speaker: str | None = None
    role: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVersion:
    """One version of a claim, whether it holds, now or at the moment that was asked about, and its words."""

    claim: Claim
    holds: bool
    citation: Citation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimHistory:
    """Everything a claim ever said, the last version first; `total` counts what is not shown, too."""

    claim: str | None
    path: str
    versions: tuple[ClaimVersion, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupHistory:
    """The claims of a group, by name."""

    group: str
    claims: tuple[ClaimHistory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectHistory:
    """A side of an entity and its groups."""

    aspect: Aspect
    groups: tuple[GroupHistory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beliefs:
    """What is, and was, believed of an entity, the weightiest aspects first."""

    entity: Entity
    as_of: datetime | None
    aspects: tuple[AspectHistory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A link at an entity, seen from there, with its ends and its words."""

    link: Link
    direction: str
    source: Entity
    target: Entity | None
    citation: Citation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """An operation that touched an entity, or what is believed of it: the tables in which it did."""

    record: AuditRecord
    touched: tuple[str, ...]
