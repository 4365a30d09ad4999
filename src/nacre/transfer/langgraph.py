"""The items of a LangGraph store: as `Item.dict()` writes them, or as rows of its table `store`, in a list or on lines.

They become what our own store of LangGraph reads: the same value under the same key of the same namespace.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.items import CREATED, ItemPlace, written
from nacre.domain.transfers import SkippedRecord
from nacre.transfer.records import FileRecords, MemoryRecord, Record, attempt, instant_of
from nacre.transfer.streams import members, objects, records

FILES = re.compile(r"\.jsonl?$")
_UNKNOWN = "is no dump of a LangGraph store: an item has `namespace` (or `prefix`), `key` and `value`"


def parse(source: Path | bytes) -> FileRecords:
    """The items of a dump."""
    return FileRecords(_records(source))


def _records(source: Path | bytes) -> Iterator[Record]:
    read = 0
    for name, file in members(source, FILES):
        for where, item in objects(records(file, name)):
            if not isinstance(item, SkippedRecord) and not read and not {"key", "value"} <= item.keys():
                raise Invalid("file", _UNKNOWN)
            read += 1
            yield item if isinstance(item, SkippedRecord) else attempt(where, lambda w=where, i=item: _entry(w, i))  # type: ignore[misc]


def _entry(where: str, item: Mapping[str, Any]) -> MemoryRecord:
    value, key = item.get("value"), checks.text("key", item.get("key"))
    if not isinstance(value, Mapping):
        raise Invalid("value", f"must be an object, not {type(value).__name__}")
    place, text = ItemPlace(_namespace(item), key), written(value)
    created, updated = instant_of(item, "created_at"), instant_of(item, "updated_at")
    if created is None:
        raise Invalid("created_at", "is missing")
    first = {CREATED: created.isoformat()} if updated and updated != created else {}
    return MemoryRecord(
        where=where,
        # A value that was put later is another item.
        origin=f"{place.tags[0]}/{(updated or created).isoformat()}",
        content=text,
        category=place.category,
        tags=tuple(place.tags),
        metadata={**place.metadata(text), **first},
        created_at=updated or created,
    )


def _namespace(item: Mapping[str, Any]) -> tuple[str, ...]:
    """The namespace of an item; the table joins its labels by dots."""
    given = item["namespace"] if "namespace" in item else item.get("prefix")
    labels = given.split(".") if isinstance(given, str) else given
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise Invalid("namespace", "must be a list of labels")
    return tuple(labels)
