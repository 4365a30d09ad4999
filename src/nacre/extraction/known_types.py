"""Types of names as the graph knows them, for texts in which those tell an employer from a place."""

import re
from collections import defaultdict
from collections.abc import Collection

from nacre.domain.entities import EntityType
from nacre.store.base.databases import Transaction
from nacre.store.graph import aliases, entities
from nacre.text.names import match_key

# What is left, switched or changed may be an employer, a place or a tool, and the words alone do not tell.
_LEAVING = re.compile(
    r"\b(?:left|leav\w+|quit|mov\w+|switch\w+|chang\w+|went|trad\w+|swap\w+|transfer\w+"
    r"|dej\w+|cambi\w+|pas[éó]|sal[ií]\w*|fui|fue|renunci\w+)\b",
    re.IGNORECASE,
)
# Without capitals a name is only known as one by the graph, and that matters where something may end.
_ENDING = re.compile(
    r"\b(?:\w+n'?t|not|no|longer|any ?more|work\w*|liv\w+|fired|laid|retired|resigned|lost|divorced|broke|split|died"
    r"|married|dating|sold|gave|ya|trabaj\w+|viv\w+|despid\w+|jubil\w+|divorci\w+|muri\w+)\b"
)


def are_needed(text: str) -> bool:
    """Whether the meaning of a text depends on what the graph knows of the names in it."""
    return _LEAVING.search(text) is not None or (text.islower() and _ENDING.search(text) is not None)


def find(tx: Transaction, wanted_names: Collection[str]) -> dict[str, EntityType]:
    """The types of names that one type of entity goes by, in the graph of the transaction's scope."""
    keys = {match_key(name): name for name in wanted_names}
    found = aliases.by_keys(tx, sorted(keys))
    held = entities.by_id(tx, {each.entity_id for each in found}) if found else {}
    types: dict[str, set[EntityType]] = defaultdict(set)
    for each in found:
        types[keys[each.key]].add(held[each.entity_id].type)
    return {name: kinds.pop() for name, kinds in types.items() if len(kinds) == 1}
