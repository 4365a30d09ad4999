"""Reader spelling: the reader sees talk with its apostrophes; what it finds stands in the words as typed."""

from dataclasses import replace

from nacre.extraction.gazetteers import common_words, given_names
from nacre.models.local_reader import LocalReader
from nacre.models.readings import Conversation, EntityReading, FactReading, SpokenTurn, TextSpan, TurnReading
from nacre.text.contractions import ExpandedText, written_out


def read_turn(reader: LocalReader, talk: Conversation, threshold: float) -> TurnReading:
    """What the reader finds in the last turn."""
    spelled = [written_out(each.text, _is_name) for each in talk.turns]
    turns = tuple(SpokenTurn(each.speaker, new.text) for each, new in zip(talk.turns, spelled, strict=True))
    [reading] = reader.read([Conversation(turns, talk.first)], threshold)[0]
    typed = _TypedSpans(talk, spelled)
    return replace(
        reading,
        facts=tuple(typed.fact(each) for each in reading.facts),
        entities=tuple(typed.entity(each) for each in reading.entities),
    )


class _TypedSpans:
    """Puts spans where they were in the words as typed."""

    def __init__(self, talk: Conversation, spelled: list[ExpandedText]) -> None:
        self._said = talk
        self._spelled = spelled

    def fact(self, reading: FactReading) -> FactReading:
        mention, time = reading.mention and self._span(reading.mention), reading.time and self._span(reading.time)
        return replace(reading, object=self._span(reading.object), mention=mention, time=time)

    def entity(self, reading: EntityReading) -> EntityReading:
        return replace(reading, span=self._span(reading.span))

    def _span(self, span: TextSpan) -> TextSpan:
        start, end = self._spelled[span.turn].place(span.start, span.end)
        return TextSpan(span.turn, start, end, self._said.turns[span.turn].text[start:end])


def _is_name(word: str) -> bool:
    _, everyday = given_names().get(word, ("", True))
    return not everyday and word not in common_words()
