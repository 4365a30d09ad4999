"""Memories of mem0, as its `get_all` and its exports write them: a list, or an object that holds one."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Any

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.transfers import SkippedRecord
from nacre.transfer.records import (
    FileRecords,
    LinkRecord,
    MemoryRecord,
    Record,
    attempt,
    instant_of,
    json_of,
    list_of,
    object_of,
    tags_of,
    text_of,
    texts,
)

_LISTS = ("results", "memories")
# Fields that have a place of their own; every other is kept as metadata.
_PLACED = ("memory", "created_at", "updated_at", "categories", "metadata", "relations", "score")
_NOT_THEIRS = "It may belong to another user."


def parse(data: bytes, *, user: str | None, now: datetime) -> FileRecords:
    """The records of a file: memories, and relations where there are any.

    Of a file that holds several users, only what is `user`'s comes in: the rest is none of their business.
    """
    entries, relations = _parts(json_of(data))
    users = {str(entry["user_id"]) for entry in entries if isinstance(entry, dict) and entry.get("user_id")}
    several = len(users) > 1
    note = f"The file holds memories of {len(users)} users; only those of `{user}` come in."
    return FileRecords(_records(entries, relations, now, user, several=several), (note,) if several else ())


def _parts(content: object) -> tuple[list[Any], list[Any]]:
    if isinstance(content, list):
        return content, []
    held = object_of(content)
    for name in _LISTS:
        if name in held:
            return list_of(held, name), list_of(held, "relations")
    raise Invalid("record", f"must be a list of memories, or an object with {' or '.join(_LISTS)}")


def _records(
    entries: list[Any], relations: list[Any], now: datetime, user: str | None, *, several: bool
) -> Iterator[Record]:
    edges = [(f"relations[{place}]", each) for place, each in enumerate(relations)]
    for place, entry in enumerate(entries):
        where = f"[{place}]"
        if several and isinstance(entry, dict) and entry.get("user_id") != user:
            yield SkippedRecord(where=where, why=_NOT_THEIRS)
        else:
            yield attempt(where, partial(_entry, where, entry, now))
            edges += [(f"{where} relations[{at}]", each) for at, each in enumerate(_relations(entry))]
    for where, each in edges:
        # What stands beside the memories does not say whose it is.
        foreign = several and not where.startswith("[")
        yield SkippedRecord(where=where, why=_NOT_THEIRS) if foreign else attempt(where, partial(_edge, where, each))


def _relations(entry: object) -> list[Any]:
    found = entry.get("relations") if isinstance(entry, dict) else None
    return found if isinstance(found, list) else []


def _entry(where: str, value: object, now: datetime) -> MemoryRecord:
    entry = object_of(value)
    content = text_of(entry, "memory")
    more = entry.get("metadata")
    kept = {f"mem0_{name}": each for name, each in entry.items() if name not in _PLACED}
    return MemoryRecord(
        where=where,
        origin=checks.name("id", str(entry.get("id") or blake2b(content.encode(), digest_size=16).hexdigest())),
        content=content,
        tags=tags_of(list_of(entry, "categories")),
        metadata=texts({**(more if isinstance(more, Mapping) else {}), **kept}),
        created_at=instant_of(entry, "created_at") or now,
        updated_at=instant_of(entry, "updated_at"),
    )


def _edge(where: str, value: object) -> LinkRecord:
    entry = object_of(value)
    target = "target" if "target" in entry else "destination"
    return LinkRecord(
        where=where,
        source=text_of(entry, "source"),
        predicate=text_of(entry, "relationship"),
        target=text_of(entry, target),
    )
