"""Evidence of claims and mentions, as items that recall knows: memories and turns in force."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from nacre.domain.errors import Invalid
from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.operations import SourceQuote
from nacre.domain.scopes import Scope
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.reads import traversals
from nacre.text.tokens import PackedTerms

DEFAULT_IMPORTANCE = 0.5
_ITEMS_A_STATEMENT = 500


@dataclass(frozen=True, slots=True)
class Item:
    """A memory or a turn in force."""

    id: UUID
    kind: Kind
    importance: float
    packed: PackedTerms


@dataclass(frozen=True, slots=True)
class EvidenceHomes:
    """Where the memories and the turns of a scope are kept, as seen from a transaction on its graph."""

    memories: Transaction
    turns: Transaction

    @classmethod
    def of(cls, tx: Transaction, scope: Scope) -> "EvidenceHomes":
        """The places of a scope."""
        home = sharing.of(tx).memory_home(scope)
        return cls(sharing.moved(tx, home), sharing.moved(tx, scope))


def items(
    places: EvidenceHomes, memories: Collection[UUID], sources: Collection[UUID]
) -> tuple[Mapping[UUID, Item], Mapping[UUID, tuple[Item, ...]]]:
    """The memories in force by id, and what sources stand for: turns in force, or the memories that rest on them."""
    resting: dict[UUID, list[UUID]] = defaultdict(list)
    for some in _portions(sources):
        for source, memory in traversals.memories_on(places.memories, some):
            resting[source].append(memory)
    kept = by_id(places, {*memories, *(each for some in resting.values() for each in some)}, sources)
    standing = {
        source: tuple(kept[each] for each in ([source] if source in kept else resting[source]) if each in kept)
        for source in sources
    }
    return {key: kept[key] for key in memories if key in kept}, standing


def by_id(places: EvidenceHomes, memories: Collection[UUID], turns: Collection[UUID]) -> dict[UUID, Item]:
    """The memories and turns under ids, as far as they are in force."""
    items_by_id: dict[UUID, Item] = {}
    for some in _portions(turns):
        for each in traversals.passages_of(places.turns, Kind.TURN, some):
            items_by_id[each.item] = Item(each.item, Kind.TURN, DEFAULT_IMPORTANCE, each.packed)
    for some in _portions(memories):
        importance = traversals.importance_of(places.memories, some)
        for each in traversals.passages_of(places.memories, Kind.MEMORY, some):
            items_by_id[each.item] = Item(each.item, Kind.MEMORY, importance[each.item], each.packed)
    return items_by_id


def _portions(ids: Iterable[UUID]) -> Iterator[list[UUID]]:
    rest = iter(dict.fromkeys(ids))
    while some := list(islice(rest, _ITEMS_A_STATEMENT)):
        yield some


def quoted(tx: Transaction, source: UUID, quote: str | None) -> SourceQuote:
    """The place of exact words in a source that the scope may point at, or all of it."""
    text = sharing.text_of(tx, source)
    start = 0 if quote is None else text.find(quote)
    if start < 0:
        raise Invalid("quote", "is not in the source; give its exact words")
    return SourceQuote(source=SourceId(source), quote=(start, start + len(text if quote is None else quote)))
