"""Inspections of the doctor: what each check counts; see upkeep.examinations."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from nacre.domain.doctor_reports import CheckFinding, Severity
from nacre.domain.scopes import Scope
from nacre.store.evidence import passages
from nacre.store.maintenance import integrity_checks, rebuilding
from nacre.store.maintenance.integrity_checks import Fault
from nacre.store.reads import hit_rows
from nacre.text import tokens
from nacre.upkeep.doctor.run import ExaminedBrain, FaultCount

# The hourly sweep should have been there by then.
UNSWEPT = timedelta(hours=2)
# Below this much room a database may stop taking writes any moment.
LITTLE_ROOM = 256 * 2**20
# What concerns the database as a whole is counted here, in no scope.
WHOLE = UUID(int=0)


def _whole(count: int, note: str = "") -> FaultCount:
    return FaultCount({WHOLE: count}, note)


def faults(*fault: Fault) -> Callable[[ExaminedBrain], FaultCount]:
    """Looks for faults in every scope."""
    return lambda patient: FaultCount(patient.count(*fault))


def corruption(patient: ExaminedBrain) -> FaultCount:
    """What the database says of its own pages."""
    with patient.database.read_all() as tx:
        said = rebuilding.corruption(tx)
    return _whole(len(said), "; ".join(said[:3]))


def indexes(patient: ExaminedBrain) -> FaultCount:
    """Indexes that are missing or cannot be used."""
    with patient.database.read_all() as tx:
        missing = rebuilding.missing_indexes(tx)
    return _whole(len(missing), ", ".join(missing))


def words(patient: ExaminedBrain) -> FaultCount:
    """Rows of the full-text index that are not those of the entities."""
    with patient.database.read_all() as tx:
        return _whole(rebuilding.words_out_of_step(tx))


def references(*, goes_along: bool) -> Callable[[ExaminedBrain], FaultCount]:
    """Looks for rows that name rows which are not there."""

    def look(patient: ExaminedBrain) -> FaultCount:
        counted: Counter[UUID] = Counter()
        by_table: Counter[str] = Counter()
        for each in integrity_checks.references():
            if each.goes_along is goes_along:
                counts = patient.count(each.fault)
                counted.update(counts)
                by_table[each.name] += sum(counts.values())
        return FaultCount(counted, ", ".join(f"{name} ({count})" for name, count in by_table.items() if count))

    return look


def terms(patient: ExaminedBrain) -> FaultCount:
    """Passages that are indexed under other words than their own."""
    counted: dict[UUID, int] = {}
    for some in patient.portions():
        for scope in some.scopes:
            wrong = sum(len(texts) for texts in misread(patient, scope))
            if wrong:
                counted[scope.id] = wrong
    return FaultCount(counted)


def misread(patient: ExaminedBrain, scope: Scope) -> Iterable[Mapping[int, str]]:
    """The texts of passages whose terms are not those of the text, by sequence number, some at a time."""
    after = 0
    while True:
        with patient.database.read(scope) as tx:
            rows = integrity_checks.page(tx, after, rebuilding.TOGETHER)
            texts = hit_rows.searchable(tx, [row.seq for row in rows])
        if not rows:
            return
        yield {row.seq: texts[row.seq] for row in rows if not _says(row, texts[row.seq])}
        after = rows[-1].seq


def _says(row: integrity_checks.Passage, text: str) -> bool:
    packed = tokens.PackedTerms(row.term_keys, row.term_counts, row.length, row.language)
    return row.digest == passages.digest(text) and tokens.packs(text, packed)


def vector_sizes(patient: ExaminedBrain) -> FaultCount:
    """Vectors that have another size than the rest of their space."""
    counted: Counter[UUID] = Counter()
    usual, sizes = usual_sizes(patient)
    for each in sizes:
        if each.size != usual[each.space]:
            counted[each.scope_id] += each.count
    return FaultCount(counted)


def usual_sizes(patient: ExaminedBrain) -> tuple[dict[str, int], list[integrity_checks.Size]]:
    """The size that most vectors of each space have, and all sizes that there are."""
    with patient.database.read_all() as tx:
        sizes = integrity_checks.vector_sizes(tx)
    counted: dict[str, Counter[int]] = {}
    for each in sizes:
        counted.setdefault(each.space, Counter())[each.size] += each.count
    return {space: sized.most_common(1)[0][0] for space, sized in counted.items()}, sizes


def unembedded(patient: ExaminedBrain) -> FaultCount:
    """Passages without a vector of the embedder in use."""
    counted: dict[UUID, int] = {}
    for some in patient.portions() if patient.space else ():
        with patient.database.read_all() as tx:
            counted.update(integrity_checks.without_vector(tx, patient.space or "", some))
    return FaultCount(counted)


def stuck(patient: ExaminedBrain) -> FaultCount:
    """Jobs that their workers died with."""
    return FaultCount(patient.count(integrity_checks.stuck(patient.database.clock())))


def unasked(patient: ExaminedBrain) -> FaultCount:
    """Scopes whose turns wait for a language model."""
    return FaultCount(patient.count(integrity_checks.unasked(patient.database.clock())))


def expired(patient: ExaminedBrain) -> FaultCount:
    """Working memory that nobody swept away."""
    return FaultCount(patient.count(integrity_checks.expired(patient.database.clock() - UNSWEPT)))


def storage(patient: ExaminedBrain) -> CheckFinding:
    """What the database is kept in, and how much room there is."""
    with patient.database.read_all() as tx:
        held = rebuilding.storage(tx)
    if held.path is None:
        return CheckFinding(name="storage", verdict=Severity.OK, message=f"{held.kind}, {held.megabytes:,.1f} MB.")
    room = shutil.disk_usage(Path(held.path).parent).free
    told = f"{held.kind} in {held.mode} mode, {held.megabytes:,.1f} MB, {room / 2**30:,.1f} GB of room."
    if held.mode != "wal":
        advice = "Its file system may not allow write-ahead logs; writers will wait for readers."
        return CheckFinding(name="storage", verdict=Severity.WARN, message=told, count=1, advice=advice)
    if room < LITTLE_ROOM:
        return CheckFinding(
            name="storage", verdict=Severity.WARN, message=told, count=1, advice="Make room on the disk."
        )
    return CheckFinding(name="storage", verdict=Severity.OK, message=told)


def embedder(patient: ExaminedBrain) -> CheckFinding:
    """Who makes vectors, and whose vectors are there."""
    _, sizes = usual_sizes(patient)
    unused: Counter[str] = Counter()
    for each in sizes:
        if each.space != patient.space:
            unused[each.space] += each.count
    kept = f" Vectors of other embedders are kept: {', '.join(sorted(unused))}." if unused else ""
    if patient.space:
        return CheckFinding(name="embedder", verdict=Severity.OK, message=f"Vectors are made by {patient.space}.{kept}")
    if patient.embedder is None:
        return CheckFinding(
            name="embedder", verdict=Severity.OK, message=f"It is off: recall ranks by words alone.{kept}"
        )
    advice = "Recall ranks by words alone until it answers; see NACRE_EMBEDDING_ENDPOINT."
    told = f"The embedder does not answer.{kept}"
    return CheckFinding(name="embedder", verdict=Severity.WARN, message=told, count=1, advice=advice)
