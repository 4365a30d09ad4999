"""Succession of statements: what was just said marks what it makes outdated, whatever the graph understands of it.

Older statements are looked up and compared outside any write transaction; the marks are set in the one that learns.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from nacre.domain.commands import Command
from nacre.domain.ids import SourceId
from nacre.domain.memories import Memory, Status
from nacre.domain.outdated import MarkOutdated
from nacre.domain.turns import Role
from nacre.extraction import outdated_facts
from nacre.memory import life_updates, updates
from nacre.memory.pairs import Update
from nacre.memory.statements import Statements, read_statements
from nacre.ontology import operations
from nacre.store import memories, outdated, sharing, turns
from nacre.store.databases import Transaction
from nacre.store.turns import Said

ACTOR = "succession"
# So many of those that share most are compared, and so many of the last that give a value of the same kind.
MAX_COMPARED, MAX_LATEST = 12, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """A turn or a memory with its statements; `order` tells which of two of one moment came later."""

    id: UUID
    order: tuple[datetime, UUID]
    statements: Statements
    speaker: str | None = None
    session: str | None = None
    is_memory: bool = False
    # Where its words are kept.
    source: SourceId | None = None


@dataclass(frozen=True, slots=True)
class Succession:
    """What was read: the keys to find it by again, the marks that it sets or gets, and where its words are kept."""

    keys: Mapping[UUID, Sequence[str]]
    marks: Sequence[Command]
    # What else ends that is said in words with a mark.
    besides: Sequence[MarkOutdated] = ()
    sources: Mapping[UUID, SourceId] = field(default_factory=dict)


def speech_of_turn(said: Said) -> Speech | None:
    """A turn of a user with its statements; None where it states nothing."""
    if said.turn.role != Role.USER:
        return None
    speech = _speech(said.id, said.turn.text, said.at, said.turn.speaker, said.turn.session)
    return replace(speech, source=SourceId(said.id)) if speech else None


def speech_of_memory(memory: Memory) -> Speech | None:
    """A memory with its statements; None where it states nothing."""
    speech = _speech(memory.id, memory.content, memory.updated_at)
    return replace(speech, is_memory=True, source=SourceId(memory.source)) if speech else None


def _speech(
    key: UUID, text: str, at: datetime, speaker: str | None = None, session: str | None = None
) -> Speech | None:
    found = read_statements(text, at)
    if not (found.frames or found.every):
        return None
    return Speech(id=key, order=(at, key), statements=found, speaker=speaker, session=session)


def find_succession(tx: Transaction, fresh: Sequence[Speech]) -> Succession:
    """What speeches that were just read make outdated, and what they are made outdated by, oldest first."""
    keys = {each.id: _keys(each) for each in fresh}
    sofar: dict[UUID, Speech] = {}
    done: set[tuple[UUID, int]] = set()
    orders: list[Command] = []
    besides: list[MarkOutdated] = []
    for speech in fresh:
        others = _load(tx, speech, sofar)
        taken = done | outdated.marked_places(tx, [speech.id, *(each.id for each in others)])
        used: set[tuple[UUID, int]] = set()
        for other in sorted(others, key=lambda each: each.order, reverse=True):
            older, newer = sorted((speech, other), key=lambda each: each.order)
            for update in _updates(newer, older):
                place, said = (older.id, update.quote[0]), (newer.id, update.newer_quote[0])
                if update.loose and said in used:
                    continue
                order = _mark(newer, older, update)
                if place in taken:
                    # A sentence is marked once, and may say more than one thing that ends.
                    besides += [order] if update.gentle else []
                    continue
                taken.add(place)
                done.add(place)
                used |= {said} if update.loose else set()
                orders.append(Command(operation=order, reason=order.reason))
        sofar[speech.id] = speech
    return Succession(keys, orders, besides, {each.id: each.source for each in fresh if each.source})


def apply_succession(tx: Transaction, found: Succession, batches: Mapping[UUID, UUID]) -> None:
    """Keep the keys, set the marks, and end what rests on them: each in the batch that what marks it became, if any."""
    outdated.add_keys(tx, found.keys)
    marks: dict[UUID | None, list[Command]] = {}
    fresh = _unmarked(tx, found.marks)
    for newer, mark in fresh:
        marks.setdefault(batches.get(newer), []).append(mark)
    for batch, some in marks.items():
        _apply(tx, some, batch)
    home = sharing.in_graph_home(tx)
    told = [mark.operation for _, mark in fresh if isinstance(mark.operation, MarkOutdated)]
    for newer, some in outdated_facts.end_facts(home, [*told, *found.besides], found.sources).items():
        _apply(home, some, batches.get(newer) if home.scope == tx.scope else None)


def _apply(tx: Transaction, orders: Sequence[Command], batch: UUID | None) -> None:
    for start in range(0, len(orders), operations.MAX_BATCH):
        operations.apply(tx, orders[start : start + operations.MAX_BATCH], actor=ACTOR, batch=batch)


def _unmarked(tx: Transaction, marks: Sequence[Command]) -> list[tuple[UUID, Command]]:
    """The marks on what nobody else marked since they were found, each with what marks it."""
    given = [(each, each.operation) for each in marks]
    taken = outdated.marked_places(tx, {mark.older for _, mark in given if isinstance(mark, MarkOutdated)})
    return [
        (mark.newer, each)
        for each, mark in given
        if isinstance(mark, MarkOutdated) and (mark.older, mark.quote[0]) not in taken
    ]


def _keys(speech: Speech) -> list[str]:
    return [*speech.statements.keys, *life_updates.life_keys(speech.statements)]


def _load(tx: Transaction, speech: Speech, sofar: Mapping[UUID, Speech]) -> list[Speech]:
    """Those whose statements share most with a speech: of the store, and of what was read just before."""
    sought = speech.statements.sought
    shared = outdated.find_items(tx, sought)
    wanted = set(sought)
    for key, other in sofar.items():
        if number := len(wanted.intersection(other.statements.keys)):
            shared[key] = number
    shared.pop(speech.id, None)
    best = sorted(shared, key=lambda key: (-shared[key], -key.int))[:MAX_COMPARED]
    general = {*speech.statements.sought_in_general, *life_updates.sought_life_keys(speech.statements)}
    alike = {key for key, other in sofar.items() if general.intersection(_keys(other))}
    alike.update(outdated.find_items(tx, general))
    best += sorted(alike - {*best, speech.id}, key=lambda key: -key.int)[:MAX_LATEST]
    stored = [key for key in best if key not in sofar]
    return [*(sofar[key] for key in best if key in sofar), *_stored(tx, stored)]


def _stored(tx: Transaction, ids: Sequence[UUID]) -> Iterable[Speech]:
    if not ids:
        return []
    said = turns.by_id(tx, ids)
    rest = [key for key in ids if key not in said]
    held = memories.by_id(tx, rest) if rest else {}
    active = (each for each in held.values() if each.status is Status.ACTIVE)
    found = [*map(speech_of_turn, said.values()), *map(speech_of_memory, active)]
    return [each for each in found if each]


def _updates(newer: Speech, older: Speech) -> list[Update]:
    if newer.speaker != older.speaker and newer.speaker and older.speaker:
        return []
    same_talk = newer.session is not None and newer.session == older.session
    found = updates.find_updates(newer.statements, older.statements, spoken=same_talk)
    # One memory replaces another by rules of its own, where it is kept; what these leave alone is only marked.
    return [each for each in found if each.gentle or not (newer.is_memory and older.is_memory)]


def _mark(newer: Speech, older: Speech, update: Update) -> MarkOutdated:
    return MarkOutdated(
        older=older.id,
        newer=newer.id,
        quote=update.quote,
        newer_quote=update.newer_quote,
        value=update.value,
        new_value=update.new_value,
        at=newer.order[0],
        reason=update.because,
    )
