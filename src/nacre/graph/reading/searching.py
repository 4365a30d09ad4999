"""Search and list the entities of a graph."""

import re
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain import checks
from nacre.domain.entities import Entity, EntityType, entity_type
from nacre.domain.errors import Invalid
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities, row_history
from nacre.store.reads import entity_search
from nacre.text import names

MAX_WORDS = 32
MAX_OFFSET = 1_000_000
_LONGEST_WORD = 200
# Between words: space, controls, and halves of surrogate pairs, which no database stores.
_WORD = re.compile("[^\\s\x00-\x1f\x7f\ud800-\udfff]+")


def search(
    tx: Transaction,
    query: str,
    *,
    type: EntityType | str | None = None,  # noqa: A002 - what callers and documents call it
    limit: int = 10,
    offset: int = 0,
    as_of: datetime | None = None,
) -> list[Entity]:
    """The entities in force that go by `query`, then those with all its words in their name or description.

    A word of the query finds every word that begins with it: `joh` finds John. Case does not matter. A query without
    letters or digits finds only entities that are named so. Of a long query, the first 32 words count. With `as_of`,
    what was in force then is found by its words of today and shown as it was.
    """
    said = _WORD.findall(query)
    words = [word[:_LONGEST_WORD] for word in said if any(map(str.isalnum, word))]
    key = names.match_key(" ".join(said))
    asked = entity_search.EntityQuery(words=words[:MAX_WORDS], key=key, kind=_kind(type), as_of=as_of)
    return _in_order(tx, entity_search.search(tx, asked, *_page(limit, offset)), as_of)


def newest(
    tx: Transaction,
    *,
    type: EntityType | str | None = None,  # noqa: A002 - what callers and documents call it
    limit: int = 10,
    offset: int = 0,
    as_of: datetime | None = None,
) -> list[Entity]:
    """The entities in force, the last changed first."""
    return _in_order(tx, entity_search.newest(tx, _kind(type), *_page(limit, offset), as_of), as_of)


def _kind(value: EntityType | str | None) -> str | None:
    if value is None:
        return None
    kind = entity_type(value)
    if kind is EntityType.UNKNOWN and value != EntityType.UNKNOWN:
        raise Invalid("type", f"must be one of {', '.join(EntityType)}, not {value!r}")
    return kind.value


def _page(limit: int, offset: int) -> tuple[int, int]:
    checks.count("limit", limit)
    if isinstance(offset, bool) or not isinstance(offset, int) or not 0 <= offset <= MAX_OFFSET:
        raise Invalid("offset", f"must be a whole number from 0 to {MAX_OFFSET:,}, not {offset!r}")
    return limit, offset


def _in_order(tx: Transaction, ids: Sequence[UUID], as_of: datetime | None) -> list[Entity]:
    known = entities.by_id(tx, ids)
    shown = known if as_of is None else row_history.entities_at(tx, known.values(), as_of)
    return [shown[each] for each in ids if each in shown]
