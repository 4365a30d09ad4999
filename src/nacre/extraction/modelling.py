"""Text to names and facts by a language model. What it says is believed only with the words that say so."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from nacre.domain import checks
from nacre.domain.entities import EntityType, entity_type
from nacre.domain.errors import Invalid, Unavailable
from nacre.domain.facts import Extracted, Fact, Named
from nacre.domain.links import PREDICATES, RELATED_TO, check_predicate
from nacre.domain.operations import MAX_DESCRIPTION
from nacre.extraction.chunking import chunks
from nacre.models.language_models import LanguageModel, Prompt, prompt_text

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


class Reply(BaseModel):
    """What the text says."""

    entities: list[FoundEntity] = _told(maxItems=MAX_ENTITIES)
    relations: list[FoundRelation] = _told(maxItems=MAX_RELATIONS)


@dataclass(frozen=True, slots=True)
class Known:
    """An entity that the graph has already."""

    id: str
    name: str
    type: EntityType


@dataclass(slots=True)
class Reading:
    """What a model found, what it cost, and what went wrong."""

    found: Extracted = field(default_factory=Extracted)
    chunks: int = 0
    failed: list[str] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        """What it cost in all."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A language model that reads texts for a graph. `token_cap` is the most that one text may cost."""

    model: LanguageModel
    threshold: float = THRESHOLD
    directives: Path | None = None
    token_cap: int | None = None

    def read(self, text: str, known: Sequence[Known] = ()) -> Reading:
        """What the model finds in a text, piece by piece; a piece that fails is reported and the others count."""
        reading = Reading()
        parts: list[Extracted] = []
        for start, end in chunks(text):
            reading.chunks += 1
            if self.token_cap is not None and reading.tokens >= self.token_cap:
                spent = f"the budget of {self.token_cap:,} tokens is spent"
                reading.failed.append(f"Characters {start} to {end} were not read: {spent}.")
                continue
            try:
                parts += self._piece(text, (start, end), known, reading)
            except Unavailable as error:
                reading.failed.append(f"Characters {start} to {end} were not read: {error}")
        reading.found = _merged(parts)
        return reading

    def _piece(self, text: str, span: tuple[int, int], known: Sequence[Known], reading: Reading) -> list[Extracted]:
        start, end = span
        try:
            return [self._ask(text[start:end], start, known, reading)]
        except Unavailable:
            if end - start <= SHORTEST_HALVED:
                raise
            # A reply that grew too long was cut off; half the text gets a shorter one.
            halves = chunks(text[start:end], (end - start + 1) // 2 + 1)
            return [self._ask(text[start + a : start + b], start + a, known, reading) for a, b in halves]

    def _ask(self, text: str, offset: int, known: Sequence[Known], reading: Reading) -> Extracted:
        prompt = Prompt(instructions=prompt_text(DIRECTIVE, self.directives), material=_material(text, known))
        completion = self.model.complete(prompt, Reply, temperature=TEMPERATURE)
        reading.input_tokens += completion.input_tokens
        reading.output_tokens += completion.output_tokens
        return _Checking(text, offset, self.threshold).checked(completion.output, known)


def _material(text: str, known: Sequence[Known]) -> str:
    catalogue = [f"- {each.id}: {each.name} ({each.type.value})" for each in known]
    listed = ["Known entities:", *catalogue, ""] if catalogue else []
    return "\n".join([*listed, "<text>", text, "</text>"])


@dataclass(slots=True)
class _Checking:
    """What of a reply can be believed: names that are in the text, and relations whose words are."""

    text: str
    offset: int
    threshold: float
    notes: list[str] = field(default_factory=list)

    def checked(self, reply: Reply, known: Sequence[Known]) -> Extracted:
        ends: dict[str, Named] = {}
        for found in reply.entities[:MAX_ENTITIES]:
            if named := self._named(found):
                ends[_slug(found.id)] = ends[_slug(found.name)] = named
        names = dict.fromkeys(ends.values())
        for each in known:
            named = Named(name=each.name, type=each.type, start=self.offset, end=self.offset + 1)
            ends.setdefault(_slug(each.name), ends.setdefault(_slug(each.id), named))
        found_facts = (self._fact(relation, ends) for relation in reply.relations[:MAX_RELATIONS])
        facts = tuple(fact for fact in found_facts if fact)
        return Extracted(names=tuple(names), facts=facts, notes=tuple(self.notes))

    def _named(self, found: FoundEntity) -> Named | None:
        confidence = min(max(found.confidence, 0.0), 1.0)
        if confidence < self.threshold:
            return None
        place = next((place for name in [found.name, *found.aliases] if (place := _place(name, self.text))), None)
        if place is None:
            self.notes.append(f"`{found.name}` was left out: the text does not name it.")
            return None
        description = (found.description or "").strip()[:MAX_DESCRIPTION]
        try:
            return Named(
                name=checks.name("name", " ".join(found.name.split())),
                type=entity_type(found.type),
                start=self.offset + place[0],
                end=self.offset + place[1],
                confidence=confidence,
                description=description or None,
                aliases=tuple(alias for alias in found.aliases if _place(alias, self.text))[:10],
            )
        except Invalid as error:
            self.notes.append(f"An entity was left out: {error}")
            return None

    def _fact(self, relation: FoundRelation, ends: Mapping[str, Named]) -> Fact | None:
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


def _merged(parts: Sequence[Extracted]) -> Extracted:
    """The pieces as one: each entity once, the surest, and each relation once."""
    names: dict[str, Named] = {}
    for named in (each for part in parts for each in part.names):
        key = _slug(named.name)
        if key not in names or names[key].confidence < named.confidence:
            names[key] = named
    facts: dict[tuple[str, str | None, str], Fact] = {}
    for fact in (each for part in parts for each in part.facts):
        ends = (_end(fact.subject), fact.predicate, _end(fact.object))
        if ends not in facts or facts[ends].confidence < fact.confidence:
            facts[ends] = fact
    return Extracted(
        names=tuple(names.values()),
        facts=tuple(facts.values()),
        notes=tuple(note for part in parts for note in part.notes),
    )


def _end(end: object) -> str:
    return _slug(end.name) if isinstance(end, Named) else str(end)
