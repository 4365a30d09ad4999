"""Doctor of a brain: whether it is as it should be, and repairs of what is not."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from nacre.domain.doctor_reports import CheckFinding, DoctorReport, Migration, Severity
from nacre.domain.errors import Misconfigured, SchemaTooNew
from nacre.store.base import migrating
from nacre.store.base.migrating import HEAD
from nacre.store.maintenance import distribution
from nacre.wiring import Parts
from nacre.work.embedding import embed_missing

_CURRENT = CheckFinding(name="schema", verdict=Severity.OK, message=f"The schema is at {HEAD}, as this version has it.")


def doctor(parts: Parts, *, repair: bool) -> DoctorReport:
    """Look at everything; see `Nacre.doctor`."""
    found = _examined(parts, everything=True, repair=repair)
    return replace(found, findings=(*found.findings, *_cache(parts)))


def check(parts: Parts) -> DoctorReport:
    """Look at the database alone; see `Nacre.check`."""
    return _examined(parts, everything=False, repair=False)


def _examined(parts: Parts, *, everything: bool, repair: bool) -> DoctorReport:
    from nacre.upkeep.doctor import checks, run  # noqa: PLC0415 - all rules of upkeep

    embed = partial(embed_missing, parts.database, parts.embedder) if parts.embedder else lambda _scope: 0
    patient = run.ExaminedBrain(parts.database, parts.embedder, embed)
    looks = checks.EVERYTHING if everything else checks.STRUCTURE
    return DoctorReport(findings=(_CURRENT, *run.run_checks(patient, looks, repair=repair).findings))


def _cache(parts: Parts) -> list[CheckFinding]:
    """Whether the cache answers, where there is one."""
    if parts.cache is None:
        return []
    if parts.cache.answers():
        return [CheckFinding(name="cache", verdict=Severity.OK, message="The cache answers.")]
    told, advice = "The cache does not answer; reads go to the database.", "Start it, or see NACRE_CACHE."
    return [CheckFinding(name="cache", verdict=Severity.WARN, message=told, count=1, advice=advice)]


def schema(address: str | Path) -> CheckFinding:
    """How the schema of a database is, before it is opened: opening it brings it up to date."""
    held = migrating.revision_at(address)
    if held is None:
        # The address may hold a password, so it is not repeated.
        raise Misconfigured("There is no database of Nacre there. `nacre db migrate` makes one.")
    if held == HEAD:
        return _CURRENT
    if not migrating.is_known(held):
        return CheckFinding(name="schema", verdict=Severity.BROKEN, message=str(SchemaTooNew(held)), count=1)
    told = f"The schema is at {held}; this version has {HEAD}. Until it is migrated, nothing else is looked at."
    return CheckFinding(name="schema", verdict=Severity.BROKEN, message=told, count=1, safe=True)


def migrate(address: str | Path) -> Migration:
    """Bring the schema of a database up to date; a new database is made whole."""
    return Migration(before=migrating.migrate_at(address), after=HEAD)


def migrated(done: Migration) -> CheckFinding:
    """A migration as a repair."""
    told = f"The schema was brought from {done.before} to {done.after}."
    return CheckFinding(name="schema", verdict=Severity.OK, message=told, repaired=1)


def distribute(parts: Parts) -> int:
    """Spread the tables over the nodes of a Citus cluster; how many were not yet."""
    with parts.database.write_all() as tx:
        return distribution.distribute(tx)
