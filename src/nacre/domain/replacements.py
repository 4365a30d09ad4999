"""Memories that took the place of others: the pointers between them, and the operation that makes one do so."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.ids import MemoryId, ProposalId

# Metadata of an entry that replaced others: a line for each, with its id, what it said, and the names that it was
# about and the entry leaves out.
REPLACES = "replaces"
# Metadata of an entry that is out of force because of others: their ids.
REPLACED_BY = "replaced_by"
# Metadata of an entry that may replace others: a line for each, with its id and the proposal that waits.
MAY_REPLACE = "may_replace"
# Why an entry is out of force.
REPLACED = "replaced"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceMemory:
    """Take a memory out of force because a newer one says otherwise; `value` is what the older one said."""

    operation: ClassVar[str] = "replace_memory"

    older: UUID
    newer: UUID
    value: str | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        if self.older == self.newer:
            raise Invalid("newer", "must be another memory than the older one")
        if self.value is not None:
            checks.text("value", self.value, limit=1_000)
        checks.optional_name("reason", self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What an entry keeps of one that it replaced."""

    id: MemoryId
    value: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """That an entry may replace another; as long as the proposal waits, the older one comes after it."""

    id: MemoryId
    proposal: ProposalId


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedMemory:
    """What an entry said until another one took its place; `value` is the part of it that no longer holds."""

    id: MemoryId
    content: str
    value: str | None
    ended_at: datetime


def traces(metadata: Mapping[str, str]) -> list[Trace]:
    """What an entry replaced itself."""
    found = []
    for line in metadata.get(REPLACES, "").splitlines():
        key, _, rest = line.partition("\t")
        value, _, names = rest.partition("\t")
        if _is_id(key):
            found.append(Trace(id=MemoryId(UUID(key)), value=value, names=tuple(names.split())))
    return found


def with_traces(metadata: Mapping[str, str], some: Iterable[Trace]) -> dict[str, str]:
    """The metadata with further traces; of two of one entry, the one with more in it stands."""
    every = {each.id: each for each in traces(metadata)}
    for each in some:
        known = every.get(each.id)
        if known is None or len(_written(each)) > len(_written(known)):
            every[each.id] = each
    return _with_lines(metadata, REPLACES, map(_written, every.values()))


def without_traces(metadata: Mapping[str, str], gone: Collection[UUID]) -> dict[str, str]:
    """The metadata without a trace or a doubt of some entries."""
    kept = [each for each in traces(metadata) if each.id not in gone]
    doubted = [each for each in doubts(metadata) if each.id not in gone]
    bare = {name: value for name, value in metadata.items() if name not in (REPLACES, MAY_REPLACE)}
    return with_doubts(with_traces(bare, kept), doubted)


def names(metadata: Mapping[str, str]) -> list[str]:
    """The names that an entry is found by because what it replaced was about them."""
    return list(dict.fromkeys(name for each in traces(metadata) for name in each.names))


def doubts(metadata: Mapping[str, str]) -> list[Doubt]:
    """What an entry may replace."""
    pairs = [line.split() for line in metadata.get(MAY_REPLACE, "").splitlines()]
    return [
        Doubt(id=MemoryId(UUID(pair[0])), proposal=ProposalId(UUID(pair[1])))
        for pair in pairs
        if len(pair) == 2 and all(map(_is_id, pair))
    ]


def with_doubts(metadata: Mapping[str, str], some: Iterable[Doubt]) -> dict[str, str]:
    """The metadata with further doubts."""
    every = dict.fromkeys([*doubts(metadata), *some])
    return _with_lines(metadata, MAY_REPLACE, (f"{each.id} {each.proposal}" for each in every))


def successors(metadata: Mapping[str, str]) -> tuple[MemoryId, ...]:
    """The entries that took an entry's place."""
    return tuple(MemoryId(UUID(key)) for key in metadata.get(REPLACED_BY, "").split() if _is_id(key))


def with_successors(metadata: Mapping[str, str], some: Iterable[UUID]) -> dict[str, str]:
    """The metadata with exactly these entries in the entry's place."""
    kept = {name: value for name, value in metadata.items() if name != REPLACED_BY}
    ids = " ".join(dict.fromkeys(map(str, some)))
    return {**kept, REPLACED_BY: ids} if ids else kept


def _with_lines(metadata: Mapping[str, str], name: str, lines: Iterable[str]) -> dict[str, str]:
    text = "\n".join(lines)
    kept = {each: value for each, value in metadata.items() if each != name}
    return {**kept, name: text} if text else kept


def _written(trace: Trace) -> str:
    return "\t".join(" ".join(part.split()) for part in (str(trace.id), trace.value, " ".join(trace.names))).rstrip()


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
