"""The pass that parts the graph into communities anew."""

from nacre.domain.dreams import PassChange, PassName, PassReport, PassStatus
from nacre.graph.reading import communities
from nacre.store.base.homes import Homes
from nacre.store.reads import graphs as whole
from nacre.upkeep.cycles import PassContext


class CommunityPass:
    """Refreshes communities. They are derived, so there is nothing to undo."""

    name = PassName.COMMUNITIES

    def __init__(self, graphs: Homes) -> None:
        self._graphs = graphs

    def fingerprint(self, night: PassContext) -> str | None:
        """How many links there are, and when the last one changed."""
        with self._graphs.read(night.scope) as tx:
            return whole.fingerprint(tx)

    def run(self, night: PassContext) -> PassReport:
        """Part the graph; a dry run only counts."""
        home = self._graphs.of(night.scope)
        if night.dry_run:
            with night.database.read(home) as tx:
                found = communities.part(tx)
            counts = {"communities": len(found.groups)}
            return PassReport(name=self.name, status=PassStatus.DONE, counts=counts)
        made = communities.refresh(night.database, home)
        what = f"{made.communities} communities of {made.members} entities, {made.kept} of them known."
        change = PassChange(what=what, why=f"modularity {made.modularity:.2f}: {made.verdict}")
        return PassReport(
            name=self.name, status=PassStatus.DONE, changes=(change,), counts={"communities": made.communities}
        )
