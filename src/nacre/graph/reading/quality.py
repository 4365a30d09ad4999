"""Quality report of a graph: what can be looked up, what is garbage, and how well it is built."""

from collections.abc import Mapping

from nacre.domain.entities import EntityType
from nacre.domain.graph_reports import GraphQuality, Reason, StructureQuality
from nacre.graph.reading import hygiene
from nacre.store.base.databases import Transaction
from nacre.store.reads import graphs
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
