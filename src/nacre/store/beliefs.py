"""Beliefs: what links and claims say of entities now, and what stood in their places before.

The statements are built once: every context runs them, and building one takes longer than running it.
"""

from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from sqlalchemy import Integer, and_, bindparam, or_, select, union_all

from nacre.domain.claims import ClaimStatus
from nacre.domain.memories import Status
from nacre.store import claims, links
from nacre.store.columns import Id, Instant
from nacre.store.databases import Transaction
from nacre.store.schema import aspects, attributes, sources
from nacre.store.schema import links as links_table


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefRow:
    """A link or a claim of an entity, and when the words that it rests on were said.

    `topic` is the predicate of a link, and the path of a claim's slot. `target` is the entity that a link leads to.
    """

    id: UUID
    entity: UUID
    topic: str
    is_link: bool
    target: UUID | None
    value: str | None
    confidence: float
    valid_from: datetime | None
    valid_to: datetime | None
    created_at: datetime
    source: UUID | None
    quote: str | None
    memory: UUID | None
    said_at: datetime | None
    # What a link says more of, such as the kind of kinship.
    detail: str | None = None

    @property
    def items(self) -> tuple[UUID, ...]:
        """The turns and memories that it rests on."""
        return tuple(each for each in (self.source, self.memory) if each)

    @property
    def since(self) -> datetime | None:
        """From when it is said to hold; None where it only holds since it was said."""
        return None if self.valid_from == self.said_at else self.valid_from


def in_force(tx: Transaction, entity: UUID, limit: int) -> list[BeliefRow]:
    """What holds now of an entity: links from it and to it, the surest first, and claims."""
    given = {"scope": tx.scope_id, "entity": entity, "now": tx.now, "most": limit}
    return [*map(_of_link, tx.execute(_LINKS, given)), *map(_of_claim, tx.execute(_CLAIMS, given))]


def ended(tx: Transaction, entity: UUID, limit: int) -> list[BeliefRow]:
    """What held of an entity once and was followed by something else or taken back, the last to end first."""
    given = {"scope": tx.scope_id, "entity": entity, "now": tx.now, "most": limit}
    return [*map(_of_link, tx.execute(_ENDED_LINKS, given)), *map(_of_claim, tx.execute(_ENDED_CLAIMS, given))]


def _of_link(row: Any) -> BeliefRow:
    ends = {"entity": row.source_entity, "target": row.target_entity}
    return _belief(row, topic=row.predicate, is_link=True, memory=None, detail=row.properties.get("detail"), **ends)


def _of_claim(row: Any) -> BeliefRow:
    topic = "/".join(filter(None, (row.aspect_key, row.group_key, row.claim_key)))
    return _belief(row, entity=row.entity_id, topic=topic, is_link=False, target=None, memory=row.memory_id)


def _belief(row: Any, **about: Any) -> BeliefRow:
    quote = None if row.text is None or row.quote_start is None else row.text[row.quote_start : row.quote_end]
    return BeliefRow(
        id=row.id,
        value=row.value,
        confidence=row.confidence,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        created_at=row.created_at,
        source=row.source_id,
        quote=quote,
        said_at=row.said_at,
        **about,
    )


_SCOPE = bindparam("scope", type_=Id)
_ENTITY = bindparam("entity", type_=Id)
_MOST = bindparam("most", type_=Integer)
_NOW = bindparam("now", type_=Instant)
# What the rules for claims and links need of a transaction is its moment.
_ANY = cast("Transaction", SimpleNamespace(now=_NOW))
_COMMON = ("id", "value", "confidence", "valid_from", "valid_to", "created_at", "source_id", "quote_start", "quote_end")


def _said(table: Any) -> Any:
    return and_(sources.c.scope_id == table.c.scope_id, sources.c.id == table.c.source_id)


def _links(*conditions: Any, order: Any) -> Any:
    """Some links, with the words that they rest on: these are read for the few that are left."""
    columns = [
        links_table.c[name]
        for name in ("scope_id", *_COMMON, "source_entity", "predicate", "target_entity", "properties")
    ]
    chosen = select(*columns).where(links_table.c.scope_id == _SCOPE, *conditions).order_by(*order).limit(_MOST)
    return chosen.subquery()


def _with_words(*chosen: Any) -> Any:
    return union_all(
        *(
            select(each, sources.c.text, sources.c.at.label("said_at")).join(sources, _said(each), isouter=True)
            for each in chosen
        )
    )


def _claims(*conditions: Any) -> Any:
    columns = [attributes.c[name] for name in (*_COMMON, "entity_id", "group_key", "claim_key", "memory_id")]
    return (
        select(*columns, aspects.c.key.label("aspect_key"), sources.c.text, sources.c.at.label("said_at"))
        .join(aspects, and_(aspects.c.scope_id == attributes.c.scope_id, aspects.c.id == attributes.c.aspect_id))
        .join(sources, _said(attributes), isouter=True)
        .where(attributes.c.scope_id == _SCOPE, attributes.c.entity_id == _ENTITY, *conditions)
        .order_by(attributes.c.updated_at.desc(), attributes.c.id.desc())
        .limit(_MOST)
    )


# The indexes links_best_from and links_best_to hold an entity's links by confidence, so of a hub only some are read.
_BEST = (links_table.c.confidence.desc(), links_table.c.updated_at.desc(), links_table.c.id.desc())
_LINKS = _with_words(
    *(
        _links(end == _ENTITY, links.in_force(_ANY), order=_BEST)
        for end in (links_table.c.source_entity, links_table.c.target_entity)
    )
)
_ENDED_LINKS = _with_words(
    _links(
        links_table.c.source_entity == _ENTITY,
        links_table.c.status == Status.ACTIVE.value,
        links_table.c.valid_to <= _NOW,
        order=(links_table.c.valid_to.desc(), links_table.c.id.desc()),
    )
)
_CLAIMS = _claims(claims.in_force(_ANY))
_ENDED_CLAIMS = _claims(
    or_(
        attributes.c.status == ClaimStatus.SUPERSEDED.value,
        and_(attributes.c.status == ClaimStatus.ACTIVE.value, attributes.c.valid_to <= _NOW),
    )
)
