"""Which passages the graph ties to which entities: where they are mentioned, and what links and claims rest on.

The statements are built once: every recall runs some of them, and building one takes longer than running it.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import Any, NamedTuple, cast
from uuid import UUID

from sqlalchemy import Integer, Select, and_, bindparam, false, func, null, or_, select, union_all

from nacre.domain.claims import ClaimStatus
from nacre.domain.hits import Kind
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.graph import claims, links
from nacre.store.tables.columns import Id, Instant
from nacre.store.tables.schema import attributes, entities, memory_sources, mentions, passages
from nacre.store.tables.schema import links as links_table


@dataclass(frozen=True, slots=True)
class PassageMention:
    """A passage that speaks of an entity, how often that is mentioned in all, and where the passage first does so."""

    seq: int
    entity: UUID
    mentions: int
    start: int


class PlacedMention(NamedTuple):
    """An item that speaks of an entity, the place of one of its passages, and where it first does so.

    A memory says that in words of its own, so of one it is not known where.
    """

    item: UUID
    entity: UUID
    seq: int
    start: int | None


class FactRow(NamedTuple):
    """A link or claim: what it says of whom, the words it rests on, and whether it still holds."""

    id: UUID
    kind: Kind
    subject: UUID
    object: UUID | None
    # The predicate or the claim's name; and with a value, where it leads to no other entity.
    topic: str
    said: str
    source: UUID | None
    quote: tuple[int, int] | None
    memory: UUID | None
    at: datetime
    holds: bool
    # It was over when it was told, or its time has run out or not come, and nothing took its place: "Dan quit Acme" is
    # news, and no outdated word of Acme; a journey that was made, or a job that is to begin, is no outdated word of it.
    untimely: bool

    @property
    def items(self) -> tuple[UUID, ...]:
        """The turns and memories whose passages bear it out."""
        return tuple(each for each in (self.source, self.memory) if each)


def mentioning(tx: Transaction, of: Collection[UUID], limit: int, *, memories: bool) -> list[PlacedMention]:
    """The turns in which entities are mentioned, those first that begin with one.

    With `memories` those as well that rest on words in which they are.
    """
    given = {"scope": tx.scope_id, "ids": list(of), "most": limit}
    statements = (_MENTIONING, _REMEMBERED) if memories else (_MENTIONING,)
    found = tx.execute_all([(statement, given) for statement in statements])
    return [PlacedMention(row.item, row.entity_id, row.seq, row.start) for rows in found for row in rows]


def led_mentions(
    tx: Transaction, led: Collection[UUID], limit: int, seqs: Sequence[int], *, often: int, memories: bool
) -> list[PlacedMention]:
    """As `mentioning`, of entities that some passages mention and nothing mentions more than so `often`.

    It does not wait for what those passages mention, so it can be read together with that.
    """
    results = tx.execute_all(led_calls(tx, seqs, often=often, memories=memories))
    some = [[PlacedMention(row.item, row.entity_id, row.seq, row.start) for row in rows] for rows in results]
    if any(len(each) >= _WIDELY for each in some):
        return mentioning(tx, led, limit, memories=memories)
    return [each for rows in some for each in _first_pairs([each for each in rows if each.entity in led], limit)]


def led_calls(tx: Transaction, seqs: Sequence[int], *, often: int, memories: bool) -> list[Call]:
    """What `led_mentions` reads."""
    given = {"scope": tx.scope_id, "seqs": list(seqs), "often": often, "most": _WIDELY}
    return [(statement, given) for statement in (_LED_MENTIONING, _LED_REMEMBERED)[: 1 + memories]]


def _first_pairs(placed: Sequence[PlacedMention], limit: int) -> list[PlacedMention]:
    """Those of the first pairs of an item and an entity, which are in order."""
    pairs = {pair: place for place, pair in enumerate(dict.fromkeys((each.item, each.entity) for each in placed))}
    return [each for each in placed if pairs[each.item, each.entity] < limit]


def passage_mentions(tx: Transaction, seqs: Collection[int]) -> list[PassageMention]:
    """The entities in force that passages mention."""
    rows = tx.execute(_SPOKEN_OF, {"scope": tx.scope_id, "seqs": list(seqs)})
    return [PassageMention(row.seq, row.id, row.mentions, row.start) for row in rows]


def facts_of_each(tx: Transaction, of: Iterable[UUID], as_of: datetime | None, limit: int) -> list[FactRow]:
    """The surest links of each of some entities and what is claimed of it, in force now or at a moment."""
    results = tx.execute_all(calls_of_each(tx, of, as_of, limit))
    pairs = zip(results[::2], results[1::2], strict=True)
    return [fact for links_of, claims_of in pairs for fact in (*map(_of_link, links_of), *map(_of_claim, claims_of))]


def calls_of_each(tx: Transaction, of: Iterable[UUID], as_of: datetime | None, limit: int) -> list[Call]:
    """What reads the facts of each of some entities."""
    statements = _KNOWN_NOW if as_of is None else _KNOWN_THEN
    given = {"scope": tx.scope_id, "now": as_of or tx.now, "most": limit}
    return [(statement, given | {"entity": entity}) for entity in of for statement in statements]


def facts_of_entities(tx: Transaction, of: Collection[UUID], limit: int) -> list[FactRow]:
    """Some of the links that begin at entities and of what is claimed of them, in force now."""
    links_from, claims_of = tx.execute_all(calls_of_entities(tx, of, limit))
    return [*map(_of_link, links_from), *map(_of_claim, claims_of)]


def calls_of_entities(tx: Transaction, of: Collection[UUID], limit: int) -> list[Call]:
    """What reads the facts of some entities."""
    given = {"scope": tx.scope_id, "ids": list(of), "now": tx.now, "most": limit}
    return [(_LINKS_FROM, given), (_CLAIMS_OF, given)]


def resting_on(tx: Transaction, items: Collection[UUID], memories: Collection[UUID] | None = None) -> list[FactRow]:
    """The links and claims that rest on turns or memories, whether they still hold or not.

    Where it is known which of them are `memories`, `items` are only the others.
    """
    given = {"scope": tx.scope_id, "ids": list(items), "now": tx.now}
    memories = items if memories is None else memories
    remembered = [(_CLAIMS_REMEMBERED, given | {"ids": list(memories)})] if memories else []
    links_on, *claims_on = tx.execute_all([(_LINKS_ON, given), (_CLAIMS_ON, given), *remembered])
    # A claim may rest on a memory and on its words.
    facts = [*map(_of_link, links_on), *(_of_claim(row) for rows in claims_on for row in rows)]
    return list({fact.id: fact for fact in facts}.values())


def places(tx: Transaction, items: Collection[UUID]) -> dict[UUID, list[int]]:
    """The sequence numbers of the passages of items."""
    seqs_by_item: dict[UUID, list[int]] = {}
    for row in tx.execute(*place_call(tx, items)):
        seqs_by_item.setdefault(row.item_id, []).append(row.seq)
    return seqs_by_item


def place_call(tx: Transaction, items: Collection[UUID]) -> Call:
    """What reads where the passages of items are."""
    return _PLACES, {"scope": tx.scope_id, "ids": list(items)}


# Columns in order, as `_LINK` and `_CLAIM` have them: a recall reads scores of these rows.
def _of_link(row: Any) -> FactRow:
    key, source, start, end, subject, predicate, target, value, at, holds, untimely = row
    said = f"{predicate} {value}" if value else predicate
    return FactRow(
        id=key,
        kind=Kind.LINK,
        subject=subject,
        object=target,
        topic=predicate,
        said=said.replace("_", " "),
        source=source,
        quote=None if start is None else (start, end),
        memory=None,
        at=at,
        holds=bool(holds),
        untimely=bool(untimely),
    )


def _of_claim(row: Any) -> FactRow:
    key, source, start, end, subject, group, claim, value, memory, at, holds, untimely = row
    topic = claim or group
    said = " ".join(filter(None, (topic, value)))
    return FactRow(
        id=key,
        kind=Kind.CLAIM,
        subject=subject,
        object=None,
        topic=topic,
        said=said.replace("_", " "),
        source=source,
        quote=None if start is None else (start, end),
        memory=memory,
        at=at,
        holds=bool(holds),
        untimely=bool(untimely),
    )


_SCOPE = bindparam("scope", type_=Id)
_IDS = bindparam("ids", type_=Id, expanding=True)
_MOST = bindparam("most", type_=Integer)
_NOW = bindparam("now", type_=Instant)
# What the rules for claims and links need of a transaction is its moment.
_ANY = cast("Transaction", SimpleNamespace(now=_NOW))

# So many mentions are read before it is known of which entities they are wanted.
_WIDELY = 1_000


def _with_places(found: Select[Any]) -> Select[Any]:
    """Pairs of an item and an entity, with the passages of the item."""
    pairs = found.subquery()
    here = and_(passages.c.scope_id == _SCOPE, passages.c.item_id == pairs.c.item)
    return select(pairs.c.item, pairs.c.entity_id, passages.c.seq, pairs.c.start).join_from(pairs, passages, here)


_FIRST = func.min(mentions.c.quote_start).label("start")


def _mentioning(*entity: Any) -> Select[Any]:
    return _with_places(
        select(mentions.c.source_id.label("item"), mentions.c.entity_id, _FIRST)
        .where(mentions.c.scope_id == _SCOPE, *entity)
        .group_by(mentions.c.source_id, mentions.c.entity_id)
        .order_by(_FIRST, mentions.c.source_id, mentions.c.entity_id)
        .limit(_MOST)
    )


def _remembered(*entity: Any) -> Select[Any]:
    beside = and_(mentions.c.scope_id == memory_sources.c.scope_id, mentions.c.source_id == memory_sources.c.source_id)
    return _with_places(
        select(memory_sources.c.memory_id.label("item"), mentions.c.entity_id, null().label("start"))
        .join_from(memory_sources, mentions, beside)
        .where(memory_sources.c.scope_id == _SCOPE, mentions.c.scope_id == _SCOPE, *entity)
        .distinct()
        .limit(_MOST)
    )


# The entities that some passages mention, but for those that are mentioned nowhere else, or often.
_SPOKEN = mentions.alias()
_LED = mentions.c.entity_id.in_(
    select(_SPOKEN.c.entity_id)
    .select_from(passages)
    .join(_SPOKEN, and_(_SPOKEN.c.scope_id == _SCOPE, _SPOKEN.c.source_id == passages.c.item_id))
    .join(entities, and_(entities.c.scope_id == _SCOPE, entities.c.id == _SPOKEN.c.entity_id))
    .where(passages.c.scope_id == _SCOPE, passages.c.seq.in_(bindparam("seqs", expanding=True)))
    .where(entities.c.mentions.between(2, bindparam("often", type_=Integer)))
)
_MENTIONING, _REMEMBERED = (build(mentions.c.entity_id.in_(_IDS)) for build in (_mentioning, _remembered))
_LED_MENTIONING, _LED_REMEMBERED = _mentioning(_LED), _remembered(_LED)
_SPOKEN_OF = (
    select(passages.c.seq, entities.c.id, entities.c.mentions, _FIRST)
    .select_from(passages)
    .join(mentions, and_(mentions.c.scope_id == passages.c.scope_id, mentions.c.source_id == passages.c.item_id))
    .join(entities, and_(entities.c.scope_id == mentions.c.scope_id, entities.c.id == mentions.c.entity_id))
    .where(passages.c.scope_id == _SCOPE, passages.c.seq.in_(bindparam("seqs", expanding=True)))
    .where(entities.c.status == Status.ACTIVE.value)
    .group_by(passages.c.seq, entities.c.id, entities.c.mentions)
)
_PLACES = select(passages.c.item_id, passages.c.seq).where(passages.c.scope_id == _SCOPE, passages.c.item_id.in_(_IDS))


def _columns(table: Any, *names: str) -> list[Any]:
    columns = [table.c[name] for name in ("id", "source_id", "quote_start", "quote_end", *names)]
    return [*columns, func.coalesce(table.c.valid_from, table.c.created_at).label("at")]


_LINK = _columns(links_table, "source_entity", "predicate", "target_entity", "value")
_CLAIM = _columns(attributes, "entity_id", "group_key", "claim_key", "value", "memory_id")


def _untimely(table: Any) -> Any:
    # Whoever only tells that something is over gives no beginning.
    unchanged = table.c.updated_at == table.c.created_at
    over = and_(unchanged, table.c.valid_from.is_(None), table.c.valid_to <= table.c.created_at)
    run_out = and_(_ends_by_itself(table), table.c.valid_to <= _NOW)
    return func.coalesce(or_(over, run_out, table.c.valid_from > _NOW), false()).label("untimely")


def _ends_by_itself(table: Any) -> Any:
    """Whether nothing but its own time ends a row: what something else ended, a claim knows by its status."""
    if table is attributes:
        return table.c.status == ClaimStatus.ACTIVE.value
    return and_(table.c.updated_at == table.c.created_at, table.c.valid_to > table.c.created_at)


def _links(*conditions: Any, as_of: Any = None) -> Select[Any]:
    holds = links.in_force(_ANY, as_of)
    return select(*_LINK, holds.label("holds"), _untimely(links_table)).where(
        links_table.c.scope_id == _SCOPE, *conditions
    )


def _claims(*conditions: Any, as_of: Any = None) -> Select[Any]:
    holds = claims.in_force(_ANY, as_of)
    return select(*_CLAIM, holds.label("holds"), _untimely(attributes)).where(
        attributes.c.scope_id == _SCOPE, *conditions
    )


def _known_of(as_of: Any) -> tuple[Any, Any]:
    """The statements for the links and for the claims of an entity, at a moment or now.

    The indexes links_best_from and links_best_to hold an entity's links by confidence, so of a hub only some are read.
    """
    entity = bindparam("entity", type_=Id)
    best = (links_table.c.confidence.desc(), links_table.c.updated_at.desc(), links_table.c.id.desc())
    sides = [
        _links(end == entity, links.in_force(_ANY, as_of), as_of=as_of).order_by(*best).limit(_MOST).subquery()
        for end in (links_table.c.source_entity, links_table.c.target_entity)
    ]
    claimed = _claims(attributes.c.entity_id == entity, claims.in_force(_ANY, as_of), as_of=as_of)
    return union_all(*map(select, sides)), claimed.limit(_MOST)


_KNOWN_NOW = _known_of(None)
_KNOWN_THEN = _known_of(_NOW)
_LINKS_FROM = _links(links_table.c.source_entity.in_(_IDS), links.in_force(_ANY)).limit(_MOST)
_CLAIMS_OF = _claims(attributes.c.entity_id.in_(_IDS), claims.in_force(_ANY)).limit(_MOST)
_LINKS_ON = _links(links_table.c.source_id.in_(_IDS))
_CLAIMS_ON = _claims(attributes.c.source_id.in_(_IDS))
_CLAIMS_REMEMBERED = _claims(attributes.c.memory_id.in_(_IDS))
