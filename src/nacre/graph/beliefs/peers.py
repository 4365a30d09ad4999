"""Peers of a new value: those of its slot that a judgement may be about, however many the slot holds.

A slot of few values is read whole. Of one with many, those are read that share a key with the new value, and two more,
which tell that the slot holds several.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain.claims import Claim, ClaimKind, Slot
from nacre.domain.links import Link
from nacre.graph.beliefs.value_keys import held_keys
from nacre.store.base.databases import Transaction
from nacre.store.graph import peers, value_keys
from nacre.store.graph.value_keys import UnkeyedValue

# A slot with no more values is read whole.
FEW = 8
# Where more than that share a key, the keys tell nothing.
_MANY = 1_000
_WITNESSES = 2

Keys = Collection[str] | None


def links_of(tx: Transaction, source: UUID, predicate: str, keys: Keys, at: datetime) -> list[Link]:
    """The links in force from an entity that say one kind of thing and may matter to a value, the newest first.

    `keys` lead to them; without, any may matter. `at` is when the value became true.
    """
    found = peers.some_links(tx, source, predicate, None if keys is None else FEW + 1)
    if keys is not None and len(found) > FEW:
        standing = [link for link in found if link.valid_to is None or link.valid_to > at][:_WITNESSES]
        _write_keys(tx, source, value_keys.unkeyed_links(tx, source))
        ids = value_keys.items(tx, source, predicate, keys)
        if len(standing) < _WITNESSES or len(ids) > _MANY:
            found = peers.some_links(tx, source, predicate, None)
        else:
            keyed = peers.links_among(tx, ids - {link.id for link in standing})
            found = [*standing, *(link for link in keyed if (link.source, link.predicate) == (source, predicate))]
    return sorted(found, key=lambda link: (link.created_at, link.id), reverse=True)


def claims_of(
    tx: Transaction, aspect: UUID, slot: Slot, keys: Keys, at: datetime, *, kind: ClaimKind = ClaimKind.ATTRIBUTE
) -> list[Claim]:
    """The active versions in a slot that may matter to a value of a kind, the last version first."""
    found = peers.some_claims(tx, aspect, slot, None if keys is None else FEW + 1)
    if keys is not None and len(found) > FEW:
        rules = kind is ClaimKind.CONSTRAINT
        standing = [claim for claim in found if _stands(claim, at) and (not rules or claim.kind is kind)][:_WITNESSES]
        _write_keys(tx, aspect, value_keys.unkeyed_claims(tx, aspect))
        ids = value_keys.items(tx, aspect, value_keys.claim_slot(slot.group, slot.claim), keys)
        if len(standing) < _WITNESSES or len(ids) > _MANY:
            found = peers.some_claims(tx, aspect, slot, None)
        else:
            keyed = peers.claims_among(tx, ids - {claim.id for claim in standing})
            found = [*standing, *(claim for claim in keyed if (claim.aspect, claim.slot) == (aspect, slot))]
    return sorted(found, key=lambda claim: (claim.version, claim.created_at, claim.id), reverse=True)


def _stands(claim: Claim, at: datetime) -> bool:
    return claim.valid_to is None or claim.valid_to > at


def _write_keys(tx: Transaction, holder: UUID, unkeyed: Sequence[UnkeyedValue]) -> None:
    """Work out the keys of what came to a holder since the last time."""
    if unkeyed:
        value_keys.write(tx, holder, {each.item: (each.slot, held_keys(each.value)) for each in unkeyed})
