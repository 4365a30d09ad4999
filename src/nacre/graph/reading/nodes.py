"""An entity with the links at it, for a caller who names it."""

from datetime import datetime

from nacre.domain import ids
from nacre.domain.errors import NotFound
from nacre.domain.memories import Status
from nacre.domain.nodes import Node
from nacre.domain.operations import Selector
from nacre.graph.identity import naming
from nacre.store.base.cache import Cache
from nacre.store.base.databases import Transaction
from nacre.store.graph import links
from nacre.store.reads import nodes


def find(tx: Transaction, selector: Selector, as_of: datetime | None, limit: int | None, cache: Cache | None) -> Node:
    """The entity in force that is named, and the links in force at it; or both as they were at a moment."""
    if cache is None or as_of is not None:
        entity = naming.find(tx, selector, as_of)
        return Node(entity=entity, links=tuple(links.at_entities(tx, [entity.id], as_of, limit)))
    key = ids.parse("entity", selector) if naming.is_id(selector) else naming.find(tx, selector).id
    found = nodes.read(tx, key, cache, limit)
    if found is None or found.entity.status is not Status.ACTIVE:
        raise NotFound("entity", str(selector))
    return found
