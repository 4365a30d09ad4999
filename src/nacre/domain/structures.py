"""Structured part of a memory, as a caller hands it over: entities and their relations, claims, and hints to find it
by.

A part that cannot be read is refused with a reason, and the rest stands.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from nacre.domain import checks, keys
from nacre.domain.claims import MAX_VALUE, MIN_CLAIM_KEY
from nacre.domain.entities import EntityType, entity_type
from nacre.domain.errors import Invalid
from nacre.domain.links import check_predicate
from nacre.domain.memories import Refusal

T = TypeVar("T")

CONFIDENCE = 0.7
MAX_TRIPLES = 50
MAX_SIDES = 50
MAX_STATEMENTS = 100
MAX_HINTS = 20
MIN_HINT, MAX_HINT = 5, 300

_PARTS = ("entities", "aspects", "hints")
_TRIPLE = {"source", "source_type", "relationship", "target", "target_type", "confidence"}
_SIDE = {"entity_name", "entity_type", "aspect", "attributes"}
_STATEMENT = {"group_key", "claim_key", "content", "confidence", "importance"}


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMention:
    """An entity by its name and its type."""

    name: str
    type: EntityType


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """An entity, and what relates it to another where that was said."""

    item: str
    source: EntityMention
    relationship: str | None
    target: EntityMention | None
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredClaim:
    """A value of a claim. Without an importance, the memory's own weight decides."""

    item: str
    content: str
    group: str | None
    claim: str | None
    confidence: float
    importance: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredAspect:
    """An aspect of an entity, and what is said there."""

    item: str
    entity: EntityMention
    aspect: str
    statements: tuple[StructuredClaim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """The structured part of a memory, as far as it can be read."""

    triples: tuple[Triple, ...] = ()
    sides: tuple[StructuredAspect, ...] = ()
    hints: tuple[str, ...] = ()
    refused: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()


def to_structure(value: object) -> Structure:
    """Read what a caller handed over; keys may be written `entityName` or `entity_name`."""
    if not isinstance(value, Mapping):
        raise Invalid("structured", f"must map {', '.join(_PARTS)} to lists, not {type(value).__name__}")
    reading = _StructureReader()
    parts = reading.fields("structured", value, set(_PARTS))
    triples = reading.each("entities", parts.get("entities"), MAX_TRIPLES, reading.triple)
    sides = reading.each("aspects", parts.get("aspects"), MAX_SIDES, reading.side)
    hints = reading.each("hints", parts.get("hints"), MAX_HINTS, _hint)
    if sum(len(side.statements) for side in sides) > MAX_STATEMENTS:
        raise Invalid("attributes", f"may be at most {MAX_STATEMENTS} in all")
    return Structure(
        triples=tuple(triples),
        sides=tuple(sides),
        hints=tuple(dict.fromkeys(hints)),
        refused=tuple(reading.refused),
        notes=tuple(reading.notes),
    )


@dataclass(slots=True)
class _StructureReader:
    refused: list[Refusal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def each(self, name: str, values: object, limit: int, read: Callable[[str, object], T]) -> list[T]:
        """What can be read of a list; the rest is refused."""
        if values is None:
            return []
        if isinstance(values, str | Mapping) or not isinstance(values, Sequence):
            raise Invalid(name, f"must be a list, not {type(values).__name__}")
        if len(values) > limit:
            raise Invalid(name, f"has {len(values)} entries; at most {limit} are allowed")
        found = []
        for place, value in enumerate(values):
            item = f"{name}[{place}]"
            try:
                found.append(read(item, value))
            except Invalid as error:
                self.refused.append(Refusal(item=item, why=str(error)))
        return found

    def fields(self, item: str, value: object, allowed: set[str]) -> dict[str, object]:
        """An object's fields under their own names; what is not known is noted and left out."""
        if not isinstance(value, Mapping):
            raise Invalid(item, f"must be an object, not {type(value).__name__}")
        fields: dict[str, object] = {}
        for name, each in value.items():
            key = keys.canonical(item, name)
            if key in fields:
                raise Invalid(key, "is given twice")
            if key not in allowed:
                self.notes.append(f"{item}: `{name}` is not known and was left out.")
            elif each is not None:
                fields[key] = each
        return fields

    def triple(self, item: str, value: object) -> Triple:
        held = self.fields(item, value, _TRIPLE)
        relationship, target = held.get("relationship"), held.get("target")
        if (relationship is None) != (target is None):
            raise Invalid("target", "and `relationship` are given together or not at all")
        return Triple(
            item=item,
            source=self._mentioned(item, "source", held.get("source"), held.get("source_type")),
            relationship=None if relationship is None else check_predicate(relationship),
            target=None if target is None else self._mentioned(item, "target", target, held.get("target_type")),
            confidence=checks.fraction("confidence", held.get("confidence", CONFIDENCE)),
        )

    def side(self, item: str, value: object) -> StructuredAspect:
        held = self.fields(item, value, _SIDE)
        aspect = checks.name("aspect", held.get("aspect"))
        keys.canonical("aspect", aspect)
        return StructuredAspect(
            item=item,
            entity=self._mentioned(item, "entity_name", held.get("entity_name"), held.get("entity_type")),
            aspect=aspect,
            statements=tuple(self.each(f"{item}.attributes", held.get("attributes"), MAX_STATEMENTS, self._statement)),
        )

    def _statement(self, item: str, value: object) -> StructuredClaim:
        held = self.fields(item, value, _STATEMENT)
        group, importance = held.get("group_key"), held.get("importance")
        return StructuredClaim(
            item=item,
            content=checks.text("content", held.get("content"), limit=MAX_VALUE),
            group=None if group is None else keys.canonical("group_key", group),
            claim=None if "claim_key" not in held else self._claim_key(item, held["claim_key"]),
            confidence=checks.fraction("confidence", held.get("confidence", CONFIDENCE)),
            importance=None if importance is None else checks.fraction("importance", importance),
        )

    def _claim_key(self, item: str, value: object) -> str | None:
        try:
            key = keys.canonical("claim_key", value)
        except Invalid:
            key = ""
        if len(key) >= MIN_CLAIM_KEY:
            return key
        self.notes.append(f"{item}: the claim key {value!r:.50} says too little; the value was kept without one.")
        return None

    def _mentioned(self, item: str, field_name: str, name: object, kind: object) -> EntityMention:
        known = EntityType.UNKNOWN if kind is None else entity_type(checks.name("type", kind))
        if known is EntityType.UNKNOWN and kind is not None and str(kind).strip().lower() != known.value:
            self.notes.append(f"{item}: {kind!r:.50} is no type that is known; `unknown` was stored.")
        return EntityMention(name=" ".join(checks.name(field_name, name).split()), type=known)


def _hint(item: str, value: object) -> str:
    hint = " ".join(checks.text(item, value).split())
    if not MIN_HINT <= len(hint) <= MAX_HINT:
        raise Invalid("hint", f"must have from {MIN_HINT} to {MAX_HINT} characters, not {len(hint)}")
    return hint


def names(structure: Structure) -> Iterable[EntityMention]:
    """Every entity that is named, in order."""
    for triple in structure.triples:
        yield triple.source
        if triple.target:
            yield triple.target
    for side in structure.sides:
        yield side.entity
