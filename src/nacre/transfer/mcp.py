"""The file of the MCP reference memory server: an entity or a relation on each line."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TextIO

from nacre.domain import checks
from nacre.domain.claims import Claim
from nacre.domain.entities import EntityType, entity_type
from nacre.domain.links import check_predicate
from nacre.domain.operations import UpsertEntity
from nacre.domain.transfers import SkippedRecord
from nacre.transfer.graphs import ScopeGraph
from nacre.transfer.intake import OBSERVATIONS
from nacre.transfer.records import (
    EntityRecord,
    FileRecords,
    LinkRecord,
    Record,
    attempt,
    json_of,
    lines_of,
    list_of,
    object_of,
    text_of,
)

# A property of an entity whose type no document knows: what the file calls it.
TYPE = "entity_type"
# And one of a link whose relation is spelled otherwise there.
RELATION = "relation_type"


def parse(data: Iterable[bytes]) -> FileRecords:
    """The records of a file: entities first, so that relations find them."""
    read = [(where, attempt(where, partial(_object, line))) for where, line in lines_of(data)]
    things = [_record(where, entry) for where, entry in read if _type(entry) != "relation"]
    edges = [_record(where, entry) for where, entry in read if _type(entry) == "relation"]
    return FileRecords(things + edges)


def _object(line: bytes) -> dict[str, Any]:
    return object_of(json_of(line))


def _type(entry: Mapping[str, Any] | SkippedRecord) -> object:
    return None if isinstance(entry, SkippedRecord) else entry.get("type")


def _record(where: str, entry: dict[str, Any] | SkippedRecord) -> Record:
    if isinstance(entry, SkippedRecord):
        return entry
    kinds: dict[str, Callable[[str, dict[str, Any]], Record]] = {"entity": _thing, "relation": _edge}
    return attempt(where, lambda: kinds[checks.choice("type", entry.get("type"), kinds)](where, entry))


def _thing(where: str, entry: dict[str, Any]) -> EntityRecord:
    name, given = " ".join(text_of(entry, "name").split()), entry.get("entityType") or EntityType.UNKNOWN.value
    kind = entity_type(given)
    known = kind is not EntityType.UNKNOWN or given == kind.value
    said = [checks.text(OBSERVATIONS, each) for each in list_of(entry, OBSERVATIONS)]
    upsert = UpsertEntity(name=name, type=kind, properties={} if known else {TYPE: checks.name(TYPE, given)})
    return EntityRecord(where=where, key=name, upsert=upsert, said=tuple(said))


def _edge(where: str, entry: dict[str, Any]) -> LinkRecord:
    ends = {end: " ".join(text_of(entry, end).split()) for end in ("from", "to")}
    relation = text_of(entry, "relationType")
    return LinkRecord(
        where=where,
        source=ends["from"],
        predicate=relation,
        target=ends["to"],
        properties={} if check_predicate(relation) == relation else {RELATION: relation},
    )


def write(graph: ScopeGraph, out: TextIO) -> dict[str, int]:
    """Write the graph as such a file; returns how many lines of each kind that were."""
    relations = 0
    for portrait in graph.portraits():
        entity = portrait.entity
        said = [_sentence(claim) for claim in portrait.claims]
        said += [f"{link.predicate}: {link.value}" for link in portrait.links if link.value is not None]
        kind = entity.properties.get(TYPE, entity.type.value)
        _write(out, {"type": "entity", "name": graph.names[entity.id], "entityType": kind, OBSERVATIONS: said})
    for portrait in graph.portraits():
        for link in portrait.links:
            if link.target is not None:
                ends = {"from": graph.names[link.source], "to": graph.names[link.target]}
                _write(out, {"type": "relation", **ends, "relationType": link.properties.get(RELATION, link.predicate)})
                relations += 1
    return {"entities": len(graph.entities), "relations": relations}


def _sentence(claim: Claim) -> str:
    if claim.slot.aspect == OBSERVATIONS:
        return claim.value
    return f"{claim.slot.claim or claim.slot.aspect}: {claim.value}"


def _write(out: TextIO, line: Mapping[str, Any]) -> None:
    out.write(json.dumps(line, ensure_ascii=False) + "\n")
