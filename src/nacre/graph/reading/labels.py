"""Labels: what the ids in a log or a proposal stand for, whether it is in force or not."""

from collections.abc import Sequence
from uuid import UUID

from nacre.domain.navigation import Label, LabelKind
from nacre.store.base.databases import Transaction
from nacre.store.graph import assertions, claims, entities, links


def read(tx: Transaction, ids: Sequence[UUID]) -> list[Label]:
    """The labels of entities, claims, links and assertions; ids of nothing in the graph are left out."""
    held, linked, stated = claims.by_id(tx, ids), links.by_id(tx, ids), assertions.by_id(tx, ids)
    ends = {end for link in linked.values() for end in (link.source, link.target) if end}
    owners = {claim.entity for claim in held.values()} | {each.entity for each in stated.values()}
    known = entities.by_id(tx, {*ids, *ends, *owners})
    found = [Label(id=key, kind=LabelKind.ENTITY, name=known[key].name) for key in ids if key in known]
    for claim in held.values():
        key, owner = claim.slot.claim or claim.slot.aspect, known[claim.entity].name
        found.append(Label(id=claim.id, kind=LabelKind.CLAIM, name=owner, key=key, text=claim.value))
    for link in linked.values():
        target = known[link.target].name if link.target else link.value
        found.append(
            Label(id=link.id, kind=LabelKind.LINK, name=known[link.source].name, key=link.predicate, text=target)
        )
    for each in stated.values():
        found.append(Label(id=each.id, kind=LabelKind.ASSERTION, name=known[each.entity].name, text=each.content))
    return found
