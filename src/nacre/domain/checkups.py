"""What an examination of a brain found, and what was done about it."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How bad a finding is: not at all, worth knowing, or wrong."""

    OK = "ok"
    WARN = "warn"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was looked at, and how it is, in a sentence.

    `count` is how much of it is not as it should be. A repair is `safe` when nothing that was said or believed can be
    lost by it; `repaired` is how much of it was put right just now. `advice` says what a person may do.
    """

    name: str
    verdict: Verdict
    message: str
    count: int = 0
    safe: bool = False
    repaired: int = 0
    advice: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """Everything that was looked at, in the order in which it was."""

    findings: tuple[Finding, ...]

    @property
    def broken(self) -> bool:
        """Whether something is wrong."""
        return any(finding.verdict is Verdict.BROKEN for finding in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """The schema that a database had, where it had one, and the one it has now."""

    before: str | None
    after: str
