"""Health of a brain: its doctor, its schema, its figures and its backups."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from nacre.domain.doctor_reports import BuiltIndexes, CheckFinding, DoctorReport, Migration, Severity
from nacre.domain.errors import Misconfigured
from nacre.domain.jobs import JobStatus
from nacre.domain.plain import Json
from nacre.domain.transfers import Backup
from nacre.settings import Settings
from nacre.transfer import database_backups
from nacre.transfer.backups import Tell
from nacre.upkeep.doctor import schemas
from nacre.wiring import Parts
from nacre.work import queues
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


def diagnostics(parts: Parts) -> dict[str, Json]:
    """What a brain runs on, and which parts of it are switched off; see `Nacre.diagnostics`."""
    settings, left = parts.settings, queues.backlog(parts.database)
    return {
        "database": parts.database.kind,
        "embedder": parts.embedder.embed_question("space").space if parts.embedder else None,
        "rerank": parts.reranking.default.value,
        "language_model": settings.llm_model,
        "graph": {"enabled": settings.graph == "on", "extraction_writes_enabled": parts.listener.writes},
        "cache": _cache_state(parts),
        "jobs": {JobStatus.WAITING.value: left.waiting, JobStatus.DEAD.value: left.dead},
    }


def _cache_state(parts: Parts) -> str:
    if parts.cache is None:
        return "off"
    return "answers" if parts.cache.answers() else "does not answer"


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


def metrics(parts: Parts) -> str:
    """What was counted, and how much work is left, as Prometheus reads it."""
    if parts.probe is None or parts.probe.metrics is None:
        raise Misconfigured("Nothing is counted here: set NACRE_METRICS=on.")
    return parts.probe.metrics.text(queues.gauges(parts.database)).decode()


def write_backup(parts: Parts, path: Path, *, copy: bool, overwrite: bool, tell: Tell) -> Backup:
    """Back up an open database; see `Nacre.backup`."""
    return database_backups.write(parts.database, path, copy=copy, overwrite=overwrite, tell=tell)


def write_backup_at(address: str, path: Path, *, copy: bool, overwrite: bool, tell: Tell) -> Backup:
    """Back up the database at an address, without changing its schema."""
    return database_backups.write_at(address, path, copy=copy, overwrite=overwrite, tell=tell)


def verify_backup(path: Path) -> Backup:
    """Look over a backup from end to end; what it holds. One that was cut or changed is refused."""
    return database_backups.verify(path)


def restore_backup(path: Path, address: str, tell: Tell) -> Backup:
    """Make the empty database at an address what a backup holds: all of it, or nothing."""
    return database_backups.restore(path, address, tell)
