"""The reference documents' own blocks of a context, in the forms that the documents give them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from nacre.domain.contexts import Block, ContextRequest, Label
from nacre.domain.memories import Memory, MemoryFilter
from nacre.graph.reading import profiles
from nacre.graph.reading.profiles import NO_CONNECTIONS
from nacre.graph.reading.rendering import CONNECTIONS_HEADER
from nacre.memory import inventories
from nacre.recall.channels import EmbeddedQuery
from nacre.recall.memories import MemorySearch
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence import memories
from nacre.text.budget import fit
from nacre.text.stopwords import SMALL_TALK
from nacre.text.tokens import content_words

MEMORY_HEADER = "Recalled from long-term memory (relevant to this message):"
MAX_MEMORIES = 8
FIRST_TURN_MEMORIES = 5
MAX_LINE_TOKENS = 200
# The part of a budget that may go to whom and what the graph knows, whatever the message is about.
GRAPH_SHARE = 0.15
# The parts of an inventory, by what each is called.
_PARTS: Mapping[str, Block] = {"working": Block.WORKING, "patrol": Block.PATROL, "subagent": Block.SUBAGENT}


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block as it stands: its header, and its lines with the items they show."""

    label: Label
    header: str
    lines: Sequence[tuple[str, UUID | None]]


@dataclass(frozen=True, slots=True)
class BlockConditions:
    """What the blocks of one message go by: whether it has a topic, and what its session was told before."""

    asked: EmbeddedQuery
    topical: bool
    opening: bool
    seen: frozenset[UUID]


def recalled_memories(tx: Transaction, search: MemorySearch, moment: BlockConditions) -> tuple[TextBlock, list[Memory]]:
    """Delta injection: entries that have to do with the message, or else on an opening turn the last seen; once."""
    found = search.relevant(tx, moment.asked, MAX_MEMORIES) if moment.topical else []
    if not found and moment.opening:
        found = memories.newest(tx, MemoryFilter(), FIRST_TURN_MEMORIES)
    lines = [(memory_line(each), each.id) for each in found if each.id not in moment.seen]
    return TextBlock("memory", MEMORY_HEADER, lines), found


def graph_blocks(
    tx: Transaction, request: ContextRequest, moment: BlockConditions, recalled: Sequence[Memory]
) -> tuple[list[TextBlock], list[UUID]]:
    """What the graph adds in the documents' forms, and the entities that the message named."""
    around = NO_CONNECTIONS
    if moment.topical:
        around = profiles.around(tx, request.message, [memory.content for memory in recalled])
    blocks = []
    if request.wants(Block.CONNECTIONS):
        blocks.append(TextBlock("graph", CONNECTIONS_HEADER, [(line, None) for line in around.lines]))
    if request.wants(Block.KNOWLEDGE_GRAPH) and request.profile:
        told = around.shown if request.wants(Block.CONNECTIONS) else None
        text = profiles.block(tx, around.matched, int(request.budget * GRAPH_SHARE), told_ids=told)
        blocks.append(_text_block("graph", text))
    return [block for block in blocks if block.lines], around.matched


def inventory_blocks(tx: Transaction, namespace: str) -> list[TextBlock]:
    """Working memory, patrol findings and subagents' outlines, whole."""
    return [_text_block(block.label, block.text) for block in inventories.inventory(tx, namespace)]


def _text_block(label: Label, text: str) -> TextBlock:
    header, *lines = text.split("\n")
    return TextBlock(label, header, [(line, None) for line in lines])


def memory_line(memory: Memory) -> str:
    """An entry as one line that names it."""
    return f"- [{memory.short}] ({memory.category}): {fit(' '.join(memory.content.split()), MAX_LINE_TOKENS)}"


def inventory_calls(tx: Transaction, request: ContextRequest) -> list[Call]:
    """What reads the inventories that a request wants, whole or as far as they concern its message."""
    wanted = any(map(request.wants, (Block.INVENTORIES, *_PARTS.values())))
    return inventories.inventory_calls(tx, request.namespace) if request.namespace and wanted else []


def concerning_inventories(tx: Transaction, request: ContextRequest) -> list[TextBlock]:
    """Working memory of the session, and of what patrols and subagents left what concerns the message."""
    if request.wants(Block.INVENTORIES) or not any(request.wants(block) for block in _PARTS.values()):
        return []
    blocks = inventory_blocks(tx, request.namespace or "")
    shown = [block for block in blocks if request.wants(_PARTS[block.label])]
    return [block if block.label == "working" else _concerning(block, request.message) for block in shown]


def _concerning(block: TextBlock, message: str) -> TextBlock:
    """The lines of a block that share a word with a message, and in one line how many others there are."""
    asked = set(content_words(message)) - SMALL_TALK
    lines = [(line, item) for line, item in block.lines if asked & set(content_words(line.replace("-", " ")))]
    others = len(block.lines) - len(lines)
    if not lines:
        return TextBlock(block.label, inventories.summary(block.header, others), [])
    more: list[tuple[str, UUID | None]] = [(f"- and {others} more", None)] if others else []
    return TextBlock(block.label, block.header, [*lines, *more])
