"""Quality of a graph: what can be looked up and walked, what is garbage, and how well what is offered serves."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from statistics import fmean
from uuid import UUID

from nacre.domain.entities import EntityType
from nacre.domain.graph_reports import GraphHealth, GraphQuality, Reason, StructureQuality, WalkState
from nacre.domain.ids import EntityId
from nacre.domain.offers import EntityHealth, Trend
from nacre.graph.reading import hygiene
from nacre.store.base.databases import Transaction
from nacre.store.evidence import offers
from nacre.store.evidence.offers import Comparison
from nacre.store.reads import graphs, reports
from nacre.store.reads import hygiene as checked

# Aspects that say nothing of which side of an entity they are.
_GENERIC = """
about aspect attributes basics data detail details extracted fact facts general generic info information
knowledge main misc miscellaneous note notes other overview properties stuff summary thing things unknown various
"""
GENERIC_ASPECTS = frozenset(_GENERIC.split())
# Aspects that gather everything about somebody in one place.
PROFILE_ASPECTS = frozenset({"bio", "biography", "persona", "personal", "personal_info", "profile", "user_profile"})
MAX_NAMED = 20

# Reasons to look at an entity that do not make it none: a short name, or a type that may be wrong.
_NOT_GARBAGE = {
    Reason.TOO_SHORT,
    Reason.UNKNOWN_ENTITY_TYPE,
    Reason.NON_CONCRETE_ENTITY_TYPE,
    Reason.EVENT_WITHOUT_TIME_OR_EVENT_SIGNAL,
}


def report(tx: Transaction) -> GraphQuality:
    """Measure the whole graph."""
    doubts = hygiene.count_suspicious(tx)
    entities = doubts.total()
    reasons = {reason.value: doubts[reason] for reason in Reason if doubts[reason]}
    garbage = sum(count for reason, count in doubts.items() if reason is not None and reason not in _NOT_GARBAGE)
    held = checked.grounds(tx)
    keys = checked.aspect_keys(tx)
    generic, profiles = _named(keys, GENERIC_ASPECTS), _named(keys, PROFILE_ASPECTS)
    vague = sum(held for key, held in keys.items() if key in GENERIC_ASPECTS | PROFILE_ASPECTS)
    unknown = graphs.count_by_type(tx, bare=True).get(EntityType.UNKNOWN.value, 0)
    shares = [
        _share(entities - unknown, entities),
        _share(sum(keys.values()) - vague, sum(keys.values())),
        _share(held.held - held.without_claim_key, held.held),
    ]
    there = [share for share in shares if share is not None]
    structure = StructureQuality(
        score=round(sum(there) / len(there), 4) if there else 0.0,
        unknown_types=unknown,
        generic_aspects=generic,
        profile_aspects=profiles,
        claims_without_key=held.without_claim_key,
    )
    return GraphQuality(
        entities=entities,
        aspects=sum(keys.values()),
        claims=held.held,
        citation_coverage=_share(held.held - held.without_grounds, held.held),
        graph_garbage_rate=_share(garbage, entities),
        structure_quality=structure if there else None,
        reasons=reasons,
    )


def _named(keys: Mapping[str, int], generic: frozenset[str]) -> dict[str, int]:
    found = sorted(((key, held) for key, held in keys.items() if key in generic), key=lambda pair: (-pair[1], pair[0]))
    return dict(found[:MAX_NAMED])


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


MIN_COMPARISONS = 3
TREND = 0.1


def entity_health(tx: Transaction, since: datetime | None, min_comparisons: int, limit: int) -> list[EntityHealth]:
    """Entities that were offered in enough sessions, those in the most first."""
    by_entity: dict[UUID, list[Comparison]] = defaultdict(list)
    for each in offers.comparisons(tx, since):
        by_entity[each.entity].append(each)
    enough = [_judged(each) for each in by_entity.values() if len(each) >= min_comparisons]
    return sorted(enough, key=lambda each: (-each.comparison_count, each.entity_name, each.entity_id))[:limit]


def _judged(sessions: Sequence[Comparison]) -> EntityHealth:
    margins = [
        each.score_used - each.score_unused
        for each in sessions
        if each.score_used is not None and each.score_unused is not None
    ]
    return EntityHealth(
        entity_id=EntityId(sessions[0].entity),
        entity_name=sessions[0].name,
        comparison_count=len(sessions),
        win_rate=_win_rate(sessions),
        avg_margin=fmean(margins) if margins else 0.0,
        trend=_trend(sessions),
    )


def _win_rate(sessions: Sequence[Comparison]) -> float:
    return fmean(each.used > 0 for each in sessions)


def _trend(sessions: Sequence[Comparison]) -> Trend:
    """Whether the later half of the sessions won more often than the earlier half."""
    middle = len(sessions) // 2
    if not middle:
        return Trend.STABLE
    change = _win_rate(sessions[middle:]) - _win_rate(sessions[:middle])
    if abs(change) <= TREND:
        return Trend.STABLE
    return Trend.IMPROVING if change > 0 else Trend.DECLINING


# The gates of a walk that recall makes.
MIN_WEIGHT = 0.3
MIN_CONFIDENCE = 0.5
# Below this share of its links a graph is walked so little that something is wrong with what writes them.
THIN = 0.2


def walk_report(tx: Transaction) -> GraphHealth:
    """How many links pass the gates; kept until the graph changes."""
    return reports.kept(tx, "health", lambda: _walk_report(tx))


def _walk_report(tx: Transaction) -> GraphHealth:
    through = checked.gates(tx, MIN_WEIGHT, MIN_CONFIDENCE)
    share = round(through.walkable / through.links, 4) if through.links else 0.0
    state = _state(through.links, through.walkable, share)
    return GraphHealth(
        state=state,
        message=_message(state, through.links, through.walkable),
        entities=sum(graphs.count_by_type(tx).values()),
        connected_entities=checked.walkable_ends(tx, MIN_WEIGHT, MIN_CONFIDENCE) if through.walkable else 0,
        links=through.links,
        walkable_links=through.walkable,
        walkable_share=share,
        archived=checked.count_archived_links(tx),
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
