"""Succession of statements: what was just said marks what it makes outdated, whatever the graph understands of it.

Older statements are looked up and compared outside any write transaction; the marks are set in the one that learns.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from nacre.domain.commands import MAX_BATCH, Command
from nacre.domain.ids import SourceId
from nacre.domain.memories import Status
from nacre.domain.outdated_marks import MarkOutdated
from nacre.extraction import outdated_facts, succession_readings
from nacre.extraction import succession_guards as guards
from nacre.extraction.outdated_facts import NotePart
from nacre.extraction.speeches import Speech, is_same_talk, speech_of_memory, speech_of_turn
from nacre.extraction.succession_readings import ReadPair
from nacre.graph.operations import path
from nacre.memory import life_updates, named_amounts, updates
from nacre.memory.pairs import Update
from nacre.memory.statements import LATEST, TextStatements
from nacre.models.local_succession import LocalSuccession
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories, outdated, statement_keys, turns
from nacre.store.evidence.outdated import PlaceMark
from nacre.text import clauses

ACTOR = "succession"
# So many of those that share most are compared, and so many of the last that give a value of the same kind.
MAX_COMPARED, MAX_LATEST = 12, 6
# Among so many that share words, and so many of the last, a model looks for what a speech makes outdated.
MAX_SHARING, MAX_WIDE = 40, 60


@dataclass(frozen=True, slots=True)
class Succession:
    """What was read: the keys to find it by again, the marks that it sets or gets, and where its words are kept."""

    keys: Mapping[UUID, Sequence[str]]
    marks: Sequence[Command]
    # What else ends that is said in words with a mark.
    besides: Sequence[MarkOutdated] = ()
    sources: Mapping[UUID, SourceId] = field(default_factory=dict)
    # The marked places from which no new value goes on: a model is not sure enough of its words.
    soft: frozenset[tuple[UUID, int]] = frozenset()
    # How likely others are made outdated, by older and newer.
    likely: Mapping[tuple[UUID, UUID], float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SpeechComparison:
    """A speech with the others that rules compare it with, their marks, and those among which a model chooses."""

    speech: Speech
    # Those under which it is found again.
    keys: Sequence[str]
    others: Sequence[Speech]
    marked: Mapping[tuple[UUID, int], PlaceMark]
    wide: Sequence[Speech] = ()


@dataclass(frozen=True, slots=True)
class FreshSpeech:
    """A speech that is not stored under its keys yet; worked out once, they are asked for by all that come after it."""

    speech: Speech
    # Of its statements, and of the fields of life that it tells of.
    stated: Sequence[str]
    life: Sequence[str]

    @property
    def keys(self) -> list[str]:
        """All of them."""
        return [*self.stated, *self.life]


@dataclass(frozen=True, slots=True)
class LookupKeys:
    """Keys under which a speech is compared with others: those of its words, and those of the same kind of value."""

    shared: frozenset[str]
    general: frozenset[str]

    @classmethod
    def of(cls, statements: TextStatements) -> "LookupKeys":
        general = (*statements.sought_in_general, *life_updates.sought_life_keys(statements))
        return cls(frozenset(statements.sought), frozenset(general))


def load_comparisons(tx: Transaction, fresh: Sequence[Speech], *, widely: bool = False) -> list[SpeechComparison]:
    """Speeches that were just read, oldest first, each with what it may have to do with.

    With `widely`, also with what was said last, and with more that shares a word: a model tells what it has to do with.
    """
    sought = {each.id: LookupKeys.of(each.statements) for each in fresh}
    items = statement_keys.items_by_key(tx, {key for each in sought.values() for key in (*each.shared, *each.general)})
    sofar: dict[UUID, FreshSpeech] = {}
    chosen, wide = dict[UUID, list[UUID]](), dict[UUID, Sequence[Speech]]()
    for speech in fresh:
        chosen[speech.id] = _choose(speech, sought[speech.id], items, sofar)
        wide[speech.id] = _load_widely(tx, speech, sofar) if widely else ()
        sofar[speech.id] = _fresh(speech)
    others = {key for some in chosen.values() for key in some}
    # What is compared with nothing is not marked.
    marked = outdated.marked_places(tx, {*sofar, *others}) if others or widely else {}
    speeches = {key: each.speech for key, each in sofar.items()}
    speeches |= {each.id: each for each in _stored(tx, sorted(others - sofar.keys()))}
    return [
        SpeechComparison(
            speech=each.speech,
            keys=each.keys,
            others=[speeches[other] for other in chosen[key] if other in speeches],
            marked=marked,
            wide=wide[key],
        )
        for key, each in sofar.items()
    ]


def find_succession(comparisons: Sequence[SpeechComparison], model: LocalSuccession | None = None) -> Succession:
    """What speeches make outdated, and what they are made outdated by: as rules tell, and then as the model does.

    The model also turns down what it finds unlikely of what rules tell.
    """
    keys = {each.speech.id: each.keys for each in comparisons}
    done: dict[tuple[UUID, int], PlaceMark] = {}
    orders: dict[tuple[UUID, int], Command] = {}
    besides: list[MarkOutdated] = []
    soft: set[tuple[UUID, int]] = set()
    likely: dict[tuple[UUID, UUID], float] = {}
    for each in comparisons:
        taken = {**each.marked, **done}
        used: set[tuple[UUID, int]] = set()
        ruled = list(_by_rules(each, model))
        read = list(succession_readings.read_pairs(each.speech, each.wide, model)) if model else []
        likely |= {(pair.older.id, pair.newer.id): pair.reading.chance for pair in read}
        for older, newer, update in (*ruled, *_by_model(read, ruled, taken)):
            if guards.is_refused(older.statements.text, newer.statements.text, update):
                continue
            mark, said = _mark(newer, older, update), (newer.id, update.newer_quote[0])
            if update.loose and said in used:
                continue
            order = _free_mark(mark, older.statements.text, taken)
            if order is None:
                # A value is marked once, and its part of a sentence may say more than one thing that ends.
                besides += [mark] if update.gentle and not update.soft else []
                continue
            place = (older.id, order.quote[0])
            taken[place] = done[place] = PlaceMark(order.value, order.doubtful)
            used |= {said} if update.loose else set()
            soft |= {place} if update.soft else set()
            # A sure mark comes instead of a doubtful one, which may be of a later batch.
            orders.pop(place, None)
            orders[place] = Command(operation=order, reason=order.reason)
    places = {each.speech.id: each.speech.source for each in comparisons if each.speech.source}
    for told in (each.operation for each in orders.values()):
        if isinstance(told, MarkOutdated):
            likely.pop((told.older, told.newer), None)
    return Succession(keys, list(orders.values()), besides, places, frozenset(soft), likely)


def _is_free(before: PlaceMark | None, doubtful: bool) -> bool:
    """Whether a statement may be marked: one without a mark, or with a doubtful one that gives way to a sure one."""
    return before is None or (before.doubtful and not doubtful)


def _free_mark(mark: MarkOutdated, text: str, taken: Mapping[tuple[UUID, int], PlaceMark]) -> MarkOutdated | None:
    """The mark, of its words alone where their part of a sentence has a mark for another value; None for marked ones.

    "Two bedrooms under £950 by 30 June" has a price and a day, and each may change.
    """
    before = taken.get((mark.older, mark.quote[0]))
    if _is_free(before, mark.doubtful) or before is None:
        return mark
    start = text.find(mark.value, *mark.quote)
    same = mark.value in before.value or guards.is_same_value(mark.value, before.value)
    if same or start <= mark.quote[0] or (mark.older, start) in taken:
        return None
    return replace(mark, quote=(start, start + len(mark.value)))


def _by_rules(each: SpeechComparison, model: LocalSuccession | None) -> Iterator[tuple[Speech, Speech, Update]]:
    for other in sorted(each.others, key=lambda one: one.order, reverse=True):
        older, newer = sorted((each.speech, other), key=lambda one: one.order)
        found = _updates(newer, older)
        if found and (model is None or succession_readings.is_upheld(newer, older, model)):
            yield from ((older, newer, update) for update in found)


def _by_model(
    read: Sequence[ReadPair],
    ruled: Iterable[tuple[Speech, Speech, Update]],
    taken: Mapping[tuple[UUID, int], PlaceMark],
) -> Iterator[tuple[Speech, Speech, Update]]:
    """What the model finds in the speeches that are most like this one, what it is surest of first.

    The same words take the place of one thing: "the new gal is Denise Okafor" ends a foreman, and not the dog Hank as
    well, and who took the car away took no greyhound. What is `taken` was over before: the third of three weights takes
    the place of the second.
    """
    brief = outdated_facts.MAX_CARRIED
    said = [(newer.id, update) for _, newer, update in ruled if len(update.new_value.split()) <= brief]
    first: dict[UUID, UUID] = {}
    for (older, newer, found), _, told in sorted(succession_readings.believed_updates(read), key=lambda each: -each[1]):
        if _free_mark(_mark(newer, older, told), older.statements.text, taken) is None:
            continue
        besides = first.setdefault(newer.id, older.id) != older.id
        update = succession_readings.as_besides(told, found.chance) if besides else told
        if update is None:
            continue
        rivals = [one for key, one in said if key == newer.id and guards.is_same_value(one.new_value, update.new_value)]
        if any(not guards.is_same_value(update.value, rival.value) for rival in rivals):
            continue
        said.append((newer.id, update))
        yield older, newer, update


def apply_succession(tx: Transaction, succession: Succession, batches: Mapping[UUID, UUID]) -> None:
    """Keep the keys, set the marks, and end what rests on them: each in the batch that what marks it became, if any."""
    statement_keys.add(tx, succession.keys)
    outdated.add_successors(tx, succession.likely)
    marks: dict[UUID | None, list[Command]] = {}
    fresh = _unmarked(tx, succession.marks)
    for newer, mark in fresh:
        marks.setdefault(batches.get(newer), []).append(mark)
    for batch, some in marks.items():
        _apply(tx, some, batch)
    home = sharing.in_graph_home(tx)
    marked = [mark.operation for _, mark in fresh if isinstance(mark.operation, MarkOutdated)]
    soft = [mark for mark in marked if mark.doubtful or (mark.older, mark.quote[0]) in succession.soft]
    sure = [*(mark for mark in marked if mark not in soft), *succession.besides]
    older = memories.by_id(tx, list({mark.older for mark in marked})) if marked else {}
    notes = {key: NotePart(memory.source, memory.quote) for key, memory in older.items()}
    for told in (sure, soft):
        ends = outdated_facts.end_facts(home, told, succession.sources, notes, sure=told is sure)
        for newer, some in ends.items():
            _apply(home, some, batches.get(newer) if home.scope == tx.scope else None)


def _apply(tx: Transaction, orders: Sequence[Command], batch: UUID | None) -> None:
    for start in range(0, len(orders), MAX_BATCH):
        path.apply(tx, orders[start : start + MAX_BATCH], actor=ACTOR, batch=batch)


def _unmarked(tx: Transaction, marks: Sequence[Command]) -> list[tuple[UUID, Command]]:
    """The marks on what nobody else marked since they were found, each with what marks it."""
    given = [(each, each.operation) for each in marks]
    taken = outdated.marked_places(tx, {mark.older for _, mark in given if isinstance(mark, MarkOutdated)})
    return [
        (mark.newer, each)
        for each, mark in given
        if isinstance(mark, MarkOutdated) and _is_free(taken.get((mark.older, mark.quote[0])), mark.doubtful)
    ]


def _fresh(speech: Speech) -> FreshSpeech:
    return FreshSpeech(speech, speech.statements.keys, life_updates.life_keys(speech.statements))


def _choose(
    speech: Speech, sought: LookupKeys, items: Mapping[str, Sequence[UUID]], sofar: Mapping[UUID, FreshSpeech]
) -> list[UUID]:
    """Those whose statements share most with a speech: of the store, and of what was read just before."""
    shared = Counter(item for key in sought.shared for item in items.get(key, ()))
    for key, other in sofar.items():
        if number := len(sought.shared.intersection(other.stated)):
            shared[key] = number
    shared.pop(speech.id, None)
    best = sorted(shared, key=lambda key: (-shared[key], -key.int))[:MAX_COMPARED]
    alike = {key for key, other in sofar.items() if not sought.general.isdisjoint(other.keys)}
    alike.update(item for key in sought.general for item in items.get(key, ()))
    return best + sorted(alike - {*best, speech.id}, key=lambda key: -key.int)[:MAX_LATEST]


def _load_widely(tx: Transaction, speech: Speech, sofar: Mapping[UUID, FreshSpeech]) -> list[Speech]:
    """What was said last, and what shares most words with a speech."""
    sought = set(speech.statements.sought_widely)
    shared = statement_keys.find_items(tx, sought)
    shared.update(key for key, other in sofar.items() if not sought.isdisjoint(other.keys))
    latest = {*statement_keys.find_items(tx, [LATEST]), *sofar}
    best = sorted(shared.keys() - {speech.id}, key=lambda key: (-shared[key], -key.int))[:MAX_SHARING]
    best += sorted(latest - {*best, speech.id}, key=lambda key: -key.int)[:MAX_WIDE]
    stored = [key for key in best if key not in sofar]
    return [*(sofar[key].speech for key in best if key in sofar), *_stored(tx, stored)]


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
    found = updates.find_updates(newer.statements, older.statements, spoken=is_same_talk(newer, older))
    found = named_amounts.by_name(found, newer.statements, older.statements)
    # One memory replaces another by rules of its own, where it is kept; what these leave alone is only marked.
    return [each for each in found if each.gentle or not (newer.is_memory and older.is_memory)]


def _mark(newer: Speech, older: Speech, update: Update) -> MarkOutdated:
    return MarkOutdated(
        older=older.id,
        newer=newer.id,
        quote=_part(older.statements.text, update.quote, update.value),
        newer_quote=_part(newer.statements.text, update.newer_quote, update.new_value),
        value=update.value,
        new_value=update.new_value,
        at=newer.order[0],
        reason=update.because,
        doubtful=update.doubtful,
    )


def _part(text: str, sentence: tuple[int, int], value: str) -> tuple[int, int]:
    """The part of a sentence that gives a value; all of it where the value stands in other words."""
    start = text.find(value, *sentence)
    return clauses.part_around(text, sentence, (start, start + len(value))) if start >= 0 else sentence
