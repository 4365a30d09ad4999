"""Operations on weights: what was of use counts for more, and what nobody asks for counts for less."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.errors import Invalid

MAX_WEIGHED = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighAspects:
    """Let aspects count for more: an id that is named twice was of use twice."""

    operation: ClassVar[str] = "weigh_aspects"

    aspects: tuple[UUID, ...]
    reason: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "aspects", _ids("aspects", self.aspects))


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighPaths:
    """Let the aspects and links that led to something count for more if it was of use, and for less if it was not."""

    operation: ClassVar[str] = "weigh_paths"

    aspects: tuple[UUID, ...] = ()
    links: tuple[UUID, ...] = ()
    useful: bool = True
    reason: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "aspects", _ids("aspects", self.aspects))
        object.__setattr__(self, "links", _ids("links", self.links))
        if not isinstance(self.useful, bool):
            raise Invalid("useful", f"must be true or false, not {self.useful!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayAspects:
    """Let the aspects count for a little less that were of no use since a moment."""

    operation: ClassVar[str] = "decay_aspects"

    untouched_since: datetime
    reason: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "untouched_since", checks.instant("untouched_since", self.untouched_since))


def _ids(field: str, given: object) -> tuple[UUID, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise Invalid(field, "must be a list of ids")
    if len(given) > MAX_WEIGHED:
        raise Invalid(field, f"has {len(given):,} ids; at most {MAX_WEIGHED:,} are allowed")
    return tuple(ids.parse(field, each) for each in given)
