"""Readings and updates that tests make by hand, and the facts that become of readings."""

from datetime import UTC, datetime

from nacre.domain.facts import Fact
from nacre.extraction.reader_facts import ReaderTurn
from nacre.extraction.rule_extraction import extract
from nacre.memory.pairs import Update
from nacre.models.readings import Conversation, FactReading, SpokenTurn, SubjectKind, TextSpan, TurnReading

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)


def span(text: str, words: str, turn: int = 0) -> TextSpan:
    start = text.index(words)
    return TextSpan(turn, start, start + len(words), words)


def found(text: str, words: str, predicate: str, **more) -> FactReading:
    """A fact of the reader, sure and about the speaker unless told otherwise."""
    about = {"subject": SubjectKind.SPEAKER, "mention": None, "mode": "now", "time": None}
    sure = {"confidence": 0.95, "predicate_confidence": 0.95}
    return FactReading(object=span(text, words), predicate=predicate, **{**about, **sure, **more})


def read(text: str, *facts: FactReading, entities=(), speaker=None, before=(), role="user") -> list[Fact]:
    """The facts that become of a reading."""
    turns = (*before, SpokenTurn(speaker or "user", text))
    place = len(before)
    reading = TurnReading(place, facts, tuple(entities))
    said = Conversation(turns, first=place)
    heard = ReaderTurn(said=said, reading=reading, at=AT, speaker=speaker, role=role)
    learned = extract(text, speaker=speaker, role=role, at=AT, reader=heard).facts
    return [fact for fact in learned if fact.rule.startswith("reader")]


def update_of(older: str, newer: str, value: str, new_value: str) -> Update:
    """An update of all that two texts say."""
    return Update(quote=(0, len(older)), newer_quote=(0, len(newer)), value=value, new_value=new_value, because="-")
