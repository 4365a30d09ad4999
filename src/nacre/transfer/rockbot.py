"""The folders of RockBot: a file for each entity, triple and memory, with the fields of its documents.

What has no place of its own here is kept as it was, so that the same file can be written again.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

from nacre.domain import checks
from nacre.domain.entities import EntityType, entity_type
from nacre.domain.errors import Invalid
from nacre.domain.memories import GENERAL, Status, check_metadata
from nacre.domain.operations import UpsertEntity
from nacre.transfer.records import (
    MAX_RECORD,
    EntityRecord,
    FileRecords,
    LinkRecord,
    MemoryRecord,
    Record,
    attempt,
    instant_of,
    json_of,
    list_of,
    object_of,
    text_of,
    written,
)

ENTITIES, TRIPLES, MEMORIES = "knowledge-graph/entities", "knowledge-graph/triples", "memory"
# Under this name, and for entities and triples with their id, is kept what has no place of its own here.
KEPT = "rockbot"
# The mark of an entity that only triples speak of: there is no file for it.
STUB = f"{KEPT}:stub"
# RockBot writes a type as its number.
TYPES = ("person", "project", "topic", "tool", "event", "document")
# The type of an entity that RockBot has no name for, among its metadata.
OUR_TYPE = "nacre_type"
UNSURE = 0.5
# Where the documents say nothing of importance.
IMPORTANCE = 0.5


def is_folder(path: Path) -> bool:
    """Whether a folder is laid out as RockBot's."""
    return (path / "knowledge-graph").is_dir() or (path / MEMORIES).is_dir()


def parse(path: Path) -> FileRecords:
    """The records of a folder: entities, then the triples between them, then memories."""
    if not is_folder(path):
        raise Invalid("path", f"must hold `knowledge-graph` or `{MEMORIES}`; `{path.name}` holds neither")
    return FileRecords(_records(path))


def _records(root: Path) -> Iterator[Record]:
    for folder, read in ((ENTITIES, _thing), (TRIPLES, _edge), (MEMORIES, _entry)):
        for file in _files(root / folder):
            where = file.relative_to(root).as_posix()
            yield attempt(where, partial(_read, root, file, where, read))


def _files(folder: Path) -> list[Path]:
    # What begins with a dot is RockBot's own, such as vectors.
    found = folder.rglob("*.json") if folder.is_dir() else []
    return sorted(file for file in found if not any(part.startswith(".") for part in file.relative_to(folder).parts))


def _read(root: Path, file: Path, where: str, read: Any) -> Record:
    if not file.resolve().is_relative_to(root.resolve()):
        raise Invalid("file", "leads out of the folder")
    if not file.is_file() or file.stat().st_size > MAX_RECORD:
        raise Invalid("file", f"must be a file of at most {MAX_RECORD // 2**20} MiB")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise Invalid("file", f"cannot be read: {error.strerror}") from error
    record: Record = read(where, _lowered(object_of(json_of(data))))
    return record


def _lowered(document: Mapping[str, Any]) -> dict[str, Any]:
    """Fields in camelCase; RockBot reads any case."""
    return {name[:1].lower() + name[1:]: value for name, value in document.items()}


def _thing(where: str, document: dict[str, Any]) -> EntityRecord:
    key = checks.name("id", document.get("id"))
    name = text_of(document, "name")
    metadata = placed_metadata(document.get("metadata"))
    aliases = tuple(checks.text("aliases", each) for each in list_of(document, "aliases"))
    for field in ("createdAt", "lastReferencedAt"):
        instant_of(document, field)
    upsert = UpsertEntity(
        name=name,
        type=type_of(document.get("entityType"), metadata),
        aliases=aliases,
        properties={**metadata, f"{KEPT}:{key}": written(_unplaced(document, metadata))},
    )
    return EntityRecord(where=where, key=key, upsert=upsert, apart=key)


def type_of(value: object, metadata: Mapping[str, str]) -> EntityType:
    """The type that a document means: by its number or its name, or ours where RockBot has none for it."""
    if OUR_TYPE in metadata:
        return entity_type(metadata[OUR_TYPE])
    if type(value) is int and 0 <= value < len(TYPES):
        return EntityType(TYPES[value])
    return entity_type(value if isinstance(value, str) else "")


def placed_metadata(value: object) -> dict[str, str]:
    """Metadata as properties hold it; none of it where one entry could not be held."""
    try:
        held = check_metadata(value)
    except Invalid:
        return {}
    return {} if any(name.startswith(KEPT) for name in held) else held


def _unplaced(document: Mapping[str, Any], metadata: Mapping[str, str]) -> dict[str, Any]:
    gone = ("name", "content", *(("metadata",) if metadata else ()))
    return {name: value for name, value in document.items() if name not in gone}


def confidence_of(document: Mapping[str, Any]) -> float:
    """How sure a triple is, from 0 to 1."""
    value = document.get("confidence")
    if value is None:
        return UNSURE
    if isinstance(value, bool) or not isinstance(value, int | float) or isnan(value):
        raise Invalid("confidence", f"must be a number, not {value!r:.50}")
    return float(min(1, max(0, value)))


def _edge(where: str, document: dict[str, Any]) -> LinkRecord:
    key = checks.name("id", document.get("id"))
    instant_of(document, "createdAt")
    return LinkRecord(
        where=where,
        source=text_of(document, "subject"),
        predicate=text_of(document, "predicate"),
        target=text_of(document, "object"),
        plain=True,
        confidence=confidence_of(document),
        properties={f"{KEPT}:{key}": written(document)},
        stub={STUB: "triples"},
    )


def importance_of(document: Mapping[str, Any]) -> float:
    """How much a memory matters, from 0 to 1."""
    value = document.get("importanceScore")
    if value is None:
        value = document.get("importance")
    return IMPORTANCE if value is None else checks.fraction("importanceScore", value)


def _entry(where: str, document: dict[str, Any]) -> MemoryRecord:
    key = checks.name("id", document.get("id"))
    folder = "/".join(where.split("/")[1:-1])
    category = document.get("category")
    metadata = placed_metadata(document.get("metadata"))
    created = instant_of(document, "createdAt")
    if created is None:
        raise Invalid("createdAt", "is missing")
    archived, replaced = instant_of(document, "archivedAt"), document.get("supersededBy")
    out = archived is not None or replaced is not None
    reinforced = document.get("reinforcementCount")
    return MemoryRecord(
        where=where,
        origin=key,
        content=text_of(document, "content"),
        category=(folder or GENERAL) if category is None else category,
        tags=tuple(list_of(document, "tags")),
        metadata={**metadata, KEPT: written(_unplaced(document, metadata))},
        importance=importance_of(document),
        reinforced=reinforced if type(reinforced) is int and 0 <= reinforced < 2**31 else 0,
        created_at=created,
        updated_at=instant_of(document, "updatedAt"),
        last_seen_at=instant_of(document, "lastSeenAt"),
        status=Status.ARCHIVED if out else Status.ACTIVE,
        archived_at=(archived or instant_of(document, "updatedAt") or created) if out else None,
        archive_reason=str(document.get("archiveReason") or f"superseded by {replaced}") if out else None,
    )
