"""The doctor: looks at all that can be wrong with a brain, and puts right what is safe to put right.

Safe is what loses nothing that was said or believed: derived rows are made anew from the rows they come from, and what
is believed changes only through operations, which are logged and can be undone.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from nacre.domain.doctor_reports import CheckFinding, DoctorReport, Severity
from nacre.domain.errors import Conflict, Misconfigured, NacreError
from nacre.domain.scopes import Scope
from nacre.models.embedders import Embedder
from nacre.store.base.databases import Database
from nacre.store.maintenance import integrity_checks
from nacre.store.maintenance.integrity_checks import Counts, Fault, ScopePortion


@dataclass(frozen=True)
class ExaminedBrain:
    """The brain that is examined; `embed` gives the passages of a scope the vectors that they lack."""

    database: Database
    embedder: Embedder | None
    embed: Callable[[Scope], object]

    def portions(self) -> Iterator[ScopePortion]:
        """All scopes, some at a time."""
        after, more = None, True
        while more:
            with self.database.read_all() as tx:
                some = integrity_checks.portion(tx, after)
            yield some
            after, more = some.until, some.until is not None

    def count(self, *faults: Fault) -> Counts:
        """How often faults occur in each scope."""
        counted: Counter[UUID] = Counter()
        for some in self.portions():
            for fault in faults:
                with self.database.read_all() as tx:
                    counted.update(integrity_checks.count(tx, fault, some))
        return counted

    def scopes(self, counts: Counts) -> list[Scope]:
        """The scopes that were counted; one without a row of its own cannot be opened, and is left out."""
        return [scope for some in self.portions() for scope in some.scopes if counts.get(scope.id)]

    @cached_property
    def space(self) -> str | None:
        """What the vectors of the embedder in use are stored under; None where there is none, or it does not answer."""
        try:
            return self.embedder.embed_question("space").space if self.embedder else None
        except NacreError:
            return None


@dataclass(frozen=True, slots=True)
class FaultCount:
    """How much is wrong in each scope, and what in particular."""

    counts: Counts
    note: str = ""

    @property
    def total(self) -> int:
        """How much is wrong in all."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing to look at. `wrong` may name the `count` and the `note` of what was seen.

    `repair` is there only where it is safe; it is given the scopes in which something is wrong.
    """

    name: str
    fine: str
    wrong: str
    look: Callable[[ExaminedBrain], FaultCount]
    repair: Callable[[ExaminedBrain, Sequence[Scope]], object] | None = None
    verdict: Severity = Severity.BROKEN
    advice: str | None = None


DAMAGED = "The file may be damaged: stop writing, keep a copy of it, and restore a backup."

Examination = Check | Callable[[ExaminedBrain], CheckFinding]


def run_checks(patient: ExaminedBrain, checks: Sequence[Examination], *, repair: bool) -> DoctorReport:
    """Make every check in order, and with `repair` put right what it is safe to put right."""
    return DoctorReport(findings=tuple(_run_check(patient, check, repair=repair) for check in checks))


def _run_check(patient: ExaminedBrain, check: Examination, *, repair: bool) -> CheckFinding:
    """What one check finds; a damaged file may not even let itself be looked at, which is a finding, too."""
    try:
        return _checked(patient, check, repair=repair) if isinstance(check, Check) else check(patient)
    except (Misconfigured, Conflict) as error:
        name = check.name if isinstance(check, Check) else getattr(check, "__name__", "check").strip("_")
        told = f"It could not be looked at: {str(error).rstrip('.')}."
        return CheckFinding(name=name, verdict=Severity.BROKEN, message=told, count=1, advice=DAMAGED)


def _checked(patient: ExaminedBrain, check: Check, *, repair: bool) -> CheckFinding:
    before = check.look(patient)
    if not (repair and check.repair and before.total):
        return _finding(check, before)
    try:
        check.repair(patient, patient.scopes(before.counts))
    except NacreError as error:
        return _finding(check, check.look(patient), tried=True, advice=f"It could not be repaired: {error}")
    after = check.look(patient)
    return _finding(check, after, tried=True, repaired=max(0, before.total - after.total))


def _finding(
    check: Check, seen: FaultCount, *, tried: bool = False, repaired: int = 0, advice: str | None = None
) -> CheckFinding:
    wrong = seen.total > 0
    return CheckFinding(
        name=check.name,
        verdict=check.verdict if wrong else Severity.OK,
        message=check.wrong.format(count=f"{seen.total:,}", note=seen.note) if wrong else check.fine,
        count=seen.total,
        safe=wrong and check.repair is not None and not tried,
        repaired=repaired,
        advice=(advice or check.advice) if wrong else None,
    )
