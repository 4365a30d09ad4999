"""Reports of the doctor: what is wrong with a brain, and what was repaired."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is: not at all, worth knowing, or wrong."""

    OK = "ok"
    WARN = "warn"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFinding:
    """What was looked at, and how it is, in a sentence.

    `count` is how much of it is not as it should be. A repair is `safe` when nothing that was said or believed can be
    lost by it; `repaired` is how much of it was put right just now. `advice` says what a person may do.
    """

    name: str
    verdict: Severity
    message: str
    count: int = 0
    safe: bool = False
    repaired: int = 0
    advice: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorReport:
    """Everything that was looked at, in the order in which it was."""

    findings: tuple[CheckFinding, ...]

    @property
    def broken(self) -> bool:
        """Whether something is wrong."""
        return any(finding.verdict is Severity.BROKEN for finding in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """The schema that a database had, where it had one, and the one it has now."""

    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class BuiltIndexes:
    """What was made and dropped, and what could not be made and why."""

    made: tuple[str, ...]
    dropped: tuple[str, ...]
    notes: tuple[str, ...]
