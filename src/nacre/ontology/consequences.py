"""Consequences: what cannot hold beside a statement of another kind. Who is divorced has no partner, who retires no job.

Both ways: somebody who starts a job is no longer unemployed. Only what began before the statement ends.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain.claims import Claim, Slot
from nacre.domain.links import PARTNER_OF, WORKS_AT, Link
from nacre.domain.operations import Quoted
from nacre.ontology import beginnings, link_values, peers, values, versions
from nacre.store import claims, links
from nacre.store.databases import Transaction
from nacre.store.journals import Journal

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


def of_claim(journal: Journal, entity: UUID, slot: Slot, value: str, since: datetime, evidence: Quoted | None) -> None:
    """End the links and claims that a claim leaves no room for."""
    if slot.claim not in _STANDINGS or slot.aspect == _OTHERS:
        return
    word = values.folded(value)
    for predicate, words in _BY_STATUS.items():
        if word in words:
            held = links_both_ways(journal.tx, entity, predicate, since)
            found = link_values.as_claims(journal, entity, held, since, evidence)
            link_values.end(journal, [claim for claim in found if claim.since <= since], since)
    if word in _RETIRED.split():
        _end_claims(journal, entity, frozenset({_ROLE}), None, since, evidence)


def of_link(journal: Journal, entity: UUID, predicate: str, since: datetime, evidence: Quoted | None) -> None:
    """End the claims that a link leaves no room for."""
    if words := _BY_STATUS.get(predicate):
        _end_claims(journal, entity, _STANDINGS, words, since, evidence)


def links_both_ways(tx: Transaction, entity: UUID, predicate: str, at: datetime) -> list[Link]:
    """The links in force of an entity; of a relation that two share equally, also those that lead to it."""
    held = peers.links_of(tx, entity, predicate, None, at)
    return [*held, *links.to_entities(tx, [entity], [predicate])] if predicate == PARTNER_OF else held


def _end_claims(
    journal: Journal,
    entity: UUID,
    keys: frozenset[str],
    words: frozenset[str] | None,
    since: datetime,
    evidence: Quoted | None,
) -> None:
    fit: Sequence[Claim] = [
        claim
        for claim in claims.of_entity(journal.tx, entity)
        if claim.slot.claim in keys
        and claim.slot.aspect != _OTHERS
        and (words is None or values.folded(claim.value) in words)
    ]
    met = beginnings.place_before(journal.tx, fit, since, evidence)
    versions.retract(journal, [claim for claim in met if claim.since <= since], since, "Something else that was said.")
