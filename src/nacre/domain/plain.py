"""Values as plain JSON: the one shape that every surface shows."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from uuid import UUID

from nacre.domain.contexts import Context

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


def plain(value: object) -> Json:
    """`value` as JSON holds it: ids and times as text, choices by their value, values as objects."""
    match value:
        case Enum():
            return plain(value.value)
        case None | str() | bool() | int() | float():
            return value
        case UUID():
            return str(value)
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case _:
            return _compound(value)


def written(value: object) -> str:
    """`value` as a caller handed it over, as JSON text that any database stores; what has no JSON form by its name."""
    text = json.dumps(value, ensure_ascii=False, skipkeys=True, default=str)
    return text.encode("utf-8", "backslashreplace").decode()


def _compound(value: object) -> Json:
    # Values first: a `Recall` is a sequence of hits too, but it also carries notes.
    if is_dataclass(value):
        held = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        # Derived from the messages, but what most callers want of a context.
        return {"text": value.text, **held} if isinstance(value, Context) else held
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [plain(each) for each in value]
    raise TypeError(f"{type(value).__name__} has no JSON form.")
