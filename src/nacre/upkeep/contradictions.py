"""The pass that finds older contradictions in one slot, and asks people to decide."""

from nacre.domain.claim_operations import SupersedeClaimValue
from nacre.domain.commands import Command
from nacre.domain.dreams import PassChange, PassName, PassReport, PassStatus
from nacre.graph.beliefs import contradictions, slots
from nacre.graph.beliefs.contradictions import Contradiction
from nacre.graph.operations import proposals
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.graph import claims
from nacre.store.graph import proposals as kept
from nacre.upkeep.cycles import PassContext

ACTOR = "dream"
MAX_SLOTS = 500


class ContradictionPass:
    """Looks for values in force that cannot both be so. It proposes, and never ends one itself."""

    name = PassName.CONTRADICTIONS

    def __init__(self, graphs: Homes) -> None:
        self._graphs = graphs

    def fingerprint(self, night: PassContext) -> str | None:
        """How many claims there are, and when the last one changed."""
        with self._graphs.read(night.scope) as tx:
            return claims.fingerprint(tx)

    def run(self, night: PassContext) -> PassReport:
        """Propose that newer values take the place of older ones, each pair once."""
        changes: list[PassChange] = []
        status = PassStatus.DONE
        with self._graphs.read(night.scope) as tx:
            crowded = claims.crowded_slots(tx, MAX_SLOTS)
        for versions in crowded:
            if night.disturbed():
                status = PassStatus.STOPPED
                break
            with self._graphs.write(night.scope) as tx:
                found = contradictions.pairs(versions, slots.cardinality_of(tx, versions[0].slot))
                fresh = [each for each in found if not _is_proposed(tx, each)]
                if fresh and not night.dry_run:
                    proposals.propose(tx, [_order(each) for each in fresh], actor=ACTOR)
                changes += [_change(each) for each in fresh]
        return PassReport(name=self.name, status=status, changes=tuple(changes), counts={"proposed": len(changes)})


def _order(pair: Contradiction) -> Command:
    return Command(
        operation=SupersedeClaimValue(attribute_id=str(pair.older.id), superseded_by=str(pair.newer.id)),
        reason=pair.because,
        confidence=pair.confidence,
        risk="review_required",
    )


def _is_proposed(tx: Transaction, pair: Contradiction) -> bool:
    """Whether somebody was asked about the pair before, and whatever they decided."""
    return kept.was_proposed(tx, SupersedeClaimValue.operation, "attribute_id", str(pair.older.id))


def _change(pair: Contradiction) -> PassChange:
    what = f"Proposed that `{pair.newer.value}` takes the place of `{pair.older.value}` in {pair.older.slot}."
    return PassChange(what=what, why=pair.because, items=(str(pair.older.id), str(pair.newer.id)))
