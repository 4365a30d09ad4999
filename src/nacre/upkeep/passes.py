"""The passes of a cycle, built for one database."""

from pathlib import Path

from nacre.models.embedders import Embedder
from nacre.store.base.homes import Homes
from nacre.upkeep.consolidation import ConsolidationPass
from nacre.upkeep.contradictions import ContradictionPass
from nacre.upkeep.cycles import Pass
from nacre.upkeep.decay import DecayPass
from nacre.upkeep.entities import EntityPass
from nacre.upkeep.graphs import CommunityPass, GraphPass
from nacre.upkeep.preferences import PreferencePass
from nacre.upkeep.summaries import SummaryPass


def memory_passes(
    memories: Homes, graphs: Homes, embedder: Embedder | None, directives: Path | None, token_cap: int
) -> list[Pass]:
    """The passes over what was said and remembered."""
    return [
        ConsolidationPass(memories, embedder, directives=directives, token_cap=token_cap),
        PreferencePass(memories, embedder, directives=directives, token_cap=token_cap),
        SummaryPass(embedder, directives=directives),
        DecayPass(memories, graphs),
    ]


def graph_passes(
    graphs: Homes,
    embedder: Embedder | None,
    directives: Path | None,
    token_cap: int,
    *,
    read_by_day: bool = False,
) -> list[Pass]:
    """The passes over the graph; they are left out where the graph is off."""
    return [
        EntityPass(graphs, embedder, directives=directives, token_cap=token_cap, read_by_day=read_by_day),
        GraphPass(graphs, embedder, directives=directives),
        ContradictionPass(graphs),
        CommunityPass(graphs),
    ]
