"""Facts that rest on words which became outdated: they end with them, and where the new words give another value, that
takes over. All of it is operations, in the batch of the statement that was said.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from nacre.domain.claim_operations import RecordClaim, SupersedeClaimValue
from nacre.domain.commands import Command
from nacre.domain.errors import Ambiguous, NotFound
from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.operations import SourceQuote, UpdateLink
from nacre.domain.outdated_marks import MarkOutdated
from nacre.domain.recording_operations import RecordLink
from nacre.graph.beliefs.permanence import HAPPENED, HARMFUL, LASTING
from nacre.graph.identity import naming
from nacre.memory import cues
from nacre.store.base.databases import Transaction
from nacre.store.evidence import sources
from nacre.store.graph import claims, entities, links
from nacre.store.reads import associations
from nacre.store.reads.associations import FactRow
from nacre.text.letters import is_within
from nacre.text.medicines import medicine_in
from nacre.text.tokens import content_words

# A new value of more words is a whole sentence.
MAX_CARRIED = 5
# How sure a fact is whose value was only carried on, and one where the new words name the old value, too: "Yusuf, not
# Elena".
CARRIED, SET_RIGHT = 0.6, 0.8
_ROLE, _PLACES = "role", frozenset({"lives_in", "location"})
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?")
_NUMBER = r"(?P<number>\d(?:[\d.,]{0,12}\d)?)(?P<unit> ?(?:mg|mcg|ml|g|kg|units?|k|%|€|euros?|dollars?|pounds?))?(?!\w)"
_AMOUNT = re.compile(_NUMBER, re.IGNORECASE)
# What is counted: "24 guests", and not the "de" of a day.
_COUNTED = re.compile(r" ([^\W\d_]{3,})")
_DIGIT = re.compile(r"\d")
_MIXED = re.compile(r"[^\W\d_]+[.-]?\d[\w.-]*|\d+[^\W\d_]")
_NAMES = re.compile(r"[A-ZÀ-Þ][\w.&'’-]+(?: [A-ZÀ-Þ0-9][\w.&'’-]*){0,2}")
# An amount and what it is for: "£950 a month", "4 years old".
_WHOLE_AMOUNT = re.compile(
    rf"[£$€]?{_NUMBER}(?: ?(?:(?:an?|per|/|each|al|por|la) ?\w+|each|years?(?: old)?|yrs?|años?|months? old))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NotePart:
    """The part of a note from which a memory was made: facts rest on the note, whatever it was split into."""

    source: UUID
    quote: tuple[int, int]


def end_facts(
    home: Transaction,
    marks: Sequence[MarkOutdated],
    places: Mapping[UUID, SourceId],
    notes: Mapping[UUID, NotePart],
    *,
    sure: bool = True,
) -> dict[UUID, list[Command]]:
    """The operations that end what rests on outdated words, by the turn or memory that made these so.

    `places` tells where the words of these are kept, and `notes` of which words the memories were made that are
    outdated. Marks that are not `sure` end nothing that could harm somebody, and give no new value but an amount; those
    in doubt end only what the newer words gave another value of.
    """
    items = {each for mark in marks for each in (mark.older, mark.newer)} | {part.source for part in notes.values()}
    resting = associations.resting_on(home, items) if items else []
    kept = HAPPENED if sure else HAPPENED | HARMFUL
    facts = [fact for fact in resting if fact.holds and fact.quote and fact.topic not in kept]
    # Of what begins later than it was told, the graph knows when it takes over.
    coming = [fact for fact in resting if fact.untimely and not fact.holds]
    values, things = _values(home, [*facts, *coming]), _things(home, facts)
    orders: dict[UUID, list[Command]] = {}
    ended: set[UUID] = set()
    for mark in marks:
        told_now = [fact for fact in facts if mark.newer in fact.items and is_within(values[fact.id], mark.new_value)]
        for fact in facts:
            note = notes.get(mark.older)
            if fact.id not in ended and _is_meant(fact, values[fact.id], things[fact.id], mark, note):
                if not sure and (_is_beside(values[fact.id], mark) or _is_setting(fact, values[fact.id], mark)):
                    continue
                begun = [
                    each.at for each in coming if each.at > mark.at and _is_next(each, values[each.id], fact, mark)
                ]
                if begun:
                    until = _orders(home, fact, replace(mark, at=min(begun)), None) if fact.kind is Kind.LINK else ()
                    orders.setdefault(mark.newer, []).extend(until)
                    ended.add(fact.id)
                    continue
                if mark.doubtful and not any(_is_next(each, values[each.id], fact, mark) for each in facts):
                    continue
                ended.add(fact.id)
                amounts = with_amounts(values[fact.id], mark)
                told = sure or amounts or (not mark.doubtful and _is_renamed(values[fact.id], mark))
                known = any(not amounts or _is_of_one(each, fact) for each in told_now)
                carried = places.get(mark.newer) if told and not known else None
                some = _orders(home, fact, amounts or mark, carried)
                orders.setdefault(mark.newer, []).extend(some)
    return orders


def _values(home: Transaction, facts: Sequence[FactRow]) -> dict[UUID, str]:
    ends = {fact.object for fact in facts if fact.object}
    names = {key: entity.name for key, entity in entities.by_id(home, ends).items()} if ends else {}
    return {fact.id: names.get(fact.object, "") if fact.object else _value_of(fact) for fact in facts}


def _value_of(fact: FactRow) -> str:
    return fact.said.removeprefix(fact.topic.replace("_", " ")).strip()


def _things(home: Transaction, facts: Sequence[FactRow]) -> dict[UUID, str]:
    """What facts are told of: who has a role, and what has a day or a price: "the flu clinic"."""
    named = entities.by_id(home, {fact.subject for fact in facts if fact.topic == _ROLE})
    return {
        fact.id: named[fact.subject].name if fact.subject in named and fact.topic == _ROLE else _topic_words(fact)
        for fact in facts
    }


def _topic_words(fact: FactRow) -> str:
    return fact.topic.replace("_", " ") if fact.kind is Kind.CLAIM else ""


def _is_meant(fact: FactRow, value: str, thing: str, mark: MarkOutdated, note: NotePart | None) -> bool:
    """Whether a fact says what is outdated: it rests on those words, and gives that value or is told of it."""
    if fact.quote is None:
        return False
    noted = note is not None and note.source in fact.items and _overlap(fact.quote, note.quote)
    if not noted and not (mark.older in fact.items and _overlap(fact.quote, mark.quote)):
        return False
    if fact.topic in LASTING and not cues.is_parting(mark.new_value):
        return False
    return is_within(value, mark.value) or _is_of(thing, mark.value) or _is_given_day(value, mark.value)


def _is_of(thing: str, words: str) -> bool:
    """Whether some words name what a fact is told of, and nothing else."""
    named, told = set(content_words(thing)), set(content_words(words))
    return bool(named and told) and (named <= told or told <= named)


def _is_given_day(value: str, words: str) -> bool:
    return bool(_DATE.fullmatch(value)) and _is_day(words)


def _is_next(fact: FactRow, value: str, before: FactRow, mark: MarkOutdated) -> bool:
    """Whether a fact gives the value of the newer words, of the same as the one before it."""
    same = _is_of_one(fact, before) and fact.id != before.id
    return same and mark.newer in fact.items and is_within(value, mark.new_value)


def _is_of_one(fact: FactRow, other: FactRow) -> bool:
    """Whether two facts give the same thing of the same: "1,475 from April" may be of the rent, or of who wrote it."""
    return fact.subject == other.subject and fact.topic == other.topic


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def with_amounts(value: str, mark: MarkOutdated) -> MarkOutdated | None:
    """The mark as one amount that takes over from another: 50mg from 100mg, where "sertraline 50mg" is "100 now"."""
    return _with_code(value, mark) or _with_amount(value, mark)


def _with_code(value: str, mark: MarkOutdated) -> MarkOutdated | None:
    codes = [each for each in mark.new_value.split() if _shape(each) == _shape(mark.value)]
    if len(codes) == 1 and any(map(str.isdigit, mark.value)) and mark.value in value:
        return replace(mark, new_value=codes[0])
    was, now = (_mixed_code(words) for words in (mark.value, mark.new_value))
    return replace(mark, value=was, new_value=now) if was and now and was in value else None


def _with_amount(value: str, mark: MarkOutdated) -> MarkOutdated | None:
    was, now = (list(_AMOUNT.finditer(words)) for words in (mark.value, mark.new_value))
    if len(was) != 1 or len(now) != 1 or was[0][0] not in value:
        return None
    before, after = (each["unit"] or "" for each in (*was, *now))
    counted, again = (_counted(words, each[0].end()) for words, each in ((mark.value, was), (mark.new_value, now)))
    if counted and not before:
        alike = again in ("", counted)
        return replace(mark, value=was[0]["number"], new_value=now[0]["number"]) if alike else None
    # The number in "1 June" is no amount, and grams do not follow upon per cent.
    if not before and not _WHOLE_AMOUNT.fullmatch(mark.value) and medicine_in(mark.value) is None:
        return None
    if before and after and before.strip().casefold() != after.strip().casefold():
        return None
    return replace(mark, value=was[0][0], new_value=f"{now[0]['number']}{after or before}")


def _mixed_code(words: str) -> str | None:
    """The one word of letters and digits, as "R89" and "tamarind902" are; a measure is none."""
    codes = [word for each in words.split() if _DIGIT.search(word := each.strip(".,;!?\"'()"))]
    mixed = len(codes) == 1 and _MIXED.fullmatch(codes[0]) and not _AMOUNT.fullmatch(codes[0])
    return codes[0] if mixed else None


def _counted(words: str, end: int) -> str:
    """What is counted by a number that ends there, if its next word says so."""
    found = _COUNTED.match(words, end)
    return found[1].casefold() if found and content_words(found[1]) else ""


def _shape(words: str) -> str:
    """What a code or a time of day looks like without its digits."""
    return _DIGIT.sub("0", words).rstrip(".,;")


def _is_beside(value: str, mark: MarkOutdated) -> bool:
    """Whether a fact gives none of the numbers for which others come: the place of "nights at the depot, 22 to 6" stays
    where "I start at 7".
    """
    if _DIGIT.search(value) or not (_DIGIT.search(mark.value) and _DIGIT.search(mark.new_value)):
        return False
    told = content_words(_DIGIT.sub(" ", mark.new_value))
    return len(told) <= 1 and not _NAMES.search(mark.new_value)


def _is_setting(fact: FactRow, value: str, mark: MarkOutdated) -> bool:
    """Whether a fact gives where it was that something changed: who pumps in the store room now is still in Nairobi."""
    if fact.topic not in _PLACES or _NAMES.search(mark.new_value, mark.new_value.find(" ") + 1):
        return False
    return len(set(content_words(mark.value)) - set(content_words(value))) > 1


def _is_renamed(value: str, mark: MarkOutdated) -> bool:
    """Whether one name takes over from another that a fact gives: Obsidian from Evernote."""
    names = _NAMES.fullmatch(mark.value), _NAMES.fullmatch(mark.new_value)
    known = set(content_words(mark.value))
    return all(names) and value == mark.value and known.isdisjoint(content_words(mark.new_value))


def _is_day(value: str) -> bool:
    return any(map(str.isdigit, value)) or value.casefold().endswith("day")


def _orders(home: Transaction, fact: FactRow, mark: MarkOutdated, carried: SourceId | None) -> Iterator[Command]:
    """The end of a fact; with `carried`, where its words are, the new value takes over if it is one."""
    # What only tells of the end is no new value: "binned the sumatriptan".
    short = len(mark.new_value.split()) <= MAX_CARRIED and not cues.is_over(mark.new_value)
    said = SourceQuote(source=carried, quote=mark.newer_quote) if carried and short else None
    held = links.by_id(home, [fact.id]) if fact.kind is Kind.LINK else claims.by_id(home, [fact.id])
    begun = held[fact.id].valid_from
    if begun and begun >= mark.at:
        # Said at the same moment, or only to begin: there is no time in which it held.
        return
    if fact.kind is Kind.LINK:
        yield Command(operation=UpdateLink(link=fact.id, valid_to=mark.at), reason=mark.reason)
        if said and fact.object and not _is_ambiguous(home, mark.new_value):
            words = sources.text_of(home, said.source)[slice(*said.quote)]
            sure = SET_RIGHT if mark.value in words else CARRIED
            yield Command(operation=_next_link(fact, mark, said, sure), reason=mark.reason)
        return
    claim = claims.by_id(home, [fact.id])[fact.id]
    if said and not _DATE.fullmatch(claim.value):
        value = claim.value.replace(mark.value, mark.new_value) if mark.value in claim.value else mark.new_value
        turned = SupersedeClaimValue(attribute_id=claim.id, new_value=value, valid_from=mark.at, evidence=said)
        yield Command(operation=turned, reason=mark.reason)
        return
    slot = claim.slot
    gone = RecordClaim(
        entity=claim.entity,
        aspect=slot.aspect,
        group=slot.group,
        claim=slot.claim,
        value=claim.value,
        retracted=True,
        valid_to=mark.at,
    )
    yield Command(operation=gone, reason=mark.reason)


def _is_ambiguous(home: Transaction, name: str) -> bool:
    """Whether several entities have a name: then nobody knows which of them takes over."""
    try:
        naming.one(home, name)
    except Ambiguous:
        return True
    except NotFound:
        return False
    return False


def _next_link(fact: FactRow, mark: MarkOutdated, quoted: SourceQuote, confidence: float) -> RecordLink:
    return RecordLink(
        source=fact.subject,
        predicate=fact.topic,
        target=mark.new_value,
        confidence=confidence,
        valid_from=mark.at,
        evidence=quoted,
    )
