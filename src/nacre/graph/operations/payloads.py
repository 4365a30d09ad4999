"""Operations as JSON writes them: read with the documents' names and their other spellings, and refused when in doubt.

What is read here and what `commands.payload` writes are the same form, so what is stored can be carried out later.
"""

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.commands import Command, Operation, Origin, Quotation
from nacre.domain.errors import Invalid
from nacre.domain.operations import MergeEntities
from nacre.graph.identity import naming
from nacre.graph.operations.handlers import OPERATIONS

# Other spellings of fields; each holds where an operation has the field and nothing else of that spelling.
_SPELLINGS = (
    ("entity_id", "entity"),
    ("selector", "entity"),
    ("name", "entity"),
    ("entity_type", "type"),
    ("aspect_name", "aspect"),
    ("group_key", "group"),
    ("claim_key", "claim"),
    ("new_value", "value"),
    ("value", "new_value"),
    ("memory_id", "memory"),
    ("id", "attribute_id"),
    ("id", "link"),
    ("id", "assertion"),
    ("claim_attribute_id", "attribute_id"),
    ("assertion_id", "assertion"),
    ("link_id", "link"),
    ("dependency_id", "link"),
    ("link_type", "predicate"),
    ("dependency_type", "predicate"),
    ("interface_id", "interface"),
    ("rationale", "reason"),
)
_ENDS = tuple((f"{end}_{word}", end) for end in ("source", "target") for word in ("entity", "entity_id"))
_ASPECT = (("selector", "aspect"), ("name", "aspect"))
# What holds for one operation only, or means something else there.
_EXCEPTIONS: Mapping[str, Sequence[tuple[str, str]]] = {
    "create_link": _ENDS,
    "record_link": _ENDS,
    "merge_entities": _ENDS,
    "merge_aspects": (("source_aspect", "source"), ("target_aspect", "target")),
    "link_assertion": (("id", "assertion"),),
    "create_aspect": (("aspect", "name"),),
    "rename_aspect": _ASPECT,
    "archive_aspect": _ASPECT,
    "attach_interface": (("name", "interface"),),
    "note_mentions": (("source_id", "source"),),
}
_SEVERAL = ("source_entities", "source_entity_ids")
_ORIGIN = ("source_kind", "source_id", "source_path", "source_root")
_ENVELOPE = ("operation", "payload", "reason", "rationale", "evidence", "confidence", "risk", *_ORIGIN, "actor")
# These leave alone what their payload does not name.
_KEEPING = ("update_link", "supersede_assertion")
# An operation keeps a line of why it was done; the log keeps all of it.
_LINE = 200


def to_command(envelope: Mapping[str, Any]) -> Command:
    """The order that an envelope holds; one that comes to several operations is refused."""
    commands = to_commands(envelope)
    if len(commands) > 1:
        raise Invalid("payload", f"comes to {len(commands)} operations where one is wanted; name one source")
    return commands[0]


def to_commands(envelope: Mapping[str, Any]) -> list[Command]:
    """The orders that an envelope holds: one, or one for each of several entities that are merged.

    What the envelope says of reason and confidence holds for the operation, too, where its payload says nothing.
    """
    if not isinstance(envelope, Mapping):
        raise Invalid("operation", "must be an object with `operation` and `payload`")
    _refuse_unknown(envelope, _ENVELOPE, "an operation's envelope")
    given = {name: value for name, value in envelope.items() if value is not None}
    reason = _one_of(given, "reason", "rationale")
    name, payload = given.get("operation"), given.get("payload")
    kind = _kind(name)
    if not isinstance(payload, Mapping) or not payload:
        raise Invalid("payload", "must be an object that is not empty")
    if isinstance(reason, str):
        payload = _filled(kind, payload, "reason", " ".join(reason.split())[:_LINE])
    payload = _filled(kind, payload, "confidence", given.get("confidence"))
    origin = {field.removeprefix("source_"): given[field] for field in _ORIGIN if field in given}
    grounds: dict[str, Any] = {
        "reason": reason,
        "evidence": _value("evidence", tuple[Quotation, ...], given.get("evidence", ())),
        "confidence": given.get("confidence"),
        "risk": given.get("risk"),
        "origin": Origin(**origin) if origin else None,
        "actor": given.get("actor"),
    }
    return [Command(operation=each, **grounds) for each in to_operations(str(name), payload)]


def to_operation(name: str, payload: Mapping[str, Any]) -> Operation:
    """The operation of a name with a payload."""
    kind = _kind(name)
    built: Operation = _built(kind, name, payload, _spellings(kind))
    return built


def to_operations(name: str, payload: Mapping[str, Any]) -> list[Operation]:
    """As `to_operation`; a merge may name several sources, and is one operation for each."""
    several = [spelling for spelling in _SEVERAL if name == MergeEntities.operation and payload.get(spelling)]
    if not several:
        return [to_operation(name, payload)]
    rest = {field: value for field, value in payload.items() if field not in _SEVERAL}
    sources = [each for spelling in several for each in _items(spelling, payload[spelling])]
    return [to_operation(name, {**rest, "source_entity": source}) for source in sources]


def _kind(name: object) -> type[Operation]:
    kind = OPERATIONS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise Invalid("operation", f"must be one of {', '.join(sorted(OPERATIONS))}, not {str(name)[:100]!r}")
    return kind


@cache
def _spellings(kind: type[Operation]) -> Mapping[str, str]:
    """Every spelling of every field of an operation."""
    own = [field.name for field in fields(_of(kind))]
    pairs = (*_SPELLINGS, *_EXCEPTIONS.get(kind.operation, ()))
    return {**{spelling: field for spelling, field in pairs if field in own}, **{name: name for name in own}}


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _of(kind: Any) -> Any:
    # Operations are dataclasses, which their protocol cannot say.
    return kind


def _filled(kind: type[Operation], payload: Mapping[str, Any], field: str, value: object) -> Mapping[str, Any]:
    """The payload with a field that it lacks, where the operation has such a field."""
    spellings = {} if kind.operation in _KEEPING else _spellings(kind)
    said = any(spellings.get(spelling) == field and payload[spelling] is not None for spelling in payload)
    return payload if said or value is None or field not in spellings else {**payload, field: value}


def _built(kind: type, what: str, given: object, spellings: Mapping[str, str]) -> Any:
    """A value of a dataclass from an object: every field known, none given twice, none missing, all of their types."""
    if not isinstance(given, Mapping):
        raise Invalid(what, f"must be an object, not {type(given).__name__}")
    _refuse_unknown(given, spellings, f"`{what}`")
    spelled: dict[str, str] = {}
    values: dict[str, Any] = {}
    for spelling, value in given.items():
        field = spellings[spelling]
        if value is None:
            continue
        if field in spelled:
            raise Invalid(spelling, f"and `{spelled[field]}` say the same; give one of them")
        spelled[field] = spelling
        values[field] = _value(spelling, _hints(kind)[field], value)
    for each in fields(_of(kind)):
        if each.name not in values and each.default is MISSING and each.default_factory is MISSING:
            raise Invalid(each.name, f"is missing from `{what}`")
    return kind(**values)


def _value(field: str, hint: Any, value: object) -> Any:
    """A JSON value as a field wants it. Ranges, lengths and choices are checked by the operation itself."""
    options: list[Any] = [each for each in _plain_types(hint) if each is not types.NoneType]
    if get_origin(options[0]) is tuple:
        return _tuple(field, get_args(options[0]), value)
    if get_origin(options[0]) is Mapping:
        return _checked(field, Mapping, value)
    if is_dataclass(_of(options[0])):
        # Words without a source may stand alone.
        said = {"quote": value} if options[0] is Quotation and isinstance(value, str) else value
        return _built(options[0], field, said, _nested(options[0]))
    if isinstance(options[0], type) and issubclass(options[0], Enum) and str not in options:
        return options[0](checks.choice(field, value, [each.value for each in options[0]]))
    if str in options:
        return _selector(field, value) if UUID in options else checks.text(field, value)
    return _PLAIN[options[0]](field, value)


def _plain_types(hint: Any) -> list[Any]:
    """The types that a hint allows, as the standard library has them."""
    if isinstance(hint, NewType):
        return _plain_types(hint.__supertype__)
    if get_origin(hint) in (Union, types.UnionType):
        return [plain for each in get_args(hint) for plain in _plain_types(each)]
    return [hint]


@cache
def _nested(kind: type) -> Mapping[str, str]:
    own = {field.name: field.name for field in fields(_of(kind))}
    return {"source_id": "source", "source_ref": "source", **own} if "source" in own else own


def _tuple(field: str, hints: Sequence[Any], value: object) -> tuple[Any, ...]:
    given = _items(field, value)
    if hints[-1] is Ellipsis:
        return tuple(_value(field, hints[0], each) for each in given)
    if len(given) != len(hints):
        raise Invalid(field, f"must hold {len(hints)} values, not {len(given)}")
    return tuple(_value(field, hint, each) for hint, each in zip(hints, given, strict=True))


def _items(field: str, value: object) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise Invalid(field, f"must be a list, not {type(value).__name__}")
    return list(value)


def _checked(field: str, kind: type, value: object) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Invalid(field, f"must be {_NAMES[kind]}, not {type(value).__name__}")
    return value


def _selector(field: str, value: object) -> str | UUID:
    if isinstance(value, UUID):
        return value
    text = checks.name(field, value)
    return UUID(text) if naming.is_id(text) else text


def _instant(field: str, value: object) -> datetime:
    if isinstance(value, str):
        try:
            return checks.instant(field, datetime.fromisoformat(value))
        except ValueError as error:
            raise Invalid(field, f"must be a time such as 2026-05-03T10:00:00Z, not {value[:100]!r}") from error
    return checks.instant(field, value)


def _number(field: str, value: object) -> float:
    number: float = value if type(value) is int else _checked(field, float, value)
    return number


def _id(field: str, value: object) -> UUID:
    return ids.parse(field, value)  # type: ignore[arg-type]


_NAMES = {Mapping: "an object", bool: "true or false", int: "a whole number", float: "a number"}
_PLAIN: Mapping[Any, Callable[[str, object], Any]] = {
    bool: lambda field, value: _checked(field, bool, value),
    int: lambda field, value: _checked(field, int, value),
    float: _number,
    datetime: _instant,
    UUID: _id,
}


def _one_of(given: Mapping[str, Any], one: str, other: str) -> Any:
    if one in given and other in given:
        raise Invalid(other, f"and `{one}` say the same; give one of them")
    return given.get(one, given.get(other))


def _refuse_unknown(given: Mapping[Any, Any], allowed: Sequence[str] | Mapping[str, str], where: str) -> None:
    unknown = [str(name) for name in given if name not in allowed]
    names = set(allowed.values()) if isinstance(allowed, Mapping) else set(allowed)
    if unknown:
        raise Invalid(unknown[0][:100], f"is not a field of {where}; there are {', '.join(sorted(names))}")
