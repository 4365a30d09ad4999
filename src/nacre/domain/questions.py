"""Questions to recall: a query and its filters."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.hits import Kind
from nacre.domain.memories import check_category


class Rerank(StrEnum):
    """Whether the best hits are compared with the question once more, and how.

    `fast` compares tokens of talk by vectors that were made when it was written, and has a small network read the rest;
    `best` has a larger one read everything, which takes a second.
    """

    OFF = "off"
    FAST = "fast"
    BEST = "best"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query and its filters; `as_of` asks what was known then, `since` and `until` when it was said.

    `asked_at` is when it is asked, from which "last week" counts: now, or `as_of`, where it is left out.
    Without `kinds` it means every kind but summaries, which would only repeat what the evidence says. Without
    `rerank` it is reranked as the settings say. `min_score` leaves out what is less relevant; `categories` means the
    long-term memories in them or below, and nothing else.
    """

    text: str
    limit: int = 10
    kinds: frozenset[Kind] | None = None
    session: str | None = None
    as_of: datetime | None = None
    asked_at: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    explain: bool = False
    rerank: Rerank | None = None
    min_score: float | None = None
    categories: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        checks.text("query", self.text)
        checks.count("limit", self.limit)
        checks.optional_name("session", self.session)
        for field in ("as_of", "asked_at", "since", "until"):
            object.__setattr__(self, field, checks.optional_instant(field, getattr(self, field)))
        if self.since and self.until and self.since > self.until:
            raise Invalid("since", "must not be later than `until`")
        if self.min_score is not None:
            checks.fraction("min_score", self.min_score)
        if self.categories is not None and not self.categories:
            raise Invalid("categories", "must name at least one category")


def kinds(values: Iterable[str] | None) -> frozenset[Kind] | None:
    """The kinds a caller named; None for all but summaries."""
    if values is None:
        return None
    if isinstance(values, str):
        raise Invalid("kinds", "must be a list of kinds")
    return frozenset(Kind(checks.choice("kinds", value, Kind)) for value in values)


def categories(values: Iterable[str] | None) -> tuple[str, ...] | None:
    """The categories a caller named, as they are spelled; None for all."""
    if values is None:
        return None
    if isinstance(values, str):
        raise Invalid("categories", "must be a list of categories")
    return tuple(dict.fromkeys(check_category(value) for value in values))


def rerank(value: str | None) -> Rerank | None:
    """How thoroughly a caller wants hits reranked; None leaves it to the settings."""
    return None if value is None else Rerank(checks.choice("rerank", value, Rerank))
