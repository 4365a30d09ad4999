"""The pass that finds older contradictions in one slot, and asks people to decide."""

from nacre.domain.claim_operations import SupersedeClaimValue
from nacre.domain.commands import Command
from nacre.domain.dreams import Change, PassName, PassReport, PassStatus
from nacre.ontology import contradictions, proposals, slots
from nacre.ontology.contradictions import Contradiction
from nacre.store import claims
from nacre.store import proposals as kept
from nacre.store.databases import Transaction
from nacre.store.sharing import Homes
from nacre.upkeep.cycles import Night

ACTOR = "dream"
MAX_SLOTS = 500


class ContradictionPass:
    """Looks for values in force that cannot both be so. It proposes, and never ends one itself."""

    name = PassName.CONTRADICTIONS

    def __init__(self, graphs: Homes) -> None:
        self._graphs = graphs

    def fingerprint(self, night: Night) -> str | None:
        """How many claims there are, and when the last one changed."""
        with self._graphs.read(night.scope) as tx:
            return claims.fingerprint(tx)

    def run(self, night: Night) -> PassReport:
        """Propose that newer values take the place of older ones, each pair once."""
        changes: list[Change] = []
        status = PassStatus.DONE
        with self._graphs.read(night.scope) as tx:
            crowded = claims.crowded_slots(tx, MAX_SLOTS)
        for versions in crowded:
            if night.disturbed():
                status = PassStatus.STOPPED
                break
            with self._graphs.write(night.scope) as tx:
                found = contradictions.pairs(versions, slots.cardinality_of(tx, versions[0].slot))
                fresh = [each for each in found if not _asked(tx, each)]
                if fresh and not night.dry_run:
                    proposals.propose(tx, [_order(each) for each in fresh], actor=ACTOR)
                changes += [_told(each) for each in fresh]
        return PassReport(name=self.name, status=status, changes=tuple(changes), counts={"proposed": len(changes)})


def _order(found: Contradiction) -> Command:
    return Command(
        operation=SupersedeClaimValue(attribute_id=str(found.older.id), superseded_by=str(found.newer.id)),
        reason=found.because,
        confidence=found.confidence,
        risk="review_required",
    )


def _asked(tx: Transaction, found: Contradiction) -> bool:
    """Whether somebody was asked about the pair before, and whatever they decided."""
    return kept.was_proposed(tx, SupersedeClaimValue.operation, "attribute_id", str(found.older.id))


def _told(found: Contradiction) -> Change:
    what = f"Proposed that `{found.newer.value}` takes the place of `{found.older.value}` in {found.older.slot}."
    return Change(what=what, why=found.because, items=(str(found.older.id), str(found.newer.id)))
