"""Text to names and facts by a language model, in pieces. What it says is believed only with the words that say so."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from nacre.domain import checks
from nacre.domain.entities import EntityType, entity_type
from nacre.domain.errors import Invalid, Unavailable
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity
from nacre.domain.links import PREDICATES, RELATED_TO, check_predicate
from nacre.domain.operations import MAX_DESCRIPTION
from nacre.models.language_models import LanguageModel, ModelPrompt, prompt_text

DIRECTIVE = "entity-dream.md"
THRESHOLD = 0.75
TEMPERATURE = 0.2
MAX_ENTITIES = 15
MAX_RELATIONS = 60
SHORTEST_HALVED = 2_000
RULE = "model"


def _told(**limits: int) -> Any:
    """Limits that a service holds its replies to, so that a small model comes to an end; what is over is cut off."""
    return Field(default_factory=list, json_schema_extra=dict(limits))


class FoundEntity(BaseModel):
    """Somebody or something that the text speaks of."""

    id: str = Field(description="A slug such as john-doe.")
    name: str
    type: str = "unknown"
    description: str | None = None
    aliases: list[str] = _told(maxItems=3)
    confidence: float = 0.5


class FoundRelation(BaseModel):
    """How two of them are related, in the text's own words."""

    source: str
    relation: str
    target: str
    quote: str = ""
    confidence: float = 0.5


class TextFactsReply(BaseModel):
    """What the text says."""

    entities: list[FoundEntity] = _told(maxItems=MAX_ENTITIES)
    relations: list[FoundRelation] = _told(maxItems=MAX_RELATIONS)


@dataclass(frozen=True, slots=True)
class GraphEntity:
    """An entity that the graph has already."""

    id: str
    name: str
    type: EntityType


@dataclass(slots=True)
class ModelReading:
    """What a model found, what it cost, and what went wrong."""

    found: ExtractedFacts = field(default_factory=ExtractedFacts)
    chunks: int = 0
    failed: list[str] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        """What it cost in all."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReader:
    """A language model that reads texts for a graph. `token_cap` is the most that one text may cost."""

    model: LanguageModel
    threshold: float = THRESHOLD
    directives: Path | None = None
    token_cap: int | None = None

    def read(self, text: str, known_entities: Sequence[GraphEntity] = ()) -> ModelReading:
        """What the model finds in a text, piece by piece; a piece that fails is reported and the others count."""
        reading = ModelReading()
        parts: list[ExtractedFacts] = []
        for start, end in chunks(text):
            reading.chunks += 1
            if self.token_cap is not None and reading.tokens >= self.token_cap:
                spent = f"the budget of {self.token_cap:,} tokens is spent"
                reading.failed.append(f"Characters {start} to {end} were not read: {spent}.")
                continue
            try:
                parts += self._piece(text, (start, end), known_entities, reading)
            except Unavailable as error:
                reading.failed.append(f"Characters {start} to {end} were not read: {error}")
        reading.found = _merged(parts)
        return reading

    def _piece(
        self, text: str, span: tuple[int, int], known_entities: Sequence[GraphEntity], reading: ModelReading
    ) -> list[ExtractedFacts]:
        start, end = span
        try:
            return [self._ask(text[start:end], start, known_entities, reading)]
        except Unavailable:
            if end - start <= SHORTEST_HALVED:
                raise
            # A reply that grew too long was cut off; half the text gets a shorter one.
            halves = chunks(text[start:end], (end - start + 1) // 2 + 1)
            return [self._ask(text[start + a : start + b], start + a, known_entities, reading) for a, b in halves]

    def _ask(
        self, text: str, offset: int, known_entities: Sequence[GraphEntity], reading: ModelReading
    ) -> ExtractedFacts:
        prompt = ModelPrompt(
            instructions=prompt_text(DIRECTIVE, self.directives), material=_material(text, known_entities)
        )
        completion = self.model.complete(prompt, TextFactsReply, temperature=TEMPERATURE)
        reading.input_tokens += completion.input_tokens
        reading.output_tokens += completion.output_tokens
        return _ReplyCheck(text, offset, self.threshold).checked(completion.output, known_entities)


def _material(text: str, known_entities: Sequence[GraphEntity]) -> str:
    catalogue = [f"- {each.id}: {each.name} ({each.type.value})" for each in known_entities]
    listed = ["Known entities:", *catalogue, ""] if catalogue else []
    return "\n".join([*listed, "<text>", text, "</text>"])


@dataclass(slots=True)
class _ReplyCheck:
    """What of a reply can be believed: names that are in the text, and relations whose words are."""

    text: str
    offset: int
    threshold: float
    notes: list[str] = field(default_factory=list)

    def checked(self, reply: TextFactsReply, known_entities: Sequence[GraphEntity]) -> ExtractedFacts:
        ends: dict[str, NamedEntity] = {}
        for found in reply.entities[:MAX_ENTITIES]:
            if named := self._named(found):
                ends[_slug(found.id)] = ends[_slug(found.name)] = named
        names = dict.fromkeys(ends.values())
        for each in known_entities:
            named = NamedEntity(name=each.name, type=each.type, start=self.offset, end=self.offset + 1)
            ends.setdefault(_slug(each.name), ends.setdefault(_slug(each.id), named))
        found_facts = (self._fact(relation, ends) for relation in reply.relations[:MAX_RELATIONS])
        facts = tuple(fact for fact in found_facts if fact)
        return ExtractedFacts(names=tuple(names), facts=facts, notes=tuple(self.notes))

    def _named(self, entity: FoundEntity) -> NamedEntity | None:
        confidence = min(max(entity.confidence, 0.0), 1.0)
        if confidence < self.threshold:
            return None
        place = next((place for name in [entity.name, *entity.aliases] if (place := _place(name, self.text))), None)
        if place is None:
            self.notes.append(f"`{entity.name}` was left out: the text does not name it.")
            return None
        description = (entity.description or "").strip()[:MAX_DESCRIPTION]
        try:
            return NamedEntity(
                name=checks.name("name", " ".join(entity.name.split())),
                type=entity_type(entity.type),
                start=self.offset + place[0],
                end=self.offset + place[1],
                confidence=confidence,
                description=description or None,
                aliases=tuple(alias for alias in entity.aliases if _place(alias, self.text))[:10],
            )
        except Invalid as error:
            self.notes.append(f"An entity was left out: {error}")
            return None

    def _fact(self, relation: FoundRelation, ends: Mapping[str, NamedEntity]) -> Fact | None:
        confidence = min(max(relation.confidence, 0.0), 1.0)
        if confidence < self.threshold:
            return None
        said = f"{relation.source} {relation.relation} {relation.target}"
        source, target = ends.get(_slug(relation.source)), ends.get(_slug(relation.target))
        if source is None or target is None or source is target:
            self.notes.append(f"`{said}` was left out: it does not lead from one known entity to another.")
            return None
        start = self.text.find(relation.quote) if relation.quote.strip() else -1
        if start < 0:
            self.notes.append(f"`{said}` was left out: its words are not in the text.")
            return None
        return Fact(
            subject=source,
            predicate=_predicate(relation.relation),
            object=target,
            quote=(self.offset + start, self.offset + start + len(relation.quote)),
            confidence=confidence,
            rule=RULE,
        )


def _predicate(relation: str) -> str:
    try:
        predicate = check_predicate(relation)
    except Invalid:
        return RELATED_TO
    return predicate if predicate in PREDICATES else RELATED_TO


def _place(name: str, text: str) -> tuple[int, int] | None:
    words = name.split()
    if not words:
        return None
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)"
    match = re.search(pattern, text, re.IGNORECASE)
    return match.span() if match else None


def _slug(text: str) -> str:
    return "-".join(re.findall(r"\w+", text.casefold()))


def _merged(parts: Sequence[ExtractedFacts]) -> ExtractedFacts:
    """The pieces as one: each entity once, the surest, and each relation once."""
    names: dict[str, NamedEntity] = {}
    for named in (each for part in parts for each in part.names):
        key = _slug(named.name)
        if key not in names or names[key].confidence < named.confidence:
            names[key] = named
    facts: dict[tuple[str, str | None, str], Fact] = {}
    for fact in (each for part in parts for each in part.facts):
        ends = (_end(fact.subject), fact.predicate, _end(fact.object))
        if ends not in facts or facts[ends].confidence < fact.confidence:
            facts[ends] = fact
    return ExtractedFacts(
        names=tuple(names.values()),
        facts=tuple(facts.values()),
        notes=tuple(note for part in parts for note in part.notes),
    )


def _end(end: object) -> str:
    return _slug(end.name) if isinstance(end, NamedEntity) else str(end)


MAX_CHUNK = 12_000

# Where a text may be cut, best first: between paragraphs, between lines, after a sentence, between words.
_PAUSES = (re.compile(r"\n[ \t]*\n\s*"), re.compile(r"\n"), re.compile(r"(?<=[.!?。！？])\s*"), re.compile(r"\s"))


def chunks(text: str, limit: int = MAX_CHUNK) -> list[tuple[int, int]]:
    """Where each piece begins and ends; together they are the whole text, and none is longer than `limit`."""
    pieces = [(0, chunk_end(text, 0, limit))]
    while pieces[-1][1] < len(text):
        start = pieces[-1][1]
        pieces.append((start, chunk_end(text, start, limit)))
    return pieces


def chunk_end(text: str, start: int, limit: int = MAX_CHUNK) -> int:
    """Where the piece that begins at `start` ends."""
    return _cut(text, start, start + limit) if len(text) - start > limit else len(text)


def _cut(text: str, start: int, end: int) -> int:
    """The last good place to cut in the second half of a piece."""
    half = start + (end - start) // 2
    for pause in _PAUSES:
        places = [match.end() for match in pause.finditer(text, half, end) if half < match.end() <= end]
        if places:
            return places[-1]
    return end
