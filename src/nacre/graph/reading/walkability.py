"""Walkability: whether recall can walk a graph. Links that are never walked cost time and give nothing."""

from nacre.domain.graph_reports import GraphHealth, WalkState
from nacre.store.base.databases import Transaction
from nacre.store.reads import graphs, hygiene, reports

# The gates of a walk that recall makes.
MIN_WEIGHT = 0.3
MIN_CONFIDENCE = 0.5
# Below this share of its links a graph is walked so little that something is wrong with what writes them.
THIN = 0.2


def report(tx: Transaction) -> GraphHealth:
    """How many links pass the gates; kept until the graph changes."""
    return reports.kept(tx, "health", lambda: _report(tx))


def _report(tx: Transaction) -> GraphHealth:
    through = hygiene.gates(tx, MIN_WEIGHT, MIN_CONFIDENCE)
    share = round(through.walkable / through.links, 4) if through.links else 0.0
    state = _state(through.links, through.walkable, share)
    return GraphHealth(
        state=state,
        message=_message(state, through.links, through.walkable),
        entities=sum(graphs.count_by_type(tx).values()),
        connected_entities=hygiene.walkable_ends(tx, MIN_WEIGHT, MIN_CONFIDENCE) if through.walkable else 0,
        links=through.links,
        walkable_links=through.walkable,
        walkable_share=share,
        archived=hygiene.count_archived_links(tx),
        out_of_time=through.out_of_time,
        unsure=through.unsure,
        weak=through.weak,
    )


def _state(links: int, walkable: int, share: float) -> WalkState:
    if not links:
        return WalkState.EMPTY
    if not walkable:
        return WalkState.INERT
    return WalkState.THIN if share < THIN else WalkState.HEALTHY


def _message(state: WalkState, links: int, walkable: int) -> str:
    match state:
        case WalkState.EMPTY:
            return "There are no links between entities."
        case WalkState.INERT:
            return f"None of the {links:,} links is ever walked: all are out of time, unsure or weak."
        case WalkState.THIN:
            return f"Only {walkable:,} of {links:,} links are walked."
        case _:
            return f"{walkable:,} of {links:,} links are walked."
