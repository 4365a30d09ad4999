"""Learn from what was of use: what is offered is noted, and what is used moves the weights that led to it.

Only words and verdicts move weights. What was offered and not used is not held against it, because most of what is
offered is there in case it is needed; weights that nothing moves decay on their own.
"""

from collections.abc import Collection, Iterable
from datetime import timedelta
from uuid import UUID

from nacre.domain.commands import Operation
from nacre.domain.offers import Offer, WeightUpkeep
from nacre.domain.scopes import Scope
from nacre.domain.traversals import Traversal
from nacre.domain.weight_operations import DecayAspects, WeighAspects, WeighPaths
from nacre.graph.operations import cooccurrence, path
from nacre.graph.reading import evidence
from nacre.graph.reading.evidence import EvidenceHomes
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.evidence import offers
from nacre.store.evidence.offers import OfferCounts
from nacre.store.reads import neighbourhoods
from nacre.text import tokens

ACTOR = "feedback"
DECAY_EVERY = 10
STALE_AFTER = timedelta(days=14)
OFFERS_KEPT = timedelta(days=180)
# So many words, and so large a part of the shorter text, an item and what is said must share.
MIN_SHARED = 3
MIN_PART = 0.5


def offer(
    tx: Transaction, scope: Scope, session: str, traversal: Traversal, items: Collection[UUID] | None = None
) -> int:
    """Note that a session is offered what a traversal found, or some of it; returns how many items."""
    shown = {item: paths for item, paths in traversal.paths.items() if items is None or item in items}
    if not shown:
        return 0
    scopes.lock(tx)
    key = _key(tx, scope, session)
    standing = neighbourhoods.active(tx, {path.entity for paths in shown.values() for path in paths})
    if offers.is_new(tx, key):
        known = offers.tally(tx)
        offers.keep_tally(tx, OfferCounts(known.sessions + 1, known.tended))
    made = [
        Offer(
            session=key,
            item=item,
            entity=path.entity,
            score=path.score,
            at=tx.now,
            aspect=path.aspect,
            links=path.links,
        )
        for item, paths in shown.items()
        for path in paths
        if path.entity in standing
    ]
    offers.offer(tx, made)
    return _items(made)


def used(tx: Transaction, scope: Scope, session: str, items: Collection[UUID]) -> int:
    """An agent used items that its session was offered: what led to them counts for more. Returns how many were new."""
    scopes.lock(tx)
    taken = offers.use(tx, _key(tx, scope, session), items)
    _weigh_paths(tx, taken, useful=True)
    return _items(taken)


def useless(tx: Transaction, scope: Scope, session: str, items: Collection[UUID]) -> int:
    """Items that a session was offered led astray: what led to them counts for less. Returns how many were new."""
    scopes.lock(tx)
    refused = offers.refuse(tx, _key(tx, scope, session), items)
    _weigh_paths(tx, refused, useful=False)
    return _items(refused)


def heard(tx: Transaction, scope: Scope, session: str, text: str) -> int:
    """What a session says matches items it was offered: their aspects count for more. Returns how many matched."""
    scopes.lock(tx)
    key = _key(tx, scope, session)
    waiting = {each.item for each in offers.unused(tx, key)}
    known = evidence.by_id(EvidenceHomes.of(tx, scope), waiting, waiting)
    matching = [item.id for item in known.values() if _overlap(text, item.packed)]
    taken = offers.use(tx, key, matching)
    aspects = [each.aspect for each in taken if each.aspect]
    if aspects:
        _apply(tx, WeighAspects(aspects=tuple(aspects)))
    return _items(taken)


def tend(tx: Transaction, *, at_once: bool = False) -> WeightUpkeep:
    """Every ten sessions: let stale weights decay, link what is spoken of together, and drop old offers.

    How many sessions there were is stored, so a restart loses none of them.
    """
    scopes.lock(tx)
    known = offers.tally(tx)
    if not at_once and known.sessions - known.tended < DECAY_EVERY:
        return WeightUpkeep()
    offers.keep_tally(tx, OfferCounts(known.sessions, known.sessions))
    decayed = _apply(tx, DecayAspects(untouched_since=tx.now - STALE_AFTER))
    learned = cooccurrence.links(tx)
    if learned:
        path.apply(tx, learned, actor=ACTOR)
    dropped = offers.prune(tx, tx.now - OFFERS_KEPT)
    return WeightUpkeep(due=True, aspects_decayed=decayed, links_learned=len(learned), offers_dropped=dropped)


def _weigh_paths(tx: Transaction, weighed: Iterable[Offer], *, useful: bool) -> None:
    aspects = [each.aspect for each in weighed if each.aspect]
    links = [link for each in weighed for link in each.links]
    if aspects or links:
        _apply(tx, WeighPaths(aspects=tuple(aspects), links=tuple(links), useful=useful))


def _apply(tx: Transaction, operation: Operation) -> int:
    """Carry out an operation; returns how many rows it changed."""
    return len(path.apply(tx, [operation], actor=ACTOR)[0].changes)


def _overlap(text: str, packed: tokens.PackedTerms) -> bool:
    said = {key for key, _ in tokens.pack(text, packed.language).items()}
    held = {key for key, _ in packed.items()}
    shared, shorter = len(said & held), min(len(said), len(held))
    return shared >= min(MIN_SHARED, len(held)) and shared >= MIN_PART * shorter


def _items(some: Iterable[Offer]) -> int:
    return len({each.item for each in some})


def _key(tx: Transaction, scope: Scope, session: str) -> str:
    """A session's name among its graph's: in a graph that users share, each has sessions of their own."""
    return session if tx.scope == scope else f"{scope.id.hex}/{session}"
