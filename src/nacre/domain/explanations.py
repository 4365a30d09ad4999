"""Explanations of beliefs: since when, from which words, what they replaced and who decided."""

from dataclasses import dataclass
from datetime import datetime

from nacre.domain.audits import AuditRecord
from nacre.domain.claims import Claim
from nacre.domain.entities import Entity
from nacre.domain.hits import Evidence
from nacre.domain.links import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What is believed of an entity, or was at a moment, and on what grounds.

    `replaced` are the versions before it and `followed` those after it, nearest first; `decisions` are the operations
    that made it what it is.
    """

    entity: Entity
    claim: Claim
    since: datetime
    until: datetime | None
    evidence: Evidence | None
    replaced: tuple[Claim, ...]
    followed: tuple[Claim, ...]
    decisions: tuple[AuditRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkExplanation:
    """A link, the words it rests on, what happened to it, and the operations that did."""

    link: Link
    source: Entity
    target: Entity | None
    evidence: Evidence | None
    decisions: tuple[AuditRecord, ...]
