"""What the graph knows, in a few lines for every prompt."""

from nacre.domain.entities import Entity
from nacre.domain.memories import Status
from nacre.graph import matching, rendering
from nacre.store import entities
from nacre.store import schema as tables
from nacre.store.databases import Transaction
from nacre.text.budget import count_tokens

MAX_ENTITIES = 50


def profile(tx: Transaction, message: str | None, budget: int) -> str:
    """Entities grouped by kind: those a message names first, then the last changed, as many as fit; "" for none."""
    block = ""
    kept: list[Entity] = []
    for entity in _in_order(tx, message):
        longer = "\n".join([rendering.PROFILE_HEADER, *rendering.profile_lines([*kept, entity])])
        if count_tokens(longer) <= budget:
            kept.append(entity)
            block = longer
    return block


def _in_order(tx: Transaction, message: str | None) -> list[Entity]:
    named = [found.entity_id for found in matching.find(tx, message)] if message else []
    known = entities.by_id(tx, named)
    recent = entities.load(tx, tables.entities.c.status == Status.ACTIVE.value, limit=MAX_ENTITIES)
    return list({each.id: each for each in [*(known[key] for key in named), *recent]}.values())
