"""Doctor of a brain: whether it is as it should be, and repairs of what is not."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from nacre.domain.doctor_reports import BuiltIndexes, CheckFinding, DoctorReport, Migration, Severity
from nacre.settings import Settings
from nacre.upkeep.doctor import schemas
from nacre.wiring import Parts
from nacre.work.embedding import embed_missing


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
    return DoctorReport(findings=(schemas.CURRENT, *run.run_checks(patient, looks, repair=repair).findings))


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
    return schemas.check(address)


def current_revision(parts: Parts) -> str:
    """The schema's revision; `Unavailable` where the database does not answer or is not at that of this version."""
    return schemas.current_revision(parts.database)


def migrate(address: str | Path) -> Migration:
    """Bring the schema of a database up to date; a new database is made whole."""
    return schemas.migrate(address)


def migrated(done: Migration) -> CheckFinding:
    """A migration as a repair."""
    return schemas.migrated(done)


def build_indexes(settings: Settings) -> BuiltIndexes:
    """Have PostgreSQL index the scopes that are too large for memory."""
    return schemas.build_indexes(settings.database, settings.index_passages)


def distribution_statements() -> list[str]:
    """What distributes every table."""
    return schemas.distribution_statements()


def distribute(parts: Parts) -> int:
    """Spread the tables over the nodes of a Citus cluster; how many were not yet."""
    return schemas.distribute(parts.database)
