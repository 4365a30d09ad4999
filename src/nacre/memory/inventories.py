"""Inventories: what lies in working memory, a line an entry and never the value, which an agent fetches when needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from nacre.domain.working import PATROL, SESSION, SUBAGENT, WorkingEntry, WorkingEntryInfo, check_namespace
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence import working

OWN_HEADER = "Working memory (scratch space — use search_working_memory or get_from_working_memory to retrieve):"
PATROL_HEADER = "Patrol findings in working memory (use get_from_working_memory with the full key to read):"
SUBAGENT_HEADER = (
    "Subagent research in working memory (use get_from_working_memory with the full key to read the outline):"
)
OUTLINE = "-index"

Label = Literal["working", "patrol", "subagent"]
Shown = Sequence[WorkingEntryInfo | WorkingEntry]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryBlock:
    """One part of an inventory, as an agent reads it."""

    label: Label
    text: str


def inventory(tx: Transaction, namespace: str) -> list[InventoryBlock]:
    """What a turn in `namespace` is shown; what patrols and subagents left is for the sessions of users alone."""
    return blocks(*working.listed_below(tx, _prefixes(namespace)), now=tx.now)


def inventory_calls(tx: Transaction, namespace: str) -> list[Call]:
    """What `inventory` reads."""
    return working.listed_calls(tx, _prefixes(namespace))


def _prefixes(namespace: str) -> list[str]:
    own = check_namespace(namespace)
    return [own, PATROL, SUBAGENT] if own.startswith(f"{SESSION}/") else [own]


def blocks(own: Shown, patrol: Shown = (), subagent: Shown = (), *, now: datetime) -> list[InventoryBlock]:
    """The blocks that have something to show, in order; of subagents' work, the outlines."""
    outlines = [entry for entry in subagent if entry.key.endswith(OUTLINE)]
    parts: list[tuple[Label, str, Shown]] = [
        ("working", OWN_HEADER, own),
        ("patrol", PATROL_HEADER, patrol),
        ("subagent", SUBAGENT_HEADER, outlines),
    ]
    return [
        InventoryBlock(label=label, text="\n".join([header, *(line(entry, now) for entry in entries)]))
        for label, header, entries in parts
        if entries
    ]


def summary(header: str, count: int) -> str:
    """What there is under a header that has nothing to do with a message, in one line."""
    what, _, _ = header.partition(" (")
    return f"{what}, on other matters: {count} (use list_working_memory to see)."


def line(entry: WorkingEntryInfo | WorkingEntry, now: datetime) -> str:
    """An entry as one line: its full key, how long it is there, and its labels."""
    said = [f"expires in {remaining(entry.expires_at - now)}"]
    if entry.category:
        said.append(f"category: {entry.category}")
    if entry.tags:
        # A tag may hold a separator that some readers take for the end of the line.
        said.append(f"tags: {', '.join(' '.join(tag.split()) for tag in entry.tags)}")
    return f"- {entry.key}: {', '.join(said)}"


def remaining(left: timedelta) -> str:
    """A span in its two largest units, cut off below: `2d03h`, `4h08m`, `2m01s`, `45s`."""
    seconds = max(0, left // timedelta(seconds=1))
    for size, part, names in ((86_400, 3_600, "dh"), (3_600, 60, "hm"), (60, 1, "ms")):
        if seconds >= size:
            return f"{seconds // size}{names[0]}{seconds % size // part:02d}{names[1]}"
    return f"{seconds}s"
