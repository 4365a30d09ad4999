"""Beliefs: what links and claims say of entities now, and what stood in their places before.

The statements are built once: every context runs them, and building one takes longer than running it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import Any, NamedTuple, cast
from uuid import UUID

from sqlalchemy import Integer, and_, bindparam, literal_column, or_, select, union_all

from nacre.domain.claims import ClaimStatus
from nacre.domain.memories import Status
from nacre.store.base.databases import Result, Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.graph import claims, links
from nacre.store.tables.columns import Id, Instant
from nacre.store.tables.schema import aspects, attributes, entities, sources
from nacre.store.tables.schema import links as links_table


class BeliefRow(NamedTuple):
    """A link or a claim of an entity, and when the words that it rests on were said.

    `topic` is the predicate of a link, and the path of a claim's slot.
    """

    id: UUID
    entity: UUID
    name: str
    topic: str
    is_link: bool
    # What it says: the name of the entity that a link leads to, or a plain value.
    value: str
    confidence: float
    valid_from: datetime | None
    valid_to: datetime | None
    created_at: datetime
    source: UUID | None
    quote: str | None
    memory: UUID | None
    said_at: datetime | None
    # What a link says more of, such as the kind of kinship, and the entity that it leads to.
    detail: str | None = None
    target: UUID | None = None

    @property
    def items(self) -> tuple[UUID, ...]:
        """The turns and memories that it rests on."""
        return tuple(each for each in (self.source, self.memory) if each)

    @property
    def since(self) -> datetime | None:
        """From when it is said to hold; None where it only holds since it was said."""
        return None if self.valid_from == self.said_at else self.valid_from


@dataclass(frozen=True, slots=True)
class EntityBeliefs:
    """What holds of an entity: links from it and to it, the surest first, and claims; and what ended, the last first.

    Of what ended, only what was followed by something else or taken back.
    """

    held: list[BeliefRow]
    ended: list[BeliefRow]


def of_entities(tx: Transaction, entities: Sequence[UUID], *, most: int, most_ended: int) -> dict[UUID, EntityBeliefs]:
    """What is believed of each of some entities now, and what was before."""
    results = tx.execute_all(entity_calls(tx, entities, most=most, most_ended=most_ended))
    return dict(zip(entities, entity_beliefs(results), strict=True))


def entity_beliefs(results: Sequence[Result]) -> list[EntityBeliefs]:
    """What is believed of each of some entities, of what `entity_calls` return."""
    pairs = zip(results[::2], results[1::2], strict=True)
    return [_entity_beliefs([*map(_of_link, links_of), *map(_of_claim, claims_of)]) for links_of, claims_of in pairs]


def entity_calls(tx: Transaction, entities: Sequence[UUID], *, most: int, most_ended: int) -> list[Call]:
    """What reads what is believed of some entities."""
    given = {"scope": tx.scope_id, "now": tx.now, "most": most, "most_ended": most_ended}
    return [(statement, given | {"entity": each}) for each in entities for statement in (_LINKS, _CLAIMS)]


def _entity_beliefs(rows: Sequence[tuple[bool, BeliefRow]]) -> EntityBeliefs:
    return EntityBeliefs([row for holds, row in rows if holds], [row for holds, row in rows if not holds])


def of_aspects(tx: Transaction, keys: Sequence[str], *, most: int) -> list[BeliefRow]:
    """What is claimed of anybody under some aspects now, the last first."""
    given = {"scope": tx.scope_id, "aspects": list(keys), "now": tx.now, "most": most}
    return [row for _, row in map(_of_claim, tx.execute(_CLAIMS_UNDER, given))]


def _of_link(row: Any) -> tuple[bool, BeliefRow]:
    value = row.value if row.target_entity is None else row.target_name
    detail = row.properties.get("detail")
    return _belief(
        row,
        entity=row.source_entity,
        topic=row.predicate,
        is_link=True,
        value=value,
        detail=detail,
        target=row.target_entity,
    )


def _of_claim(row: Any) -> tuple[bool, BeliefRow]:
    topic = "/".join(filter(None, (row.aspect_key, row.group_key, row.claim_key)))
    return _belief(row, entity=row.entity_id, topic=topic, is_link=False, value=row.value, memory=row.memory_id)


def _belief(row: Any, *, value: str | None, memory: UUID | None = None, **about: Any) -> tuple[bool, BeliefRow]:
    quote = None if row.text is None or row.quote_start is None else row.text[row.quote_start : row.quote_end]
    belief = BeliefRow(
        id=row.id,
        name=row.name,
        value=value or "",
        confidence=row.confidence,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        created_at=row.created_at,
        source=row.source_id,
        quote=quote,
        memory=memory,
        said_at=row.said_at,
        **about,
    )
    return bool(row.holds), belief


_SCOPE = bindparam("scope", type_=Id)
_ENTITY = bindparam("entity", type_=Id)
_MOST, _MOST_ENDED = bindparam("most", type_=Integer), bindparam("most_ended", type_=Integer)
_NOW = bindparam("now", type_=Instant)
# What the rules for claims and links need of a transaction is its moment.
_ANY = cast("Transaction", SimpleNamespace(now=_NOW))
_COMMON = ("id", "value", "confidence", "valid_from", "valid_to", "created_at", "source_id", "quote_start", "quote_end")
_SUBJECT, _TARGET = entities, entities.alias("target")


def _said(table: Any) -> Any:
    return and_(sources.c.scope_id == _SCOPE, sources.c.id == table.c.source_id)


def _at(entity: Any, end: Any) -> Any:
    return and_(entity.c.scope_id == _SCOPE, entity.c.id == end)


def _links(*conditions: Any, order: Any, holds: bool) -> Any:
    """Some links with the names at their ends and the words that they rest on, which are read for the few left."""
    columns = [
        links_table.c[name]
        for name in ("scope_id", *_COMMON, "source_entity", "predicate", "target_entity", "properties")
    ]
    chosen = (
        select(*columns)
        .where(links_table.c.scope_id == _SCOPE, *conditions)
        .order_by(*order)
        .limit(_MOST if holds else _MOST_ENDED)
        .subquery()
    )
    return (
        select(chosen, sources.c.text, sources.c.at.label("said_at"), _SUBJECT.c.name, _holds(holds=holds))
        .add_columns(_TARGET.c.name.label("target_name"))
        .join(_SUBJECT, _at(_SUBJECT, chosen.c.source_entity))
        .join(_TARGET, _at(_TARGET, chosen.c.target_entity), isouter=True)
        .join(sources, _said(chosen), isouter=True)
    )


def _claims(*conditions: Any, holds: bool) -> Any:
    columns = [attributes.c[name] for name in (*_COMMON, "entity_id", "group_key", "claim_key", "memory_id")]
    chosen = (
        select(*columns, aspects.c.key.label("aspect_key"), sources.c.text, sources.c.at.label("said_at"))
        .add_columns(_SUBJECT.c.name, _holds(holds=holds))
        .join(aspects, and_(aspects.c.scope_id == attributes.c.scope_id, aspects.c.id == attributes.c.aspect_id))
        .join(_SUBJECT, _at(_SUBJECT, attributes.c.entity_id))
        .join(sources, _said(attributes), isouter=True)
        .where(attributes.c.scope_id == _SCOPE, *conditions)
        .order_by(attributes.c.updated_at.desc(), attributes.c.id.desc())
        .limit(_MOST if holds else _MOST_ENDED)
        .subquery()
    )
    return select(chosen)


def _together(*parts: Any) -> Any:
    # A plain selection, so that it is prepared like any other statement.
    return select(union_all(*parts).subquery())


def _holds(*, holds: bool) -> Any:
    return literal_column("1" if holds else "0", Integer).label("holds")


# The indexes links_best_from and links_best_to hold an entity's links by confidence, so of a hub only some are read.
_BEST = (links_table.c.confidence.desc(), links_table.c.updated_at.desc(), links_table.c.id.desc())
_LINKS = _together(
    _links(links_table.c.source_entity == _ENTITY, links.in_force(_ANY), order=_BEST, holds=True),
    _links(links_table.c.target_entity == _ENTITY, links.in_force(_ANY), order=_BEST, holds=True),
    _links(
        links_table.c.source_entity == _ENTITY,
        links_table.c.status == Status.ACTIVE.value,
        links_table.c.valid_to <= _NOW,
        order=(links_table.c.valid_to.desc(), links_table.c.id.desc()),
        holds=False,
    ),
)
_OF_ENTITY = attributes.c.entity_id == _ENTITY
_CLAIMS = _together(
    _claims(_OF_ENTITY, claims.in_force(_ANY), holds=True),
    _claims(
        _OF_ENTITY,
        or_(
            and_(attributes.c.status == ClaimStatus.SUPERSEDED.value, attributes.c.valid_to.is_(None)),
            and_(attributes.c.status != ClaimStatus.DELETED.value, attributes.c.valid_to <= _NOW),
        ),
        holds=False,
    ),
)
_CLAIMS_UNDER = _claims(aspects.c.key.in_(bindparam("aspects", expanding=True)), claims.in_force(_ANY), holds=True)
