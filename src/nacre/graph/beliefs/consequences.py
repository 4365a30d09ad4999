"""Consequences: what cannot hold beside a statement of another kind. Who retires has no job, the divorced no partner.

Both ways: somebody who starts a job is no longer unemployed. Only what began before the statement ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from nacre.domain.claims import Slot
from nacre.domain.links import PARTNER_OF, WORKS_AT, Link
from nacre.domain.operations import SourceQuote
from nacre.graph.beliefs import beginnings, link_values, peers, values, versions
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.graph import claims, links

_ALONE = "single divorced widowed separated widow widower soltero soltera divorciado divorciada viudo viuda separado"
_IDLE = "unemployed jobless desempleado desempleada parado parada"
_RETIRED = "retired retirement jubilado jubilada retirado retirada"
_BY_STATUS: Mapping[str, frozenset[str]] = {
    PARTNER_OF: frozenset((*_ALONE.split(), "separada")),
    WORKS_AT: frozenset((*_IDLE.split(), *_RETIRED.split())),
}
# Claims that say how somebody stands.
_STANDINGS = frozenset({"status", "marital_status", "relationship_status", "estado_civil", "employment_status"})
_ROLE = "role"
# What is believed of people without a name, such as "my boss", stands there.
_OTHERS = "relations"


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Of whom something is stated, since when it holds, and the words it rests on."""

    entity: UUID
    since: datetime
    evidence: SourceQuote | None


def of_claim(journal: Journal, occasion: Occasion, slot: Slot, value: str) -> None:
    """End the links and claims that a claim leaves no room for."""
    if slot.claim not in _STANDINGS or slot.aspect == _OTHERS:
        return
    word, since = values.folded(value), occasion.since
    for predicate, words in _BY_STATUS.items():
        if word in words:
            held = links_both_ways(journal.tx, occasion.entity, predicate, since)
            found = link_values.as_claims(journal, occasion.entity, held, since, occasion.evidence)
            link_values.end(journal, [claim for claim in found if claim.since <= since], since)
    if word in _RETIRED.split():
        _end_claims(journal, occasion, frozenset({_ROLE}), None)


def of_link(journal: Journal, occasion: Occasion, predicate: str) -> None:
    """End the claims that a link leaves no room for."""
    if words := _BY_STATUS.get(predicate):
        _end_claims(journal, occasion, _STANDINGS, words)


def links_both_ways(tx: Transaction, entity: UUID, predicate: str, at: datetime) -> list[Link]:
    """The links in force of an entity; of a relation that two share equally, also those that lead to it."""
    held = peers.links_of(tx, entity, predicate, None, at)
    return [*held, *links.to_entities(tx, [entity], [predicate])] if predicate == PARTNER_OF else held


def _end_claims(journal: Journal, occasion: Occasion, keys: frozenset[str], words: frozenset[str] | None) -> None:
    """End the claims under some keys that say one of some words; without words, whatever they say."""
    fit = [
        claim
        for claim in claims.of_entity(journal.tx, occasion.entity)
        if claim.slot.claim in keys
        and claim.slot.aspect != _OTHERS
        and (words is None or values.folded(claim.value) in words)
    ]
    met = beginnings.place_before(journal.tx, fit, occasion.since, occasion.evidence)
    earlier = [claim for claim in met if claim.since <= occasion.since]
    versions.retract(journal, earlier, occasion.since, "It cannot hold beside what was said since.")
