"""Links and claims that a batch of operations ended, and what they had rested on."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from nacre.domain.audits import Image, JournalEntry
from nacre.domain.claims import ClaimStatus
from nacre.domain.memories import Status
from nacre.store.base import audits, journals
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities
from nacre.store.tables import schema as tables

# Anything may be said with "is", so one such value does not end another for good.
_VAGUE = frozenset({"status", "is"})


@dataclass(frozen=True, slots=True)
class EndedFact:
    """A fact that no longer holds: the words it rested on, and what it said."""

    source: UUID
    quote: tuple[int, int]
    value: str


def find_endings(tx: Transaction, batch: UUID) -> list[EndedFact]:
    """The facts that were in force before a batch and are not after it, where it is known who said them."""
    records = audits.by_id(tx, batch)
    done = audits.changes(tx, [record.id for record in records])
    changes = journals.whole(tx, [change for record in records for change in done[record.id] if _is_fact(change)])
    images = [change.after for change in changes if change.after and _ends(change)]
    targets = {UUID(str(image["target_entity"])) for image in images if image.get("target_entity")}
    names = {str(key): entity.name for key, entity in entities.by_id(tx, targets).items()} if targets else {}
    return [_ending(image, names) for image in images]


def _is_fact(change: JournalEntry) -> bool:
    return change.table in (tables.links.name, tables.attributes.name)


def _ends(change: JournalEntry) -> bool:
    before, after = change.before, change.after
    if not before or not after:
        return False
    if after.get("quote_start") is None or (after.get("predicate") or after.get("claim_key")) in _VAGUE:
        return False
    return _holds(before) and not _holds(after)


def _holds(image: Image) -> bool:
    return image["status"] in (Status.ACTIVE.value, ClaimStatus.ACTIVE.value) and image["valid_to"] is None


def _ending(image: Any, names: dict[str, str]) -> EndedFact:
    value = names.get(str(image.get("target_entity"))) or image.get("value") or ""
    return EndedFact(UUID(str(image["source_id"])), (image["quote_start"], image["quote_end"]), value)
