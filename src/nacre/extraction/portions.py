"""Portions of unread turns, and what is found in them: the same facts however many turns are read at a time."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from nacre.domain.entities import EntityType
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity
from nacre.domain.ids import SourceId
from nacre.domain.short_calls import CALLS
from nacre.domain.turns import Role, StoredTurn
from nacre.extraction import recognition
from nacre.extraction.kinds import corrections
from nacre.extraction.model_extraction import chunk_end
from nacre.extraction.pipeline import ExtractedText
from nacre.extraction.reader_facts import ReaderTurn, reader_turn
from nacre.extraction.rule_extraction import extract
from nacre.models.local_reader import LocalReader
from nacre.models.reader_windows import TURNS_BEFORE
from nacre.store.base.databases import Transaction
from nacre.store.evidence import turns
from nacre.store.evidence.learning_cursors import Cursor
from nacre.text.caseless_patterns import caseless

# How many of the last turns a pronoun may look back to.
LOOKED_BACK = 4
# So many turns are read together, and so many characters of them or of one: others are not kept waiting for long.
MAX_TURNS, MAX_SLICE = 64, 4_000
# So much of a slice is brought in by one transaction, which nobody else writes beside.
MAX_PART = 1_000

Names = Collection[str]
Types = Mapping[str, EntityType]
TypeLookup = Callable[[Names], Types]

_PRONOUN = caseless(r"\b(?:he|she|they|it|his|hers?|him|their|them|its|él|ella|ellos|ellas|su|sus|lo|la|le)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPortion:
    """Unread turns to be read together: a few whole ones, or the next slice of a long one.

    `earlier` holds turns that came before them, by session, for pronouns to look back to.
    """

    begin: Cursor
    end: Cursor
    turns: Sequence[StoredTurn] = ()
    slice: tuple[int, int] | None = None
    earlier: Mapping[str, Sequence[StoredTurn]]

    def single(self) -> Iterator["TurnPortion"]:
        """The same turns, one at a time."""
        sofar = list(self.turns)
        for place, said in enumerate(self.turns):
            begin = Cursor(said.seq) if place else self.begin
            end = Cursor(sofar[place + 1].seq) if place + 1 < len(sofar) else self.end
            session = said.turn.session
            before = [each for each in sofar[:place] if each.turn.session == session]
            earlier = {session: [*self.earlier.get(session, ()), *before]} if session else {}
            yield replace(self, begin=begin, end=end, turns=[said], earlier=earlier)


def next_portion(tx: Transaction, cursor: Cursor, *, in_context: bool = False) -> TurnPortion:
    """The turns that are read next, as far as one reading of the graph does for all of them.

    `in_context`: a reader reads each with the turns before it, whether or not a pronoun looks back to them.
    """
    unread = turns.openings_since(tx, cursor.seq - 1, MAX_TURNS, MAX_SLICE + 1)
    first = next(unread, None)
    if first is None:
        # What is left was forgotten, or is no turn: the cursor passes whatever was there by now.
        return TurnPortion(begin=cursor, end=Cursor(turns.end(tx)), earlier={})
    if _is_long(first):
        return _slice(tx, cursor, turns.by_id(tx, [first.id])[first.id])
    taken, room = [first], MAX_SLICE - _length(first)
    for said in unread:
        room -= _length(said)
        if room < 0 or (said.turn.role == Role.USER and recognition.needs_types(said.turn.text)):
            break
        taken.append(said)
    end = Cursor(taken[-1].seq + 1)
    return TurnPortion(begin=cursor, end=end, turns=taken, earlier=_earlier(tx, taken, in_context))


def _is_long(stored: StoredTurn) -> bool:
    return _length(stored) > MAX_SLICE


def _length(stored: StoredTurn) -> int:
    """How much of a turn there is to read."""
    return len(stored.turn.text) if stored.turn.role == Role.USER else 0


def _slice(tx: Transaction, cursor: Cursor, stored: StoredTurn) -> TurnPortion:
    # The cursor may lie before the turn, when others in between were forgotten.
    start = cursor.offset if cursor.seq == stored.seq else 0
    end = chunk_end(stored.turn.text, start, MAX_SLICE)
    rest = Cursor(stored.seq, end) if end < len(stored.turn.text) else Cursor(stored.seq + 1)
    return TurnPortion(
        begin=cursor, end=rest, turns=[stored], slice=(start, end), earlier=_earlier(tx, [stored], False)
    )


def _earlier(tx: Transaction, taken: Sequence[StoredTurn], in_context: bool) -> dict[str, list[StoredTurn]]:
    """The last turns before those that were taken, of each session in which they are looked back to."""
    spoken = [said.turn for said in taken if said.turn.role == Role.USER]
    looking = {turn.session for turn in spoken if in_context or _looks_back(turn.text)}
    return {session: turns.last(tx, session, LOOKED_BACK, before=taken[0].seq) for session in looking if session}


def _looks_back(text: str) -> bool:
    """Whether a pronoun or a correction in a text may mean what was said before it."""
    return _PRONOUN.search(text) is not None or corrections.may_correct(text)


def parts(portion: TurnPortion, texts: Sequence[ExtractedText]) -> Iterator[tuple[Cursor, Sequence[ExtractedText]]]:
    """What was found in a portion as it is brought in: a slice of a long turn in short transactions, all else in one.

    Each comes with the place that the cursor moves to. Between two of them others' calls come first.
    """
    if portion.slice is None:
        yield portion.end, texts
        return
    stored, (start, last) = portion.turns[0], portion.slice
    while start < last:
        end = min(last, chunk_end(stored.turn.text, start, MAX_PART))
        found = [part for each in texts if (part := _part(each, start, end))]
        if found or end == last:
            CALLS.give_way()
            yield portion.end if end == last else Cursor(stored.seq, end), found
        start = end


def _part(text: ExtractedText, start: int, end: int) -> ExtractedText | None:
    """What was found between two places of a text; None where that is nothing."""
    names = tuple(each for each in text.found.names if start <= each.start < end)
    facts = tuple(each for each in text.found.facts if start <= each.quote[0] < end)
    return replace(text, found=replace(text.found, names=names, facts=facts)) if names or facts else None


def read(
    portion: TurnPortion,
    types: TypeLookup,
    reader: LocalReader | None = None,
    given: Mapping[SourceId, ReaderTurn] | None = None,
) -> list[ExtractedText]:
    """What people say in a portion, turn by turn; `types` tells what names are that the first turn leaves open.

    `given` holds what somebody else than the reader found in some of the turns.
    """
    sofar = {session: list(said) for session, said in portion.earlier.items()}
    reading = _PortionReader(portion, sofar, reader, given or {})
    found = []
    for said in portion.turns:
        if said.turn.role == Role.USER:
            found.append(reading.read(said, types if recognition.needs_types(said.turn.text) else None))
        if said.turn.session:
            reading.sofar.setdefault(said.turn.session, []).append(said)
    return [each for each in found if each.found.names or each.found.facts]


@dataclass(frozen=True, slots=True)
class _PortionReader:
    """One pass over a portion: the turns so far by session, and the names in each as it is read on its own."""

    portion: TurnPortion
    sofar: dict[str, list[StoredTurn]]
    reader: LocalReader | None
    given: Mapping[SourceId, ReaderTurn]
    names: dict[SourceId, tuple[NamedEntity, ...]] = field(default_factory=dict)

    def read(self, stored: StoredTurn, types: TypeLookup | None) -> ExtractedText:
        """What one turn says, as far as the portion goes."""
        before = self._named_before(stored) if _PRONOUN.search(stored.turn.text) else []
        recent = self._said_before(stored) if corrections.may_correct(stored.turn.text) else ()
        reader, alone = self._read(stored), not (before or types or recent or self.portion.slice)
        if alone and reader is None:
            found = _read_alone(stored)
        else:
            found = _extracted(stored, self.portion.slice, before, recent, types=types, reader=reader)
        if alone:
            self.names[stored.id] = found.names
        turn = stored.turn
        return ExtractedText(
            source=stored.id,
            text=turn.text,
            at=stored.at,
            stored_at=stored.stored_at,
            found=found,
            speaker=turn.speaker,
        )

    def _read(self, stored: StoredTurn) -> ReaderTurn | None:
        """A turn as the reader sees it: alone with the turns before it, so that it reads the same in any portion."""
        turn = stored.turn
        if self.reader is None:
            return self.given.get(stored.id)
        if self.portion.slice:
            # Who says so much at once hands over a document: only its beginning is read as talk.
            begin, end = self.portion.slice
            return None if begin else reader_turn(self.reader, turn.text[:end], (), turn, stored.at)
        before = self.sofar.get(turn.session or "", [])[-TURNS_BEFORE:]
        return reader_turn(self.reader, turn.text, [each.turn for each in before], turn, stored.at)

    def _said_before(self, stored: StoredTurn) -> Sequence[Fact]:
        """What the same person said last in the session: that is what a "no, I meant" is about."""
        last = self.sofar.get(stored.turn.session or "", [])[-LOOKED_BACK:]
        for each in reversed(last):
            if each.turn.role == Role.USER and each.turn.speaker == stored.turn.speaker and not _is_long(each):
                return _read_alone(each).facts
        return ()

    def _named_before(self, stored: StoredTurn) -> list[NamedEntity]:
        """Whom the last turns of the session named: the same, whichever turns are read together."""
        last = self.sofar.get(stored.turn.session or "", [])[-LOOKED_BACK:]
        heard = [each for each in last if each.turn.role == Role.USER and not _is_long(each)]
        for each in heard:
            if each.id not in self.names:
                self.names[each.id] = _read_alone(each).names
        return [name for each in heard for name in self.names[each.id]]


# Those behind it look back to a turn, in this portion and the next.
@lru_cache(maxsize=2 * MAX_TURNS)
def _read_alone(stored: StoredTurn) -> ExtractedFacts:
    """What rules find in a turn by itself."""
    return _extracted(stored)


def _extracted(
    stored: StoredTurn,
    span: tuple[int, int] | None = None,
    before: Sequence[NamedEntity] = (),
    recent: Sequence[Fact] = (),
    *,
    types: TypeLookup | None = None,
    reader: ReaderTurn | None = None,
) -> ExtractedFacts:
    turn, start, end = stored.turn, *(span or (0, len(stored.turn.text)))
    text = turn.text[start:end]
    if not text.strip():
        return ExtractedFacts()
    found = extract(
        text,
        speaker=turn.speaker,
        role=turn.role,
        at=stored.at,
        before=before,
        recent=recent,
        types=types,
        reader=reader,
        pause=CALLS.give_way if span else lambda: None,
    )
    return shifted(found, start) if start else found


def shifted(extracted: ExtractedFacts, start: int) -> ExtractedFacts:
    """What was found in a slice, by its places in the whole text."""
    return replace(
        extracted,
        names=tuple(_moved(each, start) for each in extracted.names),
        facts=tuple(_moved_fact(each, start) for each in extracted.facts),
    )


def _moved(named: NamedEntity, start: int) -> NamedEntity:
    return replace(named, start=named.start + start, end=named.end + start)


def _moved_fact(fact: Fact, start: int) -> Fact:
    return replace(
        fact,
        subject=_moved(fact.subject, start) if isinstance(fact.subject, NamedEntity) else fact.subject,
        object=_moved(fact.object, start) if fact.object else None,
        instead_of=_moved(fact.instead_of, start) if fact.instead_of else None,
        quote=(fact.quote[0] + start, fact.quote[1] + start),
    )
