"""Types of names as the graph knows them, for texts in which those tell an employer from a place."""

import re
from collections import defaultdict
from collections.abc import Collection

from nacre.domain.entities import EntityType
from nacre.store import entities, names
from nacre.store.databases import Transaction
from nacre.text.names import match_key

# What is left, switched or changed may be an employer, a place or a tool, and the words alone do not tell.
_LEAVING = re.compile(
    r"\b(?:left|leav\w+|quit|mov\w+|switch\w+|chang\w+|went|trad\w+|swap\w+|transfer\w+"
    r"|dej\w+|cambi\w+|pas[éó]|sal[ií]\w*|fui|fue|renunci\w+)\b",
    re.IGNORECASE,
)


def are_needed(text: str) -> bool:
    """Whether the meaning of a text depends on what the graph knows of the names in it."""
    return _LEAVING.search(text) is not None


def find(tx: Transaction, wanted: Collection[str]) -> dict[str, EntityType]:
    """The types of names that one type of entity goes by, in the graph of the transaction's scope."""
    keys = {match_key(name): name for name in wanted}
    found = names.by_keys(tx, sorted(keys))
    held = entities.by_id(tx, {each.entity_id for each in found}) if found else {}
    types: dict[str, set[EntityType]] = defaultdict(set)
    for each in found:
        types[keys[each.key]].add(held[each.entity_id].type)
    return {name: kinds.pop() for name, kinds in types.items() if len(kinds) == 1}
