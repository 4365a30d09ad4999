"""Skills: named procedures that an agent loads when it needs them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from nacre.domain import checks
from nacre.domain.errors import Invalid

MAX_SUMMARY = 500
MAX_SEE_ALSO = 50

_NAME = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
# Summaries are printed one to a line, so nothing in one may start a line of its own.
_NOT_ONE_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def check_name(value: object, field: str = "name") -> str:
    """`value`, if it names a skill, as `plan-trip` and `email/reply` do."""
    name = checks.name(field, value)
    if not _NAME.fullmatch(name):
        raise Invalid(field, f"must be letters, digits, `_` and `-` in parts joined by `/`, not {name!r}")
    return name


def check_summary(value: object) -> str:
    """`value`, if it is one short line."""
    summary = checks.text("summary", value, limit=MAX_SUMMARY)
    if _NOT_ONE_LINE.search(summary):
        raise Invalid("summary", "must be one line without control characters")
    return summary


def check_see_also(values: object) -> tuple[str, ...]:
    """`values` without repeats, in their order, if each could name a skill."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise Invalid("see_also", "must be a list of names")
    names = tuple(dict.fromkeys(check_name(name, "see_also") for name in values))
    if len(names) > MAX_SEE_ALSO:
        raise Invalid("see_also", f"has {len(names)} names; at most {MAX_SEE_ALSO} are allowed")
    return names


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillSummary:
    """What is offered of a skill before it is loaded."""

    name: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A whole skill; `missing` names those of `see_also` that are not there, or not yet."""

    name: str
    summary: str
    content: str
    created_at: datetime
    updated_at: datetime
    see_also: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_name(self.name)
        check_summary(self.summary)
        checks.text("content", self.content)
        object.__setattr__(self, "see_also", check_see_also(self.see_also))
        if self.name in self.see_also:
            raise Invalid("see_also", f"must not name the skill itself, `{self.name}`")

    @property
    def searchable(self) -> str:
        """The text that search sees: the name with its separators as spaces, the summary, and the content."""
        return "\n".join([re.sub(r"[/_-]", " ", self.name), self.summary, self.content])
