"""Repairs of the doctor: how things are put right; see upkeep.examinations."""

from collections.abc import Callable, Sequence
from uuid import UUID

from nacre.domain.claim_operations import ArchiveClaimValue
from nacre.domain.commands import MAX_BATCH, Operation
from nacre.domain.hits import Kind
from nacre.domain.operations import ArchiveLink
from nacre.domain.scopes import Scope
from nacre.graph.operations import path
from nacre.memory import working
from nacre.memory.changing import FORGET, TURNS_ENDED
from nacre.memory.passage_drafts import prepare
from nacre.store.base import scopes
from nacre.store.evidence import passages
from nacre.store.maintenance import integrity_checks, rebuilding
from nacre.store.maintenance.integrity_checks import Fault
from nacre.upkeep.doctor import inspections
from nacre.upkeep.doctor.run import ExaminedBrain

ACTOR = "doctor"


def create_indexes(patient: ExaminedBrain, _scopes: Sequence[Scope]) -> None:
    """Make the indexes that are missing."""
    with patient.database.write_all() as tx:
        rebuilding.create_indexes(tx)


def rebuild_words(patient: ExaminedBrain, _scopes: Sequence[Scope]) -> None:
    """Make the full-text index anew."""
    with patient.database.write_all() as tx:
        rebuilding.rebuild_words(tx)


def catch_up(patient: ExaminedBrain, wrong: Sequence[Scope]) -> None:
    """Let scopes count past what they hold."""
    for scope in wrong:
        with patient.database.write(scope) as tx:
            integrity_checks.catch_up(tx)


def remove_hanging(patient: ExaminedBrain, wrong: Sequence[Scope]) -> None:
    """Remove rows that should have gone with what they hung from."""
    for scope in wrong:
        with patient.database.write(scope) as tx:
            for each in integrity_checks.references():
                if each.goes_along:
                    integrity_checks.remove(tx, each.fault)
            scopes.purged(tx)


def remove_left_over(patient: ExaminedBrain, wrong: Sequence[Scope]) -> None:
    """Remove the passages of what is gone, and end those of what is out of force."""
    for scope in wrong:
        with patient.database.write(scope) as tx:
            integrity_checks.remove(tx, integrity_checks.GONE)
            if out := integrity_checks.left_over(tx):
                passages.end(tx, out)
            scopes.purged(tx)


def make_recallable(patient: ExaminedBrain, wrong: Sequence[Scope]) -> None:
    """Make the passages that are missing."""
    for scope in wrong:
        for kind in integrity_checks.UNHEARD:
            _in_portions(patient, scope, kind)


def _in_portions(patient: ExaminedBrain, scope: Scope, kind: Kind) -> None:
    before: list[UUID] | None = None
    while True:
        with patient.database.write(scope) as tx:
            lacking = rebuilding.lacking(tx, kind)
            # What is left twice cannot be helped.
            if not lacking or lacking == before:
                return
            before = lacking
            if kind is Kind.TURN:
                # Nobody can tell whether a turn was forgotten when its passage is gone.
                said = rebuilding.lost_turns(tx, rebuilding.forgotten_until(tx, FORGET, TURNS_ENDED))
                if said:
                    rebuilding.put_turns_back(tx, said, prepare(None, [rebuilding.turn_draft(each) for each in said]))
            elif drafts := rebuilding.drafts(tx, kind, lacking):
                passages.add(tx, prepare(patient.embedder, drafts))
            scopes.purged(tx)


def rewrite(patient: ExaminedBrain, wrong: Sequence[Scope]) -> None:
    """Index passages under their own words."""
    for scope in wrong:
        for texts in inspections.misread(patient, scope):
            if texts:
                with patient.database.write(scope) as tx:
                    rebuilding.rewrite(tx, texts)
                    scopes.purged(tx)


def remove_odd_vectors(patient: ExaminedBrain, wrong: Sequence[Scope]) -> None:
    """Remove the vectors that do not fit; they are made anew."""
    usual, _ = inspections.usual_sizes(patient)
    for scope in wrong:
        with patient.database.write(scope) as tx:
            for space, size in usual.items():
                integrity_checks.remove_vectors(tx, space, size)
            scopes.purged(tx)


def embed(patient: ExaminedBrain, wrong: Sequence[Scope]) -> None:
    """Make the vectors that are missing."""
    for scope in wrong:
        patient.embed(scope)


def through_operations(
    fault: Fault, order: Callable[[UUID], Operation]
) -> Callable[[ExaminedBrain, Sequence[Scope]], None]:
    """A repair by operations, which are logged and can be undone."""

    def repair(patient: ExaminedBrain, wrong: Sequence[Scope]) -> None:
        for scope in wrong:
            while _some(patient, scope):
                pass

    def _some(patient: ExaminedBrain, scope: Scope) -> bool:
        with patient.database.write(scope) as tx:
            found = integrity_checks.keys(tx, fault, MAX_BATCH)
            if found:
                path.apply(tx, [order(key) for key in found], actor=ACTOR)
            return len(found) == MAX_BATCH

    return repair


def archive_link(key: UUID) -> Operation:
    """The order that takes a link out of force."""
    return ArchiveLink(link=key, reason="An entity at one of its ends is not in force.")


def archive_claim(key: UUID) -> Operation:
    """The order that takes a claim out of force."""
    return ArchiveClaimValue(attribute_id=key, reason="Its entity or its aspect is not in force.", force=True)


def requeue(patient: ExaminedBrain, wrong: Sequence[Scope]) -> None:
    """Let stuck jobs wait for another attempt."""
    for scope in wrong:
        with patient.database.write(scope) as tx:
            integrity_checks.requeue(tx, tx.now)


def sweep(patient: ExaminedBrain, _scopes: Sequence[Scope]) -> None:
    """Remove what has expired."""
    working.sweep(patient.database)
