"""Reader spelling: the reader sees talk with its apostrophes; what it finds stands in the words as typed."""

from dataclasses import replace

from nacre.extraction.gazetteers import common_words, given_names
from nacre.models.local_reader import LocalReader
from nacre.models.readings import Conversation, EntityReading, FactReading, SpokenTurn, TextSpan, TurnReading
from nacre.text.contractions import Spelling, written_out


def read_turn(reader: LocalReader, said: Conversation, threshold: float) -> TurnReading:
    """What the reader finds in the last turn."""
    spelled = [written_out(each.text, _is_name) for each in said.turns]
    turns = tuple(SpokenTurn(each.speaker, new.text) for each, new in zip(said.turns, spelled, strict=True))
    [reading] = reader.read([Conversation(turns, said.first)], threshold)[0]
    typed = _Typed(said, spelled)
    return replace(
        reading,
        facts=tuple(typed.fact(each) for each in reading.facts),
        entities=tuple(typed.entity(each) for each in reading.entities),
    )


class _Typed:
    """Puts spans where they were in the words as typed."""

    def __init__(self, said: Conversation, spelled: list[Spelling]) -> None:
        self._said = said
        self._spelled = spelled

    def fact(self, found: FactReading) -> FactReading:
        mention, time = found.mention and self._span(found.mention), found.time and self._span(found.time)
        return replace(found, object=self._span(found.object), mention=mention, time=time)

    def entity(self, found: EntityReading) -> EntityReading:
        return replace(found, span=self._span(found.span))

    def _span(self, span: TextSpan) -> TextSpan:
        start, end = self._spelled[span.turn].place(span.start, span.end)
        return TextSpan(span.turn, start, end, self._said.turns[span.turn].text[start:end])


def _is_name(word: str) -> bool:
    _, everyday = given_names().get(word, ("", True))
    return not everyday and word not in common_words()
