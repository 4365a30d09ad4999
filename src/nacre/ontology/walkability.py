"""Whether recall can walk a graph. Links that are there and never walked cost time and give nothing."""

from dataclasses import dataclass
from enum import StrEnum

from nacre.store import graphs, hygiene
from nacre.store.databases import Transaction

# The gates of a walk that recall makes.
MIN_WEIGHT = 0.3
MIN_CONFIDENCE = 0.5
# Below this share of its links a graph is walked so little that something is wrong with what writes them.
THIN = 0.2


class State(StrEnum):
    """How far a graph can be walked."""

    EMPTY = "empty"
    INERT = "inert"
    THIN = "thin"
    HEALTHY = "healthy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How many links between entities pass every gate of a walk, and how many the first closed gate stops.

    `empty` has no links, `inert` has links but none that is ever walked, `thin` walks less than a fifth of them.
    `connected_entities` are those that a walk can leave or reach.
    """

    state: State
    message: str
    entities: int
    connected_entities: int
    links: int
    walkable_links: int
    walkable_share: float
    archived: int
    out_of_time: int
    unsure: int
    weak: int


def report(tx: Transaction) -> Health:
    """Put every link to the gates."""
    through = hygiene.gates(tx, MIN_WEIGHT, MIN_CONFIDENCE)
    share = round(through.walkable / through.links, 4) if through.links else 0.0
    state = _state(through.links, through.walkable, share)
    return Health(
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


def _state(links: int, walkable: int, share: float) -> State:
    if not links:
        return State.EMPTY
    if not walkable:
        return State.INERT
    return State.THIN if share < THIN else State.HEALTHY


def _message(state: State, links: int, walkable: int) -> str:
    match state:
        case State.EMPTY:
            return "There are no links between entities."
        case State.INERT:
            return f"None of the {links:,} links is ever walked: all are out of time, unsure or weak."
        case State.THIN:
            return f"Only {walkable:,} of {links:,} links are walked."
        case _:
            return f"{walkable:,} of {links:,} links are walked."
