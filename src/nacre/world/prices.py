"""The graph learns what was read: one operation for each price, through the one path of every change."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from nacre.domain.commands import Operation
from nacre.domain.entities import EntityType
from nacre.domain.errors import NacreError
from nacre.domain.links import CHANGE, EXACT, HAS_PRICE, UNTIL, Link
from nacre.domain.operations import UpsertEntity
from nacre.domain.recording_operations import RecordLink
from nacre.domain.world import ObservedValue, moved, percent, price
from nacre.graph.operations import path
from nacre.store.base.databases import Transaction
from nacre.store.graph import links
from nacre.world.subjects import Subject

ACTOR = "perception"


def tell(
    graph: Transaction, subject: Subject, observed: ObservedValue, *, until: datetime, batch: UUID, step: float
) -> tuple[bool, str | None]:
    """Give an entity its price, in place of the one before; whether that changed something, and why it could not be.

    What moved by less than `step` per cent is left as it is. The day's change is the day's: it is said with the price
    until the day is over.
    """
    said = {EXACT: repr(observed.value)}
    if observed.change is not None:
        said |= {CHANGE: percent(observed.change), UNTIL: until.isoformat()}
    value = price(observed.value, observed.unit)
    held = links.from_entity(graph, subject.entity, HAS_PRICE) if subject.entity else []
    if any(_says(link, value, said) or _is_near(link, observed, said, step) for link in held):
        return False, None
    try:
        with graph.part():
            path.apply(graph, _orders(graph, subject, observed, value, said), actor=ACTOR, batch=batch)
    except NacreError as error:
        return False, f"The graph did not take the price of {subject.name}: {error}"
    return True, None


def _says(link: Link, value: str, quote: Mapping[str, str]) -> bool:
    return link.value == value and quote.items() <= dict(link.properties).items()


def _is_near(link: Link, observed: ObservedValue, quote: Mapping[str, str], step: float) -> bool:
    """Whether a price of the same day is as good as the same."""
    exact, same_day = link.properties.get(EXACT), link.properties.get(UNTIL) == quote.get(UNTIL)
    return exact is not None and same_day and abs(moved(observed.value, float(exact))) < step


def _orders(
    graph: Transaction, subject: Subject, observed: ObservedValue, value: str, quote: Mapping[str, str]
) -> list[Operation]:
    priced = RecordLink(
        source=subject.entity or subject.name,
        predicate=HAS_PRICE,
        value=value,
        reason=f"read from {observed.source}",
        properties=quote,
        # A clock that is a little ahead of ours must not put the price into the future.
        valid_from=min(observed.at, graph.now),
    )
    return [priced] if subject.entity else [UpsertEntity(name=subject.name, type=EntityType.ASSET), priced]
