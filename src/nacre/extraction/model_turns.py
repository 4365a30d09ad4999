"""Turns read by a language model: what it is asked, and what of its reply can be believed.

What it says becomes the same readings that the reader gives, so that the same forms, guards and quotes apply.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from nacre.domain.entities import EntityType
from nacre.domain.turns import Role, StoredTurn
from nacre.extraction.reader_facts import ReaderTurn
from nacre.extraction.reader_forms import FORMS
from nacre.extraction.reader_words import proper_name
from nacre.models.language_models import Completion, LanguageModel, ModelPrompt, prompt_text
from nacre.models.readings import (
    MODES,
    PREDICATES,
    Conversation,
    EntityKind,
    EntityReading,
    FactReading,
    SpokenTurn,
    SubjectKind,
    TextSpan,
    TurnReading,
)
from nacre.text import secrets

DIRECTIVE = "turn-reading.md"
RULE = "model"
TEMPERATURE = 0.2
MAX_FACTS = 60
# What a model is less sure of than that is left out. However sure it is, it is no surer than a good rule.
LEAST_SURE, SUREST = 0.7, 0.8
# Who wants to end more than this at once is not believed in any of it.
MAX_ENDINGS = 3
# So much of a turn before, or of one that is not a person's, is shown.
MAX_CONTEXT = 400

_KINDS = {
    EntityType.PERSON: EntityKind.PERSON,
    EntityType.LOCATION: EntityKind.PLACE,
    EntityType.ORGANIZATION: EntityKind.ORGANISATION,
}
_SPEAKER = frozenset({"speaker", "the speaker", "user", "the user", "i", "me", "myself", "self"})
_LISTENER = frozenset({"listener", "the listener", "addressee", "you"})
_WE = frozenset({"we", "us"})
_ENDINGS = frozenset({"ended", "not"})
# Marks that models set straight; each is one letter for another.
_STRAIGHT = str.maketrans("’‘“”\u00a0", "''\"\" ")


def _chosen_from(words: Sequence[str], default: Any = ...) -> Any:
    """Words that a service holds its replies to; any other is no reason to refuse all that a reply says."""
    return Field(default, json_schema_extra={"enum": list(words)})


class ToldFact(BaseModel):
    """One fact that a turn tells."""

    turn: int
    subject: str = "speaker"
    predicate: str = _chosen_from(PREDICATES)
    object: str
    quote: str = ""
    mode: str = _chosen_from(MODES, "now")
    time: str | None = None
    confidence: float = 0.5


class TurnFactsReply(BaseModel):
    """What the turns tell."""

    facts: list[ToldFact] = Field(default_factory=list, json_schema_extra={"maxItems": MAX_FACTS})


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnQuestion:
    """Turns of one session to be read in one request, and those before them, which are only shown."""

    turns: Sequence[StoredTurn]
    before: Sequence[StoredTurn] = ()

    def prompt(self, directives: Path | None) -> ModelPrompt:
        """What the model is sent. Keys, passwords and card numbers never are."""
        shown = [f"[{_who(said)}] {_sent(said.turn.text, MAX_CONTEXT)}" for said in self.before]
        asked = [
            f"{place} [{_who(said)}, {said.at:%Y-%m-%d}] {_sent(said.turn.text, _most(said))}"
            for place, said in enumerate(self.turns, 1)
        ]
        earlier = ["<before>", *shown, "</before>"] if shown else []
        material = "\n".join([*earlier, "<turns>", *asked, "</turns>"])
        return ModelPrompt(instructions=prompt_text(DIRECTIVE, directives), material=material)

    def ask(self, model: LanguageModel, directives: Path | None) -> Completion[TurnFactsReply]:
        """The model's reply."""
        return model.complete(self.prompt(directives), TurnFactsReply, temperature=TEMPERATURE)


def _who(stored: StoredTurn) -> str:
    return stored.turn.speaker or stored.turn.role


def _most(stored: StoredTurn) -> int | None:
    return None if stored.turn.role == Role.USER else MAX_CONTEXT


def _sent(text: str, most: int | None) -> str:
    clean = secrets.redact(text)[0]
    return clean if most is None or len(clean) <= most else f"{clean[:most]} …"


def readings(question: TurnQuestion, reply: TurnFactsReply) -> dict[int, ReaderTurn]:
    """What can be believed of a reply, by the places of the turns it was asked about."""
    facts_by_turn: dict[int, list[ToldFact]] = {}
    for fact in _moderate(reply.facts[:MAX_FACTS]):
        facts_by_turn.setdefault(fact.turn - 1, []).append(fact)
    found = {}
    for place, said in enumerate(question.turns):
        if place in facts_by_turn and said.turn.role == Role.USER:
            reading = _TurnFactCheck(question, place).checked(facts_by_turn[place])
            if reading.reading.facts:
                found[place] = reading
    return found


def _moderate(facts: Sequence[ToldFact]) -> list[ToldFact]:
    endings = [fact for fact in facts if fact.mode in _ENDINGS]
    return [fact for fact in facts if len(endings) <= MAX_ENDINGS or fact.mode not in _ENDINGS]


@dataclass(slots=True)
class _TurnFactCheck:
    """What was told of one turn, as far as its words are there."""

    question: TurnQuestion
    place: int
    said: Conversation = field(init=False)
    texts: list[str] = field(init=False)

    def __post_init__(self) -> None:
        upto = [*self.question.before, *self.question.turns[: self.place + 1]]
        spoken = tuple(SpokenTurn(_who(each), each.turn.text) for each in upto)
        self.said = Conversation(spoken, first=len(spoken) - 1)
        self.texts = [each.text.translate(_STRAIGHT) for each in spoken]

    @property
    def here(self) -> int:
        return len(self.texts) - 1

    def checked(self, told_facts: Sequence[ToldFact]) -> ReaderTurn:
        own = self.question.turns[self.place]
        facts = [fact for each in told_facts if (fact := self._fact(each))]
        named = [entity for fact in facts if (entity := _entity(fact))]
        reading = TurnReading(self.here, tuple(sorted(facts, key=lambda each: each.object.start)), tuple(named))
        turn = own.turn
        return ReaderTurn(said=self.said, reading=reading, at=own.at, speaker=turn.speaker, role=turn.role, rule=RULE)

    def _fact(self, told_fact: ToldFact) -> FactReading | None:
        predicate, mode = told_fact.predicate.strip().casefold(), told_fact.mode.strip().casefold()
        if told_fact.confidence < LEAST_SURE or predicate not in FORMS or mode not in MODES:
            return None
        quote = self._quote(told_fact.quote)
        thing = self._span(told_fact.object, self.here, quote) if quote else None
        subject, mention = self._subject(told_fact.subject)
        if thing is None or subject is None:
            return None
        return FactReading(
            object=thing,
            predicate=predicate,
            subject=subject,
            mention=mention,
            mode=mode,
            time=self._span(told_fact.time or "", self.here, (0, len(self.texts[self.here]))),
            confidence=min(told_fact.confidence, SUREST),
            predicate_confidence=1.0,
        )

    def _quote(self, quote: str) -> tuple[int, int] | None:
        """Where the very words of a quote stand in the turn; None where they do not."""
        words = quote.translate(_STRAIGHT).strip()
        start = self.texts[self.here].find(words) if words else -1
        return (start, start + len(words)) if start >= 0 else None

    def _span(self, words: str, turn: int, within: tuple[int, int]) -> TextSpan | None:
        plain = words.translate(_STRAIGHT).split()
        if not plain:
            return None
        pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, plain)) + r"(?!\w)"
        match = re.compile(pattern, re.IGNORECASE).search(self.texts[turn], *within)
        if match is None:
            return None
        return TextSpan(turn, *match.span(), self.said.turns[turn].text[slice(*match.span())])

    def _subject(self, words: str) -> tuple[SubjectKind | None, TextSpan | None]:
        """Whom a fact is about; somebody else only where the conversation names them."""
        plain = " ".join(words.split()).casefold()
        own = self.said.turns[self.here].speaker.casefold()
        if plain in _SPEAKER or plain == own:
            return SubjectKind.SPEAKER, None
        if plain in _LISTENER or plain in _WE:
            return SubjectKind.ADDRESSEE if plain in _LISTENER else SubjectKind.WE, None
        spans = (self._span(words, turn, (0, len(self.texts[turn]))) for turn in range(self.here, -1, -1))
        mention = next((span for span in spans if span), None)
        return (SubjectKind.MENTION, mention) if mention else (None, None)


def _entity(fact: FactReading) -> EntityReading | None:
    """The entity that a fact's object names, as far as the predicate tells what it is."""
    kind = _KINDS.get(FORMS[fact.predicate].type)
    if kind is None or proper_name(fact.object.text) is None:
        return None
    return EntityReading(span=fact.object, kind=kind, confidence=fact.confidence)
