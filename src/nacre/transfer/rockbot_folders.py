"""Writes a scope as RockBot's folders: what came from such a folder as it was there, unless it was changed since."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any
from uuid import UUID

from nacre.domain.entities import Entity
from nacre.domain.errors import Invalid
from nacre.domain.links import Link, check_predicate
from nacre.domain.memories import Memory, Status, check_category
from nacre.domain.plain import plain
from nacre.text import injections
from nacre.text.names import match_key
from nacre.transfer.graphs import ScopeGraph
from nacre.transfer.records import instant_of
from nacre.transfer.rockbot import (
    ENTITIES,
    KEPT,
    MEMORIES,
    OUR_TYPE,
    STUB,
    TRIPLES,
    TYPES,
    confidence_of,
    importance_of,
    type_of,
)

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
# The order in which the documents list their fields; others follow.
_ENTITY = ("id", "name", "entityType", "aliases", "metadata", "createdAt", "lastReferencedAt")
_TRIPLE = ("id", "subject", "predicate", "object", "confidence", "sourceEpisodeId", "createdAt")
_MEMORY = ("id", "content", "category", "tags", "createdAt", "updatedAt", "metadata")

Document = dict[str, Any]


def write(graph: ScopeGraph, memories: Iterable[tuple[Memory, str]], root: Path) -> dict[str, int]:
    """Write every entity, triple and memory into an empty folder; returns how many of each there are."""
    documents = _Documents(graph)
    files = _Files(root)
    counts = {"entities": 0, "triples": 0, "memories": 0}
    for entity in graph.entities:
        # There was no file for what only triples speak of.
        if STUB not in entity.properties:
            counts["entities"] += files.add(ENTITIES, documents.entity(entity))
    for portrait in graph.portraits():
        for link in portrait.links:
            counts["triples"] += sum(files.add(TRIPLES, each) for each in documents.triples(link))
    for memory, said in memories:
        kept = _kept(memory.metadata.get(KEPT))
        was_out = kept.get("archivedAt") is not None or kept.get("supersededBy") is not None
        if memory.status is Status.ACTIVE or was_out:
            counts["memories"] += files.add(
                f"{MEMORIES}/{check_category(memory.category)}", _memory(memory, said, kept)
            )
    return counts


class _Files:
    """A folder that is being filled. No id and no category can lead out of it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._taken: set[str] = set()

    def add(self, folder: str, document: Document) -> int:
        """Write a document as a file of its own; returns that it is one."""
        path = self._root / folder / f"{self._free(folder, str(document['id']))}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        return 1

    def _free(self, folder: str, key: str) -> str:
        safe = _FILE_NAME.fullmatch(key) and f"{folder}/{key}".lower() not in self._taken
        name = key if safe else f"{len(self._taken)}-{blake2b(key.encode(), digest_size=6).hexdigest()}"
        self._taken.add(f"{folder}/{name}".lower())
        return name


class _Documents:
    """What RockBot's files say of a graph."""

    def __init__(self, graph: ScopeGraph) -> None:
        self._entities: dict[UUID, Entity] = {entity.id: entity for entity in graph.entities}
        self._ids: dict[UUID, str] = {
            entity.id: next(iter(sorted(_marks(entity.properties))), entity.id.hex[-12:]) for entity in graph.entities
        }

    def entity(self, entity: Entity) -> Document:
        """The document of an entity."""
        key = self._ids[entity.id]
        kept = _kept(entity.properties.get(f"{KEPT}:{key}"))
        metadata = {name: value for name, value in entity.properties.items() if not name.startswith(KEPT)}
        kind = kept.get("entityType")
        if not kept or type_of(kind, metadata) is not entity.type:
            metadata.pop(OUR_TYPE, None)
            metadata |= {} if entity.type.value in TYPES else {OUR_TYPE: entity.type.value}
            kind = TYPES.index(entity.type.value if entity.type.value in TYPES else "topic")
        values = {
            "id": key,
            "name": entity.name,
            "entityType": kind,
            "aliases": _aliases(entity, kept.get("aliases")),
            "metadata": metadata or kept.get("metadata"),
            "createdAt": kept.get("createdAt", plain(entity.created_at)),
            "lastReferencedAt": _later(kept, "lastReferencedAt", entity.last_referenced_at),
        }
        return _ordered(_ENTITY, values, kept)

    def triples(self, link: Link) -> Iterator[Document]:
        """The documents of a link: one, or one for each triple that said the same."""
        came = {key: _kept(link.properties[f"{KEPT}:{key}"]) for key in sorted(_marks(link.properties))}
        surest = max(map(confidence_of, came.values()), default=None)
        for key, kept in (came or {link.id.hex[-12:]: {}}).items():
            said = kept.get("predicate")
            values = {
                "id": key,
                "subject": self._end(link.source, kept.get("subject")),
                "predicate": said if said and check_predicate(said) == link.predicate else link.predicate,
                "object": link.value if link.target is None else self._end(link.target, kept.get("object")),
                "confidence": kept.get("confidence") if surest == link.confidence else link.confidence,
                "sourceEpisodeId": kept.get("sourceEpisodeId", plain(link.evidence)),
                "createdAt": kept.get("createdAt", plain(link.created_at)),
            }
            yield _ordered(_TRIPLE, values, kept)

    def _end(self, entity_id: UUID, written_name: object) -> str:
        """What a triple calls an entity: as it did, if that still means it."""
        entity = self._entities[entity_id]
        names = {match_key(name) for name in (entity.name, *entity.aliases)}
        ids = {key.casefold() for key in (self._ids[entity_id], *_marks(entity.properties))}
        if isinstance(written_name, str) and (written_name.casefold() in ids or match_key(written_name) in names):
            return written_name
        return entity.name if STUB in entity.properties else self._ids[entity_id]


def _memory(memory: Memory, text: str, document: Document) -> Document:
    metadata = {name: value for name, value in memory.metadata.items() if name != KEPT}
    category = document.get("category", memory.category)
    never_updated = "updatedAt" in document and document["updatedAt"] is None and memory.updated_at == memory.created_at
    values = {
        "id": document.get("id", memory.short),
        # Orders are quoted in an entry; its evidence has the words as they came.
        "content": text if injections.neutral(text) == memory.content else memory.content,
        "category": category if category in (None, memory.category) else memory.category,
        "tags": list(memory.tags),
        "createdAt": _same(document, "createdAt", memory.created_at),
        "updatedAt": None if never_updated else _same(document, "updatedAt", memory.updated_at),
        "metadata": metadata or document.get("metadata"),
    }
    if importance_of(document) != memory.importance:
        values["importanceScore"] = memory.importance
    return _ordered(_MEMORY, values, document)


def _marks(properties: Mapping[str, str]) -> list[str]:
    """The ids that something has in RockBot's files."""
    return [name.removeprefix(f"{KEPT}:") for name in properties if name.startswith(f"{KEPT}:") and name != STUB]


def _kept(text: str | None) -> Document:
    """What was kept of a document. People may have changed it since; then it is as if there were none."""
    try:
        found = json.loads(text or "{}")
        return {} if not isinstance(found, dict) or _broken(found) else found
    except ValueError:
        return {}


def _broken(document: Document) -> bool:
    try:
        for name in ("createdAt", "updatedAt", "lastReferencedAt"):
            instant_of(document, name)
        confidence_of(document)
        importance_of(document)
    except Invalid:
        return True
    return False


def _aliases(entity: Entity, written_names: object) -> list[str]:
    """Its other names in their old order and spelling, if they are the same."""
    given = [each for each in written_names if isinstance(each, str)] if isinstance(written_names, list) else []
    own = match_key(entity.name)
    if {match_key(each) for each in given} - {own} == {match_key(each) for each in entity.aliases} - {own}:
        return given
    return list(entity.aliases)


def _same(document: Document, name: str, moment: datetime) -> Any:
    """A time as it was written, if it is the same."""
    return document[name] if name in document and instant_of(document, name) == moment else plain(moment)


def _later(document: Document, name: str, moment: datetime | None) -> Any:
    then = instant_of(document, name)
    return plain(moment) if moment and (then is None or moment > then) else document.get(name)


def _ordered(fields: Sequence[str], values: Document, document: Document) -> Document:
    """The fields in the documents' order; what else was in the file follows."""
    every = {**document, **values}
    return {name: every[name] for name in (*fields, *(name for name in every if name not in fields))}
