"""One step of consolidation: an entry takes the place of others, or one goes. Saved first, archived after, undoable."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from uuid import UUID

from nacre.domain import ids
from nacre.domain.dreams import PassChange
from nacre.domain.ids import MemoryId
from nacre.domain.memories import Memory, Status
from nacre.domain.plain import Json
from nacre.memory.changing import FORGET, MERGE_MEMORIES, REFINE_MEMORY, Changes
from nacre.memory.passage_drafts import draft, prepare
from nacre.models.embedders import Embedder
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.evidence import memories, passages
from nacre.store.reads import hit_rows
from nacre.upkeep import guards
from nacre.upkeep.cycles import PassContext

ACTOR = "dream"
MERGED, PRUNED = "merged", "pruned"
_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryText:
    """What an entry is to say."""

    content: str
    category: str
    tags: tuple[str, ...] = ()
    importance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationStep:
    """`text` takes the place of `sources`; where there is none, they go."""

    sources: tuple[Memory, ...]
    why: str
    text: EntryText | None = None

    @property
    def operation(self) -> str:
        """What the log calls it."""
        if self.text is None:
            return FORGET
        return MERGE_MEMORIES if len(self.sources) > 1 else REFINE_MEMORY

    @property
    def cost(self) -> int:
        """How many entries fewer there are after it."""
        return len(self.sources) - (self.text is not None)

    @property
    def change(self) -> PassChange:
        """What the report says of it."""
        said = self.text.content if self.text else self.sources[0].content
        verb = {FORGET: "pruned", MERGE_MEMORIES: f"merged {len(self.sources)} entries into", REFINE_MEMORY: "refined"}
        what = f"{verb[self.operation]} “{brief(said)}”"
        return PassChange(what=what, why=self.why, items=tuple(str(each.id) for each in self.sources))


def kept(step: ConsolidationStep, sources: Sequence[Memory], tx: Transaction) -> Memory | None:
    """The entry that takes the sources' place: the one that has its words already, or a new one."""
    if step.text is None:
        return None
    oldest_first = sorted(sources, key=lambda each: (each.created_at, each.id))
    same = next((each for each in oldest_first if each.content == step.text.content), None)
    base = same or replace(oldest_first[0], id=MemoryId(ids.new(tx.now)), content=step.text.content)
    labelled = replace(base, category=step.text.category, tags=step.text.tags, updated_at=tx.now)
    return guards.joined(sources, labelled, rated=step.text.importance, rewritten=same is None)


def carry_out(
    tx: Transaction, step: ConsolidationStep, embedder: Embedder | None, batch: UUID | None = None
) -> list[Memory] | None:
    """Take a step; what is kept of it. None, and nothing done, where an entry is no longer what it was decided on."""
    current = memories.by_id(tx, [each.id for each in step.sources])
    if any(each.id not in current or _differs(current[each.id], each) for each in step.sources):
        return None
    now = [current[each.id] for each in step.sources]
    changes = Changes(tx, ACTOR)
    survivor = kept(step, now, tx)
    gone = [each.id for each in now if survivor is None or each.id != survivor.id]
    if survivor is not None:
        _save(tx, changes, survivor, current.get(survivor.id), embedder)
        for each in now:
            for evidence in hit_rows.evidence_of(tx, each.id):
                changes.add_source(survivor.id, evidence.id, (evidence.start, evidence.end))
    changes.archive(gone, PRUNED if survivor is None else MERGED, [survivor.id] if survivor else ())
    payload: dict[str, Json] = {"memory_ids": [str(key) for key in gone]}
    if survivor is not None:
        payload["into"] = str(survivor.id)
    # Taking back a `forget` takes back all of its batch, so each is a batch of its own.
    changes.written(step.operation, payload, step.why, batch if survivor else None)
    return [survivor] if survivor else []


@contextmanager
def writing(homes: Homes, night: PassContext) -> Iterator[Transaction]:
    """A transaction where the memories are kept; a dry run goes the same way and is taken back at its end."""
    with homes.write(night.scope) as tx, tx.tried() if night.dry_run else nullcontext():
        yield tx


def brief(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _save(
    tx: Transaction, changes: Changes, survivor: Memory, before: Memory | None, embedder: Embedder | None
) -> None:
    if before is None:
        changes.add(survivor)
    else:
        changes.save(survivor)
    if before is None or before.searchable != survivor.searchable:
        if before is not None:
            passages.end(tx, [survivor.id])
        passages.add(tx, prepare(embedder, [draft(survivor)]))


def _differs(now: Memory, then: Memory) -> bool:
    return now.status is not Status.ACTIVE or (now.content, now.category) != (then.content, then.category)
