"""Succession of statements: what was just said marks what it makes outdated, whatever the graph understands of it.

Older statements are looked up and compared outside any write transaction; the marks are set in the one that learns.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from uuid import UUID

from nacre.domain.commands import MAX_BATCH, Command
from nacre.domain.ids import SourceId
from nacre.domain.memories import Status
from nacre.domain.outdated_marks import MAX_VALUE, MarkOutdated
from nacre.extraction import outdated_facts
from nacre.extraction import succession_guards as guards
from nacre.extraction.outdated_facts import NotePart
from nacre.extraction.speeches import Speech, is_same_talk, speech_of_memory, speech_of_turn, spoken_turn
from nacre.graph.operations import path
from nacre.memory import cues, life_updates, named_amounts, updates
from nacre.memory.pairs import Update, shown
from nacre.memory.statements import LATEST, TextStatements
from nacre.models.local_succession import LocalSuccession, SuccessionReading
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories, outdated, statement_keys, turns
from nacre.text import clauses, languages

ACTOR = "succession"
# So many of those that share most are compared, and so many of the last that give a value of the same kind.
MAX_COMPARED, MAX_LATEST = 12, 6
# Among so many that share words, and so many of the last, a model looks for what a speech makes outdated.
MAX_SHARING, MAX_WIDE = 40, 60
# How sure the model must be: a wrong mark puts what is true behind something else. Of writers it never read 83 and
# 89 of 100 are right from here on. Within one talk people come back to a subject without taking anything back.
SURE, VERY_SURE = 0.98, 0.99
# From here on a reader is told that something may be outdated: of such marks in talk that was kept from training nearly
# half are right, and of those below a third.
DOUBTFUL, VERY_DOUBTFUL = 0.9, 0.95
# From here on what is not marked is noted, with how likely it is: `recall/successions.py` says what that is good for.
LIKELY = 0.2
# What rules conclude holds where the model finds it at least this likely: below, six of seven are wrong.
UPHELD = 0.1
# Who says what changed says it briefly: two longer texts are reports or pages, of which the model knows nothing.
LONG_TALK = 300
_READ_MOST = frozenset({"en", languages.UNDETERMINED})


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
    # Whether each is in doubt.
    marked: Mapping[tuple[UUID, int], bool]
    wide: Sequence[Speech] = ()


class ReadPair(NamedTuple):
    """Two speeches, and what the model reads in them."""

    older: Speech
    newer: Speech
    reading: SuccessionReading


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
    done: dict[tuple[UUID, int], bool] = {}
    orders: dict[tuple[UUID, int], Command] = {}
    besides: list[MarkOutdated] = []
    soft: set[tuple[UUID, int]] = set()
    likely: dict[tuple[UUID, UUID], float] = {}
    for each in comparisons:
        taken = {**each.marked, **done}
        used: set[tuple[UUID, int]] = set()
        ruled = list(_by_rules(each, model))
        read = list(_read_pairs(each, model)) if model else []
        likely |= {(pair.older.id, pair.newer.id): pair.reading.chance for pair in read}
        for older, newer, update in (*ruled, *_by_model(read, ruled, taken)):
            if guards.is_refused(older.statements.text, newer.statements.text, update):
                continue
            order = _mark(newer, older, update)
            place, said = (older.id, order.quote[0]), (newer.id, update.newer_quote[0])
            if update.loose and said in used:
                continue
            if not _is_free(taken.get(place), update.doubtful):
                # A part of a sentence is marked once, and may say more than one thing that ends.
                besides += [order] if update.gentle and not update.soft else []
                continue
            taken[place] = done[place] = update.doubtful
            used |= {said} if update.loose else set()
            soft |= {place} if update.soft else set()
            # A sure mark comes instead of a doubtful one, which may be of a later batch.
            orders.pop(place, None)
            orders[place] = Command(operation=order, reason=order.reason)
    places = {each.speech.id: each.speech.source for each in comparisons if each.speech.source}
    for mark in (order.operation for order in orders.values()):
        if isinstance(mark, MarkOutdated):
            likely.pop((mark.older, mark.newer), None)
    return Succession(keys, list(orders.values()), besides, places, frozenset(soft), likely)


def _is_free(doubtful: bool | None, again: bool) -> bool:
    """Whether a statement may be marked: one without a mark, or with a doubtful one that gives way to a sure one."""
    return doubtful is None or (doubtful and not again)


def _by_rules(each: SpeechComparison, model: LocalSuccession | None) -> Iterator[tuple[Speech, Speech, Update]]:
    for other in sorted(each.others, key=lambda one: one.order, reverse=True):
        older, newer = sorted((each.speech, other), key=lambda one: one.order)
        found = _updates(newer, older)
        if found and (model is None or _is_upheld(newer, older, model)):
            yield from ((older, newer, update) for update in found)


def _is_upheld(newer: Speech, older: Speech, model: LocalSuccession) -> bool:
    """Whether a model that reads both finds it likely enough that one makes something of the other outdated.

    It understands no slip that is put right in a word or two, nor every word for doing away with something; of other
    languages it has read little, and of reports nothing.
    """
    was, now = older.statements.text, newer.statements.text
    terse = cues.is_mistaken(now) or cues.is_given_up(now) or cues.is_away(now)
    if terse or languages.detect(now) not in _READ_MOST or min(len(was), len(now)) > LONG_TALK:
        return True
    reading = model.read_pair(spoken_turn(older), spoken_turn(newer))
    return reading is None or reading.chance >= UPHELD


def _by_model(
    read: Sequence[ReadPair],
    ruled: Iterable[tuple[Speech, Speech, Update]],
    taken: Mapping[tuple[UUID, int], bool],
) -> Iterator[tuple[Speech, Speech, Update]]:
    """What the model finds in the speeches that are most like this one, what it is surest of first.

    The same words take the place of one thing: "the new gal is Denise Okafor" ends a foreman, and not the dog Hank as
    well, and who took the car away took no greyhound. What is `taken` was over before: the third of three weights takes
    the place of the second.
    """
    brief = outdated_facts.MAX_CARRIED
    said = [(newer.id, update) for _, newer, update in ruled if len(update.new_value.split()) <= brief]
    for _, older, newer, update in sorted(_read_updates(read), key=lambda found: -found[0]):
        if not _is_free(taken.get((older.id, _mark(newer, older, update).quote[0])), update.doubtful):
            continue
        rivals = [one for key, one in said if key == newer.id and guards.is_same_value(one.new_value, update.new_value)]
        if any(not guards.is_same_value(update.value, rival.value) for rival in rivals):
            continue
        said.append((newer.id, update))
        yield older, newer, update


def _read_pairs(each: SpeechComparison, model: LocalSuccession) -> Iterator[ReadPair]:
    """The pairs of a speech and one that is like it which the model finds likely."""
    near = model.nearest(each.speech.statements.text, [other.statements.text for other in each.wide])
    for other in (each.wide[place] for place in near):
        older, newer = sorted((each.speech, other), key=lambda one: one.order)
        was, now = older.statements.text, newer.statements.text
        if min(len(was), len(now)) > LONG_TALK:
            continue
        found = model.read_pair(spoken_turn(older), spoken_turn(newer))
        if found is None or found.chance < LIKELY:
            continue
        if guards.is_of_another(was, now, found) or guards.is_of_another_couple(was, now, found):
            continue
        if guards.is_out_of_place(was, now, found) or guards.is_of_another_job(was, now, found):
            continue
        yield ReadPair(older, newer, found)


def _read_updates(read: Iterable[ReadPair]) -> Iterator[tuple[float, Speech, Speech, Update]]:
    """What the model believes in, with how sure it is; of two the one that shares more words comes first."""
    for older, newer, found in read:
        was, now = older.statements.text, newer.statements.text
        # Of Spanish the model has read little.
        strict = languages.detect(now) not in _READ_MOST or is_same_talk(newer, older)
        if found.chance < (VERY_DOUBTFUL if strict else DOUBTFUL):
            continue
        update = _update_of(newer.statements, older.statements, guards.whole_ranges(was, now, found))
        sure = found.chance >= (VERY_SURE if strict else SURE) and not guards.is_unanswered_harm(update)
        update = replace(update, doubtful=not sure)
        for told in named_amounts.by_name([guards.right_amount(was, now, update)], newer.statements, older.statements):
            if guards.is_no_change(now, told) or guards.is_of_another_amount(was, now, told):
                continue
            if guards.is_news_of_somebody(was, now, told):
                continue
            right = guards.right_wish(now, guards.right_medicine(now, told))
            yield found.chance + guards.shared_worth(was, now), older, newer, right


def _update_of(newer: TextStatements, older: TextStatements, found: SuccessionReading) -> Update:
    quote, said = _sentence(older, found.was), _sentence(newer, found.now)
    return Update(
        quote=quote,
        newer_quote=said,
        value=older.text[slice(*found.was)][:MAX_VALUE],
        new_value=newer.text[slice(*found.now)][:MAX_VALUE],
        because=f"{shown(newer.text[slice(*said)])} makes {shown(older.text[slice(*quote)])} outdated.",
        gentle=True,
        soft=True,
    )


def _sentence(statements: TextStatements, words: tuple[int, int]) -> tuple[int, int]:
    """The sentence that some words stand in."""
    quotes = (each.quote for each in statements.every)
    return next((quote for quote in quotes if quote[0] <= words[0] < quote[1]), words)


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
