"""The graph of Zep or Graphiti: nodes, edges and episodes, as the API returns them or as Neo4j exports them.

Either one object with `nodes`, `edges` and `episodes`, or a list or lines of them, or what `apoc.export.json` writes.
The fields are those of `graphiti_core` 0.3 and later.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from nacre.domain import checks
from nacre.domain.entities import EntityType, entity_type
from nacre.domain.errors import Invalid
from nacre.domain.memories import Status
from nacre.domain.operations import UpsertEntity
from nacre.domain.transfers import Format, SkippedRecord
from nacre.domain.turns import Role
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
    lines_of,
    mapping,
    message,
    sequence,
    text_of,
    texts,
    written,
)

_LISTS = ("nodes", "edges", "episodes")
_UNKNOWN = "holds nothing of Zep or Graphiti: no record has `uuid` with `name`, `fact` or `content`"
_FACTS, _EPISODES = "facts", "episodes"
# Labels that say what a node is in the graph, not what it stands for.
_PLAIN_LABELS = ("Entity", "Node")
# Fields of a node that have a place of their own, or that mean nothing elsewhere.
_PLACED = ("uuid", "name", "summary", "labels", "attributes", "created_at", "name_embedding", "score", "relevance")

Placed = tuple[str, Mapping[str, Any]]


@dataclass(slots=True)
class _Dump:
    """The records of a dump by what they are; things come before what leads to them."""

    nodes: list[Placed] = field(default_factory=list)
    edges: list[Placed] = field(default_factory=list)
    episodes: list[Placed] = field(default_factory=list)
    skipped: list[SkippedRecord] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    # What Neo4j calls a node, and its own id.
    keys: dict[str, str] = field(default_factory=dict)

    def add(self, where: str, value: object) -> None:
        """Put a record to its like."""
        record = mapping(value)
        if record.get("type") in ("node", "relationship") and "id" in record:
            record = self._exported(record)
        labels = sequence(record.get("labels"))
        if "source_node_uuid" in record and "fact" in record:
            self.edges.append((where, record))
        elif "source_node_uuid" in record or "Community" in labels or "Saga" in labels:
            self.left_out["mentions, communities and sagas"] += 1
        elif "uuid" in record and "content" in record:
            self.episodes.append((where, record))
        elif "uuid" in record and "name" in record:
            self.nodes.append((where, record))
        elif isinstance(value, SkippedRecord):
            self.skipped.append(value)
        else:
            why = str(Invalid("record", "is no node, no edge and no episode"))
            self.skipped.append(SkippedRecord(where=where, why=why))

    def _exported(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record of Neo4j as the API would return it."""
        held = dict(mapping(record.get("properties")))
        if record["type"] == "node":
            self.keys[str(record["id"])] = str(held.get("uuid"))
            return {**held, "labels": record.get("labels")}
        for name, end in (("source_node_uuid", "start"), ("target_node_uuid", "end")):
            held[name] = self.keys.get(str(mapping(record.get(end)).get("id")))
        return held


def parse(data: bytes, *, now: datetime) -> FileRecords:
    """The records of a dump: entities, links with the facts they state, and episodes."""
    dump = _Dump()
    for where, value in _values(data):
        dump.add(where, value)
    if not (dump.nodes or dump.edges or dump.episodes):
        raise Invalid("file", _UNKNOWN)
    return FileRecords(_records(dump, now), left_out=dump.left_out)


def _values(data: bytes) -> Iterable[tuple[str, object]]:
    whole = attempt("file", partial(json_of, data, 32 * MAX_RECORD))
    if isinstance(whole, SkippedRecord):
        return [(where, attempt(where, partial(json_of, line))) for where, line in lines_of(data.splitlines())]
    if isinstance(whole, list):
        return [(f"[{place}]", value) for place, value in enumerate(whole)]
    lists = [(name, held) for name in _LISTS if (held := sequence(mapping(whole).get(name)))]
    if lists:
        return [(f"{name}[{place}]", value) for name, held in lists for place, value in enumerate(held)]
    return [("[0]", whole)]


def _records(dump: _Dump, now: datetime) -> Iterator[Record]:
    yield from dump.skipped
    for where, node in dump.nodes:
        yield attempt(where, partial(_thing, where, node))
    for where, edge in dump.edges:
        link = attempt(where, partial(_edge, where, edge))
        yield link
        if not isinstance(link, SkippedRecord):
            yield attempt(where, partial(_fact, where, edge, now))
    for where, episode in dump.episodes:
        yield _episode(where, episode, now)


def _thing(where: str, node: Mapping[str, Any]) -> EntityRecord:
    key, name = checks.name("uuid", node["uuid"]), " ".join(text_of(node, "name").split())
    labels = [label for label in sequence(node.get("labels")) if isinstance(label, str) and label not in _PLAIN_LABELS]
    kind = next((found for found in map(entity_type, labels) if found is not EntityType.UNKNOWN), EntityType.UNKNOWN)
    more = mapping(node.get("attributes"))
    rest = {each: value for each, value in node.items() if each not in _PLACED and "embedding" not in each}
    summary = node.get("summary")
    return EntityRecord(
        where=where,
        key=key,
        upsert=UpsertEntity(
            name=name,
            type=kind,
            properties={**texts({**rest, **more}), f"{Format.GRAPHITI.value}:{key}": written(labels)},
        ),
        said=(summary,) if isinstance(summary, str) and summary.strip() else (),
        apart=key,
    )


def _edge(where: str, edge: Mapping[str, Any]) -> LinkRecord:
    return LinkRecord(
        where=where,
        source=checks.name("source_node_uuid", edge.get("source_node_uuid")),
        predicate=text_of(edge, "name"),
        target=checks.name("target_node_uuid", edge.get("target_node_uuid")),
        properties={"fact": text_of(edge, "fact")},
        valid_from=instant_of(edge, "valid_at"),
        valid_to=instant_of(edge, "invalid_at") or instant_of(edge, "expired_at"),
    )


def _fact(where: str, edge: Mapping[str, Any], now: datetime) -> MemoryRecord:
    """The sentence that an edge states; out of force where it is true no more."""
    over = instant_of(edge, "invalid_at") or instant_of(edge, "expired_at")
    out = over is not None and over <= now
    return MemoryRecord(
        where=where,
        origin=checks.name("uuid", edge.get("uuid")),
        content=text_of(edge, "fact"),
        category=_FACTS,
        created_at=instant_of(edge, "valid_at") or instant_of(edge, "created_at") or now,
        status=Status.ARCHIVED if out else Status.ACTIVE,
        archived_at=over if out else None,
        archive_reason="no longer true" if out else None,
    )


def _episode(where: str, episode: Mapping[str, Any], now: datetime) -> Record:
    """What came in: a message is a turn; a text or JSON that was handed over is a memory."""
    read = attempt(where, lambda: (checks.name("uuid", episode["uuid"]), text_of(episode, "content"), _at(episode)))
    if isinstance(read, SkippedRecord):
        return read
    key, content, at = read
    if episode.get("source") != "message":
        made = partial(MemoryRecord, where=where, origin=key, content=content, category=_EPISODES, created_at=at or now)
        return attempt(where, made)
    given = episode.get("role_type")
    session = str(episode.get("thread_id") or episode.get("session_id") or episode.get("group_id") or "graphiti")
    role, text = _speaker(content) if given is None else (str(given), content)
    spoken = role if role in tuple(Role) else Role.USER.value
    return message(where, Format.GRAPHITI, key, role=spoken, text=text, session=session, at=at)


def _at(episode: Mapping[str, Any]) -> datetime | None:
    return instant_of(episode, "valid_at") or instant_of(episode, "created_at")


def _speaker(content: str) -> tuple[str, str]:
    """Who speaks in `user: Hello`; whoever else is named stays in the words."""
    name, colon, rest = content.partition(":")
    role = name.strip().casefold()
    return (role, rest.strip()) if colon and role in tuple(Role) and rest.strip() else (Role.USER.value, content)
